//===- Schema.cpp - ONNX's definitions of operators -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schema.h"

#include "GraphImporter.h"

#include "nacre/Dialect/IE/IR/Sequence.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <onnx/defs/schema.h>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

const onnx::OpSchema *onnx_import::findSchema(const std::string &opType,
                                              StringRef domain, int64_t opset) {
  try {
    return onnx::OpSchemaRegistry::Schema(
        opType, std::min<int64_t>(opset, kNewestKnownOpset),
        domain == "ai.onnx" ? "" : domain.str());
  } catch (const std::exception &) {
    return nullptr;
  }
}

LogicalResult onnx_import::checkOpset(const onnx::OperatorSetIdProto &import,
                                      Location loc) {
  if (import.version() >= 1) {
    return success();
  }
  return emitError(loc) << "expected an operator set from 1 on"
                        << (import.domain().empty() ? "" : " of ")
                        << import.domain() << ", found " << import.version();
}

static LogicalResult checkAttributes(const onnx::NodeProto &proto,
                                     const onnx::OpSchema &schema,
                                     Location loc) {
  for (const auto &[name, expected] : schema.attributes()) {
    auto given =
        llvm::find_if(proto.attribute(), [&, &name = name](const auto &given) {
          return given.name() == name;
        });
    if (given == proto.attribute().end()) {
      // Operator set 1 has a hint about memory, too, which means nothing.
      if (expected.required && name != "consumed_inputs") {
        return emitError(loc) << "expected an attribute '" << name << "' of "
                              << proto.op_type();
      }
    } else if (given->type() != expected.type) {
      using onnx::AttributeProto;
      return emitError(loc)
             << "expected attribute '" << name << "' of " << proto.op_type()
             << " to be " << AttributeProto::AttributeType_Name(expected.type)
             << ", found " << AttributeProto::AttributeType_Name(given->type());
    }
  }
  return success();
}

LogicalResult onnx_import::checkSignature(const onnx::NodeProto &proto,
                                          int64_t opset, Location loc) {
  const onnx::OpSchema *schema =
      findSchema(proto.op_type(), proto.domain(), opset);
  if (!schema) {
    return success();
  }
  if (failed(checkAttributes(proto, *schema, loc))) {
    return failure();
  }
  // A later definition may do with fewer.
  if (opset <= kNewestKnownOpset && proto.input_size() < schema->min_input()) {
    return emitError(loc) << "expected at least " << schema->min_input()
                          << " inputs of " << proto.op_type() << ", found "
                          << proto.input_size();
  }
  return success();
}

/// What ONNX's names of types start with for values of this kind.
static StringRef getKind(Type type) {
  return TypeSwitch<Type, StringRef>(type)
      .Case<IE::SequenceType>([](Type) { return "seq"; })
      .Case<IE::OptionalType>([](Type) { return "optional"; })
      .Case<IE::MapType>([](Type) { return "map"; })
      .Default([](Type) { return "tensor"; });
}

LogicalResult onnx_import::checkKindsOfInputs(const onnx::NodeProto &proto,
                                              ArrayRef<Value> inputs,
                                              Location loc) {
  // The newest operator set allows the most.
  const onnx::OpSchema *schema =
      findSchema(proto.op_type(), proto.domain(), kNewestKnownOpset);
  if (!schema || schema->inputs().empty()) {
    return success();
  }
  for (auto [i, input] : llvm::enumerate(inputs)) {
    // The last one may stand for any number.
    size_t number = std::min(i, schema->inputs().size() - 1);
    const onnx::DataTypeSet &types = schema->inputs()[number].GetTypes();
    auto takes = [&, &input = input](onnx::DataType type) {
      // Newer operator sets take what an optional value holds for it.
      StringRef name = *type, kind = getKind(input.getType());
      return name.starts_with(kind) ||
             (name.consume_front("optional(") && name.starts_with(kind));
    };
    bool fits = !input || types.empty() || llvm::any_of(types, takes);
    if (!fits) {
      return emitError(loc)
             << "expected another kind of value than " << input.getType()
             << " for input '" << proto.input(i) << "' of " << proto.op_type();
    }
  }
  return success();
}

unsigned onnx_import::getMinInputs(const onnx::NodeProto &proto,
                                   StringRef opType) {
  // An operator that an adapter replaced has its successor's inputs.
  for (const std::string &name : {opType.str(), proto.op_type()}) {
    if (const onnx::OpSchema *schema =
            findSchema(name, "", kNewestKnownOpset)) {
      return schema->min_input();
    }
  }
  return 0;
}
