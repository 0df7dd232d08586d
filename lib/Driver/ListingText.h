//===- ListingText.h - What listings and graphs say of ops ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words for types and attributes that --dump-listing and --dump-graph have
// in common.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_LISTINGTEXT_H
#define NACRE_LIB_DRIVER_LISTINGTEXT_H

#include "nacre/Listing/Listing.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <vector>

namespace nacre::driver {

/// "f32<1x?>" of a tensor or a buffer, "f32<*>" of a tensor of unknown rank,
/// the name of the type of what is neither. Has no spaces.
std::string getRegionType(mlir::Type type);

/// The bytes of a value of the type, which are open where a size is dynamic.
listing::Bytes countRegionBytes(mlir::Type type);

/// What an op is told besides its operands: "NAME VALUE" of each attribute that
/// differs from what it is by default.
std::vector<std::string> getAttributeTexts(mlir::Operation *op);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_LISTINGTEXT_H
