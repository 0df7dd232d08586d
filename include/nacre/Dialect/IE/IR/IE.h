//===- IE.h - All IE ops ----------------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Includes every operator family. Prefer the family's own header where one or
// two families are enough: it compiles faster.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_IE_H
#define NACRE_DIALECT_IE_IR_IE_H

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/GettingStarted.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Map.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/NGram.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/IR/Random.h"
#include "nacre/Dialect/IE/IR/Recurrent.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/IR/Resampling.h"
#include "nacre/Dialect/IE/IR/Selection.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/IR/Signal.h"
#include "nacre/Dialect/IE/IR/Sorting.h"
#include "nacre/Dialect/IE/IR/String.h"

#endif // NACRE_DIALECT_IE_IR_IE_H
