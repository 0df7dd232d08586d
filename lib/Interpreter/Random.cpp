//===- Random.cpp - Interpreter kernels: random tensors -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family: random tensors.
//
//===----------------------------------------------------------------------===//

#include "ElementwiseKernels.h"

#include "nacre/Dialect/IE/IR/Random.h"
#include "nacre/Dialect/IE/Utils/RandomUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

template <typename OpT>
static LogicalResult evalUniform(OpT op, ArrayRef<Tensor>,
                                 MutableArrayRef<Tensor> results) {
  IE::RandomNumbers random(IE::getGeneratorSeed(op.getSeed()));
  double low = op.getLow().convertToFloat();
  double range = op.getHigh().convertToFloat() - low;
  std::vector<double> values(results[0].getNumElements());
  for (double &value : values) {
    value = low + range * random.drawUniform();
  }
  store(values, results[0]);
  return success();
}

template <typename OpT>
static LogicalResult evalNormal(OpT op, ArrayRef<Tensor>,
                                MutableArrayRef<Tensor> results) {
  IE::RandomNumbers random(IE::getGeneratorSeed(op.getSeed()));
  double mean = op.getMean().convertToFloat();
  double scale = op.getScale().convertToFloat();
  std::vector<double> values(results[0].getNumElements());
  for (double &value : values) {
    value = mean + scale * random.drawNormal();
  }
  store(values, results[0]);
  return success();
}

void interpreter::registerRandomKernels(MLIRContext *context) {
  attachKernel<IE::RandomUniformOp, evalUniform<IE::RandomUniformOp>>(context);
  attachKernel<IE::RandomUniformLikeOp, evalUniform<IE::RandomUniformLikeOp>>(
      context);
  attachKernel<IE::RandomNormalOp, evalNormal<IE::RandomNormalOp>>(context);
  attachKernel<IE::RandomNormalLikeOp, evalNormal<IE::RandomNormalLikeOp>>(
      context);
}
