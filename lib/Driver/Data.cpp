//===- Data.cpp - Inputs and expected outputs -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where tensors come from: files, folders of test data, random numbers.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"
#include "Session.h"

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Import/ONNX/TensorProto.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::Tensor;

/// Uniform numbers: floats in [-1, 1), integers small enough to be indices.
static Tensor makeRandom(RankedTensorType type, uint64_t seed) {
  std::mt19937_64 random(seed);
  Tensor tensor(type);
  if (tensor.hasSmallNumbers()) {
    Type element = type.getElementType();
    for (char &code : tensor.getMutableBytes()) {
      double value =
          isa<FloatType>(element)
              ? static_cast<double>(random() >> 11) / (uint64_t(1) << 52) - 1
              : static_cast<double>(random() % 2);
      code = static_cast<char>(IE::encodeSmallNumber(
          element, value, IE::CastOptions(/*saturate=*/1, "up")));
    }
    return tensor;
  }
  Tensor parts = tensor.withParts();
  interpreter::dispatch(parts.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    for (T &value : parts.mutableValues<T>()) {
      if constexpr (std::is_integral_v<T>) {
        value = static_cast<T>(random() % 2);
      } else {
        value = static_cast<T>(static_cast<float>(
            static_cast<double>(random() >> 11) / (uint64_t(1) << 52) - 1));
      }
    }
  });
  return tensor;
}

/// True for a tensor of the type, or of one that fixes its dynamic dimensions.
static bool fits(RankedTensorType found, RankedTensorType expected) {
  return found.getElementType() == expected.getElementType() &&
         succeeded(verifyCompatibleShape(found, expected));
}

/// ONNX's own data sets and NumPy's files hold bfloat16 as its bits, in uint16.
static Tensor readAsBFloat16(const Tensor &tensor, Type expected) {
  bool isBits =
      expected.isBF16() && tensor.getElementType().isUnsignedInteger(16);
  return isBits ? tensor.withType(tensor.getType().clone(expected)) : tensor;
}

/// What NumPy's file holds for an input of small numbers: the codes of floats,
/// the integers themselves.
static FailureOr<Tensor> readAsSmall(Session &session, StringRef source,
                                     const Tensor &tensor,
                                     const ModelTensor &expected) {
  Type element = expected.type.getElementType();
  if (!IE::isSmallNumber(element) || tensor.getElementType() == element ||
      tensor.hasStrings() ||
      interpreter::getElementBytes(tensor.getElementType()) != 1) {
    return tensor;
  }
  bool isSigned = tensor.getElementType().isSignlessInteger(8);
  bool wantsSigned = element.isSignlessInteger();
  if (isSigned != wantsSigned) {
    return tensor; // does not fit, which the caller says
  }
  auto [low, high] = IE::getSmallNumberRange(element);
  Tensor result(tensor.getType().clone(element));
  for (auto [from, to] :
       llvm::zip_equal(tensor.getBytes(), result.getMutableBytes())) {
    int number = isSigned ? static_cast<int8_t>(from)
                          : static_cast<int>(static_cast<uint8_t>(from));
    if (number < low || number > high) {
      printError() << "input '" << expected.name << "' takes numbers from "
                   << low << " to " << high << ", but " << source << " holds "
                   << number << "\n";
      return session.fail(ExitCode::BadInput);
    }
    to = static_cast<char>(number & (high - low));
  }
  return result;
}

/// Floats as the integers that stand for them, if the input is such; else the
/// tensor as it is.
static Tensor readAsIntegers(const Tensor &tensor,
                             const ModelTensor &expected) {
  Type element = expected.type.getElementType();
  if (!expected.integers || !tensor.getElementType().isF32()) {
    return tensor;
  }
  unsigned bits = element.getIntOrFloatBitWidth();
  bool isSigned = !element.isUnsignedInteger();
  double least = isSigned ? -std::exp2(bits - 1) : 0;
  double largest = std::exp2(isSigned ? bits - 1 : bits) - 1;
  Tensor result(tensor.getType().clone(element));
  ArrayRef<float> floats = tensor.values<float>();
  interpreter::dispatch(element, [&](auto tag) {
    using T = decltype(tag);
    for (auto [from, to] : llvm::zip_equal(floats, result.mutableValues<T>())) {
      // As QuantizeLinear does: in f32, ties to even, NaN as the least.
      double rounded =
          std::nearbyint(static_cast<double>(from / expected.integers->scale)) +
          static_cast<double>(expected.integers->zeroPoint);
      to = static_cast<T>(
          std::isnan(rounded) ? least : std::clamp(rounded, least, largest));
    }
  });
  return result;
}

