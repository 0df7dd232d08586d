//===- Images.h - Pictures as inputs ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which input of a model takes pictures, and how they become it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_IMAGES_H
#define NACRE_LIB_DRIVER_IMAGES_H

#include "Arguments.h"
#include "Session.h"

#include "nacre/Image/Image.h"

namespace nacre::driver {

/// The options that say what a model makes of pictures.
std::vector<OptionSpec> getImageOptions();

/// The pictures in a folder, in the order of their numbers or names.
std::vector<std::string> listImages(llvm::StringRef folder);

/// The input of a model that pictures are given to.
class ImageInput {
public:
  /// Reads the model's interface and the command line. What the model leaves
  /// open is `batch`, or the size of `first`, the first picture. Prints an
  /// error, says by `status` of what kind, and fails where it is no model of
  /// pictures.
  static mlir::FailureOr<ImageInput>
  create(const Arguments &arguments, llvm::StringRef model,
         std::optional<int64_t> batch, llvm::StringRef first, ExitCode &status);

  /// The command line, with the sizes that were found.
  const Arguments &getArguments() const { return arguments; }
  /// How many pictures are a run.
  int64_t getBatch() const { return batch; }
  /// The number of the input.
  size_t getNumber() const { return number; }

  /// At most so many pictures, the first ones again where they are fewer.
  /// Prints an error that names the file, and fails, where one cannot be read.
  mlir::FailureOr<interpreter::Tensor>
  read(Session &session, llvm::ArrayRef<std::string> paths) const;

private:
  explicit ImageInput(const Arguments &arguments) : arguments(arguments) {}
  mlir::LogicalResult readOptions();
  mlir::LogicalResult findInput(const ModelInterface &interface);
  mlir::LogicalResult findLayout(const ModelTensor &input,
                                 std::optional<int64_t> wantedBatch,
                                 llvm::StringRef first);

  Arguments arguments;
  image::Preparation preparation;
  std::optional<bool> hasChannelsLast;
  size_t number = 0;
  int64_t batch = 1;
  image::Layout layout;
  std::string elementType;
  llvm::SmallVector<int64_t> shape;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_IMAGES_H
