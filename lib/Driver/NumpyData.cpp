//===- NumpyData.cpp - Samples in NumPy's files ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumpyData.h"
#include "Npy.h"
#include "Samples.h"
#include "Session.h"
#include "Zip.h"

#include "nacre/Export/ONNX/Export.h"
#include "nacre/Import/ONNX/Import.h"
#include "nacre/Import/ONNX/TensorProto.h"
#include "nacre/Support/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Tensor;

namespace {

/// The samples of one place, which become folders.
class Unpacker {
public:
  /// `folder` is where, `prefix` how the samples' folders begin.
  Unpacker(TemporaryFolder &folder, StringRef place, std::string prefix,
           const std::vector<ModelInfo::Value> &inputs)
      : folder(folder), place(place), prefix(std::move(prefix)),
        inputs(inputs) {}

  LogicalResult unpackArchive();
  /// Files by the number of the sample.
  LogicalResult
  unpackFiles(const std::map<uint64_t, std::vector<std::string>> &files);
  MLIRContext &getContext() { return session.getContext(); }

private:
  LogicalResult unpackArray(StringRef name, const Tensor &array);
  LogicalResult write(StringRef name, size_t sample, const Tensor &tensor);
  const ModelInfo::Value *findInput(StringRef name) const;

  /// Has the types, and prints errors.
  Session session;
  TemporaryFolder &folder;
  StringRef place;
  std::string prefix;
  const std::vector<ModelInfo::Value> &inputs;
  /// How many inputs of each sample have been written.
  std::vector<size_t> counts;
};

} // namespace

/// The input of that name. Prints an error where there is none; there are none
/// at all for a model whose inputs are not known yet.
const ModelInfo::Value *Unpacker::findInput(StringRef name) const {
  const auto *found = llvm::find_if(
      ArrayRef(inputs), [&](const auto &input) { return input.name == name; });
  if (found != ArrayRef(inputs).end()) {
    return found;
  }
  printError() << "'" << place << "' holds '" << name
               << "', which is no input of the model; it has ";
  llvm::interleaveComma(inputs, llvm::errs(), [](const auto &input) {
    llvm::errs() << "'" << input.name << "'";
  });
  llvm::errs() << "\n";
  return nullptr;
}

LogicalResult Unpacker::write(StringRef name, size_t sample,
                              const Tensor &tensor) {
  std::string inside = prefix + std::to_string(sample);
  if (sample >= counts.size()) {
    counts.resize(sample + 1, 0);
  }
  if (counts[sample] == 0 && failed(folder.createInside(inside))) {
    return failure();
  }
  std::string path = folder.getFile(inside + "/input_" +
                                    std::to_string(counts[sample]++) + ".pb");
  return writeBytes(UnknownLoc::get(&getContext()), path,
                    formatTensorProto(name, tensor));
}

/// Writes the parts of an array that are samples: those of its first dimension,
/// or, where that is the batch, as many as the model takes at once.
LogicalResult Unpacker::unpackArray(StringRef name, const Tensor &array) {
  const ModelInfo::Value *input = findInput(name);
  if (!input) {
    return failure();
  }
  auto refuse = [&]() -> llvm::raw_ostream & {
    return printError() << "'" << place << "' holds " << array.getType()
                        << " for '" << name << "', ";
  };
  int64_t rank = array.getRank();
  if (array.hasStrings() || rank == 0) {
    refuse() << "expected numbers, with the samples in front\n";
    return failure();
  }
  SmallVector<int64_t> shape(array.getShape().drop_front());
  int64_t count = array.getDim(0);
  if (input->shape && static_cast<int64_t>(input->shape->size()) == rank) {
    int64_t batch = std::max<int64_t>(input->shape->front(), 1);
    if (count % batch != 0) {
      refuse() << "expected a multiple of the batch of " << batch << "\n";
      return failure();
    }
    count /= batch;
    shape.insert(shape.begin(), batch);
  }
  auto type = RankedTensorType::get(shape, array.getElementType());
  size_t bytes = count == 0 ? 0 : array.getBytes().size() / count;
  for (int64_t i = 0; i < count; ++i) {
    ArrayRef<char> part = array.getBytes().slice(i * bytes, bytes);
    if (failed(write(name, i, Tensor::borrow(type, part)))) {
      return failure();
    }
  }
  return success();
}

