//===- Decoders.h - Kinds of picture files ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function for each kind, which is given the whole file.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMAGE_DECODERS_H
#define NACRE_LIB_IMAGE_DECODERS_H

#include "nacre/Image/Image.h"

namespace nacre::image {

llvm::Expected<Image> decodePng(llvm::StringRef bytes);
llvm::Expected<Image> decodeJpeg(llvm::StringRef bytes);
/// PGM and PPM, as text or binary.
llvm::Expected<Image> decodePnm(llvm::StringRef bytes);

} // namespace nacre::image

#endif // NACRE_LIB_IMAGE_DECODERS_H
