//===- Parser.cpp - Listings from text ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Line by line, as the printer writes them. What is missing or unknown is an
// error here; what contradicts itself, the verifier finds.
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include "nacre/Listing/Listing.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/SourceMgr.h"

using namespace nacre;
using namespace nacre::listing;
using llvm::failed;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::SMLoc;
using llvm::StringRef;
using llvm::success;

/// What no program comes near, and the verifier can still add up.
static constexpr int64_t kMostNumber = int64_t(1) << 47;
static constexpr int64_t kMostCopies = 4096;
static constexpr unsigned kMostNesting = 256;

namespace {

class Parser {
public:
  explicit Parser(llvm::SourceMgr &sources)
      : sources(sources),
        text(sources.getMemoryBuffer(sources.getMainFileID())->getBuffer()) {}

  FailureOr<Listing> parse();

private:
  //===--------------------------------------------------------------------===//
  // Pieces of a line
  //===--------------------------------------------------------------------===//

  SMLoc getLoc() const { return SMLoc::getFromPointer(line.data()); }
  LogicalResult error(const llvm::Twine &message) {
    sources.PrintMessage(getLoc(), llvm::SourceMgr::DK_Error, message);
    return failure();
  }
  LogicalResult expected(StringRef what) {
    StringRef found = line.take_until([](char c) { return c == ' '; });
    return found.empty()
               ? error("expected " + what)
               : error("expected " + what + ", found '" + found + "'");
  }
  void skipSpaces() { line = line.ltrim(" \t"); }
  /// Goes to the next line with anything on it.
  bool nextLine();
  bool consume(StringRef word) {
    skipSpaces();
    return line.consume_front(word);
  }
  LogicalResult require(StringRef word) {
    return consume(word) ? success() : expected(("'" + word + "'").str());
  }
  LogicalResult requireEnd() {
    skipSpaces();
    return line.empty() ? success() : expected("the end of the line");
  }
  /// A remark, of any words, may end a line.
  LogicalResult parseRemark(std::string &remark);
  FailureOr<std::string> parseName();
  FailureOr<int64_t> parseNumber();
  FailureOr<Bytes> parseBytes();
  FailureOr<std::string> parseAttributes();
  FailureOr<Access> parseAccess();

  //===--------------------------------------------------------------------===//
  // Lines
  //===--------------------------------------------------------------------===//

  LogicalResult parseFunction();
  LogicalResult parseDeclarations();
  LogicalResult parseTotals();
  LogicalResult parseType(Region &region);
  LogicalResult parseDescription(Region &region);
  LogicalResult parseWeight();
  /// Reads items until the line that closes the body.
  LogicalResult parseBody(Body &body);
  LogicalResult parseItem(Body &body);
  LogicalResult parseAlloc(Item &item);
  LogicalResult parseInstruction(Item &item);
  FailureOr<size_t> parseRegion();
  FailureOr<size_t> addRegion(Region region);

  llvm::SourceMgr &sources;
  StringRef text; // what follows the line
  StringRef line; // what is left of it
  unsigned nesting = 0;
  Listing listing;
  llvm::StringMap<size_t> regions; // of the function

  Function &getFunction() { return listing.back(); }
};

} // namespace

bool Parser::nextLine() {
  do {
    if (text.empty()) {
      line = text;
      return false;
    }
    std::tie(line, text) = text.split('\n');
    line = line.rtrim(" \t\r");
    skipSpaces();
  } while (line.empty());
  return true;
}

LogicalResult Parser::parseRemark(std::string &remark) {
  if (!consume(";")) {
    return requireEnd();
  }
  remark = line.trim().str();
  return success();
}

