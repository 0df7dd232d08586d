//===- ZipTest.cpp - Tests of archives ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Driver/Zip.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre;

namespace {

class Zip : public ::testing::Test {
protected:
  Zip() {
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
  }

  auto read(StringRef bytes) {
    return driver::readZip(UnknownLoc::get(&context), bytes);
  }

  MLIRContext context;
  std::string message;
};

} // namespace

static std::string number(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>(value >> (8 * i));
  }
  return text;
}

/// An archive of one file. Its own header has more in front of the content.
static std::string makeArchive(StringRef name, StringRef content,
                               int method = 0, uint64_t size = 0) {
  std::string file = "PK\x03\x04" + std::string(22, '\0') +
                     number(name.size(), 2) + number(5, 2) + name.str() +
                     "extra" + content.str();
  std::string entry = "PK\x01\x02" + std::string(6, '\0') + number(method, 2) +
                      std::string(12, '\0') +
                      number(size == 0 ? content.size() : size, 4) +
                      number(name.size(), 2) + number(3, 2) +
                      std::string(10, '\0') + number(0, 4) + name.str() + "xyz";
  return file + entry + "PK\x05\x06" + std::string(6, '\0') + number(1, 2) +
         number(entry.size(), 4) + number(file.size(), 4) + number(0, 2);
}

TEST_F(Zip, File_IsReadWhereItLies) {
  std::string archive = makeArchive("a.npy", "content");
  auto entries = read(archive);
  ASSERT_TRUE(succeeded(entries));
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ(entries->front().name, "a.npy");
  EXPECT_EQ(entries->front().bytes, "content");
}

TEST_F(Zip, CompressedOrHuge_IsRefusedByName) {
  EXPECT_TRUE(failed(read(makeArchive("a", "b", /*method=*/8))));
  EXPECT_EQ(message, "the archive is compressed; numpy.savez writes one that "
                     "is not");
  EXPECT_TRUE(failed(read(makeArchive("a", "b", 0, 0xFFFFFFFF))));
  EXPECT_EQ(message, "the archive is beyond 4 GB; a folder of NAME_N.npy may "
                     "be larger");
}

TEST_F(Zip, EveryTruncation_IsRefused) {
  std::string archive = makeArchive("a.npy", "content");
  for (size_t size = 0; size < archive.size(); ++size) {
    EXPECT_TRUE(failed(read(StringRef(archive).take_front(size)))) << size;
    EXPECT_EQ(message, "not a usable archive: damaged, or no zip file");
  }
  EXPECT_TRUE(failed(read(makeArchive("a", "b", 0, 1000))));
}
