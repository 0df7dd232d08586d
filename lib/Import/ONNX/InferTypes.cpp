//===- InferTypes.cpp - Result types of ops to be created -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

template <unsigned N> static bool needsOperands(RegisteredOperationName info) {
  if constexpr (N == 1) {
    if (info.hasTrait<OpTrait::OneOperand>()) {
      return true;
    }
  } else {
    if (info.hasTrait<OpTrait::NOperands<N>::template Impl>()) {
      return true;
    }
  }
  return info.hasTrait<OpTrait::AtLeastNOperands<N>::template Impl>();
}

template <unsigned... N>
static unsigned countNeeded(RegisteredOperationName info,
                            std::integer_sequence<unsigned, N...>) {
  return std::max({(needsOperands<N + 1>(info) ? N + 1 : 0u)...});
}

/// Inference relies on the operands that are not optional, which come first.
static LogicalResult checkOperands(const OperationState &state,
                                   RegisteredOperationName info,
                                   StringRef opType) {
  constexpr unsigned kMostNeeded = 9;
  unsigned needed =
      countNeeded(info, std::make_integer_sequence<unsigned, kMostNeeded>());
  size_t given = state.operands.size();
  if (auto segments = dyn_cast_if_present<DenseI32ArrayAttr>(
          state.attributes.get("operandSegmentSizes"))) {
    ArrayRef<int32_t> sizes = segments.asArrayRef();
    given = std::min<size_t>(
        given, std::distance(sizes.begin(), llvm::find(sizes, 0)));
  }
  if (given >= needed) {
    return success();
  }
  return emitError(state.location)
         << "expected at least " << needed << " inputs of " << opType
         << ", found " << given;
}

LogicalResult onnx_import::inferTypes(OperationState &state, StringRef opType) {
  MLIRContext *context = state.getContext();
  RegisteredOperationName info = *state.name.getRegisteredInfo();
  if (failed(checkOperands(state, info, opType))) {
    return failure();
  }
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
