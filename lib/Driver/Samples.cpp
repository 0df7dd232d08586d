//===- Samples.cpp - Data that a model is run on --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "Folders.h"
#include "Images.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

static bool isSample(StringRef folder) {
  return llvm::sys::fs::exists(getDataFile(folder, "input", 0));
}

bool driver::holdsSamples(StringRef place) {
  return isSample(place) || !listFolder(place, isSample).empty();
}

FailureOr<std::vector<std::string>>
driver::findSamples(ArrayRef<StringRef> places, size_t limit) {
  std::vector<std::string> samples;
  for (StringRef place : places) {
    if (!llvm::sys::fs::is_directory(place)) {
      printError() << "no such data folder: '" << place << "'\n";
      return failure();
    }
    std::vector<std::string> found = isSample(place)
                                         ? std::vector<std::string>{place.str()}
                                         : listFolder(place, isSample);
    bool arePictures = found.empty();
    if (arePictures) {
      found = listImages(place);
    }
    if (found.empty()) {
      printError() << "expected input_0.pb in '" << place
                   << "', or folders that hold one, or pictures\n";
      return failure();
    }
    if (!samples.empty() &&
        arePictures == llvm::sys::fs::is_directory(samples.front())) {
      printError() << "expected tensors or pictures, found pictures in '"
                   << (arePictures ? place : places.front())
                   << "' and tensors in '"
                   << (arePictures ? places.front() : place) << "'\n";
      return failure();
    }
    llvm::append_range(samples, found);
  }
  samples.resize(std::min(samples.size(), limit));
  return samples;
}

/// The types of all inputs of a sample.
static FailureOr<std::string> describe(MLIRContext &context, StringRef sample) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string file;
  for (unsigned i = 0;
       llvm::sys::fs::exists(file = getDataFile(sample, "input", i)); ++i) {
    FailureOr<NamedTensor> tensor = readTensorProto(file, context);
    if (failed(tensor)) {
      return failure();
    }
    os << tensor->name << tensor->value.getType() << "\n";
  }
  return text;
}

FailureOr<std::vector<std::string>>
driver::describeSamples(ArrayRef<std::string> folders) {
  // The session has the dialect of ONNX's types, and prints errors.
  Session session;
  std::vector<std::string> texts;
  for (const std::string &folder : folders) {
    FailureOr<std::string> types = describe(session.getContext(), folder);
    if (failed(types)) {
      return failure();
    }
    texts.push_back(std::move(*types));
  }
  return texts;
}
