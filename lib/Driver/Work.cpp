//===- Work.cpp - What a model computes, and where ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes follow from shape inference, and what the engine takes from the passes
// that lower to it: nothing here repeats their conditions.
//
//===----------------------------------------------------------------------===//

#include "Work.h"
#include "Session.h"

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Recurrent.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/TypicalSizes.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Support/Locations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// The type of a value; null where that is no tensor of known rank.
static RankedTensorType findTensorType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// The elements of `value`; nothing where a size is not known.
static std::optional<double> countElements(Value value) {
  RankedTensorType type = findTensorType(value);
  if (!type || !type.hasStaticShape()) {
    return std::nullopt;
  }
  return static_cast<double>(type.getNumElements());
}

static std::optional<double> multiply(std::optional<double> a,
                                      std::optional<double> b) {
  return a && b ? std::optional<double>(*a * *b) : std::nullopt;
}

static std::optional<double> getSize(Value value, int64_t dim) {
  RankedTensorType type = findTensorType(value);
  if (!type || type.isDynamicDim(dim)) {
    return std::nullopt;
  }
  return static_cast<double>(type.getDimSize(dim));
}

/// The elements of `value` for each index of its first dimension.
static std::optional<double> countInner(Value value) {
  std::optional<double> size = getSize(value, 0);
  std::optional<double> all = countElements(value);
  if (!size || !all) {
    return std::nullopt;
  }
  return *size > 0 ? *all / *size : 0;
}

std::optional<std::optional<double>> driver::countProduct(Operation *op) {
  using Result = std::optional<std::optional<double>>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<IE::ConvOp, IE::ConvIntegerOp, IE::QLinearConvOp>([](auto conv) {
        return Result(multiply(countElements(conv.getOutput()),
                               countInner(conv.getWeights())));
      })
      .Case([](IE::ConvTransposeOp conv) {
        return Result(multiply(countElements(conv.getInput()),
                               countInner(conv.getWeights())));
      })
      .Case([](IE::GemmOp gemm) {
        return Result(
            multiply(countElements(gemm.getOutput()),
                     getSize(gemm.getLhs(), gemm.getTransA() ? 0 : 1)));
      })
      .Case<IE::MatMulOp, IE::MatMulIntegerOp, IE::QLinearMatMulOp>(
          [](auto product) {
            RankedTensorType lhs = findTensorType(product.getLhs());
            return Result(
                multiply(countElements(product.getOutput()),
                         getSize(product.getLhs(), lhs.getRank() - 1)));
          })
      .Case([](IE::MatMulNBitsOp product) {
        return Result(multiply(countElements(product.getOutput()),
                               static_cast<double>(product.getK())));
      })
      .Default([](Operation *) { return Result(); });
}

std::optional<double> driver::countMACs(Operation *op) {
  return countProduct(op).value_or(std::nullopt);
}

/// How often a body of an op runs for each run of the op, at most.
static std::optional<double> countBodyRuns(Operation *op) {
  if (auto scan = dyn_cast<IE::ScanOp>(op)) {
    int64_t length = scan.getLength();
    return ShapedType::isDynamic(length)
               ? std::nullopt
               : std::optional<double>(static_cast<double>(length));
  }
  return isa<IE::IfOp>(op) ? std::optional<double>(1) : std::nullopt;
}

/// Recurrent layers multiply each element of their sequences by all weights of
/// both kinds.
static std::optional<std::optional<double>> countRecurrent(Operation *op) {
  using Result = std::optional<std::optional<double>>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<IE::RNNOp, IE::GRUOp, IE::LSTMOp>([](auto layer) {
        std::optional<double> all = countElements(layer.getX());
        std::optional<double> inputs = getSize(layer.getX(), 2);
        std::optional<double> weights = countElements(layer.getW());
        std::optional<double> recurrent = countElements(layer.getR());
        if (!all || !inputs || !weights || !recurrent) {
          return Result(std::optional<double>());
        }
        double elements = *inputs > 0 ? *all / *inputs : 0;
        return Result(elements * (*weights + *recurrent));
      })
      .Default([](Operation *) { return Result(); });
}

