//===- BufferizableOpInterfaceImpl.cpp - Bufferization of VPU -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// VPU ops bufferize to themselves on buffers: destination style tells one-shot
// bufferization all it needs.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Transforms/BufferizableOpInterfaceImpl.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace nacre;

namespace {

template <typename OpTy>
struct VPUModel final
    : DstBufferizableOpInterfaceExternalModel<VPUModel<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    // Every element of the destination is written and none is read.
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  bool bufferizesToElementwiseAccess(Operation *op, const AnalysisState &,
                                     ArrayRef<OpOperand *>) const {
    // Element i of the destination depends on element i of the operands only.
    return isa<VPU::NCEEltwiseOp>(op);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        operands.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer)) {
        return failure();
      }
      operands.push_back(*buffer);
    }
    Operation *buffered =
        clone(rewriter, op, /*newResultTypes=*/TypeRange(), operands);
    Value init =
        cast<DestinationStyleOpInterface>(buffered).getDpsInitOperand(0)->get();
    replaceOpWithBufferizedValues(rewriter, op, init);
    return success();
  }
};

template <typename... Ops> void attachModels(MLIRContext *context) {
  (Ops::template attachInterface<VPUModel<Ops>>(*context), ...);
}

} // namespace

void VPU::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VPU::VPUDialect *) {
    attachModels<VPU::NCEConvolutionOp, VPU::NCEWinogradConvolutionOp,
                 VPU::NCEDepthConvolutionOp, VPU::NCEGroupConvolutionOp,
                 VPU::NCEMatMulOp, VPU::NCEMatMulNBitsOp, VPU::NCEMaxPoolOp,
                 VPU::NCEAveragePoolOp, VPU::NCEEltwiseOp, VPU::CopyOp,
                 VPU::FillBorderOp, VPU::ShuffleChannelsOp>(context);
  });
}
