//===- InferAndFold.cpp - What constants decide ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/InferAndFold.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace nacre;

void IE::addInferAndFold(OpPassManager &function) {
  constexpr int kMaxLayers = 1000;
  function.addPass(createCompositeFixedPointPass(
      "ie-infer-and-fold",
      [](OpPassManager &layer) {
        layer.addPass(IE::createInferShapes());
        layer.addPass(createCanonicalizerPass());
        layer.addPass(IE::createConstantFold());
      },
      kMaxLayers));
}
