//===- EinsumUtils.cpp - Equations of Einsum ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser of equations.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/EinsumUtils.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nacre;

namespace {

/// The letters of one operand or result, and where its ellipsis stands among
/// them.
struct Term {
  SmallVector<char> letters;
  std::optional<size_t> ellipsis;
};

} // namespace

static FailureOr<Term> parseTerm(std::optional<Location> location,
                                 StringRef text) {
  Term term;
  while (!text.empty()) {
    if (text.consume_front("...")) {
      if (term.ellipsis) {
        return emitOptionalError(location,
                                 "expected one ellipsis in each term of the "
                                 "equation");
      }
      term.ellipsis = term.letters.size();
      continue;
    }
    if (!llvm::isAlpha(text.front())) {
      return emitOptionalError(
          location,
          "expected letters, ',', '...' and one '->' in the equation, "
          "found '",
          text, "'");
    }
    term.letters.push_back(text.front());
    text = text.drop_front();
  }
  return term;
}

/// Without an arrow: the letters that occur once, in alphabetical order, after
/// the ellipsis.
static Term getImplicitResult(ArrayRef<Term> operands) {
  Term result;
  result.ellipsis = 0;
  SmallVector<int64_t> counts(256, 0);
  for (const Term &term : operands) {
    for (char letter : term.letters) {
      ++counts[static_cast<unsigned char>(letter)];
    }
  }
  for (auto [letter, count] : llvm::enumerate(counts)) {
    if (count == 1) {
      result.letters.push_back(static_cast<char>(letter));
    }
  }
  return result;
}

SmallVector<int64_t> IE::EinsumEquation::getResultShape() const {
  return llvm::map_to_vector(result,
                             [&](int64_t letter) { return sizes[letter]; });
}

/// `present` after a dimension of `size` took part: 1 and the unknown give way.
static FailureOr<int64_t> combineSizes(int64_t present, int64_t size) {
  if (present == size || size == 1) {
    return present;
  }
  if (present == 1) {
    return size;
  }
  if (ShapedType::isDynamic(present)) {
    return size;
  }
  if (ShapedType::isDynamic(size)) {
    return present;
  }
  return failure();
}

FailureOr<IE::EinsumEquation>
IE::resolveEinsum(std::optional<Location> location, StringRef equation,
                  TypeRange operands) {
  std::string text = equation.str();
  llvm::erase(text, ' ');
  auto [left, right] = StringRef(text).split("->");
  bool hasArrow = StringRef(text).contains("->");
  SmallVector<StringRef> parts;
  left.split(parts, ',');
  if (parts.size() != operands.size()) {
    return emitOptionalError(location, "expected an equation of ",
                             operands.size(), " operands, found '", equation,
                             "'");
  }
  SmallVector<Term> terms;
  int64_t broadcastRank = 0;
  for (auto [part, type] : llvm::zip_equal(parts, operands)) {
    FailureOr<Term> term = parseTerm(location, part);
    if (failed(term)) {
      return failure();
    }
    int64_t rank = cast<ShapedType>(type).getRank();
    int64_t letters = term->letters.size();
    if (rank < letters || (rank > letters && !term->ellipsis)) {
      return emitOptionalError(location,
                               "expected an operand with the "
                               "dimensions '",
                               part, "', found ", type);
    }
    broadcastRank = std::max(broadcastRank, rank - letters);
    terms.push_back(std::move(*term));
  }
  FailureOr<Term> result = getImplicitResult(terms);
  if (hasArrow && failed(result = parseTerm(location, right))) {
    return failure();
  }

  // Dimensions of the ellipsis are the first letters, aligned at their end.
  EinsumEquation resolved;
  resolved.sizes.assign(broadcastRank, 1);
  SmallVector<int64_t> numbers(256, -1);
  auto resolve = [&](const Term &term, int64_t rank) {
    SmallVector<int64_t> letters;
    size_t ellipsis = term.ellipsis.value_or(0);
    int64_t covered = term.ellipsis ? rank - term.letters.size() : 0;
    for (size_t i = 0; i <= term.letters.size(); ++i) {
      if (term.ellipsis && i == ellipsis) {
        llvm::append_range(letters, llvm::seq<int64_t>(broadcastRank - covered,
                                                       broadcastRank));
      }
      if (i < term.letters.size()) {
        int64_t &number = numbers[static_cast<unsigned char>(term.letters[i])];
        if (number < 0) {
          number = resolved.sizes.size();
          resolved.sizes.push_back(1);
        }
        letters.push_back(number);
      }
    }
    return letters;
  };
  for (auto [term, type] : llvm::zip_equal(terms, operands)) {
    ArrayRef<int64_t> shape = cast<ShapedType>(type).getShape();
    resolved.operands.push_back(resolve(term, shape.size()));
    for (auto [letter, size] :
         llvm::zip_equal(resolved.operands.back(), shape)) {
      FailureOr<int64_t> combined = combineSizes(resolved.sizes[letter], size);
      if (failed(combined)) {
        return emitOptionalError(location,
                                 "expected dimensions of the same "
                                 "letter to broadcast in '",
                                 equation, "', found ", resolved.sizes[letter],
                                 " and ", size);
      }
      resolved.sizes[letter] = *combined;
    }
  }
  size_t known = resolved.sizes.size();
  resolved.result = resolve(*result, broadcastRank + result->letters.size());
  SmallVector<int64_t> unique(resolved.result);
  llvm::sort(unique);
  if (resolved.sizes.size() != known ||
      std::adjacent_find(unique.begin(), unique.end()) != unique.end()) {
    return emitOptionalError(location,
                             "expected the result's letters among the "
                             "operands' and each of them once in '",
                             equation, "'");
  }
  return resolved;
}
