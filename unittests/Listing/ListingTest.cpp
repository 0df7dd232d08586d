//===- ListingTest.cpp - Tests of listings --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Listing/Listing.h"

#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace nacre::listing;

static Region makeRegion(llvm::StringRef name, llvm::StringRef type,
                         Storage kind) {
  Region region;
  region.name = name.str();
  region.type = type.str();
  region.kind = kind;
  region.bytes = countBytes(type).value_or(Bytes::open());
  return region;
}

static Item use(size_t region, std::vector<Body> bodies = {}) {
  Item item;
  item.mnemonic = "use";
  item.operands = {{Access::In, region, {}}};
  item.bodies = std::move(bodies);
  return item;
}

/// "+R" for an allocation, "-R" for the opposite, "." for an instruction.
static std::string summarize(const Body &body) {
  std::string text;
  for (const Item &item : body) {
    if (item.kind == Item::Instruction) {
      text += ".";
      continue;
    }
    text += item.kind == Item::Alloc ? "+" : "-";
    text += std::to_string(item.region);
  }
  return text;
}

TEST(Listing, CountBytes_KnownElements_MultipliesSizes) {
  EXPECT_EQ(countBytes("f32<3x10>")->known, 120);
  EXPECT_EQ(countBytes("i64<>")->known, 8);
  EXPECT_EQ(countBytes("bool<4>")->known, 4);
  EXPECT_EQ(countBytes("c64<2>")->known, 16);
  EXPECT_EQ(countBytes("bf16<0x5>")->known, 0);
  // What is smaller than a byte has one, and formats have more letters.
  EXPECT_EQ(countBytes("u4<3>")->known, 3);
  EXPECT_EQ(countBytes("f8E4M3FN<3>")->known, 3);
}

TEST(Listing, CountBytes_OpenSizes_AreOpen) {
  EXPECT_TRUE(countBytes("f32<?x10>")->isOpen);
  EXPECT_FALSE(countBytes("f32<1x10>")->isOpen);
}

TEST(Listing, CountBytes_WithoutElementSize_IsNothing) {
  for (llvm::StringRef type :
       {"str<2>", "value", "sequence(float32)", "f32<*>", "f32<2", "f<2>",
        "f32<999999999999x999999999999>", ""}) {
    EXPECT_EQ(countBytes(type), std::nullopt) << type.str();
  }
}

TEST(Listing, Allocate_UsesAndBodies_SurroundsThem) {
  Body body = {use(0), use(1, {{use(2)}, {use(0)}}), use(2)};
  allocate(body, {0, 2, 1});
  EXPECT_EQ(summarize(body), "+0.+2+1.-0-1.-2");
}

TEST(Listing, Bytes_BeyondTheLargestNumber_StayThere) {
  Bytes bytes{INT64_MAX - 1, false};
  bytes += {2, true};
  EXPECT_EQ(bytes.known, INT64_MAX);
  EXPECT_TRUE(bytes.isOpen);
}

TEST(Listing, Parse_WhatWasPrinted_IsTheSame) {
  Function function;
  function.name = "a \"model\"";
  function.target = "x86-64-v3, x86-64-v4";
  function.level = "graph";
  function.regions = {makeRegion("w/é", "i8<4>", Storage::Constant),
                      makeRegion("x", "f32<?x4>", Storage::Placeholder),
                      makeRegion("a", "f32<4>", Storage::Activation)};
  function.regions[0].quantization = "scale 0.5, zero [3]";
  function.regions[2].offset = 64;
  function.regions[2].copies = {{2, 128}, {3, 512}};
  function.code = {use(0), use(1, {{use(2)}, {}})};
  function.code[0].attributes = "text \"]\", axes [1, 2]";
  function.code[0].comment = "node; with more";
  allocate(function.code[1].bodies[0], {2});
  function.activations = {1232, true};
  function.liveSet = {96, true};
  complete(function);
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(function, stream);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text), {});
  llvm::FailureOr<Listing> listing = parse(sources);
  ASSERT_TRUE(llvm::succeeded(listing));
  ASSERT_EQ(listing->size(), 1U);
  EXPECT_TRUE(llvm::succeeded(verify(*listing, sources)));
  std::string again;
  llvm::raw_string_ostream againStream(again);
  print(listing->front(), againStream);
  EXPECT_EQ(again, text);
}