static std::string unescape(StringRef text) {
  std::string name;
  while (!text.empty()) {
    unsigned char code = 0;
    if (text.front() != '\\') {
      name += text.front();
      text = text.drop_front();
    } else if (text.size() >= 3 && llvm::isHexDigit(text[1]) &&
               !text.substr(1, 2).getAsInteger(16, code)) {
      name += static_cast<char>(code);
      text = text.drop_front(3);
    } else {
      name += text.drop_front().take_front().str();
      text = text.drop_front(2);
    }
  }
  return name;
}

/// The text up to the quote that ends it, which is consumed.
static FailureOr<StringRef> takeQuoted(StringRef &line) {
  size_t end = 0;
  while (end < line.size() && line[end] != '"') {
    end += line[end] == '\\' ? 2 : 1;
  }
  if (end >= line.size()) {
    return failure();
  }
  StringRef quoted = line.take_front(end);
  line = line.drop_front(end + 1);
  return quoted;
}

FailureOr<std::string> Parser::parseName() {
  if (line.consume_front("\"")) {
    FailureOr<StringRef> quoted = takeQuoted(line);
    return failed(quoted) ? FailureOr<std::string>(error("unfinished name"))
                          : unescape(*quoted);
  }
  StringRef name = line.take_while(isNameCharacter);
  if (name.empty()) {
    return expected("a name");
  }
  line = line.drop_front(name.size());
  return name.str();
}

FailureOr<int64_t> Parser::parseNumber() {
  skipSpaces();
  StringRef digits = line.take_while(llvm::isDigit);
  int64_t number;
  if (digits.empty()) {
    return expected("a number");
  }
  if (digits.getAsInteger(10, number) || number > kMostNumber) {
    return error("expected a number up to " + llvm::Twine(kMostNumber));
  }
  line = line.drop_front(digits.size());
  return number;
}

FailureOr<Bytes> Parser::parseBytes() {
  if (consume("?")) {
    return Bytes::open();
  }
  FailureOr<int64_t> known = parseNumber();
  if (failed(known)) {
    return failure();
  }
  return Bytes{*known, consume("+ ?")};
}

FailureOr<std::string> Parser::parseAttributes() {
  StringRef rest = line;
  for (unsigned depth = 1; !rest.empty();) {
    char c = rest.front();
    rest = rest.drop_front();
    if (c == '"') {
      if (failed(takeQuoted(rest))) {
        break;
      }
    } else if (c == '[') {
      ++depth;
    } else if (c == ']' && --depth == 0) {
      std::string attributes = line.drop_back(rest.size() + 1).str();
      line = rest;
      return attributes;
    }
  }
  return error("expected ']' after this");
}

FailureOr<Access> Parser::parseAccess() {
  if (failed(require("@"))) {
    return failure();
  }
  for (Access access : {Access::InOut, Access::In, Access::Out}) {
    if (line.consume_front((toString(access) + " ").str())) {
      return access;
    }
  }
  return expected("'in', 'out' or 'inout'");
}

FailureOr<size_t> Parser::addRegion(Region region) {
  auto [entry, isNew] =
      regions.try_emplace(region.name, getFunction().regions.size());
  if (!isNew) {
    sources.PrintMessage(region.loc, llvm::SourceMgr::DK_Error,
                         "a second region of the name '" + region.name + "'");
    sources.PrintMessage(getFunction().regions[entry->second].loc,
                         llvm::SourceMgr::DK_Note, "the first one is here");
    return failure();
  }
  getFunction().regions.push_back(std::move(region));
  return entry->second;
}

FailureOr<size_t> Parser::parseRegion() {
  if (failed(require("%"))) {
    return failure();
  }
  StringRef start = line;
  FailureOr<std::string> name = parseName();
  if (failed(name)) {
    return failure();
  }
  auto found = regions.find(*name);
  if (found == regions.end()) {
    line = start;
    return error("no region of the name '" + *name + "'");
  }
  return found->second;
}

