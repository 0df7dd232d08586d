//===- Options.h - How numbers become integers ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choices that users of quantization have.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_QUANTIZATION_OPTIONS_H
#define NACRE_QUANTIZATION_OPTIONS_H

namespace nacre::quantization {

/// Which scales and zero points activations have.
enum class Schema {
  Asymmetric,         ///< any zero point: all 256 numbers are used
  Symmetric,          ///< int8, zero point 0
  SymmetricWithUInt8, ///< uint8 where nothing is negative; zero point 0
  SymmetricPower2,    ///< int8, zero point 0, a scale that is a power of two
};

/// The type of activations. Those of 16 bits have zero point 0.
enum class ActivationType { UInt8, Int8, Int16 };

/// The type of biases.
enum class BiasType {
  Int32, ///< of the scale that sums have
  Int8,  ///< of a scale of their own, the same for all channels
  F32,   ///< none: floats
};

/// Which range of a value is told apart; what is outside of it becomes the
/// nearest number in it.
enum class Calibrator {
  MinMax,     ///< all that occurred
  Percentile, ///< all but the rarest on either side
  Entropy,    ///< that which keeps the most information (Kullback-Leibler)
  MSE,        ///< that of the least expected squared error
};

/// Which integers weights become.
enum class Rounding {
  Nearest, ///< the nearest ones
  Hessian, ///< those that change results the least, for the inputs of samples
};

/// What biases make up for.
enum class BiasCorrection {
  Off,   ///< nothing
  Fast,  ///< what rounding of the weights changes in the mean
  Exact, ///< what all rounding does up to there, as runs have shown
};

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_OPTIONS_H