std::optional<double> driver::countRunMACs(Region &body) {
  double macs = 0;
  for (Operation &op : body.getOps()) {
    std::optional<std::optional<double>> own = countProduct(&op);
    if (!own) {
      own = countRecurrent(&op);
    }
    if (own && !*own) {
      return std::nullopt;
    }
    macs += own ? **own : 0;
    for (Region &inner : op.getRegions()) {
      std::optional<double> once = countRunMACs(inner);
      std::optional<double> runs = countBodyRuns(&op);
      if (!once || (*once > 0 && !runs)) {
        return std::nullopt;
      }
      macs += *once * runs.value_or(0);
    }
  }
  return macs;
}

/// Gives each size of an input that the model leaves open a value: 1 where it
/// is an input's first, which is the batch.
static void assumeSizes(func::FuncOp main, Work &work) {
  llvm::MapVector<StringRef, int64_t> named;
  SmallVector<Type> types;
  for (BlockArgument argument : main.getArguments()) {
    RankedTensorType type = findTensorType(argument);
    unsigned number = argument.getArgNumber();
    types.push_back(argument.getType());
    if (!type || type.hasStaticShape()) {
      continue;
    }
    auto names = abi::getOfArgument<abi::Dims>(main, number);
    auto input = abi::getOfArgument<abi::Name>(main, number);
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, size] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(size)) {
        continue;
      }
      size = dim == 0 ? 1 : VPU::kTypicalSize;
      auto name = names && dim < names.size() ? dyn_cast<StringAttr>(names[dim])
                                              : StringAttr();
      if (name && !name.empty()) {
        auto [entry, isFirst] = named.try_emplace(name.getValue(), size);
        size = entry->second;
        if (!isFirst) {
          continue;
        }
      }
      work.assumed.emplace_back(
          name && !name.empty()
              ? name.str()
              : (input ? input.str() : "input " + std::to_string(number)) +
                    "[" + std::to_string(dim) + "]",
          size);
    }
    types.back() = type.clone(shape);
    argument.setType(types.back());
  }
  main.setType(FunctionType::get(main.getContext(), types,
                                 main.getFunctionType().getResults()));
}

FailureOr<Work> driver::measureWork(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  auto main = copy->lookupSymbol<func::FuncOp>("main");
  if (!main) {
    return failure();
  }
  Work work;
  assumeSizes(main, work);
  // Not the model's errors but those of the assumed sizes.
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  PassManager manager(module.getContext());
  buildIEOptimizePipeline(manager, IEOptimizeOptions());
  if (failed(manager.run(*copy))) {
    return failure();
  }
  copy->walk([&](Operation *op) {
    std::optional<std::optional<double>> macs = countProduct(op);
    if (!macs) {
      return;
    }
    work.macs += macs->value_or(0);
    work.uncounted += !macs->has_value();
    work.inLoops += !isa<func::FuncOp>(op->getParentOp());
  });
  return work;
}

EngineUse driver::findEngineUse(Session &session) {
  struct Remark {
    Location loc;
    std::string text;
  };
  std::vector<Remark> remarks;
  EngineUse use;
  OwningOpRef<ModuleOp> copy = session.getModule().clone();
  ScopedDiagnosticHandler handler(
      &session.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Remark) {
          remarks.push_back({diagnostic.getLocation(), diagnostic.str()});
        } else if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
                   use.error.empty()) {
          use.error = diagnostic.str();
        }
        return success();
      });
  PassManager manager(&session.getContext());
  DefaultHWOptions options;
  session.setPipelineOptions(options);
  options.report = true;
  buildHWToVPUPipeline(manager, options);
  if (failed(manager.run(*copy))) {
    if (use.error.empty()) {
      use.error = "the model does not compile";
    }
    return use;
  }
  use.error.clear();
  // A product that one pass left, a later one may have taken.
  llvm::DenseSet<Attribute> taken;
  copy->walk([&](VPU::NCEOpInterface op) {
    ++use.numConverted;
    // With those of the ops that became part of it.
    op->getLoc()->walk([&](Location part) {
      taken.insert(LocationAttr(part));
      return WalkResult::advance();
    });
  });
  llvm::MapVector<Attribute, std::vector<std::string>> byPlace;
  for (const Remark &remark : remarks) {
    byPlace[LocationAttr(remark.loc)].push_back(remark.text);
  }
  for (const auto &[place, texts] : byPlace) {
    if (texts.size() == 1 && taken.contains(place)) {
      continue;
    }
    // What was tried last knows the most about sizes.
    use.left.emplace_back(getLocationName(cast<LocationAttr>(place)),
                          texts.back());
  }
  return use;
}
