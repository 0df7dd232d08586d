//===- SessionModel.cpp - The model of a session --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a model, ONNX's or a module that was written before, with what the
// command line says of its shapes and values.
//
//===----------------------------------------------------------------------===//

#include "Resume.h"
#include "Session.h"

#include "nacre/Dialect/IE/Utils/BoundaryIntegers.h"
#include "nacre/Import/ONNX/Import.h"
#include "nacre/Interpreter/Interpreter.h"
#include "nacre/Pipelines/Pipelines.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Tensor;

FailureOr<ElementsAttr> Session::fixInput(StringRef name, StringRef text,
                                          std::optional<unsigned> number,
                                          RankedTensorType type) {
  ModelTensor input;
  input.name = name.str();
  input.type = type;
  FailureOr<ElementsAttr> value = readValue(*this, text, input);
  if (failed(value)) {
    return failure();
  }
  FailureOr<Tensor> tensor = Tensor::fromAttr(*value);
  if (number && succeeded(tensor)) {
    fixed.push_back({*number, input, *tensor});
  }
  return value;
}

FailureOr<ElementsAttr> Session::replaceInitializer(StringRef name,
                                                    RankedTensorType type) {
  auto it = sources.find(name);
  if (it == sources.end()) {
    return ElementsAttr();
  }
  ModelTensor input;
  input.name = name.str();
  input.type = type;
  FailureOr<Tensor> value = readInput(*this, it->second, input);
  if (failed(value)) {
    return failure();
  }
  replaced[name] = it->second;
  return value->toAttr();
}

LogicalResult driver::requireModelFile(StringRef path) {
  if (llvm::sys::fs::is_regular_file(path)) {
    return success();
  }
  printError() << (llvm::sys::fs::exists(path)
                       ? "a model must be a regular file, found '"
                       : "no such model file: '")
               << path << "'\n";
  return failure();
}

LogicalResult Session::loadModel(StringRef path) {
  if (failed(requireModelFile(path))) {
    return fail(ExitCode::BadInput);
  }
  modelPath = path.str();
  module = readModel();
  if (!module || failed(adoptOptions())) {
    return failure();
  }
  return succeeded(inspection.showImported(*module)) ? success()
                                                     : fail(ExitCode::BadInput);
}

/// Notes what integers of inputs and outputs stand for: by the model's
/// metadata, else by the ops beside them, whose scales may have become parts of
/// others.
static void noteIntegers(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal() || getLevel(module) != Level::IE) {
    return;
  }
  auto pairs = abi::get<abi::Metadata>(module);
  for (size_t i = 0; pairs && i < pairs.size(); i += 2) {
    if (cast<StringAttr>(pairs[i]) == abi::Integers::getNameStr()) {
      IE::parseIntegers(main, cast<StringAttr>(pairs[i + 1]));
    }
  }
  IE::noteIntegers(main);
}

OwningOpRef<ModuleOp> Session::readModel() {
  OwningOpRef<ModuleOp> result;
  if (isIRFile(modelPath)) {
    if (!shapes.empty() || !values.empty()) {
      printError() << (values.empty() ? "--shape" : "--value")
                   << " needs an .onnx model, found '" << modelPath << "'\n";
      (void)fail(ExitCode::BadInput);
      return {};
    }
    result = readIRFile(context, modelPath, pending);
    if (!result) {
      (void)fail(ExitCode::BadInput);
      return {};
    }
    if (!states.empty() &&
        (!pending.empty() || getLevel(*result) != Level::IE)) {
      printError() << "--state needs a model before lowering, found '"
                   << modelPath << "', which has its states already\n";
      (void)fail(ExitCode::BadInput);
      return {};
    }
  } else {
    ImportOptions options;
    for (const auto &[name, dims] : shapes) {
      options.shapes[name] = dims;
    }
    options.replaceInitializer = [&](StringRef name, RankedTensorType type) {
      return replaceInitializer(name, type);
    };
    for (const auto &[name, text] : values) {
      options.values[name] = [&, &name = name,
                              &text = text](std::optional<unsigned> number,
                                            RankedTensorType type) {
        return fixInput(name, text, number, type);
      };
    }
    std::optional<Stage> stage("import");
    ImportResult imported = importONNXModel(modelPath, context, options);
    stage.reset();
    if (imported.status != ImportStatus::Success) {
      (void)fail(imported.status == ImportStatus::Unsupported
                     ? ExitCode::Unsupported
                     : ExitCode::BadInput);
      return {};
    }
    result = std::move(imported.module);
  }
  if (failed(bindStates(*result, states))) {
    (void)fail(ExitCode::BadInput);
    return {};
  }
  noteIntegers(*result);
  return result;
}
