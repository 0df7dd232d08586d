//===- Intrinsics.cpp - What a machine lacks ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models are compiled alike for all machines down to LLVM's intrinsics, of
// which these few are not for every one.
//
//===----------------------------------------------------------------------===//

#include "Intrinsics.h"
#include "CInterface.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace nacre;

/// Lets all users of an intrinsic use another one of the same type.
static void replace(llvm::Function &function, llvm::Intrinsic::ID other) {
  function.replaceAllUsesWith(llvm::Intrinsic::getOrInsertDeclaration(
      function.getParent(), other, {function.getReturnType()}));
}

/// Whether products are added without being rounded first. Elsewhere libm takes
/// great pains to compute that, of which models need nothing.
static bool fusesProducts(const llvm::TargetMachine &machine) {
  const llvm::Triple &triple = machine.getTargetTriple();
  const llvm::MCSubtargetInfo &subtarget = *machine.getMCSubtargetInfo();
  if (triple.isX86()) {
    return subtarget.checkFeatures("+fma") ||
           subtarget.checkFeatures("+avx512f");
  }
  bool isNarrowARM = triple.isARM() || triple.isThumb();
  return !isNarrowARM || subtarget.checkFeatures("+vfp4d16sp");
}

/// Whether the larger or smaller of two numbers is more than a call: of a
/// function that the C library has since C23 only, or that LLVM does not make.
static bool hasExtremum(const llvm::TargetMachine &machine, llvm::Type *type) {
  const llvm::Triple &triple = machine.getTargetTriple();
  auto has = [&](llvm::StringRef feature) {
    return machine.getMCSubtargetInfo()->checkFeatures(feature);
  };
  bool isWide = type->getScalarType()->isDoubleTy();
  if (triple.isARM() || triple.isThumb()) {
    // LLVM 22 has no instructions for f64, and ends there.
    return !isWide && has("+vfp2sp") && !has("+soft-float");
  }
  return !triple.isRISCV() || has(isWide ? "+d" : "+f");
}

/// Chooses by comparisons. Zeros are equal, whatever their signs.
static void expandExtremum(llvm::CallInst *call, bool isMaximum) {
  llvm::IRBuilder<> b(call);
  llvm::Value *x = call->getArgOperand(0), *y = call->getArgOperand(1);
  llvm::Value *isFirst =
      isMaximum ? b.CreateFCmpOGT(x, y) : b.CreateFCmpOLT(x, y);
  llvm::Value *isNaN = b.CreateFCmpUNO(x, y);
  call->replaceAllUsesWith(
      b.CreateSelect(isNaN, b.CreateFAdd(x, y), b.CreateSelect(isFirst, x, y)));
  call->eraseFromParent();
}

void nacre::adaptIntrinsics(llvm::Module &module,
                            const llvm::TargetMachine &machine) {
  const llvm::Triple &triple = machine.getTargetTriple();
  bool isFused = fusesProducts(machine);
  // The C library of a microcontroller has C99's functions and no later ones.
  bool hasRoundEven = hasSystem(triple);
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    llvm::Intrinsic::ID id = function.getIntrinsicID();
    if (id == llvm::Intrinsic::fma && !isFused) {
      replace(function, llvm::Intrinsic::fmuladd);
    } else if (id == llvm::Intrinsic::roundeven && !hasRoundEven) {
      // The same as long as nobody changes how the CPU rounds.
      replace(function, llvm::Intrinsic::rint);
    } else if ((id == llvm::Intrinsic::maximum ||
                id == llvm::Intrinsic::minimum) &&
               !hasExtremum(machine, function.getReturnType())) {
      for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
        expandExtremum(llvm::cast<llvm::CallInst>(user),
                       id == llvm::Intrinsic::maximum);
      }
    }
  }
}
