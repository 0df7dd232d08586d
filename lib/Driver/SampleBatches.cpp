//===- SampleBatches.cpp - Samples out of batches -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleBatches.h"
#include "NumpyData.h"
#include "RandomData.h"
#include "Resume.h"
#include "SampleSet.h"
#include "Samples.h"

#include "nacre/Dialect/IE/Utils/SampleUtils.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Emit/Artifact.h"
#include "nacre/Export/ONNX/Export.h"
#include "nacre/Import/ONNX/Import.h"
#include "nacre/Import/ONNX/TensorProto.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Support/Files.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Tensor;

namespace {

/// The tensors of a sample, in the order of its files.
using Sample = std::vector<NamedTensor>;

/// For each input of a model the dimension that has the samples of a batch;
/// none where it is the same for all.
using BatchDims = std::vector<std::optional<size_t>>;

/// How a sample is cut: not at all without dimensions.
struct Cut {
  const BatchDims *dims = nullptr;
  int64_t numParts = 1;
};

/// Cuts samples of a model whose inputs are known.
class BatchCutter {
public:
  BatchCutter(StringRef model, TemporaryFolder &folder, bool isFirstDimOnly)
      : model(model), folder(folder), isFirstDimOnly(isFirstDimOnly) {}

  /// Reads what the model takes. Prints an error and fails where it is none.
  LogicalResult readModel();
  /// True if the number of samples may be open, and all inputs are tensors of
  /// known rank that nothing but a sample gives.
  bool mayCut() const;

  /// In which parts a sample can be cut. Prints errors.
  FailureOr<Cut> findCut(StringRef path);
  /// Writes these parts of a sample. Prints errors.
  LogicalResult write(StringRef path, const Cut &cut);

private:
  void findBatches();
  void addBatch(StringRef name);

  FailureOr<Sample> read(StringRef path);
  bool fits(const Sample &sample) const;
  std::optional<int64_t> countSamples(const Sample &sample,
                                      const BatchDims &dims) const;
  /// Where a tensor that has the name of an input has samples.
  std::optional<size_t> getDim(const NamedTensor &tensor,
                               const BatchDims &dims) const;
  bool keepsApart(const Sample &sample, const BatchDims &dims);
  LogicalResult writePart(const Sample &sample, const Cut &cut, int64_t part);

  /// Has the types, and prints errors.
  Session session;
  StringRef model;
  TemporaryFolder &folder;
  /// Where others count the rows of results, which are in the order of samples
  /// only if these are the first dimension.
  bool isFirstDimOnly;
  std::optional<ModelInfo> info;
  /// What may be a batch, the likeliest first.
  std::vector<BatchDims> batches;
  /// What is known of samples of which types.
  llvm::StringMap<bool> known;
  size_t numWritten = 0;
};

} // namespace

LogicalResult BatchCutter::readModel() {
  FailureOr<ModelInfo> found = inspectONNXModel(model, session.getContext());
  if (failed(found)) {
    return failure();
  }
  info = std::move(*found);
  if (mayCut()) {
    findBatches();
  }
  return success();
}

bool BatchCutter::mayCut() const {
  return info->initializedInputs.empty() &&
         llvm::any_of(
             info->inputs,
             [](const ModelInfo::Value &input) { return input.isDynamic; }) &&
         llvm::all_of(info->inputs, [](const ModelInfo::Value &input) {
           return input.isTensor && input.shape;
         });
}

/// The dimensions that the model gives a name are a batch if no input has two.
void BatchCutter::addBatch(StringRef name) {
  BatchDims dims;
  for (const ModelInfo::Value &input : info->inputs) {
    if (llvm::count(input.sizeNames, name) > 1) {
      return;
    }
    auto found = llvm::find(input.sizeNames, name);
    dims.push_back(
        found == input.sizeNames.end()
            ? std::nullopt
            : std::optional<size_t>(found - input.sizeNames.begin()));
  }
  if (!llvm::is_contained(batches, dims)) {
    batches.push_back(std::move(dims));
  }
}

/// Samples are the first dimension, or the one behind the steps of a sequence.
/// Where the model gives no names, they are the first ones of open size. Behind
/// a first dimension of 1 there are rather the tokens of one sample.
void BatchCutter::findBatches() {
  BatchDims unnamed;
  bool areUnnamed = true, areTokens = true;
  for (const ModelInfo::Value &input : info->inputs) {
    auto open = llvm::find(*input.shape, -1);
    bool isOpen = open != input.shape->end();
    size_t dim = open - input.shape->begin();
    areUnnamed &= !isOpen || input.sizeNames[dim].empty();
    areTokens &= !isOpen || (dim > 0 && input.shape->front() == 1);
    unnamed.push_back(isOpen ? std::optional<size_t>(dim) : std::nullopt);
  }
  if (areUnnamed && !areTokens) {
    batches.push_back(std::move(unnamed));
  }
  for (size_t dim : {0, 1}) {
    for (const ModelInfo::Value &input : info->inputs) {
      bool mayBe = dim == 0
                       ? !input.shape->empty()
                       : input.shape->size() > 2 && input.shape->front() != 1;
      if (mayBe && !input.sizeNames[dim].empty()) {
        addBatch(input.sizeNames[dim]);
      }
    }
  }
  if (isFirstDimOnly) {
    llvm::erase_if(batches, [](const BatchDims &dims) {
      return llvm::any_of(
          dims, [](std::optional<size_t> dim) { return dim.value_or(0) != 0; });
    });
  }
}

