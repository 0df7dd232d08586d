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

/// A set of flags as a list of their names.
template <typename Flags>
static FailureOr<Flags> parseFlags(AsmParser &parser, StringRef names) {
  Flags flags{};
  auto parseName = [&]() -> ParseResult {
    llvm::SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (failed(parser.parseKeyword(&name))) {
      return failure();
    }
    std::optional<Flags> flag = symbolizeEnum<Flags>(name);
    if (!flag) {
      return parser.emitError(loc, "expected ") << names << ", found " << name;
    }
    flags = flags | *flag;
    return success();
  };
  if (failed(parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                            parseName))) {
    return failure();
  }
  return flags;
}

template <typename Flags>
static void printFlags(AsmPrinter &printer, Flags flags, ArrayRef<Flags> all) {
  auto isSet = [&](Flags flag) { return bitEnumContainsAll(flags, flag); };
  printer << '[';
  llvm::interleaveComma(llvm::make_filter_range(all, isSet),
                        printer.getStream(),
                        [&](Flags flag) { printer << stringifyEnum(flag); });
  printer << ']';
}

FailureOr<FusedNeighbours> VPU::parseNeighbours(AsmParser &parser) {
  return parseFlags<FusedNeighbours>(parser, "producer or unblocking");
}

void VPU::printNeighbours(AsmPrinter &printer, FusedNeighbours neighbours) {
  printFlags<FusedNeighbours>(
      printer, neighbours,
      {FusedNeighbours::producer, FusedNeighbours::unblocking});
}

FailureOr<BorderDims> VPU::parseBorderDims(AsmParser &parser) {
  return parseFlags<BorderDims>(parser, "rows or columns");
}

void VPU::printBorderDims(AsmPrinter &printer, BorderDims dims) {
  printFlags<BorderDims>(printer, dims,
                         {BorderDims::rows, BorderDims::columns});
}

namespace {

/// The parameters of a strategy by name, at first those of an op by itself on
/// one cluster, in one tile.
struct StrategyFields {
  Algorithm algorithm = Algorithm::undecided;
  int64_t winogradTile = 0, blockParts = 0;
  ClusterStrategy multiCluster = ClusterStrategy::Clustering;
  ArrayRef<int64_t> parts;
  int64_t grain = 0, rest = 0;
  ArrayRef<int64_t> tiles;
  FusedNeighbours fused = FusedNeighbours::none;
  int64_t wideningBlocks = 0;
  bool padInPlace = false;
  int64_t group = 0;
  ArrayRef<int64_t> block;
  int64_t pointCost = 0, fewSteps = 0;
  bool shareRest = false;
  int64_t merge = 0;
  TileLimitsAttr limits;
  ArrayRef<int64_t> chunk;
  bool prefetchInput = false;
  KernelStrategyAttr kernel;

  StrategyFields() = default;
  explicit StrategyFields(StrategyAttr strategy)
      : algorithm(strategy.getAlgorithm()),
        winogradTile(strategy.getWinogradTile()),
        blockParts(strategy.getBlockParts()),
        multiCluster(strategy.getMultiCluster()), parts(strategy.getParts()),
        grain(strategy.getGrain()), rest(strategy.getRest()),
        tiles(strategy.getTiles()), fused(strategy.getFused()),
        wideningBlocks(strategy.getWideningBlocks()),
        padInPlace(strategy.getPadInPlace()), group(strategy.getGroup()),
        block(strategy.getBlock()), pointCost(strategy.getPointCost()),
        fewSteps(strategy.getFewSteps()), shareRest(strategy.getShareRest()),
        merge(strategy.getMerge()), limits(strategy.getLimits()),
        chunk(strategy.getChunk()), prefetchInput(strategy.getPrefetchInput()),
        kernel(strategy.getKernel()) {}

