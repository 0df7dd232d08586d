//===- String.cpp - Evaluation of operators on text -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interpreter kernels of the IE operator family: strings.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre-c/Regex.h"
#include "nacre/Dialect/IE/IR/String.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"

#include <clocale>
#include <cwctype>

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

namespace {

/// Unicode's simple case mappings, which the C library has in this locale.
class CaseMapping {
public:
  CaseMapping() : locale(newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t())) {}
  ~CaseMapping() {
    if (locale) {
      freelocale(locale);
    }
  }
  CaseMapping(const CaseMapping &) = delete;
  CaseMapping &operator=(const CaseMapping &) = delete;

  bool isValid() const { return locale != locale_t(); }

  /// Bytes that are no UTF-8 stay as they are.
  std::string map(StringRef text, bool toUpper) const {
    std::string result;
    while (!text.empty()) {
      const auto *at = text.bytes_begin();
      llvm::UTF32 point = 0;
      if (llvm::convertUTF8Sequence(&at, text.bytes_end(), &point,
                                    llvm::strictConversion) !=
          llvm::conversionOK) {
        result += text.front();
        text = text.drop_front();
        continue;
      }
      auto wide = static_cast<wint_t>(point);
      wint_t mapped =
          toUpper ? towupper_l(wide, locale) : towlower_l(wide, locale);
      char bytes[4], *end = bytes;
      llvm::ConvertCodePointToUTF8(mapped, end);
      result.append(bytes, end);
      text = text.drop_front(at - text.bytes_begin());
    }
    return result;
  }

private:
  locale_t locale;
};

} // namespace

static LogicalResult evalStringNormalizer(IE::StringNormalizerOp op,
                                          ArrayRef<Datum> operands,
                                          RegionRunner,
                                          SmallVectorImpl<Datum> &results) {
  CaseMapping mapping;
  if (!mapping.isValid()) {
    return op.emitError("needs the locale C.UTF-8, which the C library lacks");
  }
  bool isCaseSensitive = op.getIsCaseSensitive() != 0;
  auto getKey = [&](StringRef text) {
    return isCaseSensitive ? text.str() : mapping.map(text, /*toUpper=*/false);
  };
  llvm::StringSet<> stopwords;
  if (op.getStopwords()) {
    for (StringRef word : op.getStopwords()->getAsValueRange<StringAttr>()) {
      stopwords.insert(getKey(word));
    }
  }
  MLIRContext *context = op.getContext();
  StringRef action = op.getCaseChangeAction();
  SmallVector<String> kept;
  const Tensor &input = operands[0].getTensor();
  for (StringRef text : input.values<String>()) {
    if (stopwords.contains(getKey(text))) {
      continue;
    }
    kept.push_back(action == "NONE"
                       ? String(context, text)
                       : String(context, mapping.map(text, action == "UPPER")));
  }
  if (kept.empty()) {
    kept.emplace_back(context, "");
  }
  SmallVector<int64_t> shape(input.getRank(), 1);
  shape.back() = static_cast<int64_t>(kept.size());
  Tensor result(input.getType().clone(shape));
  llvm::copy(kept, result.mutableValues<String>().begin());
  results.push_back(result);
  return success();
}

static LogicalResult evalStringConcat(IE::StringConcatOp op,
                                      ArrayRef<Tensor> operands,
                                      MutableArrayRef<Tensor> results) {
  ArrayRef<int64_t> shape = results[0].getShape();
  SmallVector<int64_t> strides[] = {
      computeBroadcastStrides(operands[0].getShape(), shape),
      computeBroadcastStrides(operands[1].getShape(), shape)};
  MutableArrayRef<String> out = results[0].mutableValues<String>();
  forEachIndex(shape, [&](int64_t linear, ArrayRef<int64_t> index) {
    std::string text;
    for (auto [operand, steps] : llvm::zip_equal(operands, strides)) {
      int64_t position = 0;
      for (auto [i, step] : llvm::zip_equal(index, steps)) {
        position += i * step;
      }
      text += StringRef(operand.values<String>()[position]);
    }
    out[linear] = String(op.getContext(), text);
  });
  return success();
}

/// The parts of a text, at most `limit` + 1.
static SmallVector<StringRef> split(StringRef text, StringRef delimiter,
                                    int64_t limit) {
  static constexpr StringRef kSpace = " \t\n\v\f\r";
  SmallVector<StringRef> parts;
  if (delimiter.empty()) {
    for (text = text.ltrim(kSpace); !text.empty(); text = text.ltrim(kSpace)) {
      bool isLast = static_cast<int64_t>(parts.size()) == limit;
      size_t end = isLast ? text.size() : text.find_first_of(kSpace);
      parts.push_back(text.take_front(end));
      text = text.substr(end);
    }
    return parts;
  }
  while (static_cast<int64_t>(parts.size()) < limit &&
         text.contains(delimiter)) {
    auto [part, rest] = text.split(delimiter);
    parts.push_back(part);
    text = rest;
  }
  parts.push_back(text);
  return parts;
}

static LogicalResult evalStringSplit(IE::StringSplitOp op,
                                     ArrayRef<Datum> operands, RegionRunner,
                                     SmallVectorImpl<Datum> &results) {
  const Tensor &input = operands[0].getTensor();
  MLIRContext *context = op.getContext();
  int64_t limit = op.getMaxsplit() ? static_cast<int64_t>(*op.getMaxsplit())
                                   : std::numeric_limits<int64_t>::max();
  Tensor counts(input.getType().clone(IntegerType::get(context, 64)));
  SmallVector<SmallVector<StringRef>> all;
  int64_t most = 0;
  for (auto [text, count] : llvm::zip_equal(input.values<String>(),
                                            counts.mutableValues<int64_t>())) {
    all.push_back(split(text, op.getDelimiter().value_or(""), limit));
    count = static_cast<int64_t>(all.back().size());
    most = std::max(most, count);
  }
  SmallVector<int64_t> shape(input.getShape());
  shape.push_back(most);
  Tensor parts(input.getType().clone(shape));
  for (auto [row, list] : llvm::enumerate(all)) {
    for (auto [i, part] : llvm::enumerate(list)) {
      parts.mutableValues<String>()[row * most + i] = String(context, part);
    }
  }
  results.push_back(parts);
  results.push_back(counts);
  return success();
}

static LogicalResult evalRegexFullMatch(IE::RegexFullMatchOp op,
                                        ArrayRef<Tensor> operands,
                                        MutableArrayRef<Tensor> results) {
  // The verifier has read the pattern before.
  const char *problem = nullptr;
  std::unique_ptr<nacre_regex, decltype(&nacre_regex_delete)> regex(
      nacre_regex_new(op.getPattern().str().c_str(), &problem),
      nacre_regex_delete);
  for (auto [text, matches] : llvm::zip_equal(
           operands[0].values<String>(), results[0].mutableValues<bool>())) {
    std::string copy = StringRef(text).str();
    matches = nacre_regex_matches(regex.get(), copy.data(), copy.size()) != 0;
  }
  return success();
}

void interpreter::registerStringKernels(MLIRContext *context) {
  attachCompositeKernel<IE::StringNormalizerOp, evalStringNormalizer>(context);
  attachKernel<IE::StringConcatOp, evalStringConcat>(context);
  attachCompositeKernel<IE::StringSplitOp, evalStringSplit>(context);
  attachKernel<IE::RegexFullMatchOp, evalRegexFullMatch>(context);
}
