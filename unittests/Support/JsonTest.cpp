//===- JsonTest.cpp - Tests of JSON that users give -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Json.h"

#include "gtest/gtest.h"

using namespace nacre;

static std::string parse(const std::string &text) {
  llvm::Expected<llvm::json::Value> value = parseJson(text);
  return value ? "" : llvm::toString(value.takeError());
}

TEST(ParseJson, OfAFewLevelsIsParsed) {
  EXPECT_EQ(parse(R"([{"a": [[1, 2], {"b": []}]}])"), "");
  EXPECT_EQ(parse(std::string(64, '[') + std::string(64, ']')), "");
}

TEST(ParseJson, OfLevelsThatTheStackDoesNotHaveIsAnError) {
  const char *error = "arrays and objects in each other, more than 64 deep";
  EXPECT_EQ(parse(std::string(200000, '[')), error);
  EXPECT_EQ(parse(std::string(65, '[') + std::string(65, ']')), error);
  std::string objects;
  for (int i = 0; i < 100; ++i) {
    objects += R"({"a":)";
  }
  EXPECT_EQ(parse(objects), error);
}

TEST(ParseJson, OfBracketsInStringsCountsThemNot) {
  EXPECT_EQ(parse('"' + std::string(1000, '[') + '"'), "");
  EXPECT_EQ(parse(R"(["\"[[", ")" + std::string(1000, '{') + "\"]"), "");
}
