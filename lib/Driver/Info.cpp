//===- Info.cpp - nacre info ----------------------------------------------===//
//
// What is in a model, and what of it nacre does not support.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Import/ONNX/Import.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// Multiply-accumulates of convolutions and matrix products.
static int64_t countMACs(ModuleOp module) {
  int64_t total = 0;
  module.walk([&](Operation *op) {
    if (op->getNumResults() != 1 || op->getNumOperands() < 2) {
      return;
    }
    auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    auto lhs = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    auto rhs = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
    if (!result || !lhs || !rhs || !result.hasStaticShape() ||
        !lhs.hasStaticShape() || !rhs.hasStaticShape()) {
      return;
    }
    if (isa<IE::ConvOp>(op) && rhs.getDimSize(0) > 0) {
      total +=
          result.getNumElements() * (rhs.getNumElements() / rhs.getDimSize(0));
    } else if (isa<IE::ConvTransposeOp>(op) && rhs.getDimSize(0) > 0) {
      total +=
          lhs.getNumElements() * (rhs.getNumElements() / rhs.getDimSize(0));
    } else if (auto gemm = dyn_cast<IE::GemmOp>(op)) {
      total +=
          result.getNumElements() * lhs.getDimSize(gemm.getTransA() ? 0 : 1);
    } else if (isa<IE::MatMulOp>(op)) {
      total += result.getNumElements() * lhs.getShape().back();
    }
  });
  return total;
}

ExitCode driver::runInfo(const Arguments &arguments) {
  if (arguments.getPositional().size() != 1) {
    printError() << "info needs one model; see nacre info --help\n";
    return ExitCode::BadInput;
  }
  StringRef path = arguments.getPositional().front();
  if (!llvm::sys::fs::is_regular_file(path)) {
    printError() << "no such model file: '" << path << "'\n";
    return ExitCode::BadInput;
  }
  Session session;
  if (failed(session.configure(arguments))) {
    return session.getExitCode();
  }
  FailureOr<ModelInfo> info = inspectONNXModel(path, session.getContext());
  if (failed(info)) {
    return ExitCode::BadInput;
  }
  llvm::raw_ostream &os = llvm::outs();
  os << "graph       " << info->name;
  if (!info->producer.empty()) {
    os << ", by " << info->producer;
  }
  os << "\n";
  for (const auto &[domain, version] : info->opsets) {
    os << "opset       " << domain << " " << version << "\n";
  }
  for (const ModelInfo::Value &value : info->inputs) {
    os << "input       " << value.name << ": " << value.type << "\n";
  }
  for (const ModelInfo::Value &value : info->outputs) {
    os << "output      " << value.name << ": " << value.type << "\n";
  }
  os << "parameters  " << info->parameters << " ("
     << llvm::format("%.2f", info->parameterBytes / 1e6) << " MB)\n"
     << "operators   ";
  llvm::interleaveComma(info->operators, os, [&](const auto &entry) {
    os << entry.second << " " << entry.first;
  });
  os << "\n";
  for (const ModelInfo::Unsupported &node : info->unsupported) {
    os << "unsupported " << node.op << " in node '" << node.node
       << "': " << node.reason << "\n";
  }
  if (!info->unsupported.empty()) {
    return ExitCode::Unsupported;
  }
  if (failed(session.loadModel(path))) {
    return session.getExitCode();
  }
  os << "MACs        "
     << llvm::format("%.1f", countMACs(session.getModule()) / 1e6)
     << " million\n";
  return ExitCode::Success;
}
