//===- Prepare.cpp - Pictures as a model's numbers ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Image/Image.h"

using namespace nacre;
using namespace nacre::image;

static constexpr int64_t kColors = 3;

/// Grey as colors, or colors as grey.
static Image convertChannels(const Image &image, int64_t channels) {
  // Of the eye's sensitivity, as television has it.
  constexpr float kRed = 0.299F, kGreen = 0.587F, kBlue = 0.114F;
  Image result = image;
  result.channels = channels;
  result.pixels.clear();
  result.pixels.reserve(image.height * image.width * channels);
  for (size_t i = 0; i < image.pixels.size(); i += image.channels) {
    if (channels == kColors) {
      result.pixels.insert(result.pixels.end(), kColors, image.pixels[i]);
      continue;
    }
    result.pixels.push_back(kRed * image.pixels[i] +
                            kGreen * image.pixels[i + 1] +
                            kBlue * image.pixels[i + 2]);
  }
  return result;
}

/// Slope and start of the line on which a range is.
static std::pair<float, float> getLine(Range range) {
  constexpr float kWhite = 255;
  switch (range) {
  case Range::ZeroToOne:
    return {1 / kWhite, 0.0F};
  case Range::MinusOneToOne:
    return {2 / kWhite, -1.0F};
  case Range::ZeroTo255:
    return {1.0F, 0.0F};
  case Range::Minus128To127:
    return {1.0F, -128.0F};
  }
  llvm_unreachable("a range of pixels without a line");
}

/// One for all channels, or each channel's.
static double pick(llvm::ArrayRef<double> numbers, int64_t channel,
                   double otherwise) {
  return numbers.empty()       ? otherwise
         : numbers.size() == 1 ? numbers.front()
                               : numbers[channel];
}

llvm::Error image::prepare(const Image &source, const Preparation &preparation,
                           const Layout &layout,
                           llvm::MutableArrayRef<float> result) {
  for (const auto *numbers : {&preparation.mean, &preparation.deviation}) {
    if (numbers->size() > 1 &&
        static_cast<int64_t>(numbers->size()) != layout.channels) {
      return llvm::createStringError(
          "the model has " + llvm::Twine(layout.channels) +
          " channels, for which there are " + llvm::Twine(numbers->size()) +
          " means or deviations");
    }
  }
  bool fits = source.height == layout.height && source.width == layout.width;
  if (!fits && preparation.keepsSize) {
    return llvm::createStringError(
        "the model takes " + llvm::Twine(layout.width) + " x " +
        llvm::Twine(layout.height) + " pixels, found " +
        llvm::Twine(source.width) + " x " + llvm::Twine(source.height));
  }
  Image picture = source.channels == layout.channels
                      ? source
                      : convertChannels(source, layout.channels);
  picture = resize(picture, layout.height, layout.width);
  auto [slope, start] = getLine(preparation.range);
  int64_t area = layout.height * layout.width;
  for (int64_t channel = 0; channel < layout.channels; ++channel) {
    int64_t from =
        preparation.reversesColors ? layout.channels - 1 - channel : channel;
    auto mean = static_cast<float>(pick(preparation.mean, channel, 0));
    auto deviation =
        static_cast<float>(pick(preparation.deviation, channel, 1));
    for (int64_t i = 0; i < area; ++i) {
      float number = picture.pixels[i * layout.channels + from] * slope + start;
      int64_t to = layout.hasChannelsLast ? i * layout.channels + channel
                                          : channel * area + i;
      result[to] = (number - mean) / deviation;
    }
  }
  return llvm::Error::success();
}
