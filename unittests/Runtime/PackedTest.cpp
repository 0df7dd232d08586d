//===- PackedTest.cpp - Tests of tensors of four and two bits -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How numbers share bytes.
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

using namespace nacre::testing;

namespace {
using Packed = Runtime;
} // namespace

TEST_F(Packed, OddNumberOfElements_PacksTheFirstIntoTheLowerHalf) {
  nacre_value *bytes = makeVector<uint8_t>(NACRE_UINT8, {1, 2, 15});
  nacre_value *packed = nacre_tensor_pack(bytes, NACRE_UINT4);
  EXPECT_EQ(nacre_tensor_type(packed), NACRE_UINT4);
  EXPECT_EQ(nacre_tensor_dim(packed, 0), 3);
  EXPECT_EQ(nacre_tensor_bytes(packed), 2);
  EXPECT_EQ(nacre_tensor_data(packed)[0], 0x21);
  EXPECT_EQ(nacre_tensor_data(packed)[1], 0x0f);
  nacre_value *unpacked = nacre_tensor_unpack(packed);
  EXPECT_EQ(getElements<uint8_t>(unpacked), (std::vector<uint8_t>{1, 2, 15}));
  for (nacre_value *value : {bytes, packed, unpacked}) {
    nacre_release(value);
  }
}

TEST_F(Packed, UpperHalvesOfBytes_AreDropped) {
  nacre_value *bytes = makeVector<uint8_t>(NACRE_UINT8, {0xf8, 0xff});
  nacre_value *packed = nacre_tensor_pack(bytes, NACRE_INT4);
  EXPECT_EQ(static_cast<uint8_t>(nacre_tensor_data(packed)[0]), 0xf8);
  nacre_release(bytes);
  nacre_release(packed);
}

TEST_F(Packed, NumbersOfTwoBits_ShareAByteByFours) {
  nacre_value *bytes = makeVector<uint8_t>(NACRE_UINT8, {1, 2, 0xff, 0, 2});
  nacre_value *packed = nacre_tensor_pack(bytes, NACRE_INT2);
  EXPECT_EQ(nacre_tensor_bytes(packed), 2);
  EXPECT_EQ(nacre_tensor_data(packed)[0], 0x39);
  EXPECT_EQ(nacre_tensor_data(packed)[1], 0x02);
  nacre_value *unpacked = nacre_tensor_unpack(packed);
  EXPECT_EQ(getElements<uint8_t>(unpacked),
            (std::vector<uint8_t>{1, 2, 3, 0, 2}));
  for (nacre_value *value : {bytes, packed, unpacked}) {
    nacre_release(value);
  }
}

TEST_F(Packed, TensorWithoutElements_HasNoBytes) {
  nacre_value *bytes = makeVector<uint8_t>(NACRE_UINT8, {});
  nacre_value *packed = nacre_tensor_pack(bytes, NACRE_FLOAT4E2M1);
  EXPECT_EQ(nacre_tensor_bytes(packed), 0);
  nacre_release(bytes);
  nacre_release(packed);
}

TEST_F(Packed, TypesOfEightBits_AreNotPacked) {
  EXPECT_EQ(run([] {
              nacre_tensor_pack(makeVector<uint8_t>(NACRE_UINT8, {1}),
                                NACRE_FLOAT8E5M2);
            }),
            NACRE_FAILED);
  EXPECT_EQ(message, "expected bytes to pack");
  EXPECT_EQ(
      run([] { nacre_tensor_unpack(makeVector<uint8_t>(NACRE_UINT8, {1})); }),
      NACRE_FAILED);
  EXPECT_EQ(message, "expected a tensor of packed numbers to unpack");
}
