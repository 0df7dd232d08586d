//===- LoopOptions.cpp - What LLVM is told of a loop ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOptions.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace nacre;

static MDNode *make(LLVMContext &context, StringRef name,
                    ArrayRef<Metadata *> values) {
  SmallVector<Metadata *> operands = {MDString::get(context, name)};
  append_range(operands, values);
  return MDNode::get(context, operands);
}

MDNode *nacre::makeOption(LLVMContext &context, StringRef name) {
  return make(context, name, {});
}

MDNode *nacre::makeFlag(LLVMContext &context, StringRef name, bool value) {
  return make(context, name,
              ConstantAsMetadata::get(ConstantInt::getBool(context, value)));
}

MDNode *nacre::makeNumber(LLVMContext &context, StringRef name,
                          uint32_t value) {
  return make(context, name,
              ConstantAsMetadata::get(
                  ConstantInt::get(Type::getInt32Ty(context), value)));
}

MDNode *nacre::makeList(LLVMContext &context, StringRef name,
                        ArrayRef<MDNode *> options) {
  return make(context, name,
              SmallVector<Metadata *>(options.begin(), options.end()));
}

void nacre::changeOptions(Loop &loop, ArrayRef<StringRef> removed,
                          ArrayRef<MDNode *> added) {
  loop.setLoopID(makePostTransformationMetadata(
      loop.getHeader()->getContext(), loop.getLoopID(), removed, added));
}
