//===- Png.cpp - PNG files ------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libpng reports errors by longjmp: no object with a destructor lives in the
// functions that it leaves so.
//
//===----------------------------------------------------------------------===//

#include "Decoders.h"

#include <csetjmp>
#include <cstring>
#include <png.h>

using namespace nacre;
using namespace nacre::image;

namespace {

class PngReader {
public:
  explicit PngReader(llvm::StringRef bytes) : left(bytes) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, ignore);
    info = png ? png_create_info_struct(png) : nullptr;
  }
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
  PngReader(const PngReader &) = delete;
  PngReader &operator=(const PngReader &) = delete;

  llvm::Expected<Image> read() {
    if (!info || !readHeader()) {
      return getError();
    }
    Image image;
    if (llvm::Error error = image.allocate(png_get_image_height(png, info),
                                           png_get_image_width(png, info),
                                           png_get_channels(png, info))) {
      return std::move(error);
    }
    int64_t rowBytes = image.width * image.channels;
    std::vector<png_byte> bytes(image.pixels.size());
    std::vector<png_bytep> rows;
    for (int64_t i = 0; i < image.height; ++i) {
      rows.push_back(bytes.data() + i * rowBytes);
    }
    if (!readRows(rows.data())) {
      return getError();
    }
    image.pixels.assign(bytes.begin(), bytes.end());
    return image;
  }

private:
  /// False after an error.
  bool readHeader() {
    if (setjmp(png_jmpbuf(png))) {
      return false;
    }
    png_set_read_fn(png, this, take);
    png_read_info(png, info);
    // Grey or colors of a byte each, whatever the file has.
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_strip_alpha(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    return true;
  }

  bool readRows(png_bytepp rows) {
    if (setjmp(png_jmpbuf(png))) {
      return false;
    }
    png_read_image(png, rows);
    png_read_end(png, nullptr);
    return true;
  }

  llvm::Error getError() const {
    return llvm::createStringError("not a whole PNG file: %s",
                                   info ? message : "no memory");
  }

  static void take(png_structp png, png_bytep to, size_t size) {
    auto &self = *static_cast<PngReader *>(png_get_io_ptr(png));
    if (self.left.size() < size) {
      png_error(png, "the file ends early");
    }
    std::memcpy(to, self.left.data(), size);
    self.left = self.left.drop_front(size);
  }

  [[noreturn]] static void fail(png_structp png, png_const_charp text) {
    auto &self = *static_cast<PngReader *>(png_get_error_ptr(png));
    std::strncpy(self.message, text, sizeof(self.message) - 1);
    png_longjmp(png, 1);
  }

  static void ignore(png_structp, png_const_charp) {}

  llvm::StringRef left;
  png_structp png = nullptr;
  png_infop info = nullptr;
  char message[256] = "";
};

} // namespace

llvm::Expected<Image> image::decodePng(llvm::StringRef bytes) {
  return PngReader(bytes).read();
}