/// "f32<2x3>", and what its integers stand for.
LogicalResult Parser::parseType(Region &region) {
  skipSpaces();
  StringRef type = line.take_until([](char c) { return c == ' ' || c == '['; });
  if (type.empty()) {
    return expected("a type");
  }
  region.type = type.str();
  line = line.drop_front(type.size());
  if (!line.consume_front("[")) {
    return success();
  }
  FailureOr<std::string> attributes = parseAttributes();
  if (failed(attributes)) {
    return failure();
  }
  region.quantization = *attributes;
  return success();
}

/// Bytes, place and users.
LogicalResult Parser::parseDescription(Region &region) {
  if (failed(require(";"))) {
    return failure();
  }
  FailureOr<Bytes> bytes = parseBytes();
  if (failed(bytes) || failed(require("bytes"))) {
    return failure();
  }
  region.bytes = *bytes;
  if (consume("at ")) {
    FailureOr<int64_t> offset = parseNumber();
    if (failed(offset)) {
      return failure();
    }
    region.offset = *offset;
    int64_t copies = 1;
    while (consume("times ")) {
      FailureOr<int64_t> count = parseNumber();
      if (failed(count) || failed(require("by "))) {
        return failure();
      }
      FailureOr<int64_t> pitch = parseNumber();
      if (failed(pitch)) {
        return failure();
      }
      region.copies.push_back({*count, *pitch});
      copies *= *count;
      if (copies > kMostCopies) {
        return error("expected at most " + llvm::Twine(kMostCopies) +
                     " copies before this");
      }
    }
  }
  if (failed(require(", users:"))) {
    return failure();
  }
  if (consume("none")) {
    return requireEnd();
  }
  do {
    FailureOr<Access> access = parseAccess();
    if (failed(access)) {
      return failure();
    }
    FailureOr<int64_t> number = parseNumber();
    if (failed(number)) {
      return failure();
    }
    region.uses.push_back({*access, *number});
  } while (consume(","));
  return requireEnd();
}

LogicalResult Parser::parseWeight() {
  Region region;
  region.loc = getLoc();
  if (failed(require("%"))) {
    return failure();
  }
  FailureOr<std::string> name = parseName();
  if (failed(name) || failed(require("=")) || failed(require("WeightVar")) ||
      failed(parseType(region))) {
    return failure();
  }
  region.name = *name;
  if (consume("const")) {
    region.kind = Storage::Constant;
  } else if (consume("mutable")) {
    region.kind = Storage::Placeholder;
  } else {
    return expected("'const' or 'mutable'");
  }
  return failed(parseDescription(region)) ? failure()
                                          : LogicalResult(addRegion(region));
}

LogicalResult Parser::parseTotals() {
  Function &function = getFunction();
  FailureOr<Bytes> size = parseBytes();
  if (failed(size) || failed(require("bytes")) || failed(requireEnd())) {
    return failure();
  }
  function.size = *size;
  nextLine();
  function.totalsLoc = getLoc();
  std::pair<StringRef, Bytes *> parts[] = {
      {"; constants", &function.constants},
      {", placeholders", &function.placeholders},
      {", activations", &function.activations},
      {"(largest live set", &function.liveSet}};
  for (auto [word, bytes] : parts) {
    if (failed(require(word))) {
      return failure();
    }
    FailureOr<Bytes> found = parseBytes();
    if (failed(found)) {
      return failure();
    }
    *bytes = *found;
  }
  return failed(require(")")) ? failure() : requireEnd();
}

LogicalResult Parser::parseDeclarations() {
  if (!nextLine() || failed(require("declare")) || failed(require("{")) ||
      failed(requireEnd())) {
    return line.empty() ? error("expected 'declare {'") : failure();
  }
  while (nextLine() && !line.starts_with("; size =")) {
    if (failed(parseWeight())) {
      return failure();
    }
  }
  if (failed(require("; size =")) || failed(parseTotals())) {
    return failure();
  }
  nextLine();
  return failed(require("}")) ? failure() : requireEnd();
}

