//===- RuntimeFixture.h - What the runtime's tests share --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs with an allocator that notices leaks.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_UNITTESTS_RUNTIME_RUNTIMEFIXTURE_H
#define NACRE_UNITTESTS_RUNTIME_RUNTIMEFIXTURE_H

#include "nacre-c/Compiled.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace nacre::testing {

/// Runs with an allocator that counts the blocks in use.
class Runtime : public ::testing::Test {
protected:
  Runtime() {
    live = 0;
    left = SIZE_MAX;
    nacre_set_allocator(
        [](size_t size, size_t alignment) -> void * {
          if (left == 0) {
            return nullptr;
          }
          --left;
          ++live;
          return std::aligned_alloc(alignment, (size + alignment - 1) /
                                                   alignment * alignment);
        },
        [](void *block) {
          --live;
          std::free(block);
        });
  }
  ~Runtime() override {
    nacre_trim();
    EXPECT_EQ(live, 0) << "memory is leaked";
  }

  /// Calls `body` as a run. No object with a destructor may live in it when it
  /// fails.
  int run(std::function<void()> body) {
    int status = nacre_run(call, &body);
    message = nacre_error();
    return status;
  }

  /// Calls `body` as a part of the current run, and, like OpenMP, comes back.
  static void runPart(std::function<void()> body) {
    nacre_run_part(nacre_run_current(), call, &body);
  }

  /// The same on a thread that has no run.
  static void runPartElsewhere(std::function<void()> body) {
    struct nacre_run *whole = nacre_run_current();
    std::thread([&] { nacre_run_part(whole, call, &body); }).join();
  }

  static void call(void *body) {
    (*static_cast<std::function<void()> *>(body))();
  }

  static inline int64_t live = 0;
  /// How many blocks the allocator has left.
  static inline size_t left = SIZE_MAX;
  std::string message;
};

/// The number of elements.
inline int64_t getCount(const nacre_value *tensor) {
  int64_t count = 1;
  for (int64_t i = 0; i < nacre_tensor_rank(tensor); ++i) {
    count *= nacre_tensor_dim(tensor, i);
  }
  return count;
}

template <typename T> std::vector<T> getElements(const nacre_value *tensor) {
  const T *data = reinterpret_cast<const T *>(nacre_tensor_data(tensor));
  return std::vector<T>(data, data + getCount(tensor));
}

/// The elements of a tensor of strings.
inline std::vector<std::string> getTexts(const nacre_value *tensor) {
  auto texts = getElements<const char *>(tensor);
  return std::vector<std::string>(texts.begin(), texts.end());
}

/// A vector. A list of initialisers has no destructor, which a run that fails
/// would not call.
template <typename T, typename Values = std::initializer_list<T>>
nacre_value *makeVector(int64_t type, const Values &values) {
  auto size = static_cast<int64_t>(values.size());
  nacre_value *tensor = nacre_tensor_new(type, 1);
  nacre_tensor_set_dim(tensor, 0, size);
  char *data = nacre_tensor_allocate(tensor);
  std::copy(values.begin(), values.end(), reinterpret_cast<T *>(data));
  return tensor;
}

inline nacre_value *makeTexts(std::initializer_list<const char *> values) {
  auto size = static_cast<int64_t>(values.size());
  return nacre_tensor_of_strings(1, &size, values.begin());
}

} // namespace nacre::testing

#endif // NACRE_UNITTESTS_RUNTIME_RUNTIMEFIXTURE_H
