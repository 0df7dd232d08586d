//===- nacre.cpp - The nacre command --------------------------------------===//
//
// The front door to the compiler.
//
//===----------------------------------------------------------------------===//

#include "nacre/Driver/Driver.h"

int main(int argc, char **argv) { return nacre::runDriver(argc, argv); }
