//===- Ownership.cpp - Who owns values of the runtime ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What upstream's ops do to owners: a loop takes over what it starts from, a
// terminator what it passes on, and a choice between two values gives nothing
// new.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/Runtime/IR/Ownership.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::rt;

#include "nacre/Dialect/Runtime/IR/RuntimeInterfaces.cpp.inc"

namespace {

template <typename OpT>
struct TakesAllOver final
    : OwnershipOpInterface::ExternalModel<TakesAllOver<OpT>, OpT> {
  static bool takesOver(Operation *, OpOperand &) { return true; }
};

/// A branch has no values as operands; its results are what it is passed.
struct PassesOn final
    : OwnershipOpInterface::ExternalModel<PassesOn, scf::IfOp> {};

/// The result is one of two values, which their owners own.
struct Chooses final
    : OwnershipOpInterface::ExternalModel<Chooses, arith::SelectOp> {
  static bool addsOwner(Operation *, OpResult) { return false; }
};

} // namespace

void rt::registerOwnershipExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::SelectOp::attachInterface<Chooses>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::ReturnOp::attachInterface<TakesAllOver<func::ReturnOp>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    scf::ConditionOp::attachInterface<TakesAllOver<scf::ConditionOp>>(*context);
    scf::ForOp::attachInterface<TakesAllOver<scf::ForOp>>(*context);
    scf::IfOp::attachInterface<PassesOn>(*context);
    scf::WhileOp::attachInterface<TakesAllOver<scf::WhileOp>>(*context);
    scf::YieldOp::attachInterface<TakesAllOver<scf::YieldOp>>(*context);
  });
}