FailureOr<Sample> BatchCutter::read(StringRef path) {
  Sample sample;
  for (unsigned i = 0;; ++i) {
    std::string file = getDataFile(path, "input", i);
    if (!llvm::sys::fs::exists(file)) {
      return sample;
    }
    FailureOr<NamedTensor> tensor = readTensorProto(file, session.getContext());
    if (failed(tensor)) {
      return failure();
    }
    sample.push_back(std::move(*tensor));
  }
}

std::optional<size_t> BatchCutter::getDim(const NamedTensor &tensor,
                                          const BatchDims &dims) const {
  for (auto [input, dim] : llvm::zip_equal(info->inputs, dims)) {
    if (input.name == tensor.name) {
      return dim;
    }
  }
  return std::nullopt;
}

/// Whether tensors are those of the inputs.
bool BatchCutter::fits(const Sample &sample) const {
  return sample.size() == info->inputs.size() &&
         llvm::all_of(info->inputs, [&](const ModelInfo::Value &input) {
           const auto *found =
               llvm::find_if(ArrayRef(sample), [&](const NamedTensor &tensor) {
                 return tensor.name == input.name;
               });
           if (found == ArrayRef(sample).end()) {
             return false;
           }
           const Tensor &tensor = found->value;
           // Strings, and parts of bytes, are left alone.
           bool isPlain = !tensor.hasStrings() && !tensor.hasSmallNumbers();
           return isPlain &&
                  tensor.getRank() == static_cast<int64_t>(input.shape->size());
         });
}

/// How many samples there are in each batch; nothing where tensors differ.
std::optional<int64_t> BatchCutter::countSamples(const Sample &sample,
                                                 const BatchDims &dims) const {
  std::optional<int64_t> number;
  for (const NamedTensor &tensor : sample) {
    std::optional<size_t> dim = getDim(tensor, dims);
    if (!dim) {
      continue;
    }
    int64_t own = tensor.value.getDim(*dim);
    if (number && *number != own) {
      return std::nullopt;
    }
    number = own;
  }
  return number;
}

/// Whether tensors have the types of elements that a function takes, which is
/// of another context.
static bool haveElementsOf(func::FuncOp function, const Sample &sample) {
  return llvm::all_of(sample, [&](const NamedTensor &tensor) {
    return llvm::any_of(function.getArguments(), [&](BlockArgument argument) {
      auto name =
          abi::getOfArgument<abi::Name>(function, argument.getArgNumber());
      return name && name.getValue() == tensor.name &&
             debugString(getElementTypeOrSelf(argument.getType())) ==
                 debugString(tensor.value.getElementType());
    });
  });
}

/// Whether the model takes samples of these types and computes each for itself,
/// of however many there are. What is wrong is said where they are read.
bool BatchCutter::keepsApart(const Sample &sample, const BatchDims &dims) {
  std::string types;
  llvm::raw_string_ostream os(types);
  ImportOptions options;
  for (const NamedTensor &tensor : sample) {
    SmallVector<int64_t> shape(tensor.value.getShape());
    if (std::optional<size_t> dim = getDim(tensor, dims)) {
      shape[*dim] = ShapedType::kDynamic;
    }
    os << tensor.name
       << RankedTensorType::get(shape, tensor.value.getElementType()) << "\n";
    options.shapes[tensor.name] = std::move(shape);
  }
  auto [entry, isNew] = known.try_emplace(types, false);
  if (!isNew) {
    return entry->second;
  }
  Session quiet;
  MLIRContext &context = quiet.getContext();
  ScopedDiagnosticHandler handler(&context,
                                  [](Diagnostic &) { return success(); });
  ImportResult imported = importONNXModel(model, context, options);
  if (imported.status != ImportStatus::Success) {
    return false;
  }
  PassManager manager(&context);
  buildIEPreparePipeline(manager, IEOptimizeOptions());
  auto function = imported.module->lookupSymbol<func::FuncOp>("main");
  entry->second = haveElementsOf(function, sample) &&
                  succeeded(manager.run(*imported.module)) &&
                  IE::keepsSamplesApart(function);
  return entry->second;
}

/// One of equal parts of a tensor along a dimension.
static Tensor getPart(const Tensor &tensor, size_t dim, int64_t part,
                      int64_t numParts) {
  SmallVector<int64_t> shape(tensor.getShape());
  shape[dim] /= numParts;
  // Before the dimension, each index has all parts.
  int64_t numBefore =
      ShapedType::getNumElements(ArrayRef(shape).take_front(dim));
  ArrayRef<char> bytes = tensor.getBytes();
  size_t size = numBefore == 0 ? 0 : bytes.size() / (numBefore * numParts);
  Tensor result(RankedTensorType::get(shape, tensor.getElementType()));
  for (int64_t i = 0; i < numBefore; ++i) {
    llvm::copy(bytes.slice((i * numParts + part) * size, size),
               result.getMutableBytes().begin() + i * size);
  }
  return result;
}

