//===- String.cpp - Text --------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference and verification of the IE operator family: strings.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/String.h"
#include "nacre-c/Regex.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/String.cpp.inc"

void IEDialect::registerStringOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/String.cpp.inc"
      >();
}

LogicalResult StringNormalizerOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  int64_t rank = type.getRank();
  if (rank != 1 &&
      (rank != 2 || (type.getDimSize(0) != 1 && !type.isDynamicDim(0)))) {
    return emitOptionalError(
        location, "expected a vector or a matrix of one row, found ", type);
  }
  SmallVector<int64_t> shape(rank, 1);
  shape.back() = ShapedType::kDynamic;
  // Without stopwords nothing is left out, but nothing becomes one string.
  ArrayAttr stopwords = adaptor.getStopwordsAttr();
  bool keepsAll = !stopwords || stopwords.empty();
  if (keepsAll && !type.isDynamicDim(rank - 1)) {
    shape.back() = std::max<int64_t>(type.getShape().back(), 1);
  }
  inferred.push_back(type.clone(shape));
  return success();
}

LogicalResult StringSplitOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location>,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(ShapedType::kDynamic);
  inferred.push_back(type.clone(shape));
  inferred.push_back(type.clone(IntegerType::get(context, 64)));
  return success();
}

LogicalResult StringSplitOp::verify() {
  auto limit = static_cast<int64_t>(getMaxsplit().value_or(0));
  if (limit < 0) {
    return emitOpError("expected 'maxsplit' of 0 or more, found ") << limit;
  }
  return success();
}

LogicalResult
RegexFullMatchOp::inferReturnTypes(MLIRContext *context,
                                   std::optional<Location>, Adaptor adaptor,
                                   SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  inferred.push_back(type.clone(IntegerType::get(context, 1)));
  return success();
}

std::string IE::getPatternProblem(StringRef pattern) {
  if (pattern.contains('\0')) {
    return "it has a zero in it";
  }
  const char *problem = nullptr;
  nacre_regex *regex = nacre_regex_new(pattern.str().c_str(), &problem);
  if (!regex) {
    return problem;
  }
  nacre_regex_delete(regex);
  return "";
}

LogicalResult RegexFullMatchOp::verify() {
  std::string reason = getPatternProblem(getPattern());
  if (!reason.empty()) {
    return emitOpError("expected a pattern that nacre can match, found '")
           << getPattern() << "': " << reason;
  }
  return success();
}
