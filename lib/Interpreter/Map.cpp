//===- Map.cpp - Evaluation of maps ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interpreter kernels of the IE operator family: maps.
//
//===----------------------------------------------------------------------===//

#include "Stacking.h"

#include "nacre/Dialect/IE/IR/Map.h"

#include <map>

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

static LogicalResult evalZipMap(IE::ZipMapOp, ArrayRef<Datum> operands,
                                RegionRunner, SmallVectorImpl<Datum> &results) {
  const Tensor &input = operands[0].getTensor();
  const Tensor &labels = operands[1].getTensor();
  int64_t rows = input.getRank() == 1 ? 1 : input.getDim(0);
  std::vector<Datum> maps;
  for (int64_t row = 0; row < rows; ++row) {
    Tensor values = input.getRank() == 1 ? input : takeSlice(input, 0, row);
    maps.push_back(Datum::map(labels, values));
  }
  results.push_back(Datum::list(std::move(maps)));
  return success();
}

/// Where each key of a map is, in the order of the keys; of equal ones, the
/// last counts.
template <typename Key>
static std::map<Key, int64_t> getPositions(const Datum &map) {
  std::map<Key, int64_t> positions;
  const Tensor &keys = map.getElements()[0].getTensor();
  for (int64_t i = 0; i < keys.getNumElements(); ++i) {
    if constexpr (std::is_same_v<Key, int64_t>) {
      positions[keys.values<int64_t>()[i]] = i;
    } else {
      positions[StringRef(keys.values<String>()[i]).str()] = i;
    }
  }
  return positions;
}

/// Element `from` of one tensor becomes element `to` of another.
static void copyElement(const Tensor &in, int64_t from, Tensor &out,
                        int64_t to) {
  int64_t bytes = getElementBytes(in.getElementType());
  llvm::copy(in.getBytes().slice(from * bytes, bytes),
             out.getMutableBytes().begin() + to * bytes);
}

template <typename Key, typename Stored>
static void get(const Datum &map, const Tensor &keys, Tensor &values,
                Tensor &found) {
  std::map<Key, int64_t> positions = getPositions<Key>(map);
  for (auto [i, key] : llvm::enumerate(keys.values<Stored>())) {
    Key wanted;
    if constexpr (std::is_same_v<Key, Stored>) {
      wanted = key;
    } else {
      wanted = StringRef(key).str();
    }
    auto it = positions.find(wanted);
    if (it != positions.end()) {
      copyElement(map.getElements()[1].getTensor(), it->second, values, i);
      found.mutableValues<bool>()[i] = true;
    }
  }
}

static LogicalResult evalGet(IE::MapGetOp op, ArrayRef<Datum> operands,
                             RegionRunner, SmallVectorImpl<Datum> &results) {
  const Tensor &keys = operands[1].getTensor();
  Tensor values(RankedTensorType::get({1, keys.getNumElements()},
                                      op.getMap().getType().getValue()));
  Tensor found(values.getType().clone(IntegerType::get(op.getContext(), 1)));
  if (keys.hasStrings()) {
    get<std::string, String>(operands[0], keys, values, found);
  } else {
    get<int64_t, int64_t>(operands[0], keys, values, found);
  }
  results.push_back(values);
  results.push_back(found);
  return success();
}

template <typename Key> static Tensor getSorted(const Datum &map) {
  std::map<Key, int64_t> positions = getPositions<Key>(map);
  const Tensor &values = map.getElements()[1].getTensor();
  auto count = static_cast<int64_t>(positions.size());
  Tensor sorted(RankedTensorType::get({1, count}, values.getElementType()));
  int64_t to = 0;
  for (const auto &[key, from] : positions) {
    copyElement(values, from, sorted, to++);
  }
  return sorted;
}

static LogicalResult evalValues(IE::MapValuesOp, ArrayRef<Datum> operands,
                                RegionRunner, SmallVectorImpl<Datum> &results) {
  bool hasStrings = operands[0].getElements()[0].getTensor().hasStrings();
  results.push_back(hasStrings ? getSorted<std::string>(operands[0])
                               : getSorted<int64_t>(operands[0]));
  return success();
}

void interpreter::registerMapKernels(MLIRContext *context) {
  attachCompositeKernel<IE::ZipMapOp, evalZipMap>(context);
  attachCompositeKernel<IE::MapGetOp, evalGet>(context);
  attachCompositeKernel<IE::MapValuesOp, evalValues>(context);
}