  StrategyAttr get(MLIRContext *context) const {
    return StrategyAttr::get(context, algorithm, winogradTile, blockParts,
                             multiCluster, parts, grain, rest, tiles, fused,
                             wideningBlocks, padInPlace, group, block,
                             pointCost, fewSteps, shareRest, merge, limits,
                             chunk, prefetchInput, kernel);
  }
};

} // namespace

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

/// Checks that limits are there exactly for the tiles or the block that they
/// bound.
static LogicalResult verifyLimits(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> tiles,
                                  ArrayRef<int64_t> block,
                                  TileLimitsAttr limits) {
  bool boundsTiles = hasUnknown(tiles), boundsBlock = hasUnknown(block);
  if (static_cast<bool>(limits) != (boundsTiles || boundsBlock)) {
    return emitError() << "expected limits exactly where tiles or a block are "
                          "computed at run time";
  }
  if (boundsTiles && limits.getLeastPixels() == 0) {
    return emitError() << "expected leastPixels in the limits of tiles";
  }
  if (boundsBlock && limits.getLeastSteps().size() != block.size()) {
    return emitError() << "expected as many leastSteps as sizes of a block, "
                          "found "
                       << limits.getLeastSteps().size() << " and "
                       << block.size();
  }
  return success();
}

/// Checks that two loops could be shared where the steps of the first one say
/// which one is.
static LogicalResult
verifyFewSteps(function_ref<InFlightDiagnostic()> emitError, int64_t fewSteps,
               ArrayRef<int64_t> parts) {
  // So few that they can be multiplied by numbers of parts.
  constexpr int64_t kMost = int64_t(1) << 20;
  bool hasTwo = llvm::count(parts, ShapedType::kDynamic) == 2;
  if (fewSteps < 0 || fewSteps > kMost || (fewSteps != 0 && !hasTwo)) {
    return emitError() << "expected fewSteps, up to " << kMost
                       << ", where parts of two loops are `?`, found "
                       << fewSteps;
  }
  return success();
}

