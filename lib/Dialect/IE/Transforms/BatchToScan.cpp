//===- BatchToScan.cpp - The ie-batch-to-scan pass ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most networks compute each sample of a batch for itself. Where the number of
// samples is dynamic, they become a loop over samples, in which every size is
// known.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/IE.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/SampleUtils.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace nacre::IE {
#define GEN_PASS_DEF_BATCHTOSCAN
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// The type of one sample.
static RankedTensorType getSampleType(RankedTensorType type) {
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = 1;
  return type.clone(shape);
}

/// Work enough for a loop of its own; or an op that knows no other way.
static bool isHeavy(Operation *op) {
  auto samples = dyn_cast<IE::SamplesOpInterface>(op);
  return samples && samples.deservesLoop();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// Ops that become one loop, in order.
struct Section {
  SmallVector<Operation *> ops;
  Attribute batch; // names the number of samples

  bool contains(Operation *op) const { return llvm::is_contained(ops, op); }
};

class SectionBuilder {
public:
  explicit SectionBuilder(Section &section)
      : section(section), builder(section.ops.back()),
        loc(section.ops.front()->getLoc()) {}

  void build();

private:
  void collect();
  void buildBody(IE::ScanOp scan);

  Section &section;
  OpBuilder builder;
  Location loc;
  llvm::SetVector<Value> inputs;
  SmallVector<Value> outputs;
};

} // namespace

void SectionBuilder::collect() {
  for (Operation *op : section.ops) {
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (IE::getBatchType(operand.getType()) &&
          !(def && section.contains(def))) {
        inputs.insert(operand);
      }
    }
    for (Value result : op->getResults()) {
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !section.contains(user);
          })) {
        outputs.push_back(result);
      }
    }
  }
}

static Value buildAxes(OpBuilder &builder, Location loc) {
  return IE::buildInts(builder, loc, int64_t(0));
}

void SectionBuilder::buildBody(IE::ScanOp scan) {
  Block *body = builder.createBlock(&scan.getBody());
  IRMapping samples;
  for (Value input : inputs) {
    RankedTensorType type = getSampleType(IE::getBatchType(input.getType()));
    BlockArgument slice =
        body->addArgument(type.clone(type.getShape().drop_front()), loc);
    samples.map(input, IE::UnsqueezeOp::create(builder, loc, type, slice,
                                               buildAxes(builder, loc)));
  }
  for (Operation *op : section.ops) {
    if (op->hasTrait<IE::KeepsElements>()) {
      RankedTensorType type =
          getSampleType(IE::getBatchType(op->getResult(0).getType()));
      samples.map(op->getResult(0),
                  IE::ReshapeOp::create(builder, op->getLoc(), type,
                                        samples.lookup(op->getOperand(0))));
      continue;
    }
    Operation *sample = builder.clone(*op, samples);
    for (Value result : sample->getResults()) {
      result.setType(getSampleType(IE::getBatchType(result.getType())));
    }
  }
  SmallVector<Value> yielded;
  for (Value output : outputs) {
    Value sample = samples.lookup(output);
    auto type = cast<RankedTensorType>(sample.getType());
    yielded.push_back(IE::SqueezeOp::create(
        builder, loc, type.clone(type.getShape().drop_front()), sample,
        buildAxes(builder, loc)));
  }
  IE::YieldOp::create(builder, loc, yielded);
}

void SectionBuilder::build() {
  collect();
  if (outputs.empty()) {
    return;
  }
  auto scan = IE::ScanOp::create(
      builder, loc, TypeRange(ValueRange(outputs)), inputs.getArrayRef(),
      static_cast<int64_t>(inputs.size()), DenseI64ArrayAttr(),
      DenseI64ArrayAttr(), DenseI64ArrayAttr(), DenseI64ArrayAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    buildBody(scan);
  }
  for (auto [output, result] : llvm::zip_equal(outputs, scan.getOutputs())) {
    output.replaceAllUsesWith(result);
  }
  for (Operation *op : llvm::reverse(section.ops)) {
    op->erase();
  }
}

namespace {

struct BatchToScanPass final : IE::impl::BatchToScanBase<BatchToScanPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal()) {
      return;
    }
    nameBatches(function);
    for (Section &section : findSections(function.getBody().front())) {
      if (llvm::any_of(section.ops, isHeavy)) {
        SectionBuilder(section).build();
        ++numLoops;
      }
    }
  }

