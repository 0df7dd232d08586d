//===- OperatorForms.cpp - Which operator an op is ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What exists, libonnx's registry says as far as it goes. The exceptions are
// few, and an op that is neither in the registry nor among them is refused.
//
//===----------------------------------------------------------------------===//

#include "OperatorForms.h"
#include "RequireFunction.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Map.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/OperatorDialect.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Interpreter/Tensor.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

#include <onnx/defs/schema.h>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_export;

// The newest operator set that libonnx's registry describes.
static constexpr int kNewestKnownOpset = 17;
static constexpr StringRef kSegments = "operandSegmentSizes";
static constexpr StringRef kSeed = "seed";

static const onnx::OpSchema *findSchema(StringRef name, StringRef domain) {
  try {
    return onnx::OpSchemaRegistry::Schema(name.str(), kNewestKnownOpset,
                                          domain.str());
  } catch (const std::exception &) {
    return nullptr;
  }
}

/// The operator sets with operators that libonnx does not know; 0 for others.
static int64_t getNewerOpset(StringRef name) {
  return llvm::StringSwitch<int64_t>(name)
      .Cases({"BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor"}, 18)
      .Case("Mish", 18)
      .Cases({"Gelu", "RegexFullMatch", "StringConcat", "StringSplit"}, 20)
      .Case("Swish", 24)
      .Cases({"BitCast", "CumProd"}, 26)
      .Default(0);
}

/// The labels of a ZipMap, which are attributes in ONNX.
static DenseElementsAttr getLabels(IE::ZipMapOp op) {
  DenseElementsAttr labels;
  matchPattern(op.getLabels(), m_Constant(&labels));
  return labels;
}

std::optional<OperatorForm> onnx_export::findForm(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (auto *operators = IE::getOperatorDialect(op->getName())) {
    return OperatorForm{name, operators->getDomain(), operators->getVersion()};
  }
  if (!IE::isOperator(op)) {
    return std::nullopt;
  }
  if (isa<IE::MaxPoolWithIndicesOp>(op)) {
    return OperatorForm{"MaxPool", ""};
  }
  if (isa<IE::RequireOp>(op)) {
    return OperatorForm{name, kDomain, 1};
  }
  if (isa<IE::MatMulNBitsOp>(op)) {
    return OperatorForm{name, "com.microsoft", 1};
  }
  if (auto zip = dyn_cast<IE::ZipMapOp>(op)) {
    return getLabels(zip) ? std::optional(OperatorForm{name, "ai.onnx.ml", 1})
                          : std::nullopt;
  }
  int64_t newer = getNewerOpset(name);
  if (newer == 0 && !findSchema(name, "")) {
    return std::nullopt;
  }
  // Casts to float8e8m0 alone have it.
  bool rounds = getAttributes(op).get("round_mode") != nullptr;
  return OperatorForm{name, "",
                      std::max(newer, rounds ? int64_t(24) : kDefaultOpset)};
}

/// A value for each slot of operands, null where one is left out.
static SmallVector<Value> getSlots(Operation *op) {
  SmallVector<Value> slots(op->getOperands());
  auto segments = dyn_cast_if_present<DenseI32ArrayAttr>(
      op->getInherentAttr(kSegments).value_or(Attribute()));
  if (!segments) {
    return slots;
  }
  slots.clear();
  auto operands = op->getOperands();
  for (int32_t count : segments.asArrayRef()) {
    llvm::append_range(slots, operands.take_front(count));
    if (count == 0) {
      slots.push_back(Value());
    }
    operands = operands.drop_front(count);
  }
  return slots;
}

/// True for a constant of zeros.
static bool isZero(Value value) {
  ElementsAttr elements;
  if (!value || !matchPattern(value, m_Constant(&elements))) {
    return false;
  }
  FailureOr<interpreter::Tensor> tensor =
      interpreter::Tensor::fromAttr(elements);
  return succeeded(tensor) && !tensor->hasStrings() &&
         llvm::all_of(tensor->getBytes(), [](char byte) { return byte == 0; });
}

/// Integers of fewer than 8 bits that become bytes to be dequantized, which
/// ONNX dequantizes as they are; null for others.
static Value getFewBits(Value value) {
  auto cast = value ? value.getDefiningOp<IE::CastOp>() : IE::CastOp();
  Type element =
      cast ? getElementTypeOrSelf(cast.getInput().getType()) : Type();
  return element && IE::isPacked(element) && element.isInteger()
             ? cast.getInput()
             : Value();
}

