//===- RecurrentBuilder.h - Recurrent layers as scans -------------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What RNN, GRU and LSTM have in common, of one direction or two.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_RECURRENTBUILDER_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_RECURRENTBUILDER_H

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace nacre::IE::recurrent {

/// An activation function with its parameters.
struct Activation {
  std::string name; // in lower case
  float alpha;
  float beta;
};

/// What the layers have in common.
struct Layer {
  mlir::Value x, w, r, b, lengths, initialH;
  bool batchFirst;
  llvm::StringRef direction;
  std::optional<float> clip;
  /// Of all directions, in order.
  llvm::SmallVector<Activation> activations;

  /// The number of states, H; may be dynamic.
  int64_t hidden;
};

/// One direction of a layer, each of its tensors without the dimension D.
struct Direction {
  int64_t number;
  bool reversed;
  llvm::ArrayRef<Activation> activations;
  mlir::Value projected; // x by w, plus biases that do not depend on the state
  mlir::Value r;         // (H, gates H)
  mlir::Value b;         // (2 gates H), or null
  llvm::SmallVector<mlir::Value> initial;
};

class RecurrentBuilder {
public:
  RecurrentBuilder(mlir::OpBuilder &builder, mlir::Location loc,
                   const Layer &layer)
      : builder(builder), loc(loc), layer(layer),
        elementType(mlir::getElementTypeOrSelf(layer.x)) {}

  /// The next states from a row of the projection and the states.
  using Step = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      const Direction &, mlir::Value, mlir::ValueRange)>;

  /// Y and the last states. `numBiases` of the recurrent biases' gates are
  /// added to the projection; `initial` holds null for states of zeros.
  llvm::SmallVector<mlir::Value> build(unsigned numGates, unsigned numBiases,
                                       mlir::ValueRange initial,
                                       unsigned numActivations, Step step);

  mlir::Value apply(const Activation &activation, mlir::Value value);
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return IE::AddOp::create(builder, loc, a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return IE::MulOp::create(builder, loc, a, b);
  }
  /// 1 - value
  mlir::Value complement(mlir::Value value) {
    return IE::SubOp::create(builder, loc, buildScalar(1), value);
  }
  mlir::Value multiply(mlir::Value a, mlir::Value b) {
    return IE::MatMulOp::create(builder, loc, a, b);
  }
  /// `count` parts of H elements along the last dimension.
  llvm::SmallVector<mlir::Value> split(mlir::Value value, unsigned count);
  /// Parts [first, last) of these.
  mlir::Value slice(mlir::Value value, int64_t first, int64_t last);
  /// Element `number` of the first dimension, which goes.
  mlir::Value select(mlir::Value value, int64_t number);

private:
  mlir::Value buildScalar(double value);
  /// `count` times H, as a vector.
  mlir::Value buildStates(int64_t count);
  /// Zeros of a shape of which the sizes that `known` leaves open are those of
  /// `shape`, a list of vectors.
  mlir::Value buildZeros(llvm::ArrayRef<int64_t> known, mlir::ValueRange shape);
  mlir::Value buildShape(mlir::Value value);
  mlir::Value unsqueeze(mlir::Value value, int64_t axis);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  mlir::Value concat(mlir::ValueRange values, int64_t axis);
  mlir::Value limit(mlir::Value value);
  /// Zeros of shape (B, H).
  mlir::Value buildZeroState(mlir::Value x);
  llvm::SmallVector<mlir::Value> buildScan(const Direction &direction,
                                           Step step);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Layer &layer;
  mlir::Type elementType;
};

} // namespace nacre::IE::recurrent

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_RECURRENTBUILDER_H
