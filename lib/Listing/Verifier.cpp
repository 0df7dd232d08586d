//===- Verifier.cpp - Consistency of listings -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes what a listing says of itself once more.
//
//===----------------------------------------------------------------------===//

#include "nacre/Listing/Listing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SourceMgr.h"

using namespace nacre;
using namespace nacre::listing;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::SMLoc;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

namespace {

class Verifier {
public:
  Verifier(const Function &function, llvm::SourceMgr &sources)
      : function(function), sources(sources),
        states(function.regions.size(), State::None) {}

  LogicalResult verify();

private:
  enum class State { None, Alive, Gone };

  LogicalResult error(SMLoc loc, const Twine &message) {
    sources.PrintMessage(loc, llvm::SourceMgr::DK_Error, message);
    return failure();
  }
  void note(SMLoc loc, const Twine &message) {
    sources.PrintMessage(loc, llvm::SourceMgr::DK_Note, message);
  }
  LogicalResult verifySizes();
  LogicalResult verifyUses();
  LogicalResult verifyBody(const Body &body);
  LogicalResult verifyAlloc(const Item &item);
  LogicalResult verifyDealloc(const Item &item);
  LogicalResult verifyOperands(const Item &item);

  const Function &function;
  llvm::SourceMgr &sources;
  llvm::SmallVector<State> states; // of the regions
  /// Those with a place that are alive, and the bytes of them.
  llvm::SmallVector<size_t> placed;
  int64_t mostBytes = 0, end = 0;
  int64_t nextNumber = 0;
};

} // namespace

/// The first bytes of all copies of a region.
static llvm::SmallVector<int64_t> getStarts(const Region &region) {
  llvm::SmallVector<int64_t> starts = {*region.offset};
  for (const Copies &copies : region.copies) {
    llvm::SmallVector<int64_t> all;
    for (int64_t start : starts) {
      for (int64_t i = 0; i < copies.count; ++i) {
        all.push_back(start + i * copies.pitch);
      }
    }
    starts = std::move(all);
  }
  return starts;
}

/// The bytes of all copies of a region.
static int64_t countAll(const Region &region) {
  int64_t bytes = region.bytes.known;
  for (const Copies &copies : region.copies) {
    bytes *= copies.count;
  }
  return bytes;
}

static bool overlap(const Region &a, const Region &b) {
  return llvm::any_of(getStarts(a), [&](int64_t first) {
    return llvm::any_of(getStarts(b), [&](int64_t second) {
      return first < second + b.bytes.known && second < first + a.bytes.known;
    });
  });
}

LogicalResult Verifier::verifySizes() {
  Bytes constants, placeholders;
  for (const Region &region : function.regions) {
    std::optional<Bytes> bytes = countBytes(region.type);
    // What a run allocates of bounded size has a place for the most it can be.
    bool isBounded = region.offset && bytes && bytes->isOpen;
    if (bytes && !isBounded && !(*bytes == region.bytes)) {
      return error(region.loc, "'" + region.name + "' has " + toString(*bytes) +
                                   " bytes by its type " + region.type +
                                   ", found " + toString(region.bytes));
    }
    if (region.kind == Storage::Constant) {
      constants += region.bytes;
    } else if (region.kind == Storage::Placeholder) {
      placeholders += region.bytes;
    }
  }
  Bytes size = constants;
  size += placeholders;
  const std::tuple<StringRef, Bytes, Bytes> sums[] = {
      {"constants", constants, function.constants},
      {"placeholders", placeholders, function.placeholders},
      {"regions", size, function.size}};
  for (const auto &[what, computed, stated] : sums) {
    if (!(computed == stated)) {
      return error(function.totalsLoc,
                   "the " + what + " have " + toString(computed) +
                       " bytes together, found " + toString(stated));
    }
  }
  return success();
}

LogicalResult Verifier::verifyUses() {
  Function again = function;
  complete(again);
  for (const auto &[stated, found] :
       llvm::zip_equal(function.regions, again.regions)) {
    auto contains = [](const Region &region, const Use &use) {
      return llvm::is_contained(region.uses, use);
    };
    for (const Use &use : stated.uses) {
      if (!contains(found, use)) {
        return error(stated.loc, "'" + stated.name + "' has no user @" +
                                     toString(use.access) + " " +
                                     Twine(use.instruction));
      }
    }
    for (const Use &use : found.uses) {
      if (!contains(stated, use)) {
        return error(stated.loc, "'" + stated.name + "' misses its user @" +
                                     toString(use.access) + " " +
                                     Twine(use.instruction));
      }
    }
  }
  return success();
}