Datum driver::asFloats(const Datum &datum, const ModelTensor &tensor) {
  if (!tensor.integers || !datum.isTensor() ||
      !isa<IntegerType>(datum.getTensor().getElementType())) {
    return datum;
  }
  const Tensor &integers = datum.getTensor();
  Type f32 = Float32Type::get(integers.getType().getContext());
  Tensor floats(integers.getType().clone(f32));
  for (auto [i, number] : llvm::enumerate(floats.mutableValues<float>())) {
    double distance = integers.getDouble(static_cast<int64_t>(i)) -
                      static_cast<double>(tensor.integers->zeroPoint);
    number = static_cast<float>(distance) * tensor.integers->scale;
  }
  return floats;
}

FailureOr<Tensor> driver::readInput(Session &session, StringRef source,
                                    const ModelTensor &expected) {
  if (!expected.type) {
    printError() << "input '" << expected.name << "' is a "
                 << expected.getValueType()
                 << ", which only the data folders of nacre check can give\n";
    return session.fail(ExitCode::Unsupported);
  }
  auto [kind, number] = source.split(':');
  if (kind == "random") {
    uint64_t seed = 0;
    if (source != kind && number.getAsInteger(10, seed)) {
      printError() << "expected random or random:SEED, found '" << source
                   << "'\n";
      return session.fail(ExitCode::BadInput);
    }
    if (isa<IE::StringType>(expected.type.getElementType())) {
      printError() << "input '" << expected.name
                   << "' holds strings, of which there are no random ones; "
                      "give it a file\n";
      return session.fail(ExitCode::BadInput);
    }
    if (!expected.type.hasStaticShape()) {
      printError() << "input '" << expected.name << "' has the dynamic shape "
                   << expected.type << "; fix it with --shape NAME=DIMS\n";
      return session.fail(ExitCode::BadInput);
    }
    return makeRandom(expected.type, seed);
  }
  FailureOr<Tensor> tensor = failure();
  if (source.ends_with(".npy")) {
    tensor = readNpy(session.getContext(), source);
    if (succeeded(tensor)) {
      tensor = readAsSmall(session, source, *tensor, expected);
    }
    if (succeeded(tensor)) {
      tensor = readAsBFloat16(*tensor, expected.type.getElementType());
    }
  } else {
    FailureOr<NamedTensor> named =
        readTensorProto(source, session.getContext());
    if (succeeded(named)) {
      tensor = named->value;
    }
  }
  if (failed(tensor)) {
    return session.fail(ExitCode::BadInput);
  }
  tensor = readAsIntegers(*tensor, expected);
  if (!fits(tensor->getType(), expected.type)) {
    printError() << "input '" << expected.name << "' needs " << expected.type
                 << ", but " << source << " holds " << tensor->getType()
                 << "\n";
    return session.fail(ExitCode::BadInput);
  }
  return tensor;
}

LogicalResult driver::readInputs(Session &session, const Arguments &arguments,
                                 SmallVectorImpl<Datum> &inputs) {
  llvm::StringMap<StringRef> sources;
  for (StringRef option : arguments.getAll("--input")) {
    // A name may hold '=', a file name rarely does.
    auto [name, source] = option.rsplit('=');
    if (source.empty()) {
      printError() << "--input needs NAME=FILE, found '" << option << "'\n";
      return session.fail(ExitCode::BadInput);
    }
    if (!session.getReplaced().contains(name)) {
      sources[name] = source;
    }
  }
  for (const ModelTensor &tensor : session.getInterface().inputs) {
    auto it = sources.find(tensor.name);
    StringRef source = it == sources.end() ? "random" : it->second;
    FailureOr<Tensor> input = readInput(session, source, tensor);
    if (failed(input)) {
      return failure();
    }
    inputs.push_back(*input);
    if (it != sources.end()) {
      sources.erase(it);
    }
  }
  for (const auto &left : sources) {
    printError() << "the model has no input '" << left.getKey() << "'\n";
    return session.fail(ExitCode::BadInput);
  }
  return success();
}

std::string driver::getDataFile(StringRef folder, StringRef prefix,
                                unsigned number) {
  SmallString<256> path(folder);
  llvm::sys::path::append(path, prefix + "_" + Twine(number) + ".pb");
  return path.str().str();
}

