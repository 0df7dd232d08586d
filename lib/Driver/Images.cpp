//===- Images.cpp - Pictures as inputs ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Images.h"
#include "Folders.h"
#include "Npy.h"

#include "nacre/Emit/Artifact.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using image::Image;
using interpreter::Tensor;

static constexpr StringRef kNpy = ".npy";

std::vector<OptionSpec> driver::getImageOptions() {
  return {{"--range", "NAME",
           "what pixels from 0 to 255 become: 0to1 (default), neg1to1, 0to255 "
           "or neg128to127"},
          {"--mean", "X[,Y,Z]",
           "then subtracted, from all channels or from each of the model's"},
          {"--std", "X[,Y,Z]", "then divided by"},
          {"--order", "NAME", "the model's colors: rgb (default) or bgr"},
          {"--layout", "NAME",
           "the model's dimensions: nchw or nhwc (default: what the input's "
           "shape tells)"},
          {"--resize", "NAME",
           "bilinear (default), or none: pictures of another size than the "
           "model's are errors"}};
}

static bool isImageFile(StringRef path) {
  return path.ends_with(kNpy) || image::hasImageExtension(path);
}

std::vector<std::string> driver::listImages(StringRef folder) {
  return listFolder(folder, isImageFile);
}

/// An array of rows of pixels, or of channels of these, as a picture.
static llvm::Expected<Image> makeImage(const Tensor &tensor) {
  auto isChannels = [](int64_t size) { return size == 1 || size == 3; };
  int64_t rank = tensor.getRank();
  bool isLast = rank == 3 && isChannels(tensor.getDim(2));
  bool isFirst = rank == 3 && !isLast && isChannels(tensor.getDim(0));
  if (tensor.hasStrings() || isa<ComplexType>(tensor.getElementType()) ||
      (rank != 2 && !isLast && !isFirst)) {
    std::string found;
    llvm::raw_string_ostream(found) << tensor.getType();
    return llvm::createStringError("expected numbers of height x width, or of "
                                   "these by 1 or 3 channels, found " +
                                   found);
  }
  int64_t height = tensor.getDim(isFirst ? 1 : 0);
  int64_t width = tensor.getDim(isFirst ? 2 : 1);
  int64_t channels = rank == 2 ? 1 : tensor.getDim(isFirst ? 0 : 2);
  Image image;
  if (llvm::Error error = image.allocate(height, width, channels)) {
    return std::move(error);
  }
  int64_t area = height * width;
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    int64_t to = isFirst ? i % area * channels + i / area : i;
    image.pixels[to] = static_cast<float>(tensor.getDouble(i));
  }
  return image;
}

/// Prints an error and fails where there is no picture.
static FailureOr<Image> readPicture(MLIRContext &context, StringRef path) {
  llvm::Expected<Image> image = Image();
  if (path.ends_with(kNpy)) {
    FailureOr<Tensor> tensor = readNpy(context, path);
    if (failed(tensor)) {
      return failure();
    }
    image = makeImage(*tensor);
  } else {
    image = image::readImage(path);
  }
  if (!image) {
    printError() << path << ": " << llvm::toString(image.takeError()) << "\n";
    return failure();
  }
  return std::move(*image);
}

/// The numbers of an option, of which there are none by default.
static FailureOr<std::vector<double>>
readNumbers(const Arguments &arguments, StringRef option, bool allowsZero) {
  std::vector<double> numbers;
  SmallVector<StringRef> parts;
  if (arguments.has(option)) {
    arguments.get(option).split(parts, ',');
  }
  for (StringRef part : parts) {
    double &number = numbers.emplace_back();
    if (part.trim().getAsDouble(number) || !std::isfinite(number) ||
        (number == 0 && !allowsZero)) {
      printError() << option << " needs a number, or one for each channel, "
                   << (allowsZero ? "" : "none of them 0, ") << "found '"
                   << arguments.get(option) << "'\n";
      return failure();
    }
  }
  return numbers;
}

LogicalResult ImageInput::readOptions() {
  auto range = arguments.getChoice<image::Range>(
      "--range", {{"0to1", image::Range::ZeroToOne},
                  {"neg1to1", image::Range::MinusOneToOne},
                  {"0to255", image::Range::ZeroTo255},
                  {"neg128to127", image::Range::Minus128To127}});
  auto reverses =
      arguments.getChoice<bool>("--order", {{"rgb", false}, {"bgr", true}});
  auto keeps = arguments.getChoice<bool>("--resize",
                                         {{"bilinear", false}, {"none", true}});
  auto last =
      arguments.getChoice<bool>("--layout", {{"nchw", false}, {"nhwc", true}});
  if (failed(range) || failed(reverses) || failed(keeps) || failed(last)) {
    return failure();
  }
  auto mean = readNumbers(arguments, "--mean", /*allowsZero=*/true);
  auto deviation = readNumbers(arguments, "--std", /*allowsZero=*/false);
  if (failed(mean) || failed(deviation)) {
    return failure();
  }
  if (arguments.has("--layout")) {
    hasChannelsLast = *last;
  }
  preparation = {*range, *mean, *deviation, *reverses, *keeps};
  return success();
}

/// True for a tensor that could be a picture, or several.
static bool canBePictures(const ModelTensor &tensor) {
  return tensor.type &&
         (tensor.type.getRank() == 3 || tensor.type.getRank() == 4);
}

/// What is to be said of an input in an error.
static std::string describe(const ModelTensor &tensor) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "'" << tensor.name << "' of " << tensor.getValueType();
  return text;
}

