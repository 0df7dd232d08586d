//===- Image.cpp - Picture files ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the decoder of a file.
//
//===----------------------------------------------------------------------===//

#include "nacre/Image/Image.h"
#include "Decoders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace nacre;
using namespace nacre::image;
using llvm::StringRef;

llvm::Error Image::allocate(int64_t rows, int64_t columns,
                            int64_t numChannels) {
  // A file of some bytes may claim any number; so many take a gigabyte.
  constexpr int64_t kMostPixels = 1 << 26, kLargest = 1 << 20;
  if (rows < 1 || columns < 1) {
    return llvm::createStringError("the picture has no pixels");
  }
  if (rows > kLargest || columns > kLargest || rows * columns > kMostPixels) {
    return llvm::createStringError(
        "the picture is too large: " + llvm::Twine(columns) + " x " +
        llvm::Twine(rows) + " pixels");
  }
  height = rows;
  width = columns;
  channels = numChannels;
  pixels.resize(rows * columns * numChannels);
  return llvm::Error::success();
}

llvm::Expected<Image> image::decodeImage(StringRef bytes) {
  if (bytes.starts_with("\x89PNG")) {
    return decodePng(bytes);
  }
  if (bytes.starts_with("\xff\xd8")) {
    return decodeJpeg(bytes);
  }
  constexpr StringRef kKinds = "2356";
  if (bytes.size() > 1 && bytes[0] == 'P' && kKinds.contains(bytes[1])) {
    return decodePnm(bytes);
  }
  return llvm::createStringError("expected a PNG, JPEG, PPM or PGM file");
}

llvm::Expected<Image> image::readImage(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file) {
    return llvm::createStringError("cannot open the file: " +
                                   file.getError().message());
  }
  return decodeImage((*file)->getBuffer());
}

bool image::hasImageExtension(StringRef path) {
  static constexpr StringRef kExtensions[] = {".png", ".jpg", ".jpeg",
                                              ".ppm", ".pgm", ".pnm"};
  std::string extension = llvm::sys::path::extension(path).lower();
  return llvm::is_contained(kExtensions, StringRef(extension));
}
