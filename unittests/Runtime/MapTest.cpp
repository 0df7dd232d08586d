//===- MapTest.cpp - Tests of maps ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How maps are made and looked at.
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

using namespace nacre::testing;

namespace {
using Map = Runtime;

/// Inside a run, which owns what the map is made of.
nacre_value *makeMap(std::initializer_list<const char *> keys,
                     std::initializer_list<float> values) {
  return nacre_map_new(makeTexts(keys),
                       makeVector<float>(NACRE_FLOAT32, values));
}
} // namespace

TEST_F(Map, CreatedByACaller_HoldsReferences) {
  nacre_value *texts = makeTexts({"b", "a"});
  nacre_value *numbers = makeVector<float>(NACRE_FLOAT32, {1, 2});
  nacre_value *map = nacre_map_new(texts, numbers);
  nacre_release(texts);
  nacre_release(numbers);
  EXPECT_EQ(nacre_is_map(map), 1);
  EXPECT_EQ(nacre_is_tensor(map), 0);
  EXPECT_EQ(getTexts(nacre_map_keys(map)),
            (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(getElements<float>(nacre_map_values(map)),
            (std::vector<float>{1, 2}));
  nacre_release(map);
}

TEST_F(Map, ValuesOfKeys_AreZeroWhereThereIsNone) {
  EXPECT_EQ(run([] {
              nacre_value *map = makeMap({"b", "", "c"}, {1, 2, 3});
              nacre_value *both =
                  nacre_map_get(map, makeTexts({"c", "a", "", "c"}));
              EXPECT_EQ(getElements<float>(nacre_element(both, 0)),
                        (std::vector<float>{3, 0, 2, 3}));
              EXPECT_EQ(getElements<char>(nacre_element(both, 1)),
                        (std::vector<char>{1, 0, 1, 1}));
            }),
            NACRE_OK);
}

TEST_F(Map, RepeatedKey_CountsOnceWithItsLastValue) {
  EXPECT_EQ(run([] {
              nacre_value *map = makeMap({"b", "a", "b"}, {1, 2, 3});
              EXPECT_EQ(getElements<float>(nacre_map_sorted_values(map)),
                        (std::vector<float>{2, 3}));
            }),
            NACRE_OK);
}

TEST_F(Map, RowsOfAMatrix_ShareTheirLabels) {
  EXPECT_EQ(
      run([] {
        int64_t shape[] = {2, 2};
        float scores[] = {1, 2, 3, 4};
        nacre_value *maps =
            nacre_map_zip(makeTexts({"x", "y"}),
                          nacre_tensor_wrap(NACRE_FLOAT32, 2, shape, scores));
        EXPECT_EQ(nacre_length(maps), 2);
        EXPECT_EQ(nacre_map_keys(nacre_element(maps, 0)),
                  nacre_map_keys(nacre_element(maps, 1)));
        EXPECT_EQ(getElements<float>(nacre_map_values(nacre_element(maps, 1))),
                  (std::vector<float>{3, 4}));
      }),
      NACRE_OK);
}

TEST_F(Map, ValuesOfAnotherNumber_FailTheRun) {
  EXPECT_EQ(run([] { makeMap({"a"}, {1, 2}); }), NACRE_FAILED);
  EXPECT_EQ(message, "expected as many values as keys in a map");
}

TEST_F(Map, ValueOfAnotherKind_FailsTheCheck) {
  EXPECT_EQ(run([] {
              nacre_value *map = makeMap({"a"}, {1});
              nacre_check_map(map, NACRE_STRING, NACRE_FLOAT32, "x");
              nacre_check_map(map, NACRE_INT64, NACRE_FLOAT32, "x");
            }),
            NACRE_FAILED);
  EXPECT_EQ(message, "expected for 'x' a map of int64 to float32, found a map "
                     "of string to float32");
}
