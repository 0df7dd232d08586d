//===- SequenceTest.cpp - Tests of sequences and optionals ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX's operators on lists, as compiled code calls them.
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

using namespace nacre::testing;

namespace {

using Sequence = Runtime;

nacre_value *makeNumber(float value) {
  return makeVector<float>(NACRE_FLOAT32, {value});
}

/// The first element of each tensor.
std::vector<float> getFirsts(const nacre_value *sequence) {
  std::vector<float> firsts;
  for (int64_t i = 0; i < nacre_length(sequence); ++i) {
    firsts.push_back(getElements<float>(nacre_element(sequence, i)).front());
  }
  return firsts;
}

nacre_value *makeSequence(std::initializer_list<float> values) {
  nacre_value *sequence = nacre_sequence_empty();
  for (float value : values) {
    sequence = nacre_sequence_append(sequence, makeNumber(value));
  }
  return sequence;
}

nacre_value *makeMatrix(int64_t rows, int64_t columns) {
  nacre_value *matrix = nacre_tensor_new(NACRE_INT32, 2);
  nacre_tensor_set_dim(matrix, 0, rows);
  nacre_tensor_set_dim(matrix, 1, columns);
  auto *data = reinterpret_cast<int32_t *>(nacre_tensor_allocate(matrix));
  for (int32_t i = 0; i < rows * columns; ++i) {
    data[i] = i;
  }
  return matrix;
}

} // namespace

TEST_F(Sequence, CreatedByACaller_HoldsReferences) {
  nacre_value *element = makeNumber(4);
  nacre_value *sequence = nacre_sequence_new(1, &element);
  nacre_release(element);
  EXPECT_EQ(getFirsts(sequence), std::vector<float>{4});
  EXPECT_EQ(nacre_element(sequence, 1), nullptr);
  EXPECT_EQ(nacre_element(sequence, -1), nullptr);
  nacre_value *optional = nacre_optional_new(sequence);
  nacre_release(sequence);
  EXPECT_EQ(nacre_length(optional), 1);
  EXPECT_EQ(getFirsts(nacre_element(optional, 0)), std::vector<float>{4});
  nacre_release(optional);
}

TEST_F(Sequence, AnyAllocationThatFails_FailsTheRun_WithoutLeaks) {
  size_t needed = 0;
  auto body = [] {
    nacre_value *sequence = nacre_sequence_empty();
    for (int i = 0; i < 20; ++i) {
      sequence = nacre_sequence_append(sequence, makeNumber(1));
    }
  };
  for (int status = NACRE_FAILED; status != NACRE_OK; ++needed) {
    left = needed;
    status = run(body);
    EXPECT_EQ(live, 0) << "with " << needed << " blocks";
  }
  EXPECT_GT(needed, 40u);
}

TEST_F(Sequence, InsertedInto_StaysAsItWas) {
  EXPECT_EQ(
      run([] {
        nacre_value *before = makeSequence({1, 2, 3});
        nacre_value *after = nacre_sequence_insert(before, makeNumber(9), -1);
        EXPECT_EQ(getFirsts(before), (std::vector<float>{1, 2, 3}));
        EXPECT_EQ(getFirsts(after), (std::vector<float>{1, 2, 9, 3}));
        after = nacre_sequence_insert(after, makeNumber(8), 0);
        after = nacre_sequence_insert(after, makeNumber(7), 5);
        EXPECT_EQ(getFirsts(after), (std::vector<float>{8, 1, 2, 9, 3, 7}));
        EXPECT_EQ(nacre_element(after, 1), nacre_element(before, 0));
      }),
      NACRE_OK);
}

TEST_F(Sequence, Dropped_IsFreedInTheRun) {
  EXPECT_EQ(run([] {
              nacre_value *element = makeNumber(1);
              nacre_value *sequence =
                  nacre_sequence_append(nacre_sequence_empty(), element);
              nacre_drop(element);
              int64_t before = live;
              nacre_value *again = nacre_sequence_at(sequence, 0);
              nacre_drop(sequence);
              // The list and its room, but not what is in it.
              EXPECT_EQ(live, before - 2);
              EXPECT_EQ(getElements<float>(again).front(), 1);
              nacre_drop(again);
              EXPECT_EQ(live, before - 4);
            }),
            NACRE_OK);
}

TEST_F(Sequence, OfACaller_IsNeitherDroppedNorChanged) {
  nacre_value *element = makeNumber(1);
  nacre_value *sequence = nacre_sequence_new(1, &element);
  nacre_release(element);
  EXPECT_EQ(run([&] {
              nacre_drop(nacre_sequence_at(sequence, 0));
              nacre_drop(sequence);
              nacre_value *longer =
                  nacre_sequence_append_in_place(sequence, makeNumber(2));
              EXPECT_NE(longer, sequence);
              EXPECT_EQ(getFirsts(longer), (std::vector<float>{1, 2}));
            }),
            NACRE_OK);
  EXPECT_EQ(getFirsts(sequence), std::vector<float>{1});
  nacre_release(sequence);
}

