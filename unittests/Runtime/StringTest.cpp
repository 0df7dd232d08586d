//===- StringTest.cpp - Tests of strings ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX's operators on strings, as compiled code calls them.
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

#include <cmath>
#include <limits>

using namespace nacre::testing;

namespace {
using String = Runtime;
using Texts = std::vector<std::string>;
} // namespace

TEST_F(String, FloatsAreWritten_WithTheFewestDigits) {
  EXPECT_EQ(
      run([] {
        nacre_value *numbers = makeVector<float>(
            NACRE_FLOAT32,
            {0, -0.0f, 1, 0.1f, -2.5f, 1e-4f, 1.5e-5f, 123456789.0f, 1e15f,
             1e16f, 3.4e38f, 1e-40f, 16777216, INFINITY, -INFINITY, NAN});
        EXPECT_EQ(
            getTexts(nacre_string_write(numbers)),
            (Texts{"0.0", "-0.0", "1.0", "0.1", "-2.5", "1e-04", "1.5e-05",
                   "123456790.0", "1000000000000000.0", "1e+16", "3.4e+38",
                   "1e-40", "16777216.0", "inf", "-inf", "nan"}));
        numbers =
            makeVector<double>(NACRE_FLOAT64, {0.1, 1e-4, 1.0 / 3, 1e300});
        EXPECT_EQ(getTexts(nacre_string_write(numbers)),
                  (Texts{"0.1", "0.0001", "0.3333333333333333", "1e+300"}));
        // 0.1, the largest, the smallest, one, infinity.
        numbers = makeVector<uint16_t>(
            NACRE_FLOAT16, {0x2e66, 0x7bff, 0x0001, 0xbc00, 0x7c00});
        EXPECT_EQ(getTexts(nacre_string_write(numbers)),
                  (Texts{"0.1", "65500.0", "6e-08", "-1.0", "inf"}));
        numbers = makeVector<uint16_t>(NACRE_BFLOAT16, {0x3f80, 0x3dcd});
        EXPECT_EQ(getTexts(nacre_string_write(numbers)), (Texts{"1.0", "0.1"}));
      }),
      NACRE_OK)
      << message;
}

TEST_F(String, IntegersAreWritten_Whole) {
  EXPECT_EQ(run([] {
              EXPECT_EQ(
                  getTexts(nacre_string_write(makeVector<int64_t>(
                      NACRE_INT64, {INT64_MIN, 0, INT64_MAX}))),
                  (Texts{"-9223372036854775808", "0", "9223372036854775807"}));
              EXPECT_EQ(getTexts(nacre_string_write(
                            makeVector<uint64_t>(NACRE_UINT64, {UINT64_MAX}))),
                        Texts{"18446744073709551615"});
              EXPECT_EQ(getTexts(nacre_string_write(
                            makeVector<int8_t>(NACRE_INT8, {-128}))),
                        Texts{"-128"});
              EXPECT_EQ(getTexts(nacre_string_write(
                            makeVector<uint8_t>(NACRE_BOOL, {0, 1}))),
                        (Texts{"False", "True"}));
            }),
            NACRE_OK);
}

TEST_F(String, TextsAreRead_AsNumbers) {
  EXPECT_EQ(
      run([] {
        nacre_value *texts =
            makeTexts({"3.14", " 1000\n", "1e-5", "1E8", "-.5", "5.", "+1",
                       "INF", "-inf", "1e400", "0.1000000014901161193847656"});
        EXPECT_EQ(getElements<float>(nacre_string_read(texts, NACRE_FLOAT32)),
                  (std::vector<float>{3.14f, 1000, 1e-5f, 1e8f, -0.5f, 5, 1,
                                      INFINITY, -INFINITY, INFINITY, 0.1f}));
        nacre_value *nan = nacre_string_read(makeTexts({"nAn"}), NACRE_FLOAT64);
        EXPECT_TRUE(std::isnan(getElements<double>(nan).front()));
        EXPECT_EQ(
            getElements<int64_t>(nacre_string_read(
                makeTexts({"-9223372036854775808", "1e3", "+7"}), NACRE_INT64)),
            (std::vector<int64_t>{INT64_MIN, 1000, 7}));
        EXPECT_EQ(getElements<uint64_t>(nacre_string_read(
                      makeTexts({"18446744073709551615"}), NACRE_UINT64)),
                  std::vector<uint64_t>{UINT64_MAX});
        EXPECT_EQ(
            getElements<uint16_t>(nacre_string_read(
                makeTexts({"65504", "6e-8", "65520", "-0", "0.1"}),
                NACRE_FLOAT16)),
            (std::vector<uint16_t>{0x7bff, 0x0001, 0x7c00, 0x8000, 0x2e66}));
      }),
      NACRE_OK)
      << message;
}

TEST_F(String, WhatIsNoNumber_Fails) {
  for (const char *text : {"", "twelve", "1,5", "0x10", "1.2.3", "--1", "1e",
                           "infinit", ".", "1 2"}) {
    EXPECT_EQ(run([&] { nacre_string_read(makeTexts({text}), NACRE_FLOAT32); }),
              NACRE_FAILED)
        << text;
    EXPECT_EQ(message, "expected a number, found the string '" +
                           std::string(text) + "'");
  }
}

