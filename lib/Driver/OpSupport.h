//===- OpSupport.h - Who computes an operation ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `nacre info --support` says of each operation of IE.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_OPSUPPORT_H
#define NACRE_LIB_DRIVER_OPSUPPORT_H

#include "Session.h"

namespace nacre::driver {

/// Prints who computes the operations on the session's architecture.
ExitCode printSupport(Session &session);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_OPSUPPORT_H
