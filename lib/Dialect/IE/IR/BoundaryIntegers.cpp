//===- BoundaryIntegers.cpp - Integers that a model takes or gives --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/BoundaryIntegers.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/Json.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mlir;
using namespace nacre;

/// What integers of that type stand for; null where no type of 8 or 16 bits has
/// them, or no f32.
static abi::IntegersAttr make(Type integer, double scale, int64_t zeroPoint) {
  constexpr unsigned kByte = 8, kWord = 16;
  if (!integer.isInteger(kByte) && !integer.isInteger(kWord)) {
    return {};
  }
  unsigned bits = integer.getIntOrFloatBitWidth();
  bool isZero = integer.isUnsignedInteger() ? llvm::isUIntN(bits, zeroPoint)
                                            : llvm::isIntN(bits, zeroPoint);
  auto number = static_cast<float>(scale);
  if (!isZero || !std::isfinite(number) || number <= 0) {
    return {};
  }
  Builder builder(integer.getContext());
  return abi::IntegersAttr::get(builder.getContext(),
                                FloatAttr::get(builder.getF32Type(), number),
                                zeroPoint);
}

/// What integers of these parameters stand for; null where they are not one
/// constant each.
static abi::IntegersAttr build(Type integer, Value scale, Value zeroPoint) {
  auto type = cast<RankedTensorType>(scale.getType());
  if (!type.getElementType().isF32() || !type.hasStaticShape() ||
      type.getNumElements() != 1) {
    return {};
  }
  auto scales = IE::getConstantFloats(scale);
  auto zeros = zeroPoint ? IE::getConstantInts(zeroPoint)
                         : std::optional(SmallVector<int64_t>{0});
  return scales && zeros && zeros->size() == 1
             ? make(integer, scales->front(), zeros->front())
             : nullptr;
}

abi::IntegersAttr IE::getIntegers(QuantizeLinearOp op) {
  return build(getElementTypeOrSelf(op.getOutput().getType()), op.getScale(),
               op.getZeroPoint());
}

abi::IntegersAttr IE::getIntegers(DequantizeLinearOp op) {
  return build(getElementTypeOrSelf(op.getInput().getType()), op.getScale(),
               op.getZeroPoint());
}

/// What an argument stands for by all that read it; null where they differ.
static abi::IntegersAttr getIntegersOfArgument(BlockArgument argument) {
  abi::IntegersAttr common;
  for (OpOperand &use : argument.getUses()) {
    auto op = dyn_cast<IE::DequantizeLinearOp>(use.getOwner());
    abi::IntegersAttr integers =
        op && op.getInput() == use.get() ? IE::getIntegers(op) : nullptr;
    if (!integers || (common && common != integers)) {
      return {};
    }
    common = integers;
  }
  return common;
}

/// What a result stands for by the op that computes it; null where none tells.
static abi::IntegersAttr getIntegersOfResult(func::FuncOp function,
                                             unsigned number) {
  Operation *end = function.getBody().front().getTerminator();
  auto op = end->getOperand(number).getDefiningOp<IE::QuantizeLinearOp>();
  return op ? IE::getIntegers(op) : nullptr;
}

namespace {

/// What a function takes or gives.
struct Side {
  llvm::StringLiteral key, kind;
  ArrayRef<Type> types;
  std::function<StringAttr(unsigned)> getName;
  std::function<abi::IntegersAttr(unsigned)> getIntegers;
  /// What the ops beside it say.
  std::function<abi::IntegersAttr(unsigned)> findIntegers;
  std::function<void(unsigned, abi::IntegersAttr)> setIntegers;
};

} // namespace

static std::array<Side, 2> getSides(func::FuncOp function) {
  return {
      {{"inputs", "input", function.getArgumentTypes(),
        [=](unsigned i) { return abi::getOfArgument<abi::Name>(function, i); },
        [=](unsigned i) {
          return abi::getOfArgument<abi::Integers>(function, i);
        },
        [=](unsigned i) mutable {
          return getIntegersOfArgument(function.getArgument(i));
        },
        [=](unsigned i, abi::IntegersAttr integers) {
          abi::setOfArgument<abi::Integers>(function, i, integers);
        }},
       {"outputs", "output", function.getResultTypes(),
        [=](unsigned i) { return abi::getOfResult<abi::Name>(function, i); },
        [=](unsigned i) {
          return abi::getOfResult<abi::Integers>(function, i);
        },
        [=](unsigned i) { return getIntegersOfResult(function, i); },
        [=](unsigned i, abi::IntegersAttr integers) {
          abi::setOfResult<abi::Integers>(function, i, integers);
        }}}};
}

