//===- SessionMemory.cpp - Memory that a run needs ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A system may promise more memory than it has and end the process that uses
// it. So what a run needs is counted before anything is allocated.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Interpreter/TensorMemory.h"
#include "nacre/Support/Memory.h"
#include "nacre/Transforms/Buffer/MemoryPlanner.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

LogicalResult Session::requireMemory() {
  int64_t limit = getMemoryLimit(), left = limit;
  auto require = [&](StringRef kind, const ModelTensor &tensor) {
    if (!tensor.type || !tensor.type.hasStaticShape()) {
      return success();
    }
    std::optional<int64_t> bytes = interpreter::countBytes(tensor.type);
    if (bytes && *bytes <= left) {
      left -= *bytes;
      return success();
    }
    printError() << kind << " '" << tensor.name << "' of " << tensor.type
                 << " needs ";
    if (bytes) {
      llvm::errs() << *bytes << " bytes";
    } else {
      llvm::errs() << "more bytes than can be counted";
    }
    llvm::errs() << ", but of " << limit << " bytes of memory " << left
                 << " are left for it\n";
    return fail(ExitCode::BadInput);
  };
  for (const ModelTensor &tensor : interface.inputs) {
    if (failed(require("input", tensor))) {
      return failure();
    }
  }
  for (const ModelTensor &tensor : interface.outputs) {
    if (failed(require("output", tensor))) {
      return failure();
    }
  }
  if (module) {
    abi::setNumber<abi::MemoryLimit>(*module, left);
  }
  return success();
}
