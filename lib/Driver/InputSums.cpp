//===- InputSums.cpp - Sums of products of layers' inputs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputSums.h"

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/Transforms/KeepRules.h"
#include "nacre/Dialect/IE/Transforms/QuantizeConstants.h"
#include "nacre/Quantization/InputProducts.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Tensor;

/// Rows of a layer's input that all runs together add, about: as many as have
/// so many numbers, within these bounds; and what one run adds at least.
static constexpr size_t kNumNumbers = 1 << 23, kFewestRows = 1 << 13,
                        kMostRows = 1 << 16, kLeastRows = 16;
/// The unit of exact sums.
static constexpr double kUnit = 0x1p-62;

InputSums::InputSums(size_t numRuns, const InputSumsLimits &limits)
    : limits(limits), numRuns(std::max<size_t>(numRuns, 1)) {}

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
std::string InputSums::describe(const Layer &layer) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << layer.value << "|" << layer.columns << "|" << layer.groups;
  if (layer.padsVary) {
    os << "|" << layer.result;
  } else if (layer.window) {
    const IE::Window &window = *layer.window;
    for (ArrayRef<int64_t> sizes :
         {ArrayRef(window.kernel), ArrayRef(window.strides),
          ArrayRef(window.dilations), ArrayRef(window.padsBegin),
          ArrayRef(window.padsEnd)}) {
      os << "|";
      llvm::interleave(sizes, os, ",");
    }
  }
  return text;
}

/// A product, and what it multiplies, if that can be summed.
std::optional<InputSums::Layer>
InputSums::findLayer(Operation &op, const IE::ValueKeys &keys) {
  auto quantizable = dyn_cast<IE::QuantizableOpInterface>(op);
  auto operands = quantizable ? quantizable.getLinearOperands()
                              : std::optional<IE::LinearOperands>();
  if (!operands || !IE::canQuantizeWeights(*operands) ||
      std::min(operands->channelAxis, operands->inputAxis) > 0) {
    return std::nullopt;
  }
  auto convolution = dyn_cast<IE::ConvOp>(op);
  auto weights = cast<RankedTensorType>(operands->weights->get().getType());
  Layer layer;
  layer.window = convolution ? findWindow(convolution) : std::nullopt;
  layer.padsVary = convolution && convolution.getAutoPad().starts_with("SAME_");
  layer.columns = static_cast<size_t>(
      weights.getNumElements() / weights.getDimSize(operands->channelAxis));
  layer.groups = static_cast<size_t>(operands->groups);
  layer.value = keys.get(operands->input->get()).str();
  layer.result = keys.get(op.getResult(0)).str();
  bool isKnown = layer.columns <= kMostColumns &&
                 (!convolution || layer.window) && !layer.value.empty() &&
                 !layer.result.empty();
  return isKnown ? std::optional(std::move(layer)) : std::nullopt;
}

void InputSums::collect(ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  IE::ValueKeys keys(function);
  std::vector<Layer> layers;
  for (Operation &op : function.getOps()) {
    std::optional<Layer> layer = findLayer(op, keys);
    if (!layer) {
      continue;
    }
    auto [it, isNew] = known.try_emplace(layer->result, nullptr);
    if (isNew) {
      layers.push_back(std::move(*layer));
    } else if (it->second) {
      it->second->window = std::move(layer->window);
    }
  }
  std::vector<size_t> order(layers.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(layers[a].columns, a) < std::pair(layers[b].columns, b);
  });
  for (size_t number : order) {
    double work = layers[number].getWork();
    limits.work -= work;
    if (limits.work < 0) {
      layers[number].columns = 0;
    } else {
      limits.judgedWork -= work;
    }
  }
  // Runs have been added already where other sizes show more layers.
  isJudged &= !all.empty() || limits.judgedWork >= 0;
  for (Layer &layer : layers) {
    if (layer.columns > 0) {
      add(std::move(layer));
    }
  }
}

void InputSums::add(Layer layer) {
  auto [it, isNew] = numbers.try_emplace(describe(layer), all.size());
  if (isNew) {
    all.push_back(std::make_unique<Sums>());
    Sums &sums = *all.back();
    sums.columns = layer.columns;
    sums.groups = layer.groups;
    sums.window = std::move(layer.window);
    sums.triangles.resize(layer.groups * getTriangleSize(layer.columns));
    byValue[layer.value].push_back(it->second);
  }
  known[layer.result] = all[it->second].get();
  products.emplace_back(std::move(layer.result), it->second);
}

/// The numbers of rows that are added, evenly spaced. Which is the first, the
/// values decide: it is another one in each run, whatever their order.
std::vector<size_t> InputSums::chooseRows(const Sums &sums, size_t numRows,
                                          ArrayRef<float> values) const {
  size_t wanted = std::clamp(kNumNumbers / (sums.columns * sums.groups),
                             kFewestRows, kMostRows);
  size_t ofRun = std::max(wanted / numRuns, kLeastRows);
  size_t stride = std::max<size_t>((numRows + ofRun - 1) / ofRun, 1);
  uint64_t digest = llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(values.data()),
               values.size() * sizeof(float)));
  std::vector<size_t> rows;
  for (size_t row = digest % stride; row < numRows; row += stride) {
    rows.push_back(row);
  }
  return rows;
}

void InputSums::addRun(Sums &sums, std::vector<ExactSum> &all, size_t group,
                       ArrayRef<float> triangle) {
  // Sums of as many runs as there may be, 1 << 20, fit.
  constexpr float kMost = 0x1p44;
  ExactSum *sum = all.data() + group * triangle.size();
  for (auto [i, number] : llvm::enumerate(triangle)) {
    if (std::abs(number) <= kMost) {
      sum[i] += static_cast<ExactSum>(static_cast<double>(number) / kUnit);
    } else {
      sums.isCut = true; // or no number
    }
  }
}

