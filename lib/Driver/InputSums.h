//===- InputSums.h - Sums of products of layers' inputs ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --rounding=hessian needs to know of samples: for each product, how the
// numbers go together that its weights are multiplied by.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_INPUTSUMS_H
#define NACRE_LIB_DRIVER_INPUTSUMS_H

#include "nacre/Dialect/IE/Utils/WindowUtils.h"
#include "nacre/Interpreter/Tensor.h"
#include "nacre/Quantization/RangeProfile.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace nacre::driver {

class InputSums {
public:
  /// Of samples that are so many runs.
  explicit InputSums(size_t numRuns);

  /// Takes note of the products of a module that is prepared for quantization.
  void collect(mlir::ModuleOp module);
  /// Adds some rows of a value, if products multiply it: so many of each run
  /// that all of them are some thousand.
  void add(llvm::StringRef value, const interpreter::Tensor &tensor,
           size_t run);

  /// Where the file holds the sums of which product; the file.
  quantization::InputSumsIndex getIndex() const;
  void write(llvm::raw_ostream &os) const;

private:
  /// Sums that all products have in common which multiply the same numbers.
  struct Sums {
    size_t columns = 0, groups = 1;
    /// Of a convolution.
    std::optional<IE::Window> window;
    std::vector<float> triangles; // of each group
  };
  void addMatrix(Sums &sums, const interpreter::Tensor &tensor, size_t run);
  void addImages(Sums &sums, const interpreter::Tensor &tensor, size_t run);
  size_t getStride(size_t numRows) const;

  size_t rowsPerRun;
  std::vector<std::unique_ptr<Sums>> all;
  /// Products with the number of their sums, in the order of the model.
  std::vector<std::pair<std::string, size_t>> products;
  llvm::StringSet<> known;
  /// By the numbers that are multiplied, and by value.
  llvm::StringMap<size_t> numbers;
  llvm::StringMap<llvm::SmallVector<size_t, 1>> byValue;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_INPUTSUMS_H
