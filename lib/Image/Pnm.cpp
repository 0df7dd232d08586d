//===- Pnm.cpp - PGM and PPM files ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three numbers, of which the last is the largest that a pixel has, and the
// pixels: numbers, or one or two bytes each.
//
//===----------------------------------------------------------------------===//

#include "Decoders.h"

#include "llvm/ADT/StringExtras.h"

using namespace nacre;
using namespace nacre::image;
using llvm::StringRef;

/// The next number behind white space and comments; fails where there is none.
static bool takeNumber(StringRef &text, unsigned &number) {
  text = text.ltrim();
  while (text.consume_front("#")) {
    text = text.drop_until([](char c) { return c == '\n'; }).ltrim();
  }
  return !text.consumeInteger(10, number);
}

llvm::Expected<Image> image::decodePnm(StringRef bytes) {
  constexpr unsigned kLargest = 65535, kOneByte = 255;
  char kind = bytes[1];
  bool isText = kind == '2' || kind == '3';
  StringRef rest = bytes.drop_front(2);
  unsigned width, height, largest;
  if (!takeNumber(rest, width) || !takeNumber(rest, height) ||
      !takeNumber(rest, largest) || largest < 1 || largest > kLargest) {
    return llvm::createStringError(
        "expected width, height and a largest number up to 65535 behind P%c",
        kind);
  }
  // One character of white space, whatever it is.
  rest = rest.substr(1);
  size_t channels = kind == '2' || kind == '5' ? 1 : 3;
  size_t numPixels = channels * width * height;
  size_t numBytes = numPixels * (isText || largest > kOneByte ? 2 : 1);
  // The last number needs no space behind it.
  if (rest.size() + (isText ? 1 : 0) < numBytes) {
    return llvm::createStringError("expected " + llvm::Twine(numBytes) +
                                   " bytes of pixels, found " +
                                   llvm::Twine(rest.size()));
  }
  Image image;
  if (llvm::Error error = image.allocate(height, width, channels)) {
    return std::move(error);
  }
  for (float &pixel : image.pixels) {
    unsigned number = 0;
    if (isText) {
      if (!takeNumber(rest, number)) {
        return llvm::createStringError("expected " + llvm::Twine(numPixels) +
                                       " numbers of pixels, found fewer");
      }
    } else {
      for (size_t i = 0; i < numBytes / numPixels; ++i) {
        number = number << 8 | static_cast<unsigned char>(rest.front());
        rest = rest.drop_front();
      }
    }
    pixel = static_cast<float>(number) * (255.0F / static_cast<float>(largest));
  }
  return image;
}
