//===- SamplesInterface.td - Ops and samples of a batch ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of an op's results follows from one sample of a batch.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SAMPLESINTERFACE_TD
#define NACRE_DIALECT_IE_IR_SAMPLESINTERFACE_TD

include "mlir/IR/OpBase.td"

// Ops that compute each element of a result from one of each operand have
// Elementwise or IE_Broadcasts instead.
def IE_SamplesOpInterface : OpInterface<"SamplesOpInterface"> {
  let cppNamespace = "::nacre::IE";
  let description = [{
    Implemented by ops that compute each sample of a batch for itself, always or
    in some forms: what is one slice of the first dimension.
  }];
  let methods = [
    InterfaceMethod<[{
      True if sample i of the results follows from sample i of the operands that
      are batches, which all results are, and from operands that are the same for
      all samples. Batches have a dynamic first dimension and no other.
    }], "bool", "computesSamples", (ins)>,
    InterfaceMethod<[{
      Whether the op is work enough for a loop over samples, or knows no other
      way to compute a batch of unknown size.
    }], "bool", "deservesLoop", (ins)>
  ];
}

// Elementwise, IE_Broadcasts and IE_KeepsElements say it of other ops.
def IE_SamplePlacesOpInterface : OpInterface<"SamplePlacesOpInterface"> {
  let cppNamespace = "::nacre::IE";
  let description = [{
    Implemented by ops that compute each sample of a batch for itself where samples
    lie in other dimensions than the first, too.
  }];
  let methods = [
    InterfaceMethod<[{
      Given where each operand has its samples, where each result has them: sample
      i of the results follows from sample i of these operands, and from operands
      that are the same for all samples. All operands that have samples have as
      many. Fails where the op mixes samples, or where that is not known.
    }], "::llvm::FailureOr<::llvm::SmallVector<::nacre::IE::MaybeSamples>>",
      "followSamples", (ins "::llvm::ArrayRef<::nacre::IE::MaybeSamples>":$operands)>
  ];
}

#endif // NACRE_DIALECT_IE_IR_SAMPLESINTERFACE_TD