LogicalResult Unpacker::unpackArchive() {
  Location loc = FileLineColLoc::get(&getContext(), place, 0, 0);
  auto file = llvm::MemoryBuffer::getFile(place);
  if (!file) {
    return emitError(loc) << "cannot open the file: "
                          << file.getError().message();
  }
  FailureOr<std::vector<ZipEntry>> entries = readZip(loc, (*file)->getBuffer());
  if (failed(entries)) {
    return failure();
  }
  size_t before = 0;
  for (auto [i, entry] : llvm::enumerate(*entries)) {
    FailureOr<Tensor> array = parseNpy(loc, entry.bytes);
    StringRef name = entry.name;
    name.consume_back(".npy");
    if (failed(array) || failed(unpackArray(name, *array))) {
      return failure();
    }
    if (i > 0 && !llvm::all_of(counts, [&](size_t count) {
          return count == counts.front();
        })) {
      printError() << "'" << place << "' holds another number of samples for '"
                   << name << "' than for '" << entries->front().name << "'\n";
      return failure();
    }
    before = counts.size();
  }
  if (before == 0) {
    printError() << "'" << place << "' holds no samples\n";
    return failure();
  }
  return success();
}

/// The input that a file is of, and the number of the sample: NAME_N.npy.
static std::optional<std::pair<StringRef, uint64_t>> parseName(StringRef path) {
  StringRef stem = llvm::sys::path::filename(path);
  uint64_t number;
  if (!stem.consume_back(".npy")) {
    return std::nullopt;
  }
  auto [name, digits] = stem.rsplit('_');
  return digits.empty() || digits.getAsInteger(10, number)
             ? std::nullopt
             : std::optional(std::pair(name, number));
}

/// The files of a folder that are samples of inputs.
static std::map<uint64_t, std::vector<std::string>>
findNumpyFiles(StringRef place) {
  std::map<uint64_t, std::vector<std::string>> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(place, error), end;
       !error && it != end; it.increment(error)) {
    if (auto name = parseName(it->path())) {
      files[name->second].push_back(it->path());
    }
  }
  return files;
}

LogicalResult Unpacker::unpackFiles(
    const std::map<uint64_t, std::vector<std::string>> &files) {
  size_t sample = 0;
  for (const auto &[number, paths] : files) {
    std::vector<std::string> sorted = paths;
    llvm::sort(sorted);
    for (const std::string &path : sorted) {
      StringRef name = parseName(path)->first;
      FailureOr<Tensor> tensor = readNpy(getContext(), path);
      if (failed(tensor) || !findInput(name) ||
          failed(write(name, sample, *tensor))) {
        return failure();
      }
    }
    ++sample;
  }
  return success();
}

/// True for a folder whose NumPy files are samples of inputs, and not pictures.
static bool holdsInputs(StringRef place, ArrayRef<ModelInfo::Value> inputs) {
  auto files = findNumpyFiles(place);
  return !files.empty() && !holdsSamples(place) &&
         llvm::all_of(files.begin()->second, [&](const std::string &path) {
           return llvm::any_of(inputs, [&](const auto &input) {
             return input.name == parseName(path)->first;
           });
         });
}

FailureOr<Arguments> driver::unpackNumpyData(const Arguments &arguments,
                                             StringRef model,
                                             TemporaryFolder &folder) {
  static constexpr StringRef kData = "--data";
  std::vector<StringRef> places = arguments.getAll(kData);
  auto mayHoldInputs = [](StringRef place) {
    return place.ends_with(".npz") || !findNumpyFiles(place).empty();
  };
  if (llvm::none_of(places, mayHoldInputs)) {
    return arguments;
  }
  Session session;
  FailureOr<ModelInfo> info = failure();
  if (succeeded(requireModelFile(model))) {
    info = inspectONNXModel(model, session.getContext());
  }
  if (failed(info) || failed(folder.create())) {
    return failure();
  }
  Arguments result = arguments.without(kData);
  for (auto [i, place] : llvm::enumerate(places)) {
    bool isArchive = place.ends_with(".npz");
    if (!isArchive && !holdsInputs(place, info->inputs)) {
      result = result.with(kData, place);
      continue;
    }
    std::string inside = std::to_string(i);
    if (failed(folder.createInside(inside))) {
      return failure();
    }
    Unpacker unpacker(folder, place, inside + "/", info->inputs);
    if (failed(isArchive ? unpacker.unpackArchive()
                         : unpacker.unpackFiles(findNumpyFiles(place)))) {
      return failure();
    }
    result = result.with(kData, (folder.getPath() + "/" + inside).str());
  }
  return result;
}