/// Checks what is computed at a time, with which there are no loops.
static LogicalResult verifyChunk(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> chunk, bool isAlone) {
  for (int64_t size : chunk) {
    if (size < 1 || size > std::numeric_limits<int32_t>::max()) {
      return emitError() << "expected numbers of a chunk from 1 to "
                         << std::numeric_limits<int32_t>::max() << ", found "
                         << size;
    }
  }
  if (!isAlone) {
    return emitError()
           << "expected a chunk alone: it is chosen when loops have "
              "been made";
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

LogicalResult StrategyAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, Algorithm algorithm,
    int64_t winogradTile, int64_t blockParts, ClusterStrategy multiCluster,
    ArrayRef<int64_t> parts, int64_t grain, int64_t rest,
    ArrayRef<int64_t> tiles, FusedNeighbours fused, int64_t wideningBlocks,
    bool padInPlace, int64_t group, ArrayRef<int64_t> block, int64_t pointCost,
    int64_t fewSteps, bool shareRest, int64_t merge, TileLimitsAttr limits,
    ArrayRef<int64_t> chunk, bool prefetchInput, KernelStrategyAttr kernel) {
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
           << "expected a positive grain of 31 bits exactly where parts are "
              "computed at run time, found "
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
  if (pointCost < 0 || pointCost > std::numeric_limits<int32_t>::max() ||
      (pointCost != 0 && group == 0)) {
    return emitError() << "expected a pointCost of 31 bits on members of a "
                          "group alone, found "
                       << pointCost;
  }
  if (shareRest && (group != 0 || parts != ArrayRef(ShapedType::kDynamic))) {
    return emitError() << "expected shareRest with parts = [?] of a loop alone";
  }
  if (failed(verifyFewSteps(emitError, fewSteps, parts)) ||
      failed(verifyLimits(emitError, tiles, block, limits))) {
    return failure();
  }
  if (blockParts < 0 || blockParts > std::numeric_limits<int32_t>::max()) {
    return emitError() << "expected blockParts of 31 bits, found "
                       << blockParts;
  }
  bool isForLoops = !tiles.empty() || rest != 0 || wideningBlocks != 0 ||
                    fused != FusedNeighbours::none;
  bool isForBuffers = !chunk.empty() || prefetchInput || kernel;
  if (merge < 0 || merge > std::numeric_limits<int32_t>::max()) {
    return emitError() << "expected merge of 31 bits, found " << merge;
  }
  if (merge != 0 && (algorithm != Algorithm::undecided || isSplit ||
                     isForLoops || padInPlace || group != 0 || !block.empty() ||
                     blockParts != 0 || isForBuffers)) {
    return emitError() << "expected merge alone: reductions that become one op "
                          "are in no group";
  }
  if (blockParts != 0 &&
      (algorithm != Algorithm::undecided || isSplit || isForLoops ||
       padInPlace || group != 0 || !block.empty() || isForBuffers)) {
    return emitError() << "expected blockParts alone: they are chosen before "
                          "weights are packed";
  }
  if (isForBuffers) {
    bool isAlone = algorithm == Algorithm::undecided && !isSplit &&
                   !isForLoops && !padInPlace && group == 0 && block.empty();
    // What of a kernel's is in scratch memory is decided with its chunk.
    bool isForScratch = kernel && kernel.getLowBitTile();
    bool hasOthers = !chunk.empty() || prefetchInput;
    if (kernel && (!isAlone || (hasOthers && !isForScratch))) {
      return emitError()
             << "expected kernel alone: it is chosen when loops and "
                "scratch memory are there";
    }
    if (prefetchInput && !isAlone) {
      return emitError() << "expected no loops with prefetchInput: it is "
                            "chosen when they have been made";
    }
    return verifyChunk(emitError, chunk, isAlone);
  }
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

LogicalResult
TileLimitsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       int64_t bytes, ArrayRef<int64_t> leastSteps,
                       ArrayRef<int64_t> mostBytes, int64_t leastBytes,
                       int64_t leastPixels) {
  // So many that they can be multiplied by each other and by sizes of rows.
  constexpr int64_t kManyBytes = int64_t(1) << 40;
  constexpr int64_t kManySteps = int64_t(1) << 20;
  auto isBelow = [](int64_t most) {
    return [=](int64_t number) { return number >= 0 && number <= most; };
  };
  if (bytes < 1 || bytes > kManyBytes ||
      !llvm::all_of(mostBytes, isBelow(kManyBytes))) {
    return emitError() << "expected a positive number of bytes, and mostBytes "
                          "from 0, of up to 40 bits";
  }
  if (llvm::is_contained(leastSteps, 0) ||
      !llvm::all_of(leastSteps, isBelow(kManySteps)) ||
      !isBelow(kManySteps)(leastPixels)) {
    return emitError() << "expected leastSteps from 1 and leastPixels from 0, "
                          "both up to "
                       << kManySteps;
  }
  if (leastSteps.size() != mostBytes.size()) {
    return emitError() << "expected mostBytes for each of leastSteps, found "
                       << mostBytes.size() << " and " << leastSteps.size();
  }
  if (leastSteps.empty() == (leastPixels == 0)) {
    return emitError() << "expected either leastSteps, of a group, or "
                          "leastPixels, of an image";
  }
  int64_t mostLeft = leastSteps.empty() ? 0 : bytes;
  if (!isBelow(mostLeft)(leastBytes)) {
    return emitError() << "expected leastBytes, of steps of a group, from 0 to "
                       << mostLeft << ", found " << leastBytes;
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
  return StrategyFields().get(context);
}

StrategyAttr StrategyAttr::getForAlgorithm(MLIRContext *context,
                                           Algorithm algorithm,
                                           int64_t winogradTile) {
  StrategyFields fields;
  fields.algorithm = algorithm;
  fields.winogradTile = winogradTile;
  return fields.get(context);
}

StrategyAttr StrategyAttr::getForBlocks(MLIRContext *context,
                                        int64_t blockParts) {
  StrategyFields fields;
  fields.blockParts = blockParts;
  return fields.get(context);
}

StrategyAttr StrategyAttr::getForParts(MLIRContext *context,
                                       ClusterStrategy multiCluster,
                                       ArrayRef<int64_t> parts,
                                       FusedNeighbours fused, int64_t grain,
                                       int64_t rest) {
  StrategyFields fields;
  fields.multiCluster = multiCluster;
  fields.parts = parts;
  fields.fused = fused;
  fields.grain = grain;
  fields.rest = rest;
  return fields.get(context);
}

StrategyAttr StrategyAttr::getPaddingInPlace(MLIRContext *context) {
  StrategyFields fields;
  fields.padInPlace = true;
  return fields.get(context);
}

StrategyAttr StrategyAttr::getForGroup(MLIRContext *context, int64_t group,
                                       ArrayRef<int64_t> parts, int64_t grain,
                                       ArrayRef<int64_t> block,
                                       TileLimitsAttr limits) {
  StrategyFields fields;
  fields.multiCluster = parts.empty() ? ClusterStrategy::Clustering
                                      : ClusterStrategy::SplitOverHeight;
  fields.parts = parts;
  fields.grain = grain;
  fields.group = group;
  fields.block = block;
  fields.limits = limits;
  return fields.get(context);
}

StrategyAttr StrategyAttr::getForMerging(MLIRContext *context, int64_t merge) {
  StrategyFields fields;
  fields.merge = merge;
  return fields.get(context);
}

StrategyAttr StrategyAttr::getForKernel(MLIRContext *context,
                                        KernelStrategyAttr kernel,
                                        ArrayRef<int64_t> chunk) {
  StrategyFields fields;
  fields.kernel = kernel;
  fields.chunk = chunk;
  return fields.get(context);
}

StrategyAttr StrategyAttr::withPointCost(int64_t pointCost) const {
  StrategyFields fields(*this);
  fields.pointCost = pointCost;
  return fields.get(getContext());
}

StrategyAttr StrategyAttr::withFewSteps(int64_t fewSteps) const {
  StrategyFields fields(*this);
  fields.fewSteps = fewSteps;
  return fields.get(getContext());
}

StrategyAttr StrategyAttr::withSharedRest(bool shareRest) const {
  StrategyFields fields(*this);
  fields.shareRest = shareRest;
  return fields.get(getContext());
}

StrategyAttr StrategyAttr::withPrefetchedInput(bool prefetchInput) const {
  StrategyFields fields(*this);
  fields.prefetchInput = prefetchInput;
  return fields.get(getContext());
}

StrategyAttr StrategyAttr::withTiles(ArrayRef<int64_t> tiles,
                                     FusedNeighbours fused,
                                     int64_t wideningBlocks,
                                     TileLimitsAttr limits) const {
  StrategyFields fields(*this);
  fields.tiles = tiles;
  fields.fused = fields.fused | fused;
  fields.wideningBlocks = wideningBlocks;
  fields.limits = limits;
  return fields.get(getContext());
}

StrategyAttr StrategyAttr::withoutAlgorithm() const {
  if (*this ==
      getForAlgorithm(getContext(), getAlgorithm(), getWinogradTile())) {
    return getAlgorithm() == Algorithm::undecided ? *this : StrategyAttr();
  }
  StrategyFields fields(*this);
  fields.algorithm = Algorithm::undecided;
  fields.winogradTile = 0;
  return fields.get(getContext());
}

StrategyAttr StrategyAttr::withoutRest() const {
  StrategyFields fields(*this);
  fields.rest = 0;
  return fields.get(getContext());
}

StrategyAttr StrategyAttr::withoutParts() const {
  StrategyFields fields(*this);
  fields.multiCluster = ClusterStrategy::Clustering;
  fields.parts = {};
  fields.grain = fields.rest = fields.fewSteps = 0;
  return fields.get(getContext());
}

bool StrategyAttr::isInSoftware() const {
  return getAlgorithm() == Algorithm::software ||
         getAlgorithm() == Algorithm::narrowSoftware;
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