bool InputSums::isUseful(const Sums &sums) const {
  // Of less units, numbers have less digits than those of f32.
  constexpr ExactSum kLeast = 1 << 24;
  return !sums.isCut && (!limits.needsRows || sums.numRows >= sums.columns) &&
         llvm::any_of(sums.triangles,
                      [](ExactSum sum) { return sum >= kLeast; });
}

/// Gives the number of rows that were added.
size_t InputSums::addMatrix(Sums &sums, std::vector<ExactSum> &all,
                            const Tensor &tensor) {
  ArrayRef<float> values = tensor.values<float>();
  std::vector<float> rows, triangle(getTriangleSize(sums.columns));
  std::vector<size_t> chosen =
      chooseRows(sums, values.size() / sums.columns, values);
  for (size_t row : chosen) {
    llvm::append_range(rows, values.slice(row * sums.columns, sums.columns));
  }
  addProducts(triangle, sums.columns, rows);
  addRun(sums, all, 0, triangle);
  return chosen.size();
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
  /// Finds where the elements of a window are in a channel.
  void find(int64_t number);
  /// Appends the numbers that the windows found see of `count` channels from
  /// `first` on, in the order of weights.
  void append(int64_t first, int64_t count, std::vector<float> &rows) const;

private:
  const IE::Window &window;
  ArrayRef<float> values;
  SmallVector<int64_t> shape, output;
  /// Of each window found: where its image begins, and the places in a channel
  /// of its elements, which are before it for a pad.
  std::vector<int64_t> images, places;
};

} // namespace

void WindowReader::find(int64_t number) {
  SmallVector<int64_t> spatial(ArrayRef(shape).drop_front(2));
  int64_t numPlaces = computeProduct(output);
  SmallVector<int64_t> place =
      delinearize(number % numPlaces, computeStrides(output));
  images.push_back(number / numPlaces * shape[1] * computeProduct(spatial));
  SmallVector<int64_t> strides = computeStrides(spatial);
  SmallVector<int64_t> kernelStrides = computeStrides(window.kernel);
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
}

void WindowReader::append(int64_t first, int64_t count,
                          std::vector<float> &rows) const {
  int64_t size = computeProduct(ArrayRef(shape).drop_front(2));
  size_t numElements = computeProduct(window.kernel);
  for (auto [i, image] : llvm::enumerate(images)) {
    auto elements = ArrayRef(places).slice(i * numElements, numElements);
    for (int64_t channel = first; channel < first + count; ++channel) {
      const float *numbers = values.data() + image + channel * size;
      for (int64_t position : elements) {
        rows.push_back(position < 0 ? 0 : numbers[position]);
      }
    }
  }
}

/// Gives the number of rows that were added.
size_t InputSums::addImages(Sums &sums, std::vector<ExactSum> &all,
                            const Tensor &tensor) {
  WindowReader reader(*sums.window, tensor);
  std::vector<size_t> chosen =
      chooseRows(sums, static_cast<size_t>(reader.getNumWindows()),
                 tensor.values<float>());
  for (size_t number : chosen) {
    reader.find(static_cast<int64_t>(number));
  }
  auto channels = tensor.getDim(1) / static_cast<int64_t>(sums.groups);
  std::vector<float> rows, triangle;
  for (size_t group = 0; group < sums.groups; ++group) {
    rows.clear();
    reader.append(static_cast<int64_t>(group) * channels, channels, rows);
    triangle.assign(getTriangleSize(sums.columns), 0);
    addProducts(triangle, sums.columns, rows);
    addRun(sums, all, group, triangle);
  }
  return chosen.size();
}

void InputSums::add(StringRef value, const Tensor &tensor, bool judges) {
  auto it = byValue.find(value);
  if (it == byValue.end() || tensor.getNumElements() == 0) {
    return;
  }
  judges &= isJudged;
  for (size_t number : it->second) {
    Sums &sums = *all[number];
    if (judges) {
      sums.judging.resize(sums.triangles.size());
    }
    std::vector<ExactSum> &added = judges ? sums.judging : sums.triangles;
    size_t numRows = sums.window ? addImages(sums, added, tensor)
                                 : addMatrix(sums, added, tensor);
    sums.numRows += numRows;
  }
}

InputSumsIndex InputSums::getIndex() const {
  std::vector<uint64_t> offsets;
  uint64_t offset = 0;
  for (const auto &sums : all) {
    offsets.push_back(offset);
    offset += isUseful(*sums) ? sums->triangles.size() : 0;
  }
  InputSumsIndex index;
  for (const auto &[result, number] : products) {
    const Sums &sums = *all[number];
    if (isUseful(sums)) {
      index.products.push_back(
          {result, sums.columns, sums.groups, offsets[number]});
    }
  }
  return index;
}

void InputSums::write(llvm::raw_ostream &os, bool ofAll) const {
  std::vector<float> floats;
  for (const auto &sums : all) {
    if (!isUseful(*sums)) {
      continue;
    }
    floats.clear();
    bool addsJudging = ofAll && !sums->judging.empty();
    for (auto [i, counted] : llvm::enumerate(sums->triangles)) {
      ExactSum sum = counted + (addsJudging ? sums->judging[i] : 0);
      floats.push_back(static_cast<float>(static_cast<double>(sum) * kUnit));
    }
    os.write(reinterpret_cast<const char *>(floats.data()),
             floats.size() * sizeof(float));
  }
}