void IE::noteIntegers(func::FuncOp function) {
  for (const Side &side : getSides(function)) {
    for (unsigned i = 0; i < side.types.size(); ++i) {
      abi::IntegersAttr integers = side.findIntegers(i);
      if (integers && !side.getIntegers(i)) {
        side.setIntegers(i, integers);
      }
    }
  }
}

static constexpr llvm::StringLiteral kScale = "scale", kZero = "zero_point";

/// A name as JSON has it, which knows no bytes that are no UTF-8.
static std::string toKey(StringAttr name) {
  return llvm::json::fixUTF8(name.getValue());
}

std::string IE::printIntegers(func::FuncOp function) {
  llvm::json::Object all;
  for (const Side &side : getSides(function)) {
    llvm::json::Object entries;
    for (unsigned i = 0; i < side.types.size(); ++i) {
      StringAttr name = side.getName(i);
      abi::IntegersAttr integers = side.getIntegers(i);
      if (name && integers) {
        entries[toKey(name)] =
            llvm::json::Object{{kScale, integers.getScale().getValueAsDouble()},
                               {kZero, integers.getZeroPoint()}};
      }
    }
    if (!entries.empty()) {
      all[side.key] = std::move(entries);
    }
  }
  return all.empty()
             ? ""
             : llvm::formatv("{0}", llvm::json::Value(std::move(all))).str();
}

/// What an entry says of a value of that type; null where it does not fit.
static abi::IntegersAttr parseEntry(const llvm::json::Value &entry, Type type) {
  const llvm::json::Object *fields = entry.getAsObject();
  auto scale = fields ? fields->getNumber(kScale) : std::nullopt;
  auto zero = fields ? fields->getInteger(kZero) : std::nullopt;
  return scale && zero ? make(getElementTypeOrSelf(type), *scale, *zero)
                       : nullptr;
}

/// What integers stand for, in words.
static std::string describe(abi::IntegersAttr integers) {
  llvm::SmallString<16> scale;
  integers.getScale().getValue().toString(scale);
  return llvm::formatv("(integer - {0}) * {1}", integers.getZeroPoint(), scale);
}

void IE::parseIntegers(func::FuncOp function, StringRef text) {
  auto warnOf = [&](const Twine &what) {
    emitWarning(function.getLoc()) << "'" << abi::Integers::getNameStr()
                                   << "' in the model's metadata " << what;
  };
  auto warn = [&](const Twine &what) { warnOf(what + ": left out"); };
  llvm::Expected<llvm::json::Value> parsed = parseJson(text);
  if (!parsed || !parsed->getAsObject()) {
    llvm::consumeError(parsed.takeError());
    return warn("is no object");
  }
  for (const Side &side : getSides(function)) {
    const llvm::json::Object *entries =
        parsed->getAsObject()->getObject(side.key);
    for (unsigned i = 0; entries && i < side.types.size(); ++i) {
      StringAttr name = side.getName(i);
      const llvm::json::Value *entry =
          name ? entries->get(toKey(name)) : nullptr;
      if (!entry) {
        continue;
      }
      abi::IntegersAttr integers = parseEntry(*entry, side.types[i]);
      if (!integers) {
        warn("does not fit " + side.kind + " '" + name.getValue() + "'");
        continue;
      }
      abi::IntegersAttr ofOps = side.findIntegers(i);
      if (ofOps && ofOps != integers) {
        warnOf("says " + describe(integers) + " of " + side.kind + " '" +
               name.getValue() + "', but the op beside it has " +
               describe(ofOps) + ": the former counts");
      }
      if (!side.getIntegers(i)) {
        side.setIntegers(i, integers);
      }
    }
  }
}
