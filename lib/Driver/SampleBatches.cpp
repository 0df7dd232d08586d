//===- SampleBatches.cpp - Samples out of batches -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleBatches.h"
#include "NumpyData.h"
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

/// Cuts samples of a model whose inputs are known.
class BatchCutter {
public:
  BatchCutter(StringRef model, TemporaryFolder &folder)
      : model(model), folder(folder) {}

  /// Reads what the model takes. Prints an error and fails where it is none.
  LogicalResult readModel();
  /// True if there is an input whose number of samples is open, and all are
  /// tensors of known rank that nothing but a sample gives.
  bool mayCut() const;

  /// In how many parts a sample can be cut. Prints errors.
  FailureOr<int64_t> countParts(StringRef path);
  /// Writes that many parts of a sample. Prints errors.
  LogicalResult write(StringRef path, int64_t numParts);

private:
  FailureOr<Sample> read(StringRef path);
  std::optional<int64_t> findBatch(const Sample &sample) const;
  bool isBatched(const NamedTensor &tensor) const;
  bool keepsApart(const Sample &sample);
  LogicalResult writePart(const Sample &sample, int64_t part, int64_t numParts);

  /// Has the types, and prints errors.
  Session session;
  StringRef model;
  TemporaryFolder &folder;
  std::optional<ModelInfo> info;
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
  return success();
}

/// Whether the model leaves the first dimension of an input open.
static bool isOpen(const ModelInfo::Value &input) {
  return input.shape && !input.shape->empty() && input.shape->front() < 0;
}

bool BatchCutter::mayCut() const {
  return info->initializedInputs.empty() &&
         llvm::any_of(info->inputs, isOpen) &&
         llvm::all_of(info->inputs, [](const ModelInfo::Value &input) {
           return input.isTensor && input.shape;
         });
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

/// Whether the tensor, which has the name of an input, is a batch.
bool BatchCutter::isBatched(const NamedTensor &tensor) const {
  return llvm::any_of(info->inputs, [&](const ModelInfo::Value &input) {
    return input.name == tensor.name && isOpen(input);
  });
}

/// How many samples there are in each batch; nothing where tensors are not
/// those of the inputs, or differ.
std::optional<int64_t> BatchCutter::findBatch(const Sample &sample) const {
  std::optional<int64_t> batch;
  if (sample.size() != info->inputs.size()) {
    return std::nullopt;
  }
  for (const ModelInfo::Value &input : info->inputs) {
    const auto *found =
        llvm::find_if(ArrayRef(sample), [&](const NamedTensor &tensor) {
          return tensor.name == input.name;
        });
    if (found == ArrayRef(sample).end()) {
      return std::nullopt;
    }
    const Tensor &tensor = found->value;
    // Strings, and parts of bytes, are left alone.
    bool isPlain = !tensor.hasStrings() && !tensor.hasSmallNumbers();
    if (tensor.getRank() != static_cast<int64_t>(input.shape->size()) ||
        !isPlain) {
      return std::nullopt;
    }
    if (!isOpen(input)) {
      continue;
    }
    if (batch && *batch != tensor.getDim(0)) {
      return std::nullopt;
    }
    batch = tensor.getDim(0);
  }
  return batch;
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
bool BatchCutter::keepsApart(const Sample &sample) {
  std::string types;
  llvm::raw_string_ostream os(types);
  ImportOptions options;
  for (const NamedTensor &tensor : sample) {
    SmallVector<int64_t> shape(tensor.value.getShape());
    if (isBatched(tensor)) {
      shape.front() = ShapedType::kDynamic;
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

/// Writes one of equal parts of the batches of a sample, and the rest of it.
LogicalResult BatchCutter::writePart(const Sample &sample, int64_t part,
                                     int64_t numParts) {
  std::string inside = std::to_string(numWritten++);
  if (failed(folder.createInside(inside))) {
    return failure();
  }
  for (auto [i, tensor] : llvm::enumerate(sample)) {
    Tensor value = tensor.value;
    if (numParts > 1 && isBatched(tensor)) {
      SmallVector<int64_t> shape(value.getShape());
      shape.front() /= numParts;
      size_t bytes = value.getBytes().size() / numParts;
      value =
          Tensor::borrow(RankedTensorType::get(shape, value.getElementType()),
                         value.getBytes().slice(part * bytes, bytes));
    }
    std::string path =
        folder.getFile(inside + "/input_" + std::to_string(i) + ".pb");
    if (failed(writeBytes(UnknownLoc::get(&session.getContext()), path,
                          formatTensorProto(tensor.name, value)))) {
      return failure();
    }
  }
  return success();
}

FailureOr<int64_t> BatchCutter::countParts(StringRef path) {
  FailureOr<Sample> sample = read(path);
  if (failed(sample)) {
    return failure();
  }
  int64_t numParts = findBatch(*sample).value_or(1);
  return numParts > 1 && keepsApart(*sample) ? numParts : 1;
}

LogicalResult BatchCutter::write(StringRef path, int64_t numParts) {
  FailureOr<Sample> sample = read(path);
  if (failed(sample)) {
    return failure();
  }
  for (int64_t part = 0; part < numParts; ++part) {
    if (failed(writePart(*sample, part, numParts))) {
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
  BatchCutter cutter(model, folder);
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
  std::vector<int64_t> parts;
  for (const std::string &sample : *samples) {
    FailureOr<int64_t> count = cutter.countParts(sample);
    if (failed(count)) {
      return failure();
    }
    parts.push_back(*count);
    numParts += *count;
  }
  if (numParts == static_cast<int64_t>(parts.size()) ||
      numParts > kMostSamples) {
    return arguments;
  }
  if (failed(folder.create())) {
    return failure();
  }
  for (auto [count, sample] : llvm::zip_equal(parts, *samples)) {
    if (failed(cutter.write(sample, count))) {
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
  FailureOr<Arguments> unpacked =
      unpackNumpyData(arguments, model, folders.unpacked);
  return failed(unpacked) ? unpacked
                          : cutBatches(*unpacked, model, folders.cut);
}