LogicalResult Verifier::verifyAlloc(const Item &item) {
  const Region &region = function.regions[item.region];
  states[item.region] = State::Alive;
  if (!region.offset) {
    return success();
  }
  for (size_t other : placed) {
    if (overlap(region, function.regions[other])) {
      (void)error(region.loc, "'" + region.name + "' shares memory with '" +
                                  function.regions[other].name +
                                  "', which is alive");
      note(function.regions[other].loc, "allocated here");
      return failure();
    }
  }
  placed.push_back(item.region);
  for (int64_t start : getStarts(region)) {
    end = std::max(end, start + region.bytes.known);
  }
  Bytes alive;
  for (size_t live : placed) {
    alive += {countAll(function.regions[live]), false};
  }
  mostBytes = std::max(mostBytes, alive.known);
  return success();
}

LogicalResult Verifier::verifyDealloc(const Item &item) {
  const Region &region = function.regions[item.region];
  if (states[item.region] != State::Alive) {
    return error(item.loc, "'" + region.name + "' is not allocated here");
  }
  states[item.region] = State::Gone;
  llvm::erase(placed, item.region);
  return success();
}

LogicalResult Verifier::verifyOperands(const Item &item) {
  for (const Operand &operand : item.operands) {
    const Region &region = function.regions[operand.region];
    if (region.kind == Storage::Constant && operand.access != Access::In) {
      return error(operand.loc,
                   "'" + region.name + "' is constant and cannot be written");
    }
    if (region.kind == Storage::Activation &&
        states[operand.region] != State::Alive) {
      return error(operand.loc, "'" + region.name +
                                    "' is used while it is "
                                    "not allocated");
    }
  }
  return success();
}

LogicalResult Verifier::verifyBody(const Body &body) {
  llvm::SmallVector<const Item *> open;
  for (const Item &item : body) {
    if (item.kind == Item::Alloc) {
      if (failed(verifyAlloc(item))) {
        return failure();
      }
      open.push_back(&item);
      continue;
    }
    if (item.kind == Item::Dealloc) {
      auto isSame = [&](const Item *other) {
        return other->region == item.region;
      };
      if (llvm::none_of(open, isSame)) {
        return error(item.loc, "'" + function.regions[item.region].name +
                                   "' is not allocated in this body");
      }
      if (failed(verifyDealloc(item))) {
        return failure();
      }
      llvm::erase_if(open, isSame);
      continue;
    }
    if (item.number != nextNumber) {
      return error(item.loc, "expected instruction " + Twine(nextNumber) +
                                 ", found " + Twine(item.number));
    }
    ++nextNumber;
    if (failed(verifyOperands(item))) {
      return failure();
    }
    for (const Body &inner : item.bodies) {
      if (failed(verifyBody(inner))) {
        return failure();
      }
    }
  }
  // What a run allocates may live until it ends.
  for (const Item *item : open) {
    const Region &region = function.regions[item->region];
    if (region.offset) {
      return error(region.loc,
                   "'" + region.name + "' has a place and no 'dealloc'");
    }
  }
  return success();
}

LogicalResult Verifier::verify() {
  if (failed(verifySizes()) || failed(verifyBody(function.code)) ||
      failed(verifyUses())) {
    return failure();
  }
  if (end > function.activations.known) {
    return error(function.totalsLoc, "activations need " + Twine(end) +
                                         " bytes, found " +
                                         toString(function.activations));
  }
  if (mostBytes > function.liveSet.known ||
      function.liveSet.known > function.activations.known) {
    return error(function.totalsLoc,
                 "expected a largest live set from " + Twine(mostBytes) +
                     " to " + Twine(function.activations.known) +
                     " bytes, found " + toString(function.liveSet));
  }
  return success();
}

LogicalResult listing::verify(const Listing &listing,
                              llvm::SourceMgr &sources) {
  for (const Function &function : listing) {
    if (failed(Verifier(function, sources).verify())) {
      return failure();
    }
  }
  return success();
}