private:
  /// Arguments whose first dimension has a name have that many samples; others
  /// have their own number.
  void nameBatches(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments()) {
      auto names =
          abi::getOfArgument<abi::Dims>(function, argument.getArgNumber());
      bool isNamed = names && !names.empty() &&
                     !cast<StringAttr>(names[0]).getValue().empty();
      Attribute batch =
          isNamed
              ? names[0]
              : Attribute(IntegerAttr::get(IntegerType::get(&getContext(), 64),
                                           argument.getArgNumber()));
      batches[argument] = batch;
      if (IE::getBatchType(argument.getType())) {
        sources.try_emplace(batch, argument);
      }
    }
  }

  /// What names the samples of all batched operands; null if they differ.
  Attribute getBatch(Operation *op) {
    Attribute batch;
    for (Value operand : op->getOperands()) {
      if (!IE::getBatchType(operand.getType())) {
        continue;
      }
      Attribute own = batches.lookup(operand);
      if (!own || (batch && batch != own)) {
        return {};
      }
      batch = own;
    }
    return batch;
  }

  /// Runs of ops on the same samples. What a run does not depend on and what
  /// does not depend on it may lie between its ops.
  std::vector<Section> findSections(Block &block) {
    std::vector<Section> sections(1);
    for (Operation &op :
         llvm::make_early_inc_range(block.without_terminator())) {
      Attribute batch = getBatch(&op);
      if (auto shape = dyn_cast<IE::ShapeOp>(op); shape && batch) {
        askSource(shape, batch);
        continue;
      }
      bool joins = batch && IE::computesSamples(&op);
      if (batch && (joins || isRowwise(&op))) {
        for (Value result : op.getResults()) {
          batches[result] = batch;
        }
      }
      Section &current = sections.back();
      if (joins && (current.ops.empty() || current.batch == batch)) {
        current.ops.push_back(&op);
        current.batch = batch;
        continue;
      }
      bool dependsOnSection =
          llvm::any_of(op.getOperands(), [&](Value operand) {
            Operation *def = operand.getDefiningOp();
            return def && current.contains(def);
          });
      if (!current.ops.empty() && (joins || dependsOnSection)) {
        sections.emplace_back();
        if (joins) {
          sections.back().ops.push_back(&op);
          sections.back().batch = batch;
        }
      }
    }
    if (sections.back().ops.empty()) {
      sections.pop_back();
    }
    return sections;
  }

  /// Lets the number of samples, which is all that is open in the shape, be
  /// that of the argument: a run of ops need not end to know it.
  void askSource(IE::ShapeOp op, Attribute batch) {
    auto [start, count] = op.getBounds();
    Value source = sources.lookup(batch);
    if (start > 0 || count == 0 || !source) {
      return;
    }
    OpBuilder builder(op);
    Location loc = op.getLoc();
    ArrayRef<int64_t> sample =
        cast<RankedTensorType>(op.getData().getType()).getShape();
    sample = sample.slice(1, count - 1);
    Value shape = IE::ShapeOp::create(builder, loc, source, /*start=*/0,
                                      builder.getI64IntegerAttr(1));
    if (!sample.empty()) {
      Value rest = IE::buildInts(builder, loc, sample);
      shape = IE::ConcatOp::create(builder, loc, ValueRange{shape, rest},
                                   /*axis=*/0);
    }
    op.replaceAllUsesWith(shape);
    op.erase();
  }

  /// True where a dimension of `other` that meets the samples of `batch` does
  /// not decide how many there are.
  static bool leavesSamples(RankedTensorType batch, RankedTensorType other) {
    return other.getRank() < batch.getRank() || batch.getRank() == 2 ||
           other.getDimSize(0) == 1 || IE::getBatchType(other);
  }

  /// Products of a batch of rows keep their number, if not samples. The second
  /// operand's first dimension is summed, unless it has matrices.
  static bool isRowwise(Operation *op) {
    if (auto gemm = dyn_cast<IE::GemmOp>(op)) {
      return !gemm.getTransA() && IE::getBatchType(gemm.getLhs().getType());
    }
    auto product = dyn_cast<IE::MatMulOp>(op);
    if (!product) {
      return false;
    }
    auto rows = cast<RankedTensorType>(product.getLhs().getType());
    auto columns = cast<RankedTensorType>(product.getRhs().getType());
    if (IE::getBatchType(rows)) {
      return rows.getRank() > 1 && rows.getRank() >= columns.getRank() &&
             leavesSamples(rows, columns);
    }
    return columns.getRank() > 2 && columns.getRank() >= rows.getRank() &&
           leavesSamples(columns, rows);
  }

  llvm::DenseMap<Value, Attribute> batches;
  /// An argument with each number of samples.
  llvm::DenseMap<Attribute, Value> sources;
};

} // namespace
