//===- KnownRanges.cpp - A range profile for look-ups ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/KnownRanges.h"

#include "nacre/Quantization/InputProducts.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

FailureOr<std::shared_ptr<const IE::KnownRanges>>
IE::KnownRanges::read(Location loc, StringRef path, Rounding rounding) {
  llvm::Expected<RangeProfile> profile = RangeProfile::read(path);
  if (!profile) {
    return emitError(loc) << "cannot read ranges from '" << path
                          << "': " << llvm::toString(profile.takeError());
  }
  auto result = std::make_shared<KnownRanges>();
  result->path = path.str();
  result->profile = std::move(*profile);
  for (const Override &override : result->profile.overrides) {
    llvm::Expected<llvm::GlobPattern> pattern =
        llvm::GlobPattern::create(override.node);
    if (!pattern) {
      return emitError(loc) << "'" << override.node << "' in '" << path
                            << "' is no pattern of names: "
                            << llvm::toString(pattern.takeError());
    }
  }
  result->index();
  if (rounding == Rounding::Hessian && failed(result->readSums(loc))) {
    return failure();
  }
  return std::shared_ptr<const KnownRanges>(std::move(result));
}

void IE::KnownRanges::index() {
  for (const ValueProfile &value : profile.values) {
    byName[value.name] = &value;
  }
  for (const Override &override : profile.overrides) {
    if (!override.node.empty()) {
      precisions.emplace_back(
          llvm::cantFail(llvm::GlobPattern::create(override.node)), &override);
    }
  }
}

std::shared_ptr<const IE::KnownRanges>
IE::KnownRanges::with(std::vector<ValueProfile> values) const {
  auto result = std::make_shared<KnownRanges>();
  result->path = path;
  result->profile = profile;
  result->sums = sums;
  llvm::append_range(result->profile.values, std::move(values));
  result->index();
  return result;
}

LogicalResult IE::KnownRanges::readSums(Location loc) {
  if (!profile.sums) {
    return emitError(loc, "'") << path << "' has no sums of inputs, which "
                               << "rounding by them needs: nacre calibrate "
                               << "--hessians measures them";
  }
  llvm::SmallString<128> file(llvm::sys::path::parent_path(path));
  llvm::sys::path::append(file, profile.sums->file);
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return emitError(loc, "cannot read '")
           << file << "', which '" << path
           << "' names: " << buffer.getError().message();
  }
  if (!profile.sums->isOf((*buffer)->getBuffer())) {
    return emitError(loc, "'")
           << file << "' is not what was measured with '" << path
           << "': take back the file that was, measure both again with nacre "
              "calibrate, or use --rounding=nearest";
  }
  uint64_t size = (*buffer)->getBufferSize() / sizeof(float);
  for (const ProductSums &product : profile.sums->products) {
    // One by one, for numbers may be anything.
    bool fits = product.columns <= kMostColumns && product.groups <= size &&
                product.offset <= size &&
                getTriangleSize(product.columns) * product.groups <=
                    size - product.offset;
    if (!fits) {
      return emitError(loc, "'")
             << file << "' ends before the sums of '" << product.result << "'";
    }
  }
  sums = std::move(*buffer);
  return success();
}

ArrayRef<float> IE::KnownRanges::findSums(StringRef result, uint64_t columns,
                                          uint64_t groups) const {
  if (!sums) {
    return {};
  }
  auto found =
      llvm::find_if(profile.sums->products, [&](const ProductSums &product) {
        return product.result == result;
      });
  if (found == profile.sums->products.end() || found->columns != columns ||
      found->groups != groups) {
    return {};
  }
  const auto *floats = reinterpret_cast<const float *>(sums->getBufferStart());
  return {floats + found->offset, getTriangleSize(columns) * groups};
}

ArrayRef<float> IE::KnownRanges::findCorrections(StringRef result) const {
  if (!profile.biases) {
    return {};
  }
  auto found =
      llvm::find_if(profile.biases->products, [&](const CorrectedBias &bias) {
        return bias.result == result;
      });
  return found == profile.biases->products.end() ? ArrayRef<float>()
                                                 : ArrayRef(found->addends);
}

std::optional<quantization::Range>
IE::KnownRanges::findOverride(StringRef name) const {
  for (const Override &override : llvm::reverse(profile.overrides)) {
    if (override.range && override.value == name) {
      return override.range;
    }
  }
  return std::nullopt;
}

/// Of several patterns that match, the last counts.
const Override *IE::KnownRanges::findPrecision(StringRef node) const {
  for (const auto &[pattern, override] : llvm::reverse(precisions)) {
    if (pattern.match(node)) {
      return override;
    }
  }
  return nullptr;
}

void IE::KnownRanges::warnOfOtherGraph(Location loc, StringRef digest) const {
  if (!profile.graph.empty() && profile.graph != digest) {
    emitWarning(loc, "'") << path << "' was measured on another graph, whose "
                          << "values have the names of this one's";
  }
}