TEST_F(Sequence, ChangedInPlace_IsTheSame_WhereNobodyElseHasIt) {
  EXPECT_EQ(run([] {
              nacre_value *sequence = makeSequence({1, 2, 3});
              nacre_value *same =
                  nacre_sequence_insert_in_place(sequence, makeNumber(9), -1);
              EXPECT_EQ(same, sequence);
              EXPECT_EQ(getFirsts(same), (std::vector<float>{1, 2, 9, 3}));
              EXPECT_EQ(nacre_sequence_erase_in_place(same, 0), sequence);
              EXPECT_EQ(nacre_sequence_erase_last_in_place(same), sequence);
              EXPECT_EQ(getFirsts(same), (std::vector<float>{2, 9}));
              // Somebody else of this run, and an optional that holds it.
              nacre_value *optional = nacre_optional_new(sequence);
              nacre_value *other = nacre_sequence_erase_in_place(sequence, 0);
              EXPECT_NE(other, sequence);
              EXPECT_EQ(getFirsts(nacre_element(optional, 0)),
                        (std::vector<float>{2, 9}));
              nacre_keep(other);
              EXPECT_NE(nacre_sequence_append_in_place(other, makeNumber(4)),
                        other);
              EXPECT_EQ(getFirsts(other), std::vector<float>{9});
            }),
            NACRE_OK);
}

TEST_F(Sequence, AppendedToInPlace_AllocatesInProportion) {
  EXPECT_EQ(run([] {
              nacre_value *element = makeNumber(1);
              nacre_value *sequence = nacre_sequence_empty();
              left = 20; // doublings are enough, copies are not
              for (int i = 0; i < 10000; ++i) {
                sequence = nacre_sequence_append_in_place(sequence, element);
              }
              left = SIZE_MAX;
              EXPECT_EQ(nacre_length(sequence), 10000);
            }),
            NACRE_OK);
}

TEST_F(Sequence, Strings_StayForTheRun) {
  // Compiled code may have copied pointers to their characters.
  EXPECT_EQ(run([] {
              nacre_value *texts = makeTexts({"a"});
              int64_t before = live;
              nacre_drop(texts);
              EXPECT_EQ(live, before);
            }),
            NACRE_OK);
}

TEST_F(Sequence, Erased_LosesTheElement) {
  EXPECT_EQ(run([] {
              nacre_value *three = makeSequence({1, 2, 3});
              EXPECT_EQ(getFirsts(nacre_sequence_erase(three, 0)),
                        (std::vector<float>{2, 3}));
              EXPECT_EQ(getFirsts(nacre_sequence_erase(three, -2)),
                        (std::vector<float>{1, 3}));
              EXPECT_EQ(getFirsts(nacre_sequence_erase_last(three)),
                        (std::vector<float>{1, 2}));
              EXPECT_EQ(
                  getElements<float>(nacre_sequence_at(three, -1)).front(), 3);
            }),
            NACRE_OK);
}

TEST_F(Sequence, TakenFromARun_KeepsItsElements) {
  nacre_value *kept = nullptr;
  EXPECT_EQ(run([&] { kept = nacre_retain(makeSequence({5, 6})); }), NACRE_OK);
  EXPECT_EQ(getFirsts(kept), (std::vector<float>{5, 6}));
  EXPECT_EQ(live, 6);
  nacre_release(kept);
}

TEST_F(Sequence, PositionOutOfRange_Fails) {
  EXPECT_EQ(run([] { nacre_sequence_at(makeSequence({1}), 1); }), NACRE_FAILED);
  EXPECT_EQ(message,
            "expected a position in a sequence of 1 elements, found 1");
  EXPECT_EQ(run([] { nacre_sequence_erase(makeSequence({1}), -2); }),
            NACRE_FAILED);
  EXPECT_EQ(
      run([] { nacre_sequence_insert(makeSequence({}), makeNumber(1), 1); }),
      NACRE_FAILED);
  EXPECT_EQ(run([] { nacre_sequence_erase_last(nacre_sequence_empty()); }),
            NACRE_FAILED);
}

TEST_F(Sequence, WrongKindsAndTypes_Fail) {
  EXPECT_EQ(run([] { nacre_sequence_at(makeNumber(1), 0); }), NACRE_FAILED);
  EXPECT_EQ(message,
            "expected a sequence, found a tensor of float32 and rank 1");
  EXPECT_EQ(run([] { nacre_optional_get(makeSequence({1})); }), NACRE_FAILED);
  EXPECT_EQ(run([] {
              nacre_sequence_append(makeSequence({1}),
                                    makeVector<int32_t>(NACRE_INT32, {1}));
            }),
            NACRE_FAILED);
}