/// Has a DequantizeLinear read integers of few bits, and zero points of these.
static void readFewBits(SmallVectorImpl<Value> &inputs) {
  bool hasZeros = inputs.size() > 2 && inputs[2];
  Value integers = getFewBits(inputs[0]);
  Value zeros = hasZeros ? getFewBits(inputs[2]) : Value();
  if (integers && (zeros || !hasZeros)) {
    inputs[0] = integers;
  }
  if (integers && zeros) {
    inputs[2] = zeros;
  }
}

SmallVector<Value> onnx_export::getInputs(Operation *op) {
  SmallVector<Value> inputs = getSlots(op);
  if (auto product = dyn_cast<IE::MatMulNBitsOp>(op)) {
    // In between is what reorders the weights' rows.
    inputs.insert(std::prev(inputs.end()), Value());
  } else if (isa<IE::ZipMapOp>(op)) {
    inputs.truncate(1);
  }
  if (isa<IE::DequantizeLinearOp>(op)) {
    readFewBits(inputs);
  }
  // Zeros, one for each channel, are what there is without them, which ONNX
  // Runtime wants.
  if (isa<IE::ConvIntegerOp>(op) && inputs.size() == 4 && isZero(inputs[3])) {
    inputs[3] = Value();
  }
  // A Loop has two even where neither is given.
  std::optional<OperatorForm> form = findForm(op);
  const onnx::OpSchema *schema =
      form ? findSchema(form->name, form->domain) : nullptr;
  size_t least = schema ? schema->min_input() : 0;
  while (inputs.size() > least && !inputs.back()) {
    inputs.pop_back();
  }
  return inputs;
}

/// The inherent attributes that an op has when nobody gives it any.
static DictionaryAttr getDefaults(OperationName name) {
  Operation *op = Operation::create(
      OperationState(UnknownLoc::get(name.getContext()), name));
  auto defaults =
      dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute());
  op->destroy();
  return defaults;
}

/// The attributes of an operator that are none of its op.
static void adjust(Operation *op, NamedAttrList &attributes) {
  Builder builder(op->getContext());
  TypeSwitch<Operation *>(op)
      .Case<IE::SplitOp>([&](IE::SplitOp split) {
        // ONNX wants one way of saying it.
        if (split.getSplit()) {
          attributes.erase("num_outputs");
        } else {
          attributes.set("num_outputs",
                         builder.getI64IntegerAttr(split.getNumResults()));
        }
      })
      .Case<IE::MatMulNBitsOp>([&](IE::MatMulNBitsOp product) {
        attributes.set("N", builder.getI64IntegerAttr(product.getN()));
      })
      .Case<IE::ZipMapOp>([&](IE::ZipMapOp zip) {
        DenseElementsAttr labels = getLabels(zip);
        if (labels.getElementType().isInteger(64)) {
          attributes.set("classlabels_int64s",
                         builder.getDenseI64ArrayAttr(
                             llvm::to_vector(labels.getValues<int64_t>())));
        } else {
          attributes.set("classlabels_strings",
                         builder.getStrArrayAttr(
                             llvm::to_vector(labels.getValues<StringRef>())));
        }
      });
}

NamedAttrList onnx_export::getAttributes(Operation *op) {
  NamedAttrList attributes;
  auto inherent =
      dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute());
  DictionaryAttr defaults = getDefaults(op->getName());
  for (NamedAttribute attribute :
       inherent ? inherent.getValue() : ArrayRef<NamedAttribute>()) {
    // The importer numbers random nodes without a seed.
    bool isDefault = defaults && attribute.getName() != kSeed &&
                     defaults.get(attribute.getName()) == attribute.getValue();
    if (attribute.getName() != kSegments && !isDefault) {
      attributes.append(attribute);
    }
  }
  adjust(op, attributes);
  return attributes;
}

bool onnx_export::isOptionalOutput(const OperatorForm &form, unsigned number) {
  const onnx::OpSchema *schema = findSchema(form.name, form.domain);
  return schema && number < schema->outputs().size() &&
         schema->outputs()[number].GetOption() == onnx::OpSchema::Optional;
}

bool onnx_export::isTypeAttribute(const OperatorForm &form, StringRef name) {
  const onnx::OpSchema *schema = findSchema(form.name, form.domain);
  if (!schema) {
    return false;
  }
  auto it = schema->attributes().find(name.str());
  return it != schema->attributes().end() &&
         it->second.type == onnx::AttributeProto::TYPE_PROTO;
}