LogicalResult Parser::parseAlloc(Item &item) {
  Region region;
  region.loc = getLoc();
  item.kind = Item::Alloc;
  line = line.drop_front();
  FailureOr<std::string> name = parseName();
  if (failed(name) || failed(require("=")) || failed(require("alloc ")) ||
      failed(parseType(region)) || failed(parseDescription(region))) {
    return failure();
  }
  region.name = *name;
  FailureOr<size_t> number = addRegion(region);
  if (failed(number)) {
    return failure();
  }
  item.region = *number;
  return success();
}

LogicalResult Parser::parseInstruction(Item &item) {
  FailureOr<int64_t> number = parseNumber();
  if (failed(number)) {
    return failure();
  }
  item.number = *number;
  skipSpaces();
  FailureOr<std::string> mnemonic = parseName();
  if (failed(mnemonic)) {
    return failure();
  }
  item.mnemonic = *mnemonic;
  skipSpaces();
  if (line.starts_with("@")) {
    do {
      skipSpaces();
      SMLoc loc = getLoc();
      FailureOr<Access> access = parseAccess();
      if (failed(access)) {
        return failure();
      }
      FailureOr<size_t> region = parseRegion();
      if (failed(region)) {
        return failure();
      }
      item.operands.push_back({*access, *region, loc});
    } while (consume(","));
  }
  if (consume("[")) {
    FailureOr<std::string> attributes = parseAttributes();
    if (failed(attributes)) {
      return failure();
    }
    item.attributes = *attributes;
  }
  bool hasBodies = consume("{");
  if (failed(parseRemark(item.comment))) {
    return failure();
  }
  while (hasBodies) {
    if (failed(parseBody(item.bodies.emplace_back()))) {
      return failure();
    }
    hasBodies = consume("else {");
    if (failed(requireEnd())) {
      return failure();
    }
  }
  return success();
}

LogicalResult Parser::parseItem(Body &body) {
  Item item;
  item.loc = getLoc();
  LogicalResult result = success();
  if (line.starts_with("%")) {
    result = parseAlloc(item);
  } else if (consume("dealloc ")) {
    item.kind = Item::Dealloc;
    FailureOr<size_t> region = parseRegion();
    if (failed(region) || failed(requireEnd())) {
      return failure();
    }
    item.region = *region;
  } else {
    result = parseInstruction(item);
  }
  body.push_back(std::move(item));
  return result;
}

LogicalResult Parser::parseBody(Body &body) {
  llvm::SaveAndRestore deeper(nesting, nesting + 1);
  if (nesting > kMostNesting) {
    return error("bodies are nested too deeply");
  }
  while (nextLine()) {
    if (line.consume_front("}")) {
      return success();
    }
    if (failed(parseItem(body))) {
      return failure();
    }
  }
  return error("expected '}' before the end of the file");
}

LogicalResult Parser::parseFunction() {
  listing.emplace_back();
  regions.clear();
  getFunction().loc = getLoc();
  if (failed(require("function "))) {
    return failure();
  }
  skipSpaces();
  FailureOr<std::string> name = parseName();
  std::string remark;
  if (failed(name) || failed(parseRemark(remark))) {
    return failure();
  }
  getFunction().name = *name;
  auto [target, level] = StringRef(remark).split(", level ");
  getFunction().target = target.str();
  getFunction().level = level.str();
  if (failed(parseDeclarations())) {
    return failure();
  }
  nextLine();
  if (failed(require("code")) || failed(require("{")) || failed(requireEnd()) ||
      failed(parseBody(getFunction().code))) {
    return failure();
  }
  return requireEnd();
}

FailureOr<Listing> Parser::parse() {
  while (nextLine()) {
    if (failed(parseFunction())) {
      return failure();
    }
  }
  if (listing.empty()) {
    return error("expected 'function NAME'");
  }
  return std::move(listing);
}

FailureOr<Listing> listing::parse(llvm::SourceMgr &sources) {
  return Parser(sources).parse();
}
