//===- BiasCorrection.h - Biases that runs correct --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What who runs a model on samples has to know to find by how much its biases
// are to be corrected, and who uses that to know whether it fits.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_BIASCORRECTION_H
#define NACRE_DIALECT_IE_TRANSFORMS_BIASCORRECTION_H

#include "nacre/Dialect/IE/Transforms/QuantizeConstants.h"

namespace nacre::IE {

/// The biases of a product that is quantized, one for each of its channels.
struct BiasOfProduct {
  std::string result; // the key of what it computes
  int64_t numChannels;
  /// How many products with biases are before it, at most: what it reads
  /// depends on the biases of lower levels alone.
  unsigned level;
};

/// Those of a plan's products that have some, in the order of its demands.
std::vector<BiasOfProduct> findBiases(mlir::func::FuncOp function,
                                      const QuantizationPlan &plan);

/// What differs where quantized values, their scales or the types of constants
/// do, whatever is known of sizes.
std::string getPlanDigest(const QuantizationPlan &plan,
                          const ConstantOptions &options);

/// What differs where the weights or biases of a plan's products do.
std::string getWeightsDigest(const QuantizationPlan &plan);

/// Fails, after an error at the function that says what to do, where the file
/// of ranges has no corrections of biases, or those of another plan, of other
/// products or of other weights.
mlir::LogicalResult requireCorrections(mlir::func::FuncOp function,
                                       const QuantizationPlan &plan,
                                       const KnownRanges &ranges,
                                       const ConstantOptions &options);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_BIASCORRECTION_H