TEST_F(String, EveryHalf_IsReadAsItIsWritten) {
  for (int64_t dtype : {NACRE_FLOAT16, NACRE_BFLOAT16}) {
    EXPECT_EQ(run([&] {
                std::vector<uint16_t> all;
                uint16_t infinity = dtype == NACRE_FLOAT16 ? 0x7c00 : 0x7f80;
                for (uint32_t bits = 0; bits < 0x10000; ++bits) {
                  if ((bits & 0x7fff) <= infinity) {
                    all.push_back(static_cast<uint16_t>(bits));
                  }
                }
                nacre_value *texts =
                    nacre_string_write(makeVector<uint16_t>(dtype, all));
                EXPECT_EQ(
                    getElements<uint16_t>(nacre_string_read(texts, dtype)),
                    all);
              }),
              NACRE_OK);
  }
}

TEST_F(String, EqualAndConcat_Broadcast) {
  EXPECT_EQ(run([] {
              int64_t dims[] = {2, 1};
              const char *column[] = {"a", "b"};
              nacre_value *a = nacre_tensor_of_strings(2, dims, column);
              nacre_value *b = makeTexts({"a", "", "b"});
              nacre_value *equal = nacre_string_equal(a, b);
              EXPECT_EQ(nacre_tensor_dim(equal, 1), 3);
              EXPECT_EQ(getElements<uint8_t>(equal),
                        (std::vector<uint8_t>{1, 0, 0, 0, 0, 1}));
              EXPECT_EQ(getTexts(nacre_string_concat(a, b)),
                        (Texts{"aa", "a", "ab", "ba", "b", "bb"}));
            }),
            NACRE_OK);
  EXPECT_EQ(run([] {
              nacre_string_equal(makeTexts({"a", "b"}),
                                 makeTexts({"a", "b", "c"}));
            }),
            NACRE_FAILED);
}

TEST_F(String, Normalizer_LeavesOutStopwords) {
  EXPECT_EQ(
      run([] {
        nacre_value *texts = makeTexts({"The", "äpfel", "the", "Ж", "end"});
        nacre_value *words = makeTexts({"the", "ж"});
        EXPECT_EQ(getTexts(nacre_string_normalize(texts, 2, false, words)),
                  (Texts{"ÄPFEL", "END"}));
        EXPECT_EQ(getTexts(nacre_string_normalize(texts, 1, true, words)),
                  (Texts{"the", "äpfel", "ж", "end"}));
        EXPECT_EQ(getTexts(nacre_string_normalize(texts, 0, true, nullptr)),
                  getTexts(texts));
        int64_t row[] = {1, 1};
        const char *the[] = {"the"};
        nacre_value *none = nacre_string_normalize(
            nacre_tensor_of_strings(2, row, the), 0, true, words);
        EXPECT_EQ(nacre_tensor_rank(none), 2);
        EXPECT_EQ(getTexts(none), Texts{""});
      }),
      NACRE_OK);
}

TEST_F(String, CaseMapping_IsUnicodesSimpleOne) {
  EXPECT_EQ(
      run([] {
        nacre_value *texts = makeTexts(
            {"ÿß", "ǆǅ", "σς", "ɐ", "ᾳ", "ⓐ", "𐐨", "İı", "\xff\xc3", "ꭓ"});
        EXPECT_EQ(getTexts(nacre_string_normalize(texts, 2, true, nullptr)),
                  (Texts{"Ÿß", "ǄǄ", "ΣΣ", "Ɐ", "ᾼ", "Ⓐ", "𐐀", "İI", "\xff\xc3",
                         "Ꭓ"}));
        EXPECT_EQ(getTexts(nacre_string_normalize(
                      makeTexts({"Ÿ", "ǅ", "Σ", "Ⱥ", "İ", "K", "𐐀"}), 1, true,
                      nullptr)),
                  (Texts{"ÿ", "ǆ", "σ", "ⱥ", "i", "k", "𐐨"}));
      }),
      NACRE_OK);
}

TEST_F(String, Split_GivesPartsAndTheirNumber) {
  auto split = [](const char *delimiter, int64_t limit, Texts parts,
                  std::vector<int64_t> counts) {
    nacre_value *both = nacre_string_split(
        makeTexts({"a,b, c", "", "  x  y z "}), delimiter, limit);
    EXPECT_EQ(getTexts(nacre_element(both, 0)), parts);
    EXPECT_EQ(getElements<int64_t>(nacre_element(both, 1)), counts);
  };
  EXPECT_EQ(run([&] {
              split(",", -1, {"a", "b", " c", "", "", "", "  x  y z ", "", ""},
                    {3, 1, 1});
              split(",", 1, {"a", "b, c", "", "", "  x  y z ", ""}, {2, 1, 1});
              split("", -1, {"a,b,", "c", "", "", "", "", "x", "y", "z"},
                    {2, 0, 3});
              split("", 1, {"a,b,", "c", "", "", "x", "y z "}, {2, 0, 2});
              split("", 0, {"a,b, c", "", "x  y z "}, {1, 0, 1});
            }),
            NACRE_OK);
}
