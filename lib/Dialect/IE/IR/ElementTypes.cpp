//===- ElementTypes.cpp - The element types of tensors --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists them.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/ElementTypes.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"

using namespace mlir;
using namespace nacre;

Type IE::findElementType(MLIRContext *context,
                         llvm::function_ref<bool(Type)> isWanted) {
  context->getOrLoadDialect<IEDialect>();
  SmallVector<Type> types = {Float16Type::get(context),
                             BFloat16Type::get(context),
                             Float32Type::get(context),
                             Float64Type::get(context),
                             Float8E4M3FNType::get(context),
                             Float8E4M3FNUZType::get(context),
                             Float8E5M2Type::get(context),
                             Float8E5M2FNUZType::get(context),
                             Float8E8M0FNUType::get(context),
                             Float4E2M1FNType::get(context),
                             StringType::get(context),
                             IntegerType::get(context, 1),
                             ComplexType::get(Float32Type::get(context)),
                             ComplexType::get(Float64Type::get(context))};
  for (unsigned width : {2, 4, 8, 16, 32, 64}) {
    for (auto sign : {IntegerType::Signless, IntegerType::Unsigned}) {
      types.push_back(IntegerType::get(context, width, sign));
    }
  }
  auto *found = llvm::find_if(types, isWanted);
  return found == types.end() ? Type() : *found;
}
