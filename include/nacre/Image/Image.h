//===- Image.h - Pictures as data of a model --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads PNG, JPEG, PPM and PGM, and makes of a picture the numbers that a model
// was trained on.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_IMAGE_IMAGE_H
#define NACRE_IMAGE_IMAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace nacre::image {

/// Rows from the top, pixels from the left, of each pixel its channels: one of
/// grey, or red, green and blue. Numbers are from 0 to 255.
struct Image {
  int64_t height = 0, width = 0, channels = 0;
  std::vector<float> pixels;

  /// Makes room for the pixels. Fails for sizes that no picture has.
  llvm::Error allocate(int64_t rows, int64_t columns, int64_t numChannels);
};

/// Reads a file, of the kind that its first bytes say. Transparency is left
/// out. An error says what is wrong with the file, without its name.
llvm::Expected<Image> readImage(llvm::StringRef path);
/// The same of a file's bytes.
llvm::Expected<Image> decodeImage(llvm::StringRef bytes);

/// True for the name of a file that readImage() can be expected to read.
bool hasImageExtension(llvm::StringRef path);

/// Another size, as the mean of the pixels that lie within one of the result,
/// weighted by their distance from its centre, or bilinearly between them where
/// the result is larger.
Image resize(const Image &image, int64_t height, int64_t width);

/// What 0 and 255 become.
enum class Range { ZeroToOne, MinusOneToOne, ZeroTo255, Minus128To127 };

/// How a picture becomes a model's numbers.
struct Preparation {
  Range range = Range::ZeroToOne;
  /// After the range: `(x - mean) / deviation`, of each channel of the model or
  /// one for all; empty for 0 and 1.
  std::vector<double> mean, deviation;
  /// Channels are blue, green and red.
  bool reversesColors = false;
  /// A picture of another size is refused instead of resized.
  bool keepsSize = false;
};

/// What a model takes.
struct Layout {
  int64_t channels = 0, height = 0, width = 0;
  bool hasChannelsLast = false;
};

/// Writes a picture as a model takes it. Grey becomes three equal channels, and
/// colors one of their luminance, where the model has the other.
llvm::Error prepare(const Image &image, const Preparation &preparation,
                    const Layout &layout, llvm::MutableArrayRef<float> result);

} // namespace nacre::image

#endif // NACRE_IMAGE_IMAGE_H
