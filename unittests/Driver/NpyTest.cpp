//===- NpyTest.cpp - Tests of NumPy's array files -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written can be read, and damaged files are refused.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Driver/Npy.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre;
using interpreter::Tensor;

namespace {

class Npy : public ::testing::Test {
protected:
  Npy() {
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    int file;
    EXPECT_FALSE(
        llvm::sys::fs::createTemporaryFile("npy-test", "npy", file, path));
    llvm::raw_fd_ostream(file, /*shouldClose=*/true);
  }
  ~Npy() override { llvm::sys::fs::remove(path); }

  FailureOr<Tensor> readBack(StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    EXPECT_FALSE(error);
    stream << bytes;
    stream.close();
    return driver::readNpy(context, path);
  }

  Tensor makeTensor() {
    Tensor tensor(
        RankedTensorType::get({2, 3}, Builder(&context).getF32Type()));
    for (auto [i, value] : llvm::enumerate(tensor.mutableValues<float>())) {
      value = static_cast<float>(i) - 2.5f;
    }
    return tensor;
  }

  MLIRContext context;
  llvm::SmallString<128> path;
  std::string message;
};

} // namespace

TEST_F(Npy, WrittenTensor_ReadsBackEqual) {
  Tensor tensor = makeTensor();
  FailureOr<Tensor> result = readBack(driver::formatNpy(tensor));
  ASSERT_TRUE(succeeded(result)) << message;
  EXPECT_EQ(result->getType(), tensor.getType());
  EXPECT_EQ(result->getBytes(), tensor.getBytes());
}

TEST_F(Npy, EveryElementType_KeepsItsType) {
  Builder builder(&context);
  SmallVector<Type> types = {builder.getI1Type(), builder.getF16Type(),
                             builder.getF32Type(), builder.getF64Type()};
  for (unsigned width : {8, 16, 32, 64}) {
    types.push_back(IntegerType::get(&context, width));
    types.push_back(IntegerType::get(&context, width, IntegerType::Unsigned));
  }
  for (Type type : types) {
    Tensor tensor(RankedTensorType::get({3}, type));
    FailureOr<Tensor> result = readBack(driver::formatNpy(tensor));
    ASSERT_TRUE(succeeded(result)) << message;
    EXPECT_EQ(result->getType(), tensor.getType());
  }
}

TEST_F(Npy, ScalarAndEmpty_KeepTheirShape) {
  Type type = Builder(&context).getF32Type();
  for (SmallVector<int64_t> shape : {SmallVector<int64_t>{}, {0, 4}}) {
    Tensor tensor(RankedTensorType::get(shape, type));
    FailureOr<Tensor> result = readBack(driver::formatNpy(tensor));
    ASSERT_TRUE(succeeded(result)) << message;
    EXPECT_EQ(result->getType(), tensor.getType());
  }
}

TEST_F(Npy, Data_StartsAligned) {
  std::string bytes = driver::formatNpy(makeTensor());
  EXPECT_EQ((bytes.size() - 6 * sizeof(float)) % 64, 0u);
}

TEST_F(Npy, TruncatedAnywhere_Fails) {
  std::string bytes = driver::formatNpy(makeTensor());
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_TRUE(failed(readBack(StringRef(bytes).take_front(length))))
        << length;
  }
}

TEST_F(Npy, TrailingBytes_Fail) {
  EXPECT_TRUE(failed(readBack(driver::formatNpy(makeTensor()) + "x")));
  EXPECT_NE(message.find("expected 24 bytes of data, found 25"),
            std::string::npos)
      << message;
}

TEST_F(Npy, FortranOrder_Fails) {
  std::string bytes = driver::formatNpy(makeTensor());
  bytes.replace(bytes.find("False"), 5, "True ");
  EXPECT_TRUE(failed(readBack(bytes)));
  EXPECT_NE(message.find("expected C order"), std::string::npos) << message;
}

TEST_F(Npy, UnknownElementType_FailsAndNamesIt) {
  std::string bytes = driver::formatNpy(makeTensor());
  bytes.replace(bytes.find("<f4"), 3, "<M8");
  EXPECT_TRUE(failed(readBack(bytes)));
  EXPECT_NE(message.find("unsupported type '<M8'"), std::string::npos)
      << message;
}
