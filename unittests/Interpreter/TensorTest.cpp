//===- TensorTest.cpp - Tests of the interpreter's tensors ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Interpreter/Tensor.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre::interpreter;

namespace {

class TensorTest : public testing::Test {
protected:
  RankedTensorType getType(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }

  MLIRContext context;
  Builder builder{&context};
};

} // namespace

TEST_F(TensorTest, Constructor_StaticType_IsZeroFilledAndAligned) {
  Tensor tensor(getType({3, 5}, builder.getF32Type()));
  EXPECT_EQ(tensor.getNumElements(), 15);
  EXPECT_EQ(tensor.getBytes().size(), 60u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.getBytes().data()) % 64, 0u);
  for (float value : tensor.values<float>()) {
    EXPECT_EQ(value, 0.0f);
  }
}

TEST_F(TensorTest, FromAttr_SplatOfFloats_ExpandsToAllElements) {
  auto type = getType({4}, builder.getF32Type());
  FailureOr<Tensor> tensor =
      Tensor::fromAttr(DenseElementsAttr::get(type, 2.5f));
  ASSERT_TRUE(succeeded(tensor));
  EXPECT_EQ(tensor->values<float>(), ArrayRef<float>({2.5f, 2.5f, 2.5f, 2.5f}));
}

TEST_F(TensorTest, FromAttr_Bools_UsesOneBytePerElement) {
  auto type = getType({3}, builder.getI1Type());
  FailureOr<Tensor> tensor = Tensor::fromAttr(
      DenseElementsAttr::get(type, ArrayRef<bool>{true, false, true}));
  ASSERT_TRUE(succeeded(tensor));
  EXPECT_EQ(tensor->getBytes().size(), 3u);
  EXPECT_EQ(tensor->getInt(0), 1);
  EXPECT_EQ(tensor->getInt(1), 0);
}

TEST_F(TensorTest, FromAttr_BlobOfWrongSize_Fails) {
  auto type = getType({100}, builder.getF32Type());
  auto attr = DenseResourceElementsAttr::get(
      type, "short", HeapAsmResourceBlob::allocate(16, 8, true));
  EXPECT_TRUE(failed(Tensor::fromAttr(attr)));
}

// Constants of a model's file start wherever the file has them.
TEST_F(TensorTest, FromAttr_MisalignedBlob_IsCopied) {
  auto type = getType({2}, builder.getF32Type());
  const float values[] = {1.5f, -2.0f};
  alignas(float) char bytes[sizeof(values) + 1];
  memcpy(bytes + 1, values, sizeof(values));
  auto attr = DenseResourceElementsAttr::get(
      type, "misaligned",
      UnmanagedAsmResourceBlob::allocateWithAlign(
          ArrayRef<char>(bytes).drop_front(), /*align=*/1));
  FailureOr<Tensor> tensor = Tensor::fromAttr(attr);
  ASSERT_TRUE(succeeded(tensor));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor->getBytes().data()) % 4, 0u);
  EXPECT_EQ(tensor->values<float>(), ArrayRef<float>(values));
}

TEST_F(TensorTest, FromAttr_LargeBlob_SharesTheData) {
  auto type = getType({100}, builder.getF32Type());
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(400, 64, true);
  const char *data = blob.getData().data();
  auto attr = DenseResourceElementsAttr::get(type, "shared", std::move(blob));
  FailureOr<Tensor> tensor = Tensor::fromAttr(attr);
  ASSERT_TRUE(succeeded(tensor));
  EXPECT_EQ(tensor->getBytes().data(), data);
}

TEST_F(TensorTest, ToAttr_SmallTensor_IsDense) {
  Tensor tensor(getType({2}, builder.getI64Type()));
  tensor.mutableValues<int64_t>()[1] = -3;
  auto attr = dyn_cast<DenseElementsAttr>(tensor.toAttr());
  ASSERT_TRUE(attr);
  EXPECT_EQ(attr.getValues<int64_t>()[1], -3);
}

TEST_F(TensorTest, ToAttr_LargeTensor_IsABlobThatOutlivesTheTensor) {
  ElementsAttr attr;
  {
    Tensor tensor(getType({1000}, builder.getF32Type()));
    tensor.mutableValues<float>()[999] = 7;
    attr = tensor.toAttr();
  }
  auto resource = dyn_cast<DenseF32ResourceElementsAttr>(attr);
  ASSERT_TRUE(resource);
  EXPECT_EQ((*resource.tryGetAsArrayRef())[999], 7.0f);
}

TEST_F(TensorTest, Half_RoundTripOfAFloat_RoundsToNearestEven) {
  EXPECT_EQ(static_cast<float>(Half(1.0f)), 1.0f);
  EXPECT_EQ(static_cast<float>(Half(65520.0f)),
            std::numeric_limits<float>::infinity());
  EXPECT_EQ(static_cast<float>(BFloat16(1.00390625f)), 1.0f);
}