LogicalResult ImageInput::findInput(const ModelInterface &interface) {
  llvm::StringSet<> given;
  for (StringRef option : arguments.getAll("--input")) {
    given.insert(option.rsplit('=').first);
  }
  SmallVector<size_t> open;
  for (auto [i, tensor] : llvm::enumerate(interface.inputs)) {
    if (!given.contains(tensor.name)) {
      open.push_back(i);
    }
  }
  if (open.size() != 1 || !canBePictures(interface.inputs[open.front()])) {
    printError() << "expected one input for pictures, of 4 dimensions or 3, "
                    "and others by --input; found ";
    llvm::interleaveComma(open, llvm::errs(), [&](size_t i) {
      llvm::errs() << describe(interface.inputs[i]);
    });
    llvm::errs() << (open.empty() ? "none\n" : "\n");
    return failure();
  }
  number = open.front();
  const ModelTensor &input = interface.inputs[number];
  elementType = getElementTypeName(input.type.getElementType());
  static constexpr StringRef kTypes[] = {"float32",  "float64", "float16",
                                         "bfloat16", "uint8",   "int8"};
  if (!llvm::is_contained(kTypes, elementType)) {
    printError() << "pictures cannot be input " << describe(input)
                 << ": they are floats, or integers of 8 bits\n";
    return failure();
  }
  return success();
}

LogicalResult ImageInput::findLayout(const ModelTensor &input,
                                     std::optional<int64_t> wantedBatch,
                                     StringRef first) {
  shape.assign(input.type.getShape().begin(), input.type.getShape().end());
  bool hasBatch = shape.size() == 4;
  if (hasBatch && ShapedType::isDynamic(shape[0])) {
    shape[0] = wantedBatch.value_or(1);
  }
  batch = hasBatch ? shape[0] : 1;
  if (wantedBatch && *wantedBatch != batch) {
    printError() << "the model takes " << batch << " pictures at a time, found "
                 << "--batch=" << *wantedBatch << "\n";
    return failure();
  }
  MutableArrayRef<int64_t> dims = MutableArrayRef(shape).take_back(3);
  auto isChannels = [](int64_t size) { return size == 1 || size == 3; };
  bool isLast = hasChannelsLast.value_or(!isChannels(dims[0]));
  if (batch < 1 || !isChannels(dims[isLast ? 2 : 0])) {
    printError()
        << "cannot tell which dimension of input " << describe(input)
        << " is that of 1 or 3 channels; --layout says it, and --shape "
           "fixes sizes that are open\n";
    return failure();
  }
  int64_t &height = dims[isLast ? 0 : 1], &width = dims[isLast ? 1 : 2];
  if (ShapedType::isDynamic(height) || ShapedType::isDynamic(width)) {
    FailureOr<Image> picture = readPicture(*input.type.getContext(), first);
    if (failed(picture)) {
      return failure();
    }
    height = ShapedType::isDynamic(height) ? picture->height : height;
    width = ShapedType::isDynamic(width) ? picture->width : width;
  }
  layout = {dims[isLast ? 2 : 0], height, width, isLast};
  if (!input.type.hasStaticShape()) {
    std::string option = input.name + "=";
    llvm::raw_string_ostream stream(option);
    llvm::interleave(shape, stream, "x");
    arguments = arguments.with("--shape", option);
  }
  return success();
}

FailureOr<ImageInput> ImageInput::create(const Arguments &arguments,
                                         StringRef model,
                                         std::optional<int64_t> batch,
                                         StringRef first, ExitCode &status) {
  status = ExitCode::BadInput;
  ImageInput result(arguments);
  if (failed(result.readOptions()) || failed(requireModelFile(model))) {
    return failure();
  }
  Session session;
  bool isLibrary = isSharedLibraryName(model);
  if (failed(session.configure(arguments)) ||
      failed(isLibrary ? session.prepare(model) : session.loadModel(model))) {
    status = session.getExitCode();
    return failure();
  }
  FailureOr<ModelInterface> found =
      isLibrary ? FailureOr<ModelInterface>(session.getInterface())
                : getModelInterface(session.getModule(),
                                    /*forInterpreter=*/true);
  if (failed(found) || failed(result.findInput(*found)) ||
      failed(result.findLayout(found->inputs[result.number], batch, first))) {
    return failure();
  }
  return result;
}

/// A pixel's number as an element of the model's type.
template <typename T> static T convert(float number) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(
        std::clamp(std::nearbyint(number),
                   static_cast<float>(std::numeric_limits<T>::min()),
                   static_cast<float>(std::numeric_limits<T>::max())));
  } else {
    return T(number);
  }
}

FailureOr<Tensor> ImageInput::read(Session &session,
                                   ArrayRef<std::string> paths) const {
  Type element = parseElementTypeName(&session.getContext(), elementType);
  Tensor tensor(RankedTensorType::get(shape, element));
  size_t perPicture = layout.channels * layout.height * layout.width;
  std::vector<float> numbers(perPicture);
  for (int64_t i = 0; i < batch; ++i) {
    StringRef path = paths[i % paths.size()];
    FailureOr<Image> picture = readPicture(session.getContext(), path);
    if (failed(picture)) {
      return session.fail(ExitCode::BadInput);
    }
    if (llvm::Error error =
            image::prepare(*picture, preparation, layout, numbers)) {
      printError() << path << ": " << llvm::toString(std::move(error)) << "\n";
      return session.fail(ExitCode::BadInput);
    }
    interpreter::dispatch(element, [&](auto tag) {
      using T = decltype(tag);
      llvm::transform(numbers,
                      tensor.mutableValues<T>().slice(i * perPicture).begin(),
                      convert<T>);
    });
  }
  return tensor;
}
