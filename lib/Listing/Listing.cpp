//===- Listing.cpp - A program as regions and instructions ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from the regions and instructions that a collector has found.
//
//===----------------------------------------------------------------------===//

#include "nacre/Listing/Listing.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace nacre;
using namespace nacre::listing;
using llvm::StringRef;

/// The sum of two numbers that are not negative, at most the largest number.
static int64_t addUpToMost(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max()
                                      : sum;
}

Bytes &Bytes::operator+=(Bytes other) {
  known = addUpToMost(known, other.known);
  isOpen |= other.isOpen;
  return *this;
}

static void completeBody(Function &function, Body &body, int64_t &number) {
  for (Item &item : body) {
    if (item.kind != Item::Instruction) {
      continue;
    }
    item.number = number++;
    for (const Operand &operand : item.operands) {
      function.regions[operand.region].uses.push_back(
          {operand.access, item.number});
    }
    for (Body &inner : item.bodies) {
      completeBody(function, inner, number);
    }
  }
}

void listing::complete(Function &function) {
  function.constants = function.placeholders = Bytes();
  for (Region &region : function.regions) {
    region.uses.clear();
    if (region.kind == Storage::Constant) {
      function.constants += region.bytes;
    } else if (region.kind == Storage::Placeholder) {
      function.placeholders += region.bytes;
    }
  }
  function.size = function.constants;
  function.size += function.placeholders;
  int64_t number = 0;
  completeBody(function, function.code, number);
}

static int64_t countInstructionsIn(const Body &body) {
  int64_t count = 0;
  for (const Item &item : body) {
    count += item.kind == Item::Instruction;
    for (const Body &inner : item.bodies) {
      count += countInstructionsIn(inner);
    }
  }
  return count;
}

int64_t listing::countInstructions(const Function &function) {
  return countInstructionsIn(function.code);
}

/// Calls `visit` with each region that an item uses, in its bodies, too.
static void forEachUse(const Item &item,
                       llvm::function_ref<void(size_t)> visit) {
  for (const Operand &operand : item.operands) {
    visit(operand.region);
  }
  for (const Body &body : item.bodies) {
    for (const Item &inner : body) {
      if (inner.kind == Item::Instruction) {
        forEachUse(inner, visit);
      }
    }
  }
}

void listing::allocate(Body &body, llvm::ArrayRef<size_t> regions) {
  // The first and the last item that use a region.
  llvm::DenseMap<size_t, std::pair<size_t, size_t>> lives;
  for (auto [position, item] : llvm::enumerate(body)) {
    forEachUse(item, [&, position = position](size_t region) {
      auto [life, isFirst] = lives.try_emplace(region, position, position);
      life->second.second = position;
    });
  }
  std::vector<llvm::SmallVector<size_t>> before(body.size() + 1),
      behind(body.size() + 1);
  for (size_t region : regions) {
    auto [first, last] = lives.lookup(region);
    before[first].push_back(region);
    behind[last].push_back(region);
  }
  Body whole;
  auto add = [&](Item::Kind kind, llvm::ArrayRef<size_t> these) {
    for (size_t region : these) {
      whole.emplace_back();
      whole.back().kind = kind;
      whole.back().region = region;
    }
  };
  for (size_t position = 0; position < body.size(); ++position) {
    add(Item::Alloc, before[position]);
    whole.push_back(std::move(body[position]));
    add(Item::Dealloc, behind[position]);
  }
  body = std::move(whole);
}

/// The bytes of an element; nothing where the name says nothing of its size.
static std::optional<int64_t> countElementBytes(StringRef element) {
  if (element == "bool") {
    return 1;
  }
  StringRef kind = element.take_while(llvm::isAlpha);
  StringRef digits = element.drop_front(kind.size()).take_while(llvm::isDigit);
  int64_t bits;
  bool isNumber = llvm::is_contained({"f", "bf", "i", "u", "c"}, kind) &&
                  !digits.getAsInteger(10, bits) && bits > 0;
  // What is smaller than a byte has one.
  return isNumber ? std::optional<int64_t>(llvm::divideCeil(bits, 8))
                  : std::nullopt;
}

std::optional<Bytes> listing::countBytes(StringRef type) {
  auto [element, sizes] = type.split('<');
  std::optional<int64_t> bytes = countElementBytes(element);
  if (!bytes || !sizes.consume_back(">")) {
    return std::nullopt;
  }
  llvm::SmallVector<StringRef> parts;
  if (!sizes.empty()) {
    sizes.split(parts, 'x');
  }
  bool isOpen = false;
  for (StringRef part : parts) {
    int64_t size;
    if (part == "?") {
      isOpen = true;
    } else if (part.getAsInteger(10, size) || size < 0 ||
               llvm::MulOverflow(*bytes, size, *bytes)) {
      return std::nullopt;
    }
  }
  return isOpen ? Bytes::open() : Bytes{*bytes, false};
}

std::string listing::toString(Bytes bytes) {
  if (!bytes.isOpen) {
    return std::to_string(bytes.known);
  }
  return bytes.known == 0 ? "?" : std::to_string(bytes.known) + " + ?";
}

StringRef listing::toString(Access access) {
  switch (access) {
  case Access::In:
    return "in";
  case Access::Out:
    return "out";
  case Access::InOut:
    return "inout";
  }
  return "";
}