/// Reads PREFIX_0.pb, PREFIX_1.pb … of a folder and sorts them to `tensors`.
static LogicalResult readNumbered(Session &session, StringRef folder,
                                  StringRef prefix,
                                  ArrayRef<ModelTensor> tensors,
                                  SmallVectorImpl<Datum> &result) {
  result.resize(tensors.size());
  SmallVector<bool> filled(tensors.size(), false);
  SmallVector<NamedDatum> read;
  auto replacements = llvm::make_second_range(session.getReplaced());
  std::string path;
  for (unsigned i = 0;
       llvm::sys::fs::exists(path = getDataFile(folder, prefix, i)); ++i) {
    if (llvm::is_contained(replacements, path)) {
      continue;
    }
    // Names come later: what kind of file it is follows from its number.
    Type type = read.size() < tensors.size()
                    ? tensors[read.size()].getValueType()
                    : Type(NoneType::get(&session.getContext()));
    FailureOr<NamedDatum> datum = readDatumProto(path, type);
    if (failed(datum)) {
      return session.fail(ExitCode::BadInput);
    }
    read.push_back(*datum);
  }
  if (read.size() != tensors.size()) {
    printError() << "expected " << tensors.size() << " files " << prefix
                 << "_N.pb in '" << folder << "', found " << read.size();
    if (prefix == "input" && read.size() > tensors.size()) {
      llvm::errs() << "; values of initializers need an .onnx model that lists "
                      "them as inputs, without --dynamic";
    }
    llvm::errs() << "\n";
    return session.fail(ExitCode::BadInput);
  }
  for (auto [i, datum] : llvm::enumerate(read)) {
    size_t position = i;
    for (auto [j, expected] : llvm::enumerate(tensors)) {
      if (expected.name == datum.name) {
        position = j;
        // A graph may list one value several times.
        if (!filled[j]) {
          break;
        }
      }
    }
    if (filled[position]) {
      printError() << "two files " << prefix << "_N.pb in '" << folder
                   << "' hold '" << datum.name << "'\n";
      return session.fail(ExitCode::BadInput);
    }
    filled[position] = true;
    result[position] = datum.value;
    RankedTensorType expected = tensors[position].type;
    if (expected && datum.value.isTensor()) {
      result[position] =
          readAsBFloat16(datum.value.getTensor(), expected.getElementType());
    }
  }
  return success();
}

static bool areEqual(const Tensor &a, const Tensor &b) {
  return a.getType() == b.getType() &&
         (a.hasStrings() ? a.toAttr() == b.toAttr()
                         : a.getBytes() == b.getBytes());
}

/// Data sets are the model's as it is: what they hold for inputs that --value
/// fixes must be that, and is no input of the compiled model.
static LogicalResult readInputFiles(Session &session, StringRef folder,
                                    SmallVectorImpl<Datum> &result,
                                    size_t numAppended = 0) {
  std::vector<ModelTensor> inputs =
      ArrayRef(session.getInterface().inputs).drop_back(numAppended).vec();
  for (const FixedInput &fixed : session.getFixed()) {
    inputs.insert(inputs.begin() + fixed.number, fixed.tensor);
  }
  if (failed(readNumbered(session, folder, "input", inputs, result))) {
    return failure();
  }
  for (const FixedInput &fixed : llvm::reverse(session.getFixed())) {
    const Datum &found = result[fixed.number];
    if (!found.isTensor() || !areEqual(found.getTensor(), fixed.value)) {
      printError() << "--value gives input '" << fixed.tensor.name
                   << "' another value than '" << folder << "' holds\n";
      return session.fail(ExitCode::BadInput);
    }
    result.erase(result.begin() + fixed.number);
  }
  return success();
}

/// Fails, after an error, where an input is none that the model takes.
static LogicalResult requireFitting(Session &session,
                                    MutableArrayRef<Datum> inputs) {
  for (auto [datum, expected] :
       llvm::zip_first(inputs, session.getInterface().inputs)) {
    if (!expected.type) {
      continue; // read as what it is
    }
    datum = readAsIntegers(datum.getTensor(), expected);
    RankedTensorType found = datum.getTensor().getType();
    if (fits(found, expected.type)) {
      continue;
    }
    if (!expected.isRead && expected.type.hasStaticShape()) {
      // Of a tensor that only lends its type, data sets hold what they like.
      printWarning() << "nothing reads input '" << expected.name
                     << "': that the data set holds " << found << " for "
                     << expected.type << " does no harm\n";
      datum = Tensor(expected.type);
      continue;
    }
    printError() << "input '" << expected.name << "' needs " << expected.type
                 << ", but the data set holds " << found << "\n";
    return session.fail(ExitCode::BadInput);
  }
  return success();
}

FailureOr<SmallVector<Datum>>
driver::readSample(Session &session, StringRef folder, size_t numAppended) {
  SmallVector<Datum> inputs;
  if (failed(readInputFiles(session, folder, inputs, numAppended)) ||
      failed(requireFitting(session, inputs))) {
    return failure();
  }
  return inputs;
}

FailureOr<DataSet> driver::readDataSet(Session &session, StringRef folder) {
  DataSet data;
  if (!llvm::sys::fs::is_directory(folder)) {
    printError() << "no such data folder: '" << folder << "'\n";
    return session.fail(ExitCode::BadInput);
  }
  const ModelInterface &interface = session.getInterface();
  if (failed(readInputFiles(session, folder, data.inputs)) ||
      failed(readNumbered(session, folder, "output", interface.outputs,
                          data.outputs)) ||
      failed(requireFitting(session, data.inputs))) {
    return failure();
  }
  return data;
}
