//===- RandomData.cpp - Random samples ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomData.h"
#include "SampleSet.h"

#include "nacre/Emit/ModelInterface.h"
#include "nacre/Export/ONNX/Export.h"
#include "nacre/Support/Files.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Tensor;

static constexpr StringRef kData = "--data", kAllow = "--allow-random";

/// A folder may have that name, too, which ./ in front tells.
static bool isRandom(StringRef place) {
  return place == "random" || place.starts_with("random:");
}

/// Writes one sample for each number below `count`.
static LogicalResult writeSamples(Session &session,
                                  const ModelInterface &interface,
                                  uint64_t seed, int64_t count,
                                  const std::string &prefix,
                                  TemporaryFolder &folder) {
  // Those of other seeds are others.
  constexpr unsigned kSeedShift = 32;
  uint64_t number = seed << kSeedShift;
  for (int64_t i = 0; i < count; ++i) {
    std::string sample = prefix + "/" + std::to_string(i);
    if (failed(folder.createInside(sample))) {
      return failure();
    }
    for (auto [j, input] : llvm::enumerate(interface.inputs)) {
      FailureOr<Tensor> tensor =
          readInput(session, "random:" + std::to_string(number++), input);
      if (failed(tensor) ||
          failed(writeBytes(
              session.getLoc(),
              folder.getFile(sample + "/input_" + std::to_string(j) + ".pb"),
              formatTensorProto(input.name, *tensor)))) {
        return failure();
      }
    }
  }
  return success();
}

/// Prints an error and fails where a place is none that may be random.
static LogicalResult verifyPlace(const Arguments &arguments, StringRef place) {
  uint64_t seed;
  if (place != "random" &&
      place.drop_front(StringRef("random:").size()).getAsInteger(10, seed)) {
    printError() << "expected random or random:SEED, found '" << place << "'\n";
    return failure();
  }
  if (!arguments.has(kAllow)) {
    printError() << "--data=" << place
                 << " needs --allow-random: ranges of "
                    "random numbers are not those of what a model will see\n";
    return failure();
  }
  return success();
}

FailureOr<Arguments> driver::unpackRandomData(const Arguments &arguments,
                                              StringRef model,
                                              TemporaryFolder &folder) {
  std::vector<StringRef> places = arguments.getAll(kData);
  // What is no place of that name and cannot be random, others complain of.
  auto isMeant = [&](StringRef place) {
    return isRandom(place) &&
           (arguments.has(kAllow) || !llvm::sys::fs::is_directory(place));
  };
  if (llvm::none_of(places, isMeant)) {
    return arguments.without(kAllow);
  }
  for (StringRef place : llvm::make_filter_range(places, isMeant)) {
    if (failed(verifyPlace(arguments, place))) {
      return failure();
    }
  }
  FailureOr<int64_t> count = getSampleLimit(arguments);
  // What becomes of the model later is no matter of its inputs.
  Arguments plain =
      withoutQuantization(arguments).without(getInspectionNames());
  Session session;
  if (failed(count) || failed(requireModelFile(model)) ||
      failed(session.configure(plain)) || failed(session.loadModel(model))) {
    return failure();
  }
  FailureOr<ModelInterface> interface =
      getModelInterface(session.getModule(), /*forInterpreter=*/true);
  if (failed(interface) || failed(folder.create())) {
    return failure();
  }
  printWarning() << "ranges are those of random numbers, not of what the model "
                    "will see: accuracy is not to be judged by them\n";
  Arguments result = arguments.without(kData);
  for (auto [i, place] : llvm::enumerate(places)) {
    if (!isMeant(place)) {
      result = result.with(kData, place);
      continue;
    }
    uint64_t seed = 0;
    place.split(':').second.getAsInteger(10, seed);
    std::string inside = std::to_string(i);
    if (failed(folder.createInside(inside)) ||
        failed(
            writeSamples(session, *interface, seed, *count, inside, folder))) {
      return failure();
    }
    result = result.with(kData, (folder.getPath() + "/" + inside).str());
  }
  return result;
}

bool driver::hadRandomData(const Arguments &unpacked) {
  return unpacked.has(kAllow);
}
