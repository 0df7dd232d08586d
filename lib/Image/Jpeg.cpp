//===- Jpeg.cpp - JPEG files ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libjpeg reports errors by longjmp: no object with a destructor lives in the
// functions that it leaves so.
//
//===----------------------------------------------------------------------===//

#include "Decoders.h"

// libjpeg's header needs what this one declares.
#include <cstdio>

#include <csetjmp>
#include <jerror.h>
#include <jpeglib.h>

using namespace nacre;
using namespace nacre::image;

namespace {

class JpegReader {
public:
  JpegReader() {
    jpeg.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = fail;
    errors.base.emit_message = warn;
  }
  ~JpegReader() { jpeg_destroy_decompress(&jpeg); }
  JpegReader(const JpegReader &) = delete;
  JpegReader &operator=(const JpegReader &) = delete;

  llvm::Expected<Image> read(llvm::StringRef bytes) {
    if (!readHeader(bytes)) {
      return getError();
    }
    constexpr int kColors = 3;
    if (jpeg.num_components != 1 && jpeg.num_components != kColors) {
      return llvm::createStringError(
          "unsupported: a JPEG of " + llvm::Twine(jpeg.num_components) +
          " color components; expected grey, or red, green and blue");
    }
    Image image;
    if (llvm::Error error =
            image.allocate(jpeg.image_height, jpeg.image_width,
                           jpeg.num_components == 1 ? 1 : kColors)) {
      return std::move(error);
    }
    std::vector<JSAMPLE> row(image.width * image.channels);
    if (!readRows(row.data(), row.size(), image.pixels.data())) {
      return getError();
    }
    return image;
  }

private:
  /// What libjpeg gives back to its functions: the first member is its own.
  struct Errors {
    jpeg_error_mgr base;
    std::jmp_buf back;
    char message[JMSG_LENGTH_MAX] = "";
  };

  /// False after an error.
  bool readHeader(llvm::StringRef bytes) {
    if (setjmp(errors.back)) {
      return false;
    }
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char *>(bytes.data()),
                 bytes.size());
    jpeg_read_header(&jpeg, TRUE);
    return true;
  }

  bool readRows(JSAMPLE *row, size_t size, float *to) {
    if (setjmp(errors.back)) {
      return false;
    }
    jpeg.out_color_space = jpeg.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_start_decompress(&jpeg);
    while (jpeg.output_scanline < jpeg.output_height) {
      jpeg_read_scanlines(&jpeg, &row, 1);
      to = std::copy(row, row + size, to);
    }
    jpeg_finish_decompress(&jpeg);
    return true;
  }

  llvm::Error getError() const {
    return llvm::createStringError("not a whole JPEG file: %s", errors.message);
  }

  [[noreturn]] static void fail(j_common_ptr jpeg) {
    auto *errors = reinterpret_cast<Errors *>(jpeg->err);
    errors->base.format_message(jpeg, errors->message);
    std::longjmp(errors->back, 1);
  }

  /// What is missing is grey to libjpeg; other oddities do no harm.
  static void warn(j_common_ptr jpeg, int level) {
    int code = jpeg->err->msg_code;
    if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER)) {
      fail(jpeg);
    }
  }

  jpeg_decompress_struct jpeg = {};
  Errors errors;
};

} // namespace

llvm::Expected<Image> image::decodeJpeg(llvm::StringRef bytes) {
  return JpegReader().read(bytes);
}
