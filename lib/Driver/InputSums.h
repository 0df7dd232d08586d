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

#include "nacre/Dialect/IE/Transforms/ValueKeys.h"
#include "nacre/Dialect/IE/Utils/WindowUtils.h"
#include "nacre/Interpreter/Tensor.h"
#include "nacre/Quantization/RangeProfile.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace nacre::driver {

/// Which layers' inputs are summed.
struct InputSumsLimits {
  /// What rounding may take for all of them together, the narrowest first: for
  /// a layer the third power of how many numbers its sums have.
  double work;
  /// Only where there are as many rows as numbers: fewer tell what happens to
  /// be so in these samples, rather than what holds for others.
  bool needsRows;
  /// Runs that judge are kept apart, which holds all sums twice, where rounding
  /// takes at most so much for all layers together.
  double judgedWork;
};

/// Sums that do not depend on the order of the samples, to the bit, where a
/// layer's numbers are neither too large nor too small for that.
class InputSums {
public:
  /// Of samples that are so many runs.
  InputSums(size_t numRuns, const InputSumsLimits &limits);

  /// Takes note of the products of a module that is prepared for quantization,
  /// before values of its runs are added.
  void collect(mlir::ModuleOp module);
  /// Adds some rows of a value, if products multiply it: so many of each run
  /// that all of them are some thousand. Those of a run that judges are kept
  /// apart, where that is not too much.
  void add(llvm::StringRef value, const interpreter::Tensor &tensor,
           bool judges);

  /// Whether runs that judge are not in the sums.
  bool areJudgesApart() const { return isJudged; }
  /// Where the file holds the sums of which product; the file.
  quantization::InputSumsIndex getIndex() const;
  void write(llvm::raw_ostream &os) const { write(os, /*ofAll=*/false); }
  /// The same layers' sums with those of the runs that judge.
  void writeAll(llvm::raw_ostream &os) const { write(os, /*ofAll=*/true); }

private:
  /// A product, the value that it multiplies, and in which groups of how many
  /// numbers.
  struct Layer {
    std::string result, value;
    size_t columns = 0, groups = 1;
    /// Of a convolution; whether sizes of inputs decide its pads.
    std::optional<IE::Window> window;
    bool padsVary = false;

    double getWork() const {
      auto size = static_cast<double>(columns);
      return static_cast<double>(groups) * size * size * size;
    }
  };
  static std::optional<Layer> findLayer(mlir::Operation &op,
                                        const IE::ValueKeys &keys);
  static std::string describe(const Layer &layer);
  void add(Layer layer);

  /// A sum of f32 in fixed point, which is exact and so the same in any order.
  using ExactSum = __int128;
  /// Sums that all products have in common which multiply the same numbers.
  struct Sums {
    size_t columns = 0, groups = 1, numRows = 0;
    /// Whether numbers were too large for an exact sum, or were none.
    bool isCut = false;
    /// Of a convolution, in the module that was collected last.
    std::optional<IE::Window> window;
    /// Of each group; those of runs that judge, if there are any.
    std::vector<ExactSum> triangles, judging;
  };
  void write(llvm::raw_ostream &os, bool ofAll) const;
  /// Adds what a run has summed of a group to some sums of all groups.
  static void addRun(Sums &sums, std::vector<ExactSum> &all, size_t group,
                     llvm::ArrayRef<float> triangle);
  size_t addMatrix(Sums &sums, std::vector<ExactSum> &all,
                   const interpreter::Tensor &tensor);
  size_t addImages(Sums &sums, std::vector<ExactSum> &all,
                   const interpreter::Tensor &tensor);
  std::vector<size_t> chooseRows(const Sums &sums, size_t numRows,
                                 llvm::ArrayRef<float> values) const;
  bool isUseful(const Sums &sums) const;

  InputSumsLimits limits;
  size_t numRuns;
  /// Whether runs that judge are kept apart.
  bool isJudged = true;
  std::vector<std::unique_ptr<Sums>> all;
  /// Products with the number of their sums, in the order of the model.
  std::vector<std::pair<std::string, size_t>> products;
  /// By product; none where it is too much work.
  llvm::StringMap<Sums *> known;
  /// By the numbers that are multiplied, and by value.
  llvm::StringMap<size_t> numbers;
  llvm::StringMap<llvm::SmallVector<size_t, 1>> byValue;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_INPUTSUMS_H
