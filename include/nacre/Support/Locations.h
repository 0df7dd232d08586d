//===- Locations.h - What users call places in a model ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of nodes, which are in the locations of what has become of them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_LOCATIONS_H
#define NACRE_SUPPORT_LOCATIONS_H

#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace nacre {

/// The name a user knows a location by: the ONNX node or value, else the place
/// in a file; empty when there is none.
std::string getLocationName(mlir::Location loc);

/// The names of all nodes that one location is of, in their order.
std::vector<std::string> getLocationNames(mlir::Location loc);

} // namespace nacre

#endif // NACRE_SUPPORT_LOCATIONS_H
