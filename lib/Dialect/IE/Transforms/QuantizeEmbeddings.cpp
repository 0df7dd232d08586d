//===- QuantizeEmbeddings.cpp - The ie-quantize-embeddings pass -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of embeddings are most of a small model of language, of which a run
// reads a few rows. Those alone become floats.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/QuantizeEmbeddings.h"
#include "BuildConstant.h"
#include "KeepingPass.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ConstantFloats.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Quantization/Parameters.h"
#include "nacre/Support/TensorTypes.h"

#include <cmath>

namespace nacre::IE {
#define GEN_PASS_DEF_QUANTIZEEMBEDDINGS
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

int64_t IE::EmbeddingTable::getNumRows() const {
  return getTensorType(constant->getResult(0)).getDimSize(0);
}

int64_t IE::EmbeddingTable::getRowSize() const {
  return getTensorType(constant->getResult(0)).getNumElements() / getNumRows();
}

int64_t IE::IntegerRows::countBytes() const {
  return static_cast<int64_t>(integers.size() + sizeof(float) * scales.size());
}

/// The op if it picks rows of `table`; null for another one.
static IE::GatherOp getReader(OpOperand &use) {
  auto op = dyn_cast<IE::GatherOp>(use.getOwner());
  if (!op || op.getData() != use.get() || op.getIndices() == use.get()) {
    return {};
  }
  int64_t axis = op.getAxis(), rank = getTensorType(use.get()).getRank();
  return axis == 0 || axis == -rank ? op : IE::GatherOp();
}

/// Why the table stays f32 whatever the user says; empty where it need not.
static std::string findObstacle(const IE::EmbeddingTable &table,
                                llvm::function_ref<bool(OpOperand &)> isGone) {
  Value value = table.constant->getResult(0);
  // The table would have to be there in f32 as well.
  auto numUses =
      static_cast<size_t>(llvm::count_if(value.getUses(), [&](OpOperand &use) {
        return !isGone || !isGone(use);
      }));
  if (numUses != table.readers.size()) {
    return "something else reads it in f32, too";
  }
  constexpr int64_t kSmallest = 2;
  if (table.getRowSize() < kSmallest) {
    return "rows of one element gain nothing";
  }
  IE::ConstantFloats floats(value);
  for (size_t i = 0, e = floats.size(); i < e; ++i) {
    if (!std::isfinite(floats[i])) {
      return "it is not finite";
    }
  }
  return "";
}

std::vector<IE::EmbeddingTable>
IE::findEmbeddingTables(func::FuncOp function, const KeepRules &rules,
                        llvm::function_ref<bool(OpOperand &)> isGone) {
  std::vector<EmbeddingTable> tables;
  function.walk([&](ConstantOp constant) {
    Value value = constant->getResult(0);
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.getElementType().isF32() || type.getRank() < 2 ||
        type.getNumElements() == 0) {
      return;
    }
    EmbeddingTable table{constant, {}, ""};
    for (OpOperand &use : value.getUses()) {
      if (GatherOp reader = getReader(use)) {
        table.readers.push_back(reader);
      }
    }
    if (table.readers.empty()) {
      return;
    }
    // Uses are listed from the last one on.
    std::reverse(table.readers.begin(), table.readers.end());
    for (GatherOp reader : table.readers) {
      if (table.obstacle.empty()) {
        table.obstacle = rules.find(reader);
      }
    }
    if (table.obstacle.empty()) {
      table.obstacle = findObstacle(table, isGone);
    }
    tables.push_back(std::move(table));
  });
  return tables;
}

IE::IntegerRows IE::computeRows(ArrayRef<float> elements, int64_t numRows) {
  IntegerRows rows;
  int64_t shape[] = {numRows, static_cast<int64_t>(elements.size()) / numRows};
  rows.scales = getWeightScales(elements, shape, /*axis=*/0);
  rows.integers = quantizeWeights(elements, shape, /*axis=*/0, rows.scales);
  return rows;
}

static void quantizeTable(const IE::EmbeddingTable &table) {
  IE::ConstantOp constant = table.constant;
  Location loc = constant.getLoc();
  OpBuilder builder(constant);
  RankedTensorType type = getTensorType(constant->getResult(0));
  IE::IntegerRows rows = IE::computeRows(
      IE::ConstantFloats(constant->getResult(0)).getAll<float>(),
      table.getNumRows());
  auto bytes = llvm::map_to_vector(rows.integers, [](int16_t integer) {
    return static_cast<int8_t>(integer);
  });
  SmallVector<int64_t> scaleShape(type.getRank(), 1);
  scaleShape.front() = table.getNumRows();
  Value integers = IE::buildConstant<int8_t>(builder, loc, type.getShape(),
                                             builder.getI8Type(), bytes);
  Value scales = IE::buildConstant<float>(builder, loc, scaleShape,
                                          builder.getF32Type(), rows.scales);
  for (IE::GatherOp reader : table.readers) {
    builder.setInsertionPoint(reader);
    Location place = reader.getLoc();
    auto pick = [&](Value from) -> Value {
      return IE::GatherOp::create(builder, place, from, reader.getIndices(),
                                  reader.getAxisAttr());
    };
    Value floats = IE::castToF32(builder, place, pick(integers));
    Value scale = pick(scales);
    Value result = IE::MulOp::create(builder, place, floats, scale);
    IE::setValueName(result, IE::getValueName(reader->getResult(0)));
    reader->getResult(0).replaceAllUsesWith(
        IE::refineTo(builder, place, result, reader.getType()));
    reader.erase();
  }
  constant.erase();
}

namespace {

struct QuantizeEmbeddingsPass final
    : IE::KeepingPass<
          nacre::IE::impl::QuantizeEmbeddingsBase<QuantizeEmbeddingsPass>> {
  using KeepingPass::KeepingPass;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal()) {
      return;
    }
    if (failed(IE::KeepRules::verify(function, keep))) {
      return signalPassFailure();
    }
    for (const IE::EmbeddingTable &table :
         IE::findEmbeddingTables(function, IE::KeepRules(function, keep))) {
      if (table.obstacle.empty()) {
        quantizeTable(table);
        ++numTables;
      }
    }
  }
};

} // namespace
