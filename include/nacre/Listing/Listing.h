//===- Listing.h - A program as regions and instructions --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --dump-listing shows: regions of memory, and instructions that read and
// write them. Free of MLIR: whoever has a program of any level fills this in.
// The text can be read again, which is how tests know that it is consistent.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LISTING_LISTING_H
#define NACRE_LISTING_LISTING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/SMLoc.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace nacre::listing {

/// A number of bytes, beside those that are known only at run time.
struct Bytes {
  int64_t known = 0;
  bool isOpen = false;

  static Bytes open() { return {0, true}; }
  /// At most the largest number.
  Bytes &operator+=(Bytes other);
  bool operator==(Bytes other) const {
    return known == other.known && isOpen == other.isOpen;
  }
};

enum class Access { In, Out, InOut };

/// An instruction's use of a region.
struct Use {
  Access access;
  int64_t instruction;

  bool operator==(const Use &other) const {
    return access == other.access && instruction == other.instruction;
  }
};

enum class Storage { Constant, Placeholder, Activation };

/// Iterations that run at the same time have a buffer each.
struct Copies {
  int64_t count;
  int64_t pitch; // bytes from one to the next

  bool operator==(const Copies &other) const {
    return count == other.count && pitch == other.pitch;
  }
  bool operator!=(const Copies &other) const { return !(*this == other); }
};

struct Region {
  std::string name;
  /// Element and sizes, as "f32<1x?>"; other text of what is no tensor.
  std::string type;
  Storage kind = Storage::Activation;
  Bytes bytes;
  /// Where it is among the weights or in the arena; nothing for what has no
  /// place there.
  std::optional<int64_t> offset;
  std::vector<Copies> copies;
  /// What its integers stand for, as "scale 0.5, zero 0"; else empty.
  std::string quantization;
  /// By whom it is used, in order. complete() finds out.
  std::vector<Use> uses;
  llvm::SMLoc loc;
};

struct Operand {
  Access access;
  size_t region;
  llvm::SMLoc loc;
};

struct Item;
using Body = std::vector<Item>;

/// A line of code, and the lines in its bodies.
struct Item {
  enum Kind { Alloc, Dealloc, Instruction };
  Kind kind = Instruction;
  /// What is allocated or deallocated.
  size_t region = 0;
  int64_t number = 0; // complete() counts
  std::string mnemonic;
  std::vector<Operand> operands;
  /// "NAME VALUE, …".
  std::string attributes;
  std::string comment;
  std::vector<Body> bodies;
  llvm::SMLoc loc;
};

struct Function {
  std::string name;
  /// What the header says of the program: the architecture, say.
  std::string target;
  std::string level;
  std::vector<Region> regions;
  Body code;
  /// Constants and placeholders, and both.
  Bytes constants, placeholders, size;
  /// The arena, and what of it is needed at a time.
  Bytes activations, liveSet;
  llvm::SMLoc loc, totalsLoc;
};

using Listing = std::vector<Function>;

/// How many instructions there are, in bodies, too.
int64_t countInstructions(const Function &function);

/// Numbers the instructions, finds out who uses each region, and adds up the
/// constants and the placeholders.
void complete(Function &function);

/// Allocates regions in `body`, each before the first item that uses it, and
/// deallocates it behind the last one. What nothing uses is at the start.
void allocate(Body &body, llvm::ArrayRef<size_t> regions);

/// The bytes of a region of that type; nothing where the element has no known
/// size.
std::optional<Bytes> countBytes(llvm::StringRef type);

/// What is printed for a number of bytes: "400", "?", or "400 + ?".
std::string toString(Bytes bytes);
llvm::StringRef toString(Access access);

void print(const Function &function, llvm::raw_ostream &os);

/// Reads the main file of `sources`. Says what is malformed, with its place.
llvm::FailureOr<Listing> parse(llvm::SourceMgr &sources);

/// Checks what a listing that was read says: sizes, sums, who uses what, and
/// that no two buffers share memory while both are alive. Says what is wrong,
/// with its place.
llvm::LogicalResult verify(const Listing &listing, llvm::SourceMgr &sources);

} // namespace nacre::listing

#endif // NACRE_LISTING_LISTING_H
