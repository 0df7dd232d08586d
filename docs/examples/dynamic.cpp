// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model of dynamic.c, called from C++, where a pointer owns each value:
//
//   nacre compile docs/examples/dynamic.mlir -o dynamic.a
//   clang++-22 -std=c++17 -I. docs/examples/dynamic.cpp dynamic.a -o dynamic
#include "dynamic.h"
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <vector>

struct Release {
  void operator()(nacre_value *value) const { nacre_release(value); }
};
using Value = std::unique_ptr<nacre_value, Release>;

/// A view of `numbers`, which have to outlive it.
static Value view(std::vector<float> &numbers,
                  std::initializer_list<int64_t> shape) {
  return Value(nacre_tensor_wrap(NACRE_FLOAT32,
                                 static_cast<int64_t>(shape.size()),
                                 shape.begin(), numbers.data()));
}

static std::vector<float> computeLengths(std::vector<float> &numbers,
                                         int64_t width) {
  // A byte more, since the model may need none.
  alignas(dynamic_ARENA_ALIGNMENT) static char arena[dynamic_ARENA_BYTES + 1];
  auto count = static_cast<int64_t>(numbers.size()) / width;
  Value vectors = view(numbers, {count, width});
  dynamic_inputs inputs = {vectors.get()};
  dynamic_outputs outputs = {};
  if (dynamic_run(&inputs, &outputs, arena) != NACRE_OK) {
    throw std::runtime_error(dynamic_error());
  }
  Value lengths(outputs.lengths);
  auto *data =
      reinterpret_cast<const float *>(nacre_tensor_data(lengths.get()));
  return std::vector<float>(data, data + nacre_tensor_dim(lengths.get(), 0));
}

int main() {
  std::vector<float> numbers = {1, 2, 2, 0, 3, 4, 2, 3, 6, 1, 4, 8};
  for (float length : computeLengths(numbers, 3)) {
    std::printf("%g ", length);
  }
  std::printf("\n");
  try {
    computeLengths(numbers, 4); // the model has vectors of three numbers
  } catch (const std::runtime_error &error) {
    std::printf("%s\n", error.what());
  }
  return 0;
}