/// Writes one part of the batches of a sample, and the rest of it.
LogicalResult BatchCutter::writePart(const Sample &sample, const Cut &cut,
                                     int64_t part) {
  std::string inside = std::to_string(numWritten++);
  if (failed(folder.createInside(inside))) {
    return failure();
  }
  for (auto [i, tensor] : llvm::enumerate(sample)) {
    std::optional<size_t> dim =
        cut.dims ? getDim(tensor, *cut.dims) : std::nullopt;
    Tensor value =
        dim ? getPart(tensor.value, *dim, part, cut.numParts) : tensor.value;
    std::string path =
        folder.getFile(inside + "/input_" + std::to_string(i) + ".pb");
    if (failed(writeBytes(UnknownLoc::get(&session.getContext()), path,
                          formatTensorProto(tensor.name, value)))) {
      return failure();
    }
  }
  return success();
}

FailureOr<Cut> BatchCutter::findCut(StringRef path) {
  FailureOr<Sample> sample = read(path);
  if (failed(sample)) {
    return failure();
  }
  auto hasSeveral = [&](const BatchDims &dims) {
    return countSamples(*sample, dims).value_or(0) > 1;
  };
  if (!fits(*sample) || llvm::none_of(batches, hasSeveral)) {
    return Cut();
  }
  for (const BatchDims &dims : batches) {
    std::optional<int64_t> number = countSamples(*sample, dims);
    if (number && *number > 0 && keepsApart(*sample, dims)) {
      return *number > 1 ? Cut{&dims, *number} : Cut();
    }
  }
  return Cut();
}

LogicalResult BatchCutter::write(StringRef path, const Cut &cut) {
  FailureOr<Sample> sample = read(path);
  if (failed(sample)) {
    return failure();
  }
  for (int64_t part = 0; part < cut.numParts; ++part) {
    if (failed(writePart(*sample, cut, part))) {
      return failure();
    }
  }
  return success();
}

/// Whether samples are tensors of a model that nothing else is said of.
static bool isOpenToCuts(const Arguments &arguments, StringRef model) {
  return !isIRFile(model) && !isSharedLibraryName(model) &&
         llvm::none_of(ArrayRef<StringRef>{"--shape", "--value", "--state"},
                       [&](StringRef name) { return arguments.has(name); });
}

/// The arguments with samples of one for batches of them.
static FailureOr<Arguments> cutBatches(const Arguments &arguments,
                                       StringRef model,
                                       TemporaryFolder &folder) {
  static constexpr StringRef kData = "--data", kLimit = "--samples";
  // Each is a folder for a time.
  constexpr int64_t kMostSamples = 1 << 20;
  if (!arguments.has(kData) || !isOpenToCuts(arguments, model)) {
    return arguments;
  }
  FailureOr<int64_t> limit = getSampleLimit(arguments);
  FailureOr<std::vector<std::string>> samples = failure();
  if (failed(limit) || failed(requireModelFile(model)) ||
      failed(samples = findSamples(arguments.getAll(kData),
                                   static_cast<size_t>(*limit)))) {
    return failure();
  }
  BatchCutter cutter(model, folder,
                     arguments.has("--labels") || arguments.has("--metric"));
  bool arePictures = !llvm::sys::fs::is_directory(samples->front());
  if (arePictures) {
    return arguments;
  }
  if (failed(cutter.readModel())) {
    return failure();
  }
  if (!cutter.mayCut()) {
    return arguments;
  }
  int64_t numParts = 0;
  std::vector<Cut> cuts;
  for (const std::string &sample : *samples) {
    FailureOr<Cut> cut = cutter.findCut(sample);
    if (failed(cut)) {
      return failure();
    }
    cuts.push_back(*cut);
    numParts += cut->numParts;
  }
  if (numParts == static_cast<int64_t>(cuts.size()) ||
      numParts > kMostSamples) {
    return arguments;
  }
  if (failed(folder.create())) {
    return failure();
  }
  for (auto [cut, sample] : llvm::zip_equal(cuts, *samples)) {
    if (failed(cutter.write(sample, cut))) {
      return failure();
    }
  }
  // The limit has been one of files.
  return arguments.without({kData, kLimit})
      .with(kData, folder.getPath())
      .with(kLimit, std::to_string(numParts));
}

FailureOr<Arguments> driver::findSampleData(const Arguments &arguments,
                                            StringRef model,
                                            SampleFolders &folders) {
  FailureOr<Arguments> made = unpackRandomData(arguments, model, folders.made);
  FailureOr<Arguments> unpacked =
      failed(made) ? made : unpackNumpyData(*made, model, folders.unpacked);
  return failed(unpacked) ? unpacked
                          : cutBatches(*unpacked, model, folders.cut);
}
