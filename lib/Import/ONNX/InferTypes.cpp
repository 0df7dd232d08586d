//===- InferTypes.cpp - Result types of ops to be created -----------------===//
//
// The one way in which the importer finds out what an IE op results in.
//
//===----------------------------------------------------------------------===//

#include "InferTypes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace nacre;

LogicalResult onnx_import::inferTypes(OperationState &state, StringRef opType) {
  MLIRContext *context = state.getContext();
  RegisteredOperationName info = *state.name.getRegisteredInfo();
  auto *inference = info.getInterface<InferTypeOpInterface>();
  DictionaryAttr attributes = state.attributes.getDictionary(context);
  std::unique_ptr<char[]> storage;
  OpaqueProperties properties(nullptr);
  if (size_t bytes = info.getOpPropertyByteSize()) {
    storage = std::make_unique<char[]>(bytes);
    properties = OpaqueProperties(storage.get());
    info.initOpProperties(properties, OpaqueProperties(nullptr));
    auto emit = [&] { return emitError(state.location) << opType << ": "; };
    if (failed(info.setOpPropertiesFromAttribute(state.name, properties,
                                                 attributes, emit))) {
      return failure();
    }
  }
  auto destroy = llvm::make_scope_exit([&] {
    if (storage) {
      info.destroyOpProperties(properties);
    }
  });
  return inference->inferReturnTypes(context, state.location, state.operands,
                                     attributes, properties, {}, state.types);
}
