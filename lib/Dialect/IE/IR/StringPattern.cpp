//===- StringPattern.cpp - Regular expressions ----------------------------===//
//
// RE2's syntax in terms of POSIX's. Only whole strings are matched, so that it
// makes no difference which of several matches is preferred, nor what is
// captured: lazy quantifiers are like others, all groups alike. RE2 matches
// code points where POSIX matches bytes.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/String.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace nacre;

namespace {

class Translator {
public:
  explicit Translator(StringRef rest) : rest(rest) {}

  FailureOr<std::string> run(std::string &why);

private:
  LogicalResult fail(const Twine &why) {
    reason = why.str();
    return failure();
  }
  LogicalResult translateEscape();
  LogicalResult translateClass();
  LogicalResult translateQuantifier(char c);
  /// Any code point but those in the brackets, which are ASCII.
  void addNegated(StringRef inside, bool hasHyphen = false) {
    result += ("([^" + inside + "\x80-\xff" + (hasHyphen ? "-]" : "]")).str();
    // Of a longer one, the first byte and the others.
    result += "|[\xc0-\xf7][\x80-\xbf]+)";
  }
  void addLiteral(char c) {
    // A bracket of one takes the meaning off any character but this one.
    result += c == '^' ? std::string("\\^") : std::string({'[', c, ']'});
  }

  StringRef rest;
  std::string result, reason;
};

} // namespace

/// What is in the brackets for \d, \w and \s; empty for other letters.
static StringRef getClass(char letter) {
  switch (letter) {
  case 'd':
    return "0-9";
  case 'w':
    return "0-9A-Za-z_";
  case 's':
    return "\t\n\f\r ";
  default:
    return "";
  }
}

/// The character that an escape stands for; nothing for other letters.
static std::optional<char> getEscaped(char c) {
  switch (c) {
  case 't':
    return '\t';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 'f':
    return '\f';
  case 'v':
    return '\v';
  default:
    return llvm::isAlnum(c) ? std::nullopt : std::optional<char>(c);
  }
}

LogicalResult Translator::translateEscape() {
  if (rest.empty()) {
    return fail("it ends with a backslash");
  }
  char c = rest.front();
  rest = rest.drop_front();
  StringRef inside = getClass(llvm::toLower(c));
  if (!inside.empty()) {
    if (llvm::isUpper(c)) {
      addNegated(inside);
    } else {
      result += "[" + inside.str() + "]";
    }
    return success();
  }
  if (c == 'A' || c == 'z') {
    return success(); // the whole string is matched anyway
  }
  if (std::optional<char> plain = getEscaped(c)) {
    addLiteral(*plain);
    return success();
  }
  return fail("'\\" + Twine(c) + "' is not supported");
}

LogicalResult Translator::translateClass() {
  std::string inside;
  bool isNegated = rest.consume_front("^");
  // POSIX takes these as themselves in some places of a bracket only.
  bool hasBracket = false, hasHyphen = false, hasCaret = false;
  auto add = [&](char c) {
    hasBracket |= c == ']';
    hasHyphen |= c == '-';
    hasCaret |= c == '^';
    if (c != ']' && c != '-' && c != '^') {
      inside += c;
    }
  };
  bool isFirst = true;
  while (isFirst || !rest.starts_with("]")) {
    if (rest.empty()) {
      return fail("a bracket is not closed");
    }
    isFirst = false;
    if (rest.starts_with("[:")) {
      size_t end = rest.find(":]");
      if (end == StringRef::npos) {
        return fail("a class of characters is not closed");
      }
      inside += rest.take_front(end + 2);
      rest = rest.drop_front(end + 2);
      continue;
    }
    char c = rest.front();
    rest = rest.drop_front();
    if (c == '\\') {
      if (rest.empty()) {
        return fail("it ends with a backslash");
      }
      c = rest.front();
      rest = rest.drop_front();
      if (StringRef set = getClass(c); !set.empty()) {
        inside += set;
        continue;
      }
      std::optional<char> plain = getEscaped(c);
      if (!plain) {
        return fail("'\\" + Twine(c) + "' in brackets is not supported");
      }
      c = *plain;
    }
    bool isRange = rest.size() > 1 && rest[0] == '-' && rest[1] != ']';
    if (!isRange) {
      add(c);
      continue;
    }
    rest = rest.drop_front();
    char last = rest.front();
    rest = rest.drop_front();
    if (last == '\\' && !rest.empty()) {
      std::optional<char> plain = getEscaped(rest.front());
      if (!plain) {
        return fail("a range to '\\" + Twine(rest.front()) +
                    "' is not supported");
      }
      last = *plain;
      rest = rest.drop_front();
    }
    inside += {c, '-', last};
  }
  rest = rest.drop_front();
  if (hasCaret && !isNegated && !hasBracket && inside.empty() && !hasHyphen) {
    addLiteral('^');
    return success();
  }
  if (!llvm::all_of(inside, [](char c) { return llvm::isASCII(c); })) {
    return fail("characters beyond ASCII in brackets are not supported");
  }
  inside = (hasBracket ? "]" : "") + inside;
  inside += hasCaret ? "^" : "";
  if (isNegated) {
    addNegated(inside, hasHyphen);
    return success();
  }
  result += "[" + inside + (hasHyphen ? "-" : "") + "]";
  return success();
}

LogicalResult Translator::translateQuantifier(char c) {
  if (c != '{') {
    result += c;
  } else {
    size_t end = rest.find('}');
    StringRef counts = rest.take_front(end);
    if (end == StringRef::npos || counts.empty() ||
        counts.find_first_not_of("0123456789,") != StringRef::npos) {
      addLiteral('{'); // RE2 takes it for a character
      return success();
    }
    result += ("{" + counts + "}").str();
    rest = rest.drop_front(end + 1);
  }
  rest.consume_front("?");
  return success();
}

FailureOr<std::string> Translator::run(std::string &why) {
  LogicalResult done = success();
  result = "^(";
  while (succeeded(done) && !rest.empty()) {
    char c = rest.front();
    rest = rest.drop_front();
    switch (c) {
    case '\\':
      done = translateEscape();
      break;
    case '[':
      done = translateClass();
      break;
    case '*':
    case '+':
    case '?':
    case '{':
      done = translateQuantifier(c);
      break;
    case '(':
      result += c;
      if (rest.consume_front("?")) {
        bool isNamed = rest.starts_with("P<") || rest.starts_with("<");
        if (isNamed) {
          rest = rest.drop_front(std::min(rest.find('>'), rest.size() - 1) + 1);
        } else if (!rest.consume_front(":")) {
          done = fail("flags are not supported");
        }
      }
      break;
    case '.':
      addNegated("\n");
      break;
    default:
      if (llvm::isASCII(c)) {
        result += c;
        break;
      }
      // A quantifier concerns the whole code point.
      result += '(';
      result += c;
      while (!rest.empty() && (rest.front() & 0xc0) == 0x80) {
        result += rest.front();
        rest = rest.drop_front();
      }
      result += ')';
    }
  }
  result += ")$";
  std::string problem;
  if (succeeded(done) && !llvm::Regex(result).isValid(problem)) {
    done = fail(problem);
  }
  why = reason;
  if (failed(done)) {
    return failure();
  }
  return result;
}

FailureOr<std::string> IE::translatePattern(StringRef pattern,
                                            std::string &reason) {
  return Translator(pattern).run(reason);
}
