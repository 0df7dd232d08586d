//===- nacre.cpp - The nacre command --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front door to the compiler.
//
//===----------------------------------------------------------------------===//

#include "nacre/Driver/Driver.h"

int main(int argc, char **argv) { return nacre::runDriver(argc, argv); }
