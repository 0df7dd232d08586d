//===- Strategy.cpp - How an op is to be computed -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text, the verification and the arithmetic of #VPU.strategy.
//
//===----------------------------------------------------------------------===//

#include "StrategyText.h"
#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

FailureOr<SmallVector<int64_t>> VPU::parseCounts(AsmParser &parser) {
  SmallVector<int64_t> counts;
  auto parseCount = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      counts.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(counts.emplace_back());
  };
  if (failed(parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                            parseCount))) {
    return failure();
  }
  return counts;
}

void VPU::printCounts(AsmPrinter &printer, ArrayRef<int64_t> counts) {
  printer << '[';
  llvm::interleaveComma(counts, printer.getStream(), [&](int64_t count) {
    if (ShapedType::isDynamic(count)) {
      printer << '?';
    } else {
      printer << count;
    }
  });
  printer << ']';
}

FailureOr<FusedNeighbours> VPU::parseNeighbours(AsmParser &parser) {
  FusedNeighbours neighbours = FusedNeighbours::none;
  auto parseName = [&]() -> ParseResult {
    llvm::SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (failed(parser.parseKeyword(&name))) {
      return failure();
    }
    std::optional<FusedNeighbours> neighbour = symbolizeFusedNeighbours(name);
    if (!neighbour) {
      return parser.emitError(loc, "expected producer or unblocking, found ")
             << name;
    }
    neighbours = neighbours | *neighbour;
    return success();
  };
  if (failed(parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                            parseName))) {
    return failure();
  }
  return neighbours;
}

void VPU::printNeighbours(AsmPrinter &printer, FusedNeighbours neighbours) {
  printer << '[';
  bool isFirst = true;
  for (FusedNeighbours neighbour :
       {FusedNeighbours::producer, FusedNeighbours::unblocking}) {
    if (bitEnumContainsAll(neighbours, neighbour)) {
      printer << (isFirst ? "" : ", ") << stringifyFusedNeighbours(neighbour);
      isFirst = false;
    }
  }
  printer << ']';
}

static bool hasUnknown(ArrayRef<int64_t> counts) {
  return llvm::is_contained(counts, ShapedType::kDynamic);
}

/// Checks that a tile is given exactly with the algorithm that has tiles.
static LogicalResult
verifyAlgorithm(function_ref<InFlightDiagnostic()> emitError,
                Algorithm algorithm, int64_t winogradTile) {
  if (algorithm != Algorithm::winograd) {
    if (winogradTile != 0) {
      return emitError() << "expected algorithm = winograd with winogradTile = "
                         << winogradTile << ", found "
                         << stringifyAlgorithm(algorithm);
    }
    return success();
  }
  if (NCEWinogradConvolutionOp::getSignedPoints(winogradTile).empty()) {
    return emitError() << "expected winogradTile to be 2 or 4 with algorithm = "
                          "winograd, found "
                       << winogradTile;
  }
  return success();
}

/// Checks the fields of a group, with which there are none of single ops.
static LogicalResult verifyGroup(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t group, ArrayRef<int64_t> block,
                                 ArrayRef<int64_t> parts, bool isAlone) {
  if (group < 1 || group > std::numeric_limits<int32_t>::max()) {
    return emitError() << "expected group to be from 1 to "
                       << std::numeric_limits<int32_t>::max() << ", found "
                       << group;
  }
  for (int64_t size : block) {
    if (size < 0 && !ShapedType::isDynamic(size)) {
      return emitError() << "expected no negative size of a block, found "
                         << size;
    }
  }
  if (!block.empty() && !parts.empty() && block.size() != parts.size()) {
    return emitError() << "expected as many sizes of a block as parts, found "
                       << block.size() << " and " << parts.size();
  }
  if (!isAlone) {
    return emitError() << "expected parts and a block alone with group = "
                       << group;
  }
  return success();
}

