//===- InputSums.cpp - Sums of products of layers' inputs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputSums.h"

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/Transforms/KeepRules.h"
#include "nacre/Dialect/IE/Transforms/QuantizeConstants.h"
#include "nacre/Dialect/IE/Transforms/ValueKeys.h"
#include "nacre/Quantization/InputProducts.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <algorithm>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Tensor;

/// Rows of a layer's input that all runs together add, about, and what one run
/// adds at least.
static constexpr size_t kNumRows = 8192, kLeastRows = 16;
/// Rows that are added at once.
static constexpr size_t kBlockRows = 64;

InputSums::InputSums(size_t numRuns)
    : rowsPerRun(
          std::max(kNumRows / std::max<size_t>(numRuns, 1), kLeastRows)) {}

/// The window of a convolution, if a run does not decide it.
static std::optional<IE::Window> findWindow(IE::ConvOp op) {
  FailureOr<IE::Window> window = op.getWindow();
  if (failed(window) ||
      llvm::any_of(window->padsBegin, ShapedType::isDynamic) ||
      llvm::any_of(window->padsEnd, ShapedType::isDynamic)) {
    return std::nullopt;
  }
  return *window;
}

/// A text that is the same for products of the same numbers.
static std::string describe(StringRef value, size_t columns, size_t groups,
                            const std::optional<IE::Window> &window) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value << "|" << columns << "|" << groups;
  if (window) {
    for (ArrayRef<int64_t> sizes :
         {ArrayRef(window->kernel), ArrayRef(window->strides),
          ArrayRef(window->dilations), ArrayRef(window->padsBegin),
          ArrayRef(window->padsEnd)}) {
      os << "|";
      llvm::interleave(sizes, os, ",");
    }
  }
  return text;
}

void InputSums::collect(ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  IE::ValueKeys keys(function);
  for (Operation &op : function.getOps()) {
    auto quantizable = dyn_cast<IE::QuantizableOpInterface>(op);
    auto operands = quantizable ? quantizable.getLinearOperands()
                                : std::optional<IE::LinearOperands>();
    if (!operands || !IE::canQuantizeWeights(*operands) ||
        std::min(operands->channelAxis, operands->inputAxis) > 0) {
      continue;
    }
    auto convolution = dyn_cast<IE::ConvOp>(op);
    std::optional<IE::Window> window =
        convolution ? findWindow(convolution) : std::nullopt;
    auto weights = cast<RankedTensorType>(operands->weights->get().getType());
    auto columns = static_cast<size_t>(
        weights.getNumElements() / weights.getDimSize(operands->channelAxis));
    StringRef value = keys.get(operands->input->get());
    StringRef result = keys.get(op.getResult(0));
    if (columns > kMostColumns || (convolution && !window) || value.empty() ||
        result.empty() || !known.insert(result).second) {
      continue;
    }
    auto groups = static_cast<size_t>(operands->groups);
    auto [it, isNew] = numbers.try_emplace(
        describe(value, columns, groups, window), all.size());
    if (isNew) {
      all.push_back(std::make_unique<Sums>());
      Sums &sums = *all.back();
      sums.columns = columns;
      sums.groups = groups;
      sums.window = std::move(window);
      sums.triangles.resize(groups * getTriangleSize(columns));
      byValue[value].push_back(it->second);
    }
    products.emplace_back(result.str(), it->second);
  }
}

/// Of how many rows one is added.
size_t InputSums::getStride(size_t numRows) const {
  return std::max<size_t>((numRows + rowsPerRun - 1) / rowsPerRun, 1);
}

void InputSums::addMatrix(Sums &sums, const Tensor &tensor, size_t run) {
  ArrayRef<float> values = tensor.values<float>();
  size_t numRows = values.size() / sums.columns;
  size_t stride = getStride(numRows);
  for (size_t row = run % stride; row < numRows; row += stride) {
    addProducts(sums.triangles, sums.columns,
                values.slice(row * sums.columns, sums.columns));
  }
}

