//===- Expander.h - Builds the ops a node expands to ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What expansions have in common: reading a node, and building IE ops with
// their types inferred.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_EXPANSIONS_EXPANDER_H
#define NACRE_LIB_IMPORT_ONNX_EXPANSIONS_EXPANDER_H

#include "../Node.h"

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace nacre::onnx_import {

/// Expands one node. The first error is reported at the node; from then on
/// every value is null and nothing is built, so that an expansion need not look
/// for errors after each step. Dimensions of null are dynamic.
class Expander {
public:
  Expander(mlir::OpBuilder &builder, Node &node, bool &unsupported)
      : builder(builder), node(node), unsupported(unsupported) {}

  //===--------------------------------------------------------------------===//
  // Errors
  //===--------------------------------------------------------------------===//

  bool hasFailed() const { return failed; }

  /// The node is malformed. Says so in a sentence that begins with "expected".
  void fail(const llvm::Twine &message);
  /// The node asks for what nacre does not do.
  void reject(const llvm::Twine &reason);

  //===--------------------------------------------------------------------===//
  // The node
  //===--------------------------------------------------------------------===//

  llvm::StringRef getOpType() const { return node.opType; }
  int64_t getVersion() const { return node.opset; }
  unsigned getNumInputs() const { return node.inputs.size(); }
  unsigned getNumOutputs() const { return node.numOutputs; }
  llvm::ArrayRef<mlir::Value> getInputs() const { return node.inputs; }
  /// Null when the input is omitted.
  mlir::Value getInput(unsigned i) const { return node.getInput(i); }
  /// Fails when the input is omitted, or no tensor.
  mlir::Value getRequiredInput(unsigned i, llvm::StringRef name);
  /// What the model says about an output; null where it says nothing.
  mlir::RankedTensorType getDeclared(unsigned i) const;

  bool has(llvm::StringRef attribute) const {
    return node.attributes.contains(attribute);
  }
  int64_t takeInt(llvm::StringRef attribute, int64_t otherwise);
  int64_t takeRequiredInt(llvm::StringRef attribute);
  double takeFloat(llvm::StringRef attribute, double otherwise);
  std::string takeString(llvm::StringRef attribute, llvm::StringRef otherwise);
  /// Empty when absent.
  llvm::SmallVector<int64_t> takeInts(llvm::StringRef attribute);
  llvm::SmallVector<double> takeFloats(llvm::StringRef attribute);
  llvm::SmallVector<std::string> takeStrings(llvm::StringRef attribute);
  llvm::SmallVector<double> takeTensor(llvm::StringRef attribute);
  /// A tensor as a constant; null when absent.
  mlir::Value takeConstant(llvm::StringRef attribute);
  /// An element type by its number in ONNX; null when absent or 0.
  mlir::Type takeType(llvm::StringRef attribute);
  /// What is left of the attributes, for an op that has them under their names.
  llvm::SmallVector<mlir::NamedAttribute> takeAttributes();
  /// Attributes that matter to an accelerator or to training only.
  void ignore(llvm::ArrayRef<llvm::StringRef> attributes);

  void setResults(llvm::ArrayRef<mlir::Value> values);

  //===--------------------------------------------------------------------===//
  // Types
  //===--------------------------------------------------------------------===//

  static mlir::RankedTensorType getType(mlir::Value value);
  static int64_t getRank(mlir::Value value);
  /// A negative `i` counts from the end.
  static int64_t getDim(mlir::Value value, int64_t i);
  static mlir::Type getElement(mlir::Value value);
  static bool hasStrings(mlir::Value value);
  /// A negative axis from the beginning; fails when it is out of range.
  int64_t normalizeAxis(int64_t axis, int64_t rank);

  /// Each fails, and returns false, unless the value is as the name says.
  bool expectRank(mlir::Value value, int64_t rank, llvm::StringRef name);
  bool expectStatic(mlir::Value value, llvm::StringRef name);
  /// Fails unless dimension `i` is known, and returns it.
  int64_t getStaticDim(mlir::Value value, int64_t i, llvm::StringRef name);

  /// The integers of a value that follows from constants and static shapes.
  std::optional<llvm::SmallVector<int64_t>> evaluateInts(mlir::Value value);

  /// Fails, and returns false, unless a constant of `factors` multiplied has a
  /// size that is no mistake in the model.
  bool expectPlausible(llvm::ArrayRef<int64_t> factors);

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  mlir::Value buildInts(llvm::ArrayRef<int64_t> values);
  /// 0, 1, … as a vector of i64, computed where it is long.
  mlir::Value buildIota(int64_t count);
  mlir::Value buildScalar(double value, mlir::Type element);
  /// A tensor of `element` from as many numbers as `shape` has elements.
  mlir::Value buildTensor(llvm::ArrayRef<double> values,
                          llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value buildTensor(llvm::ArrayRef<int64_t> values,
                          llvm::ArrayRef<int64_t> shape, mlir::Type element);
  /// A vector, or a scalar.
  mlir::Value buildStrings(llvm::ArrayRef<std::string> values);
  mlir::Value buildString(llvm::StringRef value);
  mlir::Type getF32() { return builder.getF32Type(); }
  mlir::Type getInt(unsigned bits, bool isUnsigned = false);

  //===--------------------------------------------------------------------===//
  // Ops
  //===--------------------------------------------------------------------===//

  /// An IE op with its result types inferred. A null among the operands is an
  /// omitted one, which only ops with several optional operands take.
  template <typename OpT>
  llvm::SmallVector<mlir::Value>
  createAll(llvm::ArrayRef<mlir::Value> operands,
            llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return createByName(OpT::getOperationName(), operands, attributes);
  }
  template <typename OpT>
  mlir::Value create(llvm::ArrayRef<mlir::Value> operands,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return createAll<OpT>(operands, attributes).front();
  }
  llvm::SmallVector<mlir::Value>
  createByName(llvm::StringRef name, llvm::ArrayRef<mlir::Value> operands,
               llvm::ArrayRef<mlir::NamedAttribute> attributes);

  mlir::NamedAttribute attr(llvm::StringRef name, mlir::Attribute value);
  mlir::NamedAttribute attr(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute attr(llvm::StringRef name, double value);
  mlir::NamedAttribute attr(llvm::StringRef name, llvm::StringRef value);
  mlir::NamedAttribute attr(llvm::StringRef name,
                            llvm::ArrayRef<int64_t> value);

  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value add(mlir::Value lhs, double rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, double rhs);
  mlir::Value div(mlir::Value lhs, mlir::Value rhs);
  mlir::Value matmul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value cast(mlir::Value value, mlir::Type element);
  mlir::Value where(mlir::Value condition, mlir::Value onTrue,
                    mlir::Value onFalse);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  /// 0 keeps a dimension, -1 is what remains.
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// To the shape of `like`, which may be dynamic.
  mlir::Value reshapeLike(mlir::Value value, mlir::Value like);
  mlir::Value unsqueeze(mlir::Value value, llvm::ArrayRef<int64_t> axes);
  mlir::Value expandLike(mlir::Value value, mlir::Value like);
  /// What `build` makes of `image`, whose channels are last, with its channels
  /// in front; they are last again in the result.
  mlir::Value
  withChannelsInFront(mlir::Value image,
                      llvm::function_ref<mlir::Value(mlir::Value)> build);
  mlir::Value slice(mlir::Value value, int64_t axis, int64_t start, int64_t end,
                    int64_t step = 1);
  mlir::Value concat(llvm::ArrayRef<mlir::Value> values, int64_t axis);
  llvm::SmallVector<mlir::Value> split(mlir::Value value, int64_t axis,
                                       llvm::ArrayRef<int64_t> sizes);
  mlir::Value gather(mlir::Value data, mlir::Value indices, int64_t axis);
  mlir::Value clip(mlir::Value value, mlir::Value min, mlir::Value max);

  /// A loop that runs `count` times and carries one value, which the body makes
  /// from that before without changing its type.
  mlir::Value repeat(int64_t count, mlir::Value initial,
                     llvm::function_ref<mlir::Value(mlir::Value)> body);

  /// What the body makes of each row of `rows`, a matrix: a vector of `size`
  /// elements of the same type. The number of rows may be dynamic.
  mlir::Value mapRows(mlir::Value rows, int64_t size,
                      llvm::function_ref<mlir::Value(mlir::Value)> body);

  /// The state at the end and what the body makes of each position, stacked: it
  /// is given the state, and a part of each of `inputs` along their first
  /// dimension, and returns the next state, which keeps its type.
  std::pair<mlir::Value, mlir::Value>
  scan(mlir::Value initial, llvm::ArrayRef<mlir::Value> inputs,
       llvm::function_ref<std::pair<mlir::Value, mlir::Value>(mlir::Value,
                                                              mlir::ValueRange)>
           body);

  /// One of IE's reductions, along constant axes.
  template <typename OpT>
  mlir::Value reduce(mlir::Value value, llvm::ArrayRef<int64_t> axes,
                     bool keepDims = true) {
    return create<OpT>({value, buildInts(axes)},
                       {attr("keepdims", int64_t(keepDims))});
  }

private:
  template <typename OpT>
  mlir::Value createWithShape(mlir::Value value, mlir::Value like);

  mlir::OpBuilder &builder;
  Node &node;
  bool &unsupported;
  bool failed = false;
};

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_EXPANSIONS_EXPANDER_H
