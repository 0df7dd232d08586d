//===- StrategyFile.cpp - Strategies as JSON ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of an attribute is the text of a strategy in the file, too.
//
//===----------------------------------------------------------------------===//

#include "StrategyFile.h"

#include "IndependentLoop.h"
#include "KernelTiles.h"
#include "ReductionSets.h"
#include "RowGroupChooser.h"
#include "SoftwareStrategy.h"
#include "StrategyChoosers.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/Cost/CostModel.h"
#include "nacre/Dialect/VPU/Transforms/KernelLoops.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"
#include "nacre/Dialect/VPU/Transforms/StoredRows.h"
#include "nacre/Support/Files.h"
#include "nacre/Support/Json.h"
#include "nacre/Support/Locations.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// What was decided until now, an attribute of the module.
static constexpr llvm::StringLiteral kRecord = "VPU.decided";

namespace {

/// An op that can have a strategy, and how a file names it.
struct NamedOp {
  Operation *op;
  std::string node;
  int64_t index;
};

} // namespace

static bool canDecide(Decision decision, Operation *op) {
  switch (decision) {
  case Decision::operators:
    return getAlgorithms(op).size() > 1 || countBlockWords(op) > 0 ||
           canShareRows(op);
  case Decision::algorithms:
    return op->getNumResults() == 1 && isa<NCEConvolutionOp>(op);
  case Decision::concurrency:
    return isa<scf::ForOp>(op);
  case Decision::groups:
    return canJoinRows(op) || isTensorReduction(op);
  case Decision::loops:
    return op->getNumResults() == 1 && isa<NCEOpInterface, CopyOp>(op);
  case Decision::software:
    return isSoftwareKernel(op) ||
           (IndependentLoop::match(op) && !abi::has<abi::HasSteps>(op));
  case Decision::buffers:
    return isSoftwareKernel(op) || hasChunk(op, ArchAttr::lookup(op)) ||
           hasLowBitTile(op, ArchAttr::lookup(op)) ||
           canPrefetchInput(op, ArchAttr::lookup(op));
  case Decision::joins: {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    return generic && StoredRows::find(generic);
  }
  case Decision::registers:
    return hasKernelStrategy(op) || hasKernelLoops(op, ArchAttr::lookup(op));
  }
  llvm_unreachable("unknown decision");
}

/// All ops that can have a strategy, in their order.
static std::vector<NamedOp> collectOps(ModuleOp module, Decision decision) {
  std::vector<NamedOp> ops;
  llvm::StringMap<int64_t> counts;
  module->walk([&](Operation *op) {
    if (canDecide(decision, op)) {
      std::string node = getLocationName(op->getLoc());
      int64_t index = counts[(op->getName().getStringRef() + node).str()]++;
      ops.push_back({op, std::move(node), index});
    }
  });
  return ops;
}

/// The name of an op and the types of its results, or of what it writes to.
static std::string getSignature(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ValueRange values = op->getResults();
  auto writer = dyn_cast<DestinationStyleOpInterface>(op);
  if (values.empty() && writer) {
    values = writer.getDpsInits();
  }
  stream << op->getName() << ' ';
  llvm::interleaveComma(values.getTypes(), stream);
  return text;
}

static std::string getText(StrategyAttr strategy) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << strategy;
  return text;
}

void VPU::recordStrategies(ModuleOp module, Decision decision) {
  CostModel model(ArchAttr::lookup(module));
  SymbolTableCollection symbols;
  Builder builder(module.getContext());
  SmallVector<Attribute> entries;
  if (auto before = module->getAttrOfType<ArrayAttr>(kRecord)) {
    llvm::append_range(entries, before);
  }
  for (const NamedOp &named : collectOps(module, decision)) {
    StrategyAttr strategy = StrategyAttr::lookup(named.op);
    if (!strategy) {
      continue;
    }
    NamedAttribute fields[] = {
        builder.getNamedAttr(
            "decides", builder.getStringAttr(stringifyDecision(decision))),
        builder.getNamedAttr("node", builder.getStringAttr(named.node)),
        builder.getNamedAttr("index", builder.getI64IntegerAttr(named.index)),
        builder.getNamedAttr("signature",
                             builder.getStringAttr(getSignature(named.op))),
        builder.getNamedAttr("strategy", strategy),
        builder.getNamedAttr("cycles",
                             builder.getI64IntegerAttr(static_cast<int64_t>(
                                 model.getCyclesBelow(named.op, symbols))))};
    entries.push_back(builder.getDictionaryAttr(fields));
  }
  module->setAttr(kRecord, builder.getArrayAttr(entries));
}

