//===- NodeOrder.h - The order in which nodes are imported ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each node after those that compute what it reads.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_NODEORDER_H
#define NACRE_LIB_IMPORT_ONNX_NODEORDER_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <onnx/onnx_pb.h>

namespace nacre::onnx_import {

using NodeList = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// The nodes of a graph or of a function's body in an order in which each value
/// is defined before its use, those of subgraphs included; as they are where
/// that is such an order. Where there is none, `cycle` gets nodes of which each
/// reads what the next one computes, and the last what the first one does.
mlir::FailureOr<llvm::SmallVector<const onnx::NodeProto *>>
sortNodes(const NodeList &nodes,
          llvm::SmallVectorImpl<const onnx::NodeProto *> &cycle);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_NODEORDER_H