namespace {

/// What windows of a convolution see, as rows.
class WindowReader {
public:
  WindowReader(const IE::Window &window, const Tensor &tensor)
      : window(window), values(tensor.values<float>()),
        shape(tensor.getShape()) {
    for (size_t i = 0; i < window.kernel.size(); ++i) {
      int64_t reach = (window.kernel[i] - 1) * window.dilations[i] + 1;
      int64_t padded = shape[i + 2] + window.padsBegin[i] + window.padsEnd[i];
      output.push_back(
          padded < reach ? 0 : (padded - reach) / window.strides[i] + 1);
    }
  }

  int64_t getNumWindows() const { return shape[0] * computeProduct(output); }
  /// Appends the numbers that a window sees of `count` channels from `first`
  /// on, in the order of weights.
  void append(int64_t number, int64_t first, int64_t count,
              std::vector<float> &row) const;

private:
  const IE::Window &window;
  ArrayRef<float> values;
  SmallVector<int64_t> shape, output;
};

} // namespace

void WindowReader::append(int64_t number, int64_t first, int64_t count,
                          std::vector<float> &row) const {
  SmallVector<int64_t> spatial(ArrayRef(shape).drop_front(2));
  int64_t size = computeProduct(spatial);
  int64_t numPlaces = computeProduct(output);
  SmallVector<int64_t> place =
      delinearize(number % numPlaces, computeStrides(output));
  const float *image = values.data() + number / numPlaces * shape[1] * size;
  SmallVector<int64_t> strides = computeStrides(spatial);
  SmallVector<int64_t> kernelStrides = computeStrides(window.kernel);
  // Where each element of a window is in a channel; before it for a pad.
  SmallVector<int64_t> places;
  for (int64_t i = 0, e = computeProduct(window.kernel); i < e; ++i) {
    SmallVector<int64_t> element = delinearize(i, kernelStrides);
    int64_t position = 0;
    for (size_t d = 0; d < spatial.size(); ++d) {
      int64_t index = place[d] * window.strides[d] - window.padsBegin[d] +
                      element[d] * window.dilations[d];
      bool isInside = index >= 0 && index < spatial[d] && position >= 0;
      position = isInside ? position + index * strides[d] : -1;
    }
    places.push_back(position);
  }
  for (int64_t channel = first; channel < first + count; ++channel) {
    for (int64_t position : places) {
      row.push_back(position < 0 ? 0 : image[channel * size + position]);
    }
  }
}

void InputSums::addImages(Sums &sums, const Tensor &tensor, size_t run) {
  WindowReader reader(*sums.window, tensor);
  auto numWindows = static_cast<size_t>(reader.getNumWindows());
  size_t stride = getStride(numWindows);
  size_t size = getTriangleSize(sums.columns);
  auto channels = tensor.getDim(1) / static_cast<int64_t>(sums.groups);
  for (size_t group = 0; group < sums.groups; ++group) {
    auto triangle =
        MutableArrayRef<float>(sums.triangles).slice(group * size, size);
    std::vector<float> rows;
    for (size_t i = run % stride; i < numWindows; i += stride) {
      reader.append(static_cast<int64_t>(i),
                    static_cast<int64_t>(group) * channels, channels, rows);
      if (rows.size() >= kBlockRows * sums.columns) {
        addProducts(triangle, sums.columns, rows);
        rows.clear();
      }
    }
    addProducts(triangle, sums.columns, rows);
  }
}

void InputSums::add(StringRef value, const Tensor &tensor, size_t run) {
  auto it = byValue.find(value);
  if (it == byValue.end() || tensor.getNumElements() == 0) {
    return;
  }
  for (size_t number : it->second) {
    Sums &sums = *all[number];
    if (sums.window) {
      addImages(sums, tensor, run);
    } else {
      addMatrix(sums, tensor, run);
    }
  }
}

InputSumsIndex InputSums::getIndex() const {
  std::vector<uint64_t> offsets;
  uint64_t offset = 0;
  for (const auto &sums : all) {
    offsets.push_back(offset);
    offset += sums->triangles.size();
  }
  InputSumsIndex index;
  for (const auto &[result, number] : products) {
    const Sums &sums = *all[number];
    index.products.push_back(
        {result, sums.columns, sums.groups, offsets[number]});
  }
  return index;
}

void InputSums::write(llvm::raw_ostream &os) const {
  for (const auto &sums : all) {
    os.write(reinterpret_cast<const char *>(sums->triangles.data()),
             sums->triangles.size() * sizeof(float));
  }
}