/// Writes an entry in the order in which it is read.
static void writeEntry(llvm::json::OStream &json, DictionaryAttr entry) {
  json.object([&] {
    for (StringRef name :
         {"decides", "node", "index", "signature", "strategy", "cycles"}) {
      Attribute value = entry.get(name);
      if (auto text = dyn_cast<StringAttr>(value)) {
        json.attribute(name, text.getValue());
      } else if (auto number = dyn_cast<IntegerAttr>(value)) {
        json.attribute(name, number.getInt());
      } else {
        json.attribute(name, getText(cast<StrategyAttr>(value)));
      }
    }
  });
}

LogicalResult VPU::writeStrategies(ModuleOp module, StringRef path) {
  auto entries = cast<ArrayAttr>(module->removeAttr(kRecord));
  return writeFile(module.getLoc(), path, [&](raw_ostream &stream) {
    llvm::json::OStream json(stream, /*IndentSize=*/2);
    json.object([&] {
      json.attribute("arch", ArchAttr::lookup(module).getName());
      json.attributeArray("ops", [&] {
        for (auto entry : entries.getAsRange<DictionaryAttr>()) {
          writeEntry(json, entry);
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
  StrategyReader(ModuleOp module, Decision decision, StringRef path)
      : module(module), decision(decision), path(path),
        ops(collectOps(module, decision)) {}

  LogicalResult read();

private:
  LogicalResult readEntry(const llvm::json::Object &entry);
  /// An error at the file, as it is no op's.
  InFlightDiagnostic emitError() {
    return mlir::emitError(
        FileLineColLoc::get(module.getContext(), path, 0, 0));
  }

  ModuleOp module;
  Decision decision;
  StringRef path;
  std::vector<NamedOp> ops;
  /// Those that have had an entry.
  llvm::DenseSet<Operation *> given;
};

} // namespace

std::string VPU::listDecisions() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(
      llvm::seq_inclusive<uint32_t>(0, getMaxEnumValForDecision()), stream,
      [&](uint32_t value) {
        stream << '"' << stringifyDecision(static_cast<Decision>(value)) << '"';
      });
  return text;
}

/// What may be wrong with an entry that is of no op of the module, or of one
/// of other types.
static StringRef explainDifference(Decision decision) {
  return decision == Decision::registers || decision == Decision::joins
             ? ": what else was decided has made another kernel"
             : ": the file is of another model, or of another version of it";
}

static LowBitTileAttr getLowBitTile(StrategyAttr strategy) {
  return strategy && strategy.getKernel() ? strategy.getKernel().getLowBitTile()
                                          : nullptr;
}

LogicalResult StrategyReader::readEntry(const llvm::json::Object &entry) {
  std::optional<StringRef> decides = entry.getString("decides"),
                           node = entry.getString("node"),
                           signature = entry.getString("signature"),
                           text = entry.getString("strategy");
  std::optional<int64_t> index = entry.getInteger("index");
  if (!decides || !node || !index || !signature || !text) {
    return emitError() << "expected each entry to have \"decides\", \"node\", "
                          "\"index\", \"signature\" and \"strategy\"";
  }
  std::optional<Decision> time = symbolizeDecision(*decides);
  if (!time) {
    return emitError() << "expected \"decides\" to be one of "
                       << listDecisions() << ", found \"" << *decides << '"';
  }
  // Another run's.
  if (*time != decision) {
    return success();
  }
  StringRef name = signature->split(' ').first;
  auto found = llvm::find_if(ops, [&](const NamedOp &named) {
    return named.node == *node && named.index == *index &&
           named.op->getName().getStringRef() == name;
  });
  if (found == ops.end()) {
    return emitError() << "expected a " << name << " of index " << *index
                       << " of node '" << *node << "' of the model, found none"
                       << explainDifference(decision);
  }
  if (std::string expected = getSignature(found->op); expected != *signature) {
    return found->op->emitOpError("expected strategies for ")
           << expected << ", found those for " << *signature
           << explainDifference(decision);
  }
  auto strategy = dyn_cast_if_present<StrategyAttr>(
      parseAttribute(*text, module.getContext()));
  if (!strategy) {
    return found->op->emitOpError("expected #VPU.strategy<…>, found ") << *text;
  }
  if (!given.insert(found->op).second) {
    return found->op->emitOpError("expected one strategy with \"decides\": \"")
           << *decides << "\", found another one, " << *text;
  }
  // Its scratch memory follows from this tile, and is there.
  LowBitTileAttr allocated = getLowBitTile(StrategyAttr::lookup(found->op));
  if (decision == Decision::registers && allocated &&
      getLowBitTile(strategy) != allocated) {
    return found->op->emitOpError("expected the lowBitTile ")
           << allocated << ", which its scratch memory is for, in " << *text;
  }
  strategy.attachTo(found->op);
  return success();
}

LogicalResult StrategyReader::read() {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    return emitError() << "cannot be read: " << buffer.getError().message();
  }
  llvm::Expected<llvm::json::Value> value = parseJson((*buffer)->getBuffer());
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

LogicalResult VPU::readStrategies(ModuleOp module, Decision decision,
                                  StringRef path) {
  return StrategyReader(module, decision, path).read();
}
