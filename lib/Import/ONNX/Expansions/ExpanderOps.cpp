//===- ExpanderOps.cpp - Ops that expansions often build ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short names for ops that expansions build again and again: arithmetic, and
// what changes a shape.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Precision.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

Value Expander::add(Value lhs, Value rhs) {
  return create<IE::AddOp>({lhs, rhs});
}
Value Expander::add(Value lhs, double rhs) {
  return add(lhs, buildScalar(rhs, getElement(lhs)));
}
Value Expander::sub(Value lhs, Value rhs) {
  return create<IE::SubOp>({lhs, rhs});
}
Value Expander::mul(Value lhs, Value rhs) {
  return create<IE::MulOp>({lhs, rhs});
}
Value Expander::mul(Value lhs, double rhs) {
  return mul(lhs, buildScalar(rhs, getElement(lhs)));
}
Value Expander::div(Value lhs, Value rhs) {
  return create<IE::DivOp>({lhs, rhs});
}
Value Expander::matmul(Value lhs, Value rhs) {
  return create<IE::MatMulOp>({lhs, rhs});
}

Value Expander::cast(Value value, Type element) {
  if (getElement(value) == element) {
    return value;
  }
  if (failed || !element) {
    return {};
  }
  SmallVector<NamedAttribute> attrs = {attr("to", TypeAttr::get(element))};
  // The expansion computes in f32 what the model has in a narrower type.
  if (getElement(value).isF32() && IE::isFloatOf16Bits(element)) {
    attrs.push_back(abi::name<abi::Implicit>(builder.getUnitAttr()));
  }
  return create<IE::CastOp>({value}, attrs);
}

Value Expander::where(Value condition, Value onTrue, Value onFalse) {
  return create<IE::WhereOp>({condition, onTrue, onFalse});
}

Value Expander::transpose(Value value, ArrayRef<int64_t> permutation) {
  return create<IE::TransposeOp>({value}, {attr("perm", permutation)});
}

Value Expander::reshape(Value value, ArrayRef<int64_t> shape) {
  auto type =
      value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  if (type && type.hasStaticShape() && type.getShape() == shape) {
    return value;
  }
  return create<IE::ReshapeOp>({value, buildInts(shape)});
}

/// An op whose second operand is the shape of its result.
template <typename OpT>
Value Expander::createWithShape(Value value, Value like) {
  if (failed || !value || !like) {
    return {};
  }
  if (getType(like).hasStaticShape()) {
    return create<OpT>({value, buildInts(getType(like).getShape())});
  }
  Value result = create<OpT>({value, create<IE::ShapeOp>({like})});
  if (result) {
    // Inference does not see through the shape.
    result.setType(getType(like).clone(getElement(value)));
  }
  return result;
}

Value Expander::reshapeLike(Value value, Value like) {
  return createWithShape<IE::ReshapeOp>(value, like);
}

Value Expander::expandLike(Value value, Value like) {
  return createWithShape<IE::ExpandOp>(value, like);
}

Value Expander::unsqueeze(Value value, ArrayRef<int64_t> axes) {
  return create<IE::UnsqueezeOp>({value, buildInts(axes)});
}

Value Expander::withChannelsInFront(Value image,
                                    function_ref<Value(Value)> build) {
  int64_t rank = getRank(image);
  if (!failed && rank < 3) {
    fail("expected an image, found " + Twine(rank) + " dimensions");
  }
  if (failed) {
    return {};
  }
  SmallVector<int64_t> toFront = {0, rank - 1}, toBack = {0};
  for (int64_t i = 1; i < rank - 1; ++i) {
    toFront.push_back(i);
    toBack.push_back(i + 1);
  }
  toBack.push_back(1);
  return transpose(build(transpose(image, toFront)), toBack);
}

Value Expander::slice(Value value, int64_t axis, int64_t start, int64_t end,
                      int64_t step) {
  return create<IE::SliceOp>({value, buildInts(start), buildInts(end),
                              buildInts(axis), buildInts(step)});
}

Value Expander::concat(ArrayRef<Value> values, int64_t axis) {
  return create<IE::ConcatOp>(values, {attr("axis", axis)});
}

SmallVector<Value> Expander::split(Value value, int64_t axis,
                                   ArrayRef<int64_t> sizes) {
  SmallVector<Value> parts = createAll<IE::SplitOp>(
      {value, buildInts(sizes)},
      {attr("axis", axis),
       attr("num_outputs", static_cast<int64_t>(sizes.size()))});
  parts.resize(sizes.size());
  return parts;
}

Value Expander::gather(Value data, Value indices, int64_t axis) {
  return create<IE::GatherOp>({data, indices}, {attr("axis", axis)});
}

Value Expander::clip(Value value, Value min, Value max) {
  return create<IE::ClipOp>({value, min, max});
}