LogicalResult StrategyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Algorithm algorithm, int64_t winogradTile,
                                   ClusterStrategy multiCluster,
                                   ArrayRef<int64_t> parts, int64_t grain,
                                   int64_t rest, ArrayRef<int64_t> tiles,
                                   FusedNeighbours fused,
                                   int64_t wideningBlocks, bool padInPlace,
                                   int64_t group, ArrayRef<int64_t> block) {
  if (failed(verifyAlgorithm(emitError, algorithm, winogradTile))) {
    return failure();
  }
  for (auto [name, counts] : {std::pair(StringRef("parts"), parts),
                              std::pair(StringRef("tiles"), tiles)}) {
    for (int64_t count : counts) {
      if (count < 1 && !ShapedType::isDynamic(count)) {
        return emitError() << "expected " << name
                           << " to be positive or `?`, found " << count;
      }
    }
  }
  if (!parts.empty() && !tiles.empty() && parts.size() != tiles.size()) {
    return emitError() << "expected as many tiles as parts, found "
                       << tiles.size() << " and " << parts.size();
  }
  bool isSplit = llvm::any_of(parts, [](int64_t count) { return count != 1; });
  if (isSplit != (multiCluster != ClusterStrategy::Clustering)) {
    return emitError() << (isSplit ? "unexpected" : "expected")
                       << " parts with multiCluster = "
                       << stringifyClusterStrategy(multiCluster);
  }
  if (hasUnknown(parts) != (grain != 0) || grain < 0 ||
      grain > std::numeric_limits<int32_t>::max()) {
    return emitError()
           << "expected a positive grain of 31 bits exactly where a "
              "run chooses parts, found "
           << grain;
  }
  if (rest < 0 || wideningBlocks < 0) {
    return emitError() << "expected no negative number, found rest = " << rest
                       << " and wideningBlocks = " << wideningBlocks;
  }
  if (rest != 0 && multiCluster != ClusterStrategy::SplitOverKernel) {
    return emitError() << "expected SplitOverKernel with rest = " << rest
                       << ", found " << stringifyClusterStrategy(multiCluster);
  }
  bool isForLoops = !tiles.empty() || rest != 0 || wideningBlocks != 0 ||
                    fused != FusedNeighbours::none;
  if (group != 0 || !block.empty()) {
    bool isAlone =
        algorithm == Algorithm::undecided && !isForLoops && !padInPlace;
    return verifyGroup(emitError, group, block, parts, isAlone);
  }
  bool computes = algorithm != Algorithm::undecided || isSplit ||
                  !tiles.empty() || wideningBlocks != 0 ||
                  fused != FusedNeighbours::none;
  if (padInPlace && computes) {
    return emitError() << "expected padInPlace alone: a copy that is not there "
                          "has no loops";
  }
  return success();
}

StrategyAttr StrategyAttr::lookup(Operation *op) {
  return op->getAttrOfType<StrategyAttr>(attrName);
}

void StrategyAttr::attachTo(Operation *op) const {
  op->setAttr(attrName, *this);
}

StrategyAttr StrategyAttr::getDefault(MLIRContext *context) {
  return getForParts(context, ClusterStrategy::Clustering, {},
                     FusedNeighbours::none);
}

StrategyAttr StrategyAttr::getForAlgorithm(MLIRContext *context,
                                           Algorithm algorithm,
                                           int64_t winogradTile) {
  return get(context, algorithm, winogradTile, ClusterStrategy::Clustering, {},
             /*grain=*/0, /*rest=*/0, {}, FusedNeighbours::none,
             /*wideningBlocks=*/0, /*padInPlace=*/false, /*group=*/0,
             /*block=*/{});
}

StrategyAttr StrategyAttr::getForParts(MLIRContext *context,
                                       ClusterStrategy multiCluster,
                                       ArrayRef<int64_t> parts,
                                       FusedNeighbours fused, int64_t grain,
                                       int64_t rest) {
  return get(context, Algorithm::undecided, /*winogradTile=*/0, multiCluster,
             parts, grain, rest, {}, fused, /*wideningBlocks=*/0,
             /*padInPlace=*/false, /*group=*/0, /*block=*/{});
}

