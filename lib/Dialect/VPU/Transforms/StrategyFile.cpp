//===- StrategyFile.cpp - Strategies as JSON ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of an attribute is the text of a strategy in the file, too.
//
//===----------------------------------------------------------------------===//

#include "StrategyFile.h"

#include "nacre/Dialect/VPU/Cost/CostModel.h"
#include "nacre/Support/Files.h"
#include "nacre/Support/Locations.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {

/// An op that can have a strategy, and how a file names it.
struct NamedOp {
  Operation *op;
  std::string node;
  int64_t index;
};

} // namespace

/// All ops that can have a strategy, in their order.
static std::vector<NamedOp> collectOps(ModuleOp module) {
  std::vector<NamedOp> ops;
  llvm::StringMap<int64_t> counts;
  module->walk([&](Operation *op) {
    if (op->getNumResults() == 1 && isa<NCEOpInterface, CopyOp>(op)) {
      std::string node = getLocationName(op->getLoc());
      int64_t index = counts[(op->getName().getStringRef() + node).str()]++;
      ops.push_back({op, std::move(node), index});
    }
  });
  return ops;
}

static std::string getSignature(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << op->getName() << ' ' << op->getResult(0).getType();
  return text;
}

static std::string getText(StrategyAttr strategy) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << strategy;
  return text;
}

LogicalResult VPU::writeStrategies(ModuleOp module, StringRef path) {
  ArchAttr arch = ArchAttr::lookup(module);
  CostModel model(arch);
  return writeFile(module.getLoc(), path, [&](raw_ostream &stream) {
    llvm::json::OStream json(stream, /*IndentSize=*/2);
    json.object([&] {
      json.attribute("arch", arch.getName());
      json.attributeArray("ops", [&] {
        for (const NamedOp &named : collectOps(module)) {
          StrategyAttr strategy = StrategyAttr::lookup(named.op);
          if (!strategy) {
            continue;
          }
          json.object([&] {
            json.attribute("node", named.node);
            json.attribute("index", named.index);
            json.attribute("signature", getSignature(named.op));
            json.attribute("strategy", getText(strategy));
            json.attribute("cycles",
                           static_cast<int64_t>(model.getCycles(named.op)));
          });
        }
      });
    });
    stream << '\n';
    return success();
  });
}

namespace {

/// Reads the entries of a file.
class StrategyReader {
public:
  StrategyReader(ModuleOp module, StringRef path)
      : module(module), path(path), ops(collectOps(module)) {}

  LogicalResult read();

private:
  LogicalResult readEntry(const llvm::json::Object &entry);
  /// An error at the file, as it is no op's.
  InFlightDiagnostic emitError() {
    return mlir::emitError(
        FileLineColLoc::get(module.getContext(), path, 0, 0));
  }

  ModuleOp module;
  StringRef path;
  std::vector<NamedOp> ops;
};

} // namespace

LogicalResult StrategyReader::readEntry(const llvm::json::Object &entry) {
  std::optional<StringRef> node = entry.getString("node"),
                           signature = entry.getString("signature"),
                           text = entry.getString("strategy");
  std::optional<int64_t> index = entry.getInteger("index");
  if (!node || !index || !signature || !text) {
    return emitError() << "expected each entry to have \"node\", \"index\", "
                          "\"signature\" and \"strategy\"";
  }
  StringRef name = signature->split(' ').first;
  auto found = llvm::find_if(ops, [&](const NamedOp &named) {
    return named.node == *node && named.index == *index &&
           named.op->getName().getStringRef() == name;
  });
  if (found == ops.end()) {
    return emitError() << "expected a " << name << " of index " << *index
                       << " of node '" << *node << "' of the model, found none";
  }
  if (std::string expected = getSignature(found->op); expected != *signature) {
    return found->op->emitOpError("expected strategies for ")
           << expected << ", found those for " << *signature
           << ": the file is of another model, or of another version of it";
  }
  auto strategy = dyn_cast_if_present<StrategyAttr>(
      parseAttribute(*text, module.getContext()));
  if (!strategy) {
    return found->op->emitOpError("expected #VPU.strategy<…>, found ") << *text;
  }
  strategy.attachTo(found->op);
  return success();
}

LogicalResult StrategyReader::read() {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    return emitError() << "cannot be read: " << buffer.getError().message();
  }
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse((*buffer)->getBuffer());
  if (!value) {
    return emitError() << llvm::toString(value.takeError());
  }
  const llvm::json::Object *root = value->getAsObject();
  const llvm::json::Array *entries = root ? root->getArray("ops") : nullptr;
  std::optional<StringRef> name = root ? root->getString("arch") : std::nullopt;
  if (!entries || !name) {
    return emitError() << "expected an object with \"arch\" and \"ops\"";
  }
  StringRef arch = ArchAttr::lookup(module).getName();
  if (*name != arch) {
    return emitError() << "expected strategies for " << arch
                       << ", found those for " << *name;
  }
  for (const llvm::json::Value &entry : *entries) {
    const llvm::json::Object *object = entry.getAsObject();
    if (!object) {
      return emitError() << "expected an object for each op";
    }
    if (failed(readEntry(*object))) {
      return failure();
    }
  }
  return success();
}

LogicalResult VPU::readStrategies(ModuleOp module, StringRef path) {
  return StrategyReader(module, path).read();
}