TEST_F(Sequence, PartsOfATensor_JoinToItAgain) {
  EXPECT_EQ(run([] {
              nacre_value *matrix = makeMatrix(2, 5);
              nacre_value *parts = nacre_sequence_split_evenly(matrix, -1, 2);
              EXPECT_EQ(nacre_length(parts), 3);
              EXPECT_EQ(getElements<int32_t>(nacre_element(parts, 2)),
                        (std::vector<int32_t>{4, 9}));
              nacre_value *whole = nacre_sequence_concat(parts, 1);
              EXPECT_EQ(getElements<int32_t>(whole),
                        getElements<int32_t>(matrix));
              EXPECT_EQ(nacre_tensor_dim(whole, 1), 5);
            }),
            NACRE_OK);
}

TEST_F(Sequence, SinglePartsOfATensor_StackToItAgain) {
  EXPECT_EQ(run([] {
              nacre_value *matrix = makeMatrix(3, 2);
              nacre_value *columns =
                  nacre_sequence_split_each(matrix, 1, false);
              EXPECT_EQ(nacre_tensor_rank(nacre_element(columns, 1)), 1);
              EXPECT_EQ(getElements<int32_t>(nacre_element(columns, 1)),
                        (std::vector<int32_t>{1, 3, 5}));
              EXPECT_EQ(getElements<int32_t>(nacre_sequence_stack(columns, -1)),
                        getElements<int32_t>(matrix));
              nacre_value *rows = nacre_sequence_split_each(matrix, 0, true);
              EXPECT_EQ(nacre_tensor_rank(nacre_element(rows, 2)), 2);
            }),
            NACRE_OK);
}

TEST_F(Sequence, PartsOfGivenSizes_HaveThem) {
  EXPECT_EQ(run([] {
              nacre_value *sizes = makeVector<int64_t>(NACRE_INT64, {1, 0, 2});
              nacre_value *parts =
                  nacre_sequence_split(makeMatrix(3, 1), 0, sizes);
              EXPECT_EQ(nacre_tensor_dim(nacre_element(parts, 1), 0), 0);
              EXPECT_EQ(getElements<int32_t>(nacre_element(parts, 2)),
                        (std::vector<int32_t>{1, 2}));
            }),
            NACRE_OK);
  EXPECT_EQ(run([] {
              nacre_sequence_split(makeMatrix(3, 1), 0,
                                   makeVector<int32_t>(NACRE_INT32, {1, 1}));
            }),
            NACRE_FAILED);
  EXPECT_EQ(message, "expected sizes that add up to 3, found 2");
  EXPECT_EQ(run([] { nacre_sequence_split_evenly(makeMatrix(3, 1), 0, 0); }),
            NACRE_FAILED);
  EXPECT_EQ(run([] { nacre_sequence_split_each(makeMatrix(3, 1), 2, true); }),
            NACRE_FAILED);
}

TEST_F(Sequence, JoinedStrings_OutliveTheRun) {
  nacre_value *kept = nullptr;
  EXPECT_EQ(run([&] {
              nacre_value *parts[] = {makeTexts({"a", "b"}), makeTexts({"c"})};
              kept = nacre_retain(
                  nacre_sequence_concat(nacre_sequence_new(2, parts), 0));
            }),
            NACRE_OK);
  EXPECT_EQ(getTexts(kept), (std::vector<std::string>{"a", "b", "c"}));
  nacre_release(kept);
}

TEST_F(Sequence, ElementsThatDoNotFit_AreNotJoined) {
  auto join = [this](nacre_value *(*function)(const nacre_value *, int64_t)) {
    return run([&] {
      nacre_value *parts[] = {makeMatrix(2, 3), makeMatrix(2, 4)};
      function(nacre_sequence_new(2, parts), 0);
    });
  };
  EXPECT_EQ(join(nacre_sequence_concat), NACRE_FAILED);
  EXPECT_EQ(message, "expected tensors that differ along axis 0 only, found "
                     "int32[2,3] and int32[2,4]");
  EXPECT_EQ(join(nacre_sequence_stack), NACRE_FAILED);
  EXPECT_EQ(message,
            "expected elements of one shape to put side by side, found "
            "int32[2,3] and int32[2,4]");
  EXPECT_EQ(run([] { nacre_sequence_concat(nacre_sequence_empty(), 0); }),
            NACRE_FAILED);
}

TEST_F(Sequence, Optional_GivesWhatItHolds) {
  EXPECT_EQ(run([] {
              nacre_value *number = makeNumber(1);
              nacre_value *some = nacre_optional_new(number);
              EXPECT_FALSE(nacre_is_tensor(some));
              EXPECT_EQ(nacre_optional_get(some), number);
              EXPECT_EQ(nacre_length(nacre_optional_none()), 0);
            }),
            NACRE_OK);
  EXPECT_EQ(run([] { nacre_optional_get(nacre_optional_none()); }),
            NACRE_FAILED);
  EXPECT_EQ(message, "expected an optional that holds something");
}