StrategyAttr StrategyAttr::getPaddingInPlace(MLIRContext *context) {
  return get(context, Algorithm::undecided, /*winogradTile=*/0,
             ClusterStrategy::Clustering, {}, /*grain=*/0, /*rest=*/0, {},
             FusedNeighbours::none, /*wideningBlocks=*/0, /*padInPlace=*/true,
             /*group=*/0, /*block=*/{});
}

StrategyAttr StrategyAttr::getForGroup(MLIRContext *context, int64_t group,
                                       ArrayRef<int64_t> parts, int64_t grain,
                                       ArrayRef<int64_t> block) {
  ClusterStrategy multiCluster = parts.empty()
                                     ? ClusterStrategy::Clustering
                                     : ClusterStrategy::SplitOverHeight;
  return get(context, Algorithm::undecided, /*winogradTile=*/0, multiCluster,
             parts, grain, /*rest=*/0, /*tiles=*/{}, FusedNeighbours::none,
             /*wideningBlocks=*/0, /*padInPlace=*/false, group, block);
}

StrategyAttr StrategyAttr::withTiles(ArrayRef<int64_t> tiles,
                                     FusedNeighbours fused,
                                     int64_t wideningBlocks) const {
  return get(getContext(), getAlgorithm(), getWinogradTile(), getMultiCluster(),
             getParts(), getGrain(), getRest(), tiles, getFused() | fused,
             wideningBlocks, getPadInPlace(), getGroup(), getBlock());
}

StrategyAttr StrategyAttr::withoutAlgorithm() const {
  if (*this ==
      getForAlgorithm(getContext(), getAlgorithm(), getWinogradTile())) {
    return getAlgorithm() == Algorithm::undecided ? *this : StrategyAttr();
  }
  return get(getContext(), Algorithm::undecided, /*winogradTile=*/0,
             getMultiCluster(), getParts(), getGrain(), getRest(), getTiles(),
             getFused(), getWideningBlocks(), getPadInPlace(), getGroup(),
             getBlock());
}

StrategyAttr StrategyAttr::withoutRest() const {
  return get(getContext(), getAlgorithm(), getWinogradTile(), getMultiCluster(),
             getParts(), getGrain(), /*rest=*/0, getTiles(), getFused(),
             getWideningBlocks(), getPadInPlace(), getGroup(), getBlock());
}

StrategyAttr StrategyAttr::withoutParts() const {
  return get(getContext(), getAlgorithm(), getWinogradTile(),
             ClusterStrategy::Clustering, {}, /*grain=*/0, /*rest=*/0,
             getTiles(), getFused(), getWideningBlocks(), getPadInPlace(),
             getGroup(), getBlock());
}

bool StrategyAttr::hasRunTimeParts() const { return hasUnknown(getParts()); }

bool StrategyAttr::hasRunTimeTiles() const { return hasUnknown(getTiles()); }

/// A whole of this shape divided into so many parts.
static SmallVector<int64_t> divide(ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> counts) {
  SmallVector<int64_t> part(shape);
  for (auto [size, count] : llvm::zip(part, counts)) {
    if (!ShapedType::isDynamic(count) && !ShapedType::isDynamic(size)) {
      size /= count;
    }
  }
  return part;
}

SmallVector<int64_t> StrategyAttr::getPart(ArrayRef<int64_t> shape,
                                           unsigned blockDim) const {
  SmallVector<int64_t> whole(shape);
  if (getRest() != 0) {
    whole[blockDim] -= getRest();
  }
  return divide(whole, getParts());
}

SmallVector<int64_t> StrategyAttr::getTile(ArrayRef<int64_t> part) const {
  return divide(part, getTiles());
}
