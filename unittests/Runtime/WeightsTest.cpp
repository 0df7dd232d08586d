//===- WeightsTest.cpp - Releasing weights --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is released is still there, in memory or in its file.
//
//===----------------------------------------------------------------------===//

#include "nacre-c/Compiled.h"
#include "nacre/Support/HugePages.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

/// Whether a huge page is released and found again in a small part of the time
/// that reading it takes.
static bool isReleaseCheap(char *page) {
  auto least = std::chrono::nanoseconds::max();
  for (int i = 0; i < 5; ++i) {
    auto start = std::chrono::steady_clock::now();
    madvise(page, nacre::kHugePage, MADV_DONTNEED);
    (void)*const_cast<volatile char *>(page);
    least = std::min<std::chrono::nanoseconds>(
        least, std::chrono::steady_clock::now() - start);
  }
  return least < std::chrono::microseconds(4);
}

namespace {

constexpr size_t kPages = 8;
constexpr size_t kBytes = kPages * nacre::kHugePage;

/// Memory that begins with a huge page, of a file or, with -1, of none.
class Mapping {
public:
  explicit Mapping(int file) {
    reserved = mmap(nullptr, kBytes + nacre::kHugePage, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    auto begin = reinterpret_cast<uintptr_t>(reserved);
    begin =
        (begin + nacre::kHugePage - 1) / nacre::kHugePage * nacre::kHugePage;
    data = static_cast<char *>(mmap(
        reinterpret_cast<void *>(begin), kBytes, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_FIXED | (file < 0 ? MAP_ANONYMOUS : 0), file, 0));
  }
  ~Mapping() { munmap(reserved, kBytes + nacre::kHugePage); }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  bool holds(char value) const {
    return std::count(data, data + kBytes, value) ==
           static_cast<ptrdiff_t>(kBytes);
  }
  /// A number of KB from the system's description of the memory.
  long getKB(const char *key) const {
    FILE *file = std::fopen("/proc/self/smaps", "r");
    char line[512];
    long result = 0;
    bool isHere = false;
    while (file && std::fgets(line, sizeof line, file)) {
      unsigned long begin, end;
      if (std::sscanf(line, "%lx-%lx", &begin, &end) == 2) {
        isHere = begin == reinterpret_cast<uintptr_t>(data);
      } else if (isHere && std::strncmp(line, key, std::strlen(key)) == 0) {
        result = std::atol(line + std::strlen(key) + 1);
      }
    }
    std::fclose(file);
    return result;
  }

  char *data;

private:
  void *reserved;
};

/// A file of eight huge pages of ones.
class File {
public:
  File() {
    llvm::SmallString<128> path;
    std::error_code error =
        llvm::sys::fs::createTemporaryFile("weights", "bin", file, path);
    EXPECT_FALSE(error) << error.message();
    remover.setFile(path);
    std::vector<char> page(nacre::kHugePage, 1);
    for (size_t i = 0; i < kPages; ++i) {
      EXPECT_EQ(write(file, page.data(), page.size()),
                static_cast<ssize_t>(page.size()));
    }
  }
  ~File() { close(file); }

  int file = -1;

private:
  llvm::FileRemover remover;
};

TEST(ReleaseWeights, MemoryOfNoFile_Keeps_WhatIsInIt) {
  Mapping mapping(-1);
  nacre_map_weights(mapping.data, kBytes);
  std::memset(mapping.data, 2, kBytes);
  nacre_release_weights(mapping.data, kBytes);
  EXPECT_TRUE(mapping.holds(2));
}

TEST(ReleaseWeights, PagesThatWereWritten_Keep_WhatIsInThem) {
  File file;
  Mapping mapping(file.file);
  std::memset(mapping.data, 3, kBytes);
  nacre_release_weights(mapping.data, kBytes);
  EXPECT_TRUE(mapping.holds(3));
}

TEST(ReleaseWeights, PagesOfFile_AreReadAgain) {
  File file;
  Mapping mapping(file.file);
  nacre_map_weights(mapping.data, kBytes);
  EXPECT_TRUE(mapping.holds(1));
  nacre_release_weights(mapping.data, kBytes);
  EXPECT_TRUE(mapping.holds(1));
}

TEST(ReleaseWeights, HugePagesOfFile_LeaveMemory) {
  File file;
  Mapping mapping(file.file);
  nacre_map_weights(mapping.data, kBytes);
  EXPECT_TRUE(mapping.holds(1));
  if (mapping.getKB("FilePmdMapped:") * 1024 != long(kBytes)) {
    GTEST_SKIP() << "the system has no huge pages for these files";
  }
  if (!isReleaseCheap(mapping.data)) {
    GTEST_SKIP() << "releasing a page takes long here, so weights may stay";
  }
  EXPECT_EQ(mapping.getKB("Rss:") * 1024, long(kBytes));
  // Not the last one, and not what is less than a page of the smallest kind.
  nacre_release_weights(mapping.data - 1, kBytes + 1 - nacre::kHugePage);
  EXPECT_EQ(mapping.getKB("Rss:") * 1024, nacre::kHugePage);
}

TEST(ReleaseWeights, SmallPagesOfFile_Stay) {
  File file;
  Mapping mapping(file.file);
  // Two neighbours in memory that are not in the file: no huge page fits.
  ASSERT_NE(mmap(mapping.data, nacre::kHugePage, PROT_READ,
                 MAP_PRIVATE | MAP_FIXED, file.file, 4 * getpagesize()),
            MAP_FAILED);
  for (int64_t i = 0; i < nacre::kHugePage; i += getpagesize()) {
    EXPECT_EQ(const_cast<volatile char *>(mapping.data)[i], 1);
  }
  long before = mapping.getKB("Rss:");
  EXPECT_GE(before * 1024, nacre::kHugePage);
  nacre_release_weights(mapping.data, nacre::kHugePage);
  EXPECT_EQ(mapping.getKB("Rss:"), before);
}

} // namespace
