//===- dnnl-bench.cpp - Times a primitive of oneDNN -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The peer of python/scripts/bench_onednn.py: one convolution or product, in
// the layouts that oneDNN prefers, with weights in place and nothing fused; one
// JSON line. A product is what the faster of oneDNN's two primitives for it
// takes. Not part of the build: bench_onednn.py compiles it against Debian's
// libdnnl-dev.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

using Clock = std::chrono::steady_clock;
using dnnl::memory;
using DataType = memory::data_type;
using Tag = memory::format_tag;
using Dims = memory::dims;

namespace {
/// A primitive with its memory, ready to run.
struct Step {
  std::string name;
  dnnl::primitive primitive;
  std::unordered_map<int, memory> arguments;
};

/// Element types of the operands and of the result.
struct Types {
  DataType left, right, result;
};
} // namespace

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

static DataType parseType(const std::string &name) {
  if (name == "f32") {
    return DataType::f32;
  }
  if (name == "bf16") {
    return DataType::bf16;
  }
  if (name == "u8") {
    return DataType::u8;
  }
  if (name == "s8") {
    return DataType::s8;
  }
  throw std::runtime_error("no element type '" + name + "'");
}

static memory::desc plain(const Dims &dims, DataType type) {
  switch (dims.size()) {
  case 2:
    return {dims, type, Tag::ab};
  case 4:
    return {dims, type, Tag::abcd};
  default:
    return {dims, type, Tag::abcde};
  }
}

static memory::desc any(const Dims &dims, DataType type) {
  return {dims, type, Tag::any};
}

/// Random numbers in `wanted`, which oneDNN chose for the operand `dims`.
static memory draw(const Dims &dims, DataType type, const memory::desc &wanted,
                   const dnnl::engine &engine, dnnl::stream &stream) {
  bool isInteger = type == DataType::u8 || type == DataType::s8;
  DataType drawn = isInteger ? type : DataType::f32;
  memory source(plain(dims, drawn), engine), result(wanted, engine);
  std::mt19937 random(1);
  size_t bytes = source.get_desc().get_size();
  if (isInteger) {
    auto *data = static_cast<uint8_t *>(source.get_data_handle());
    std::generate_n(data, bytes, random);
  } else {
    std::uniform_real_distribution<float> uniform(-1, 1);
    auto *data = static_cast<float *>(source.get_data_handle());
    std::generate_n(data, bytes / sizeof(float),
                    [&] { return uniform(random); });
  }
  dnnl::reorder(source, result).execute(stream, source, result);
  stream.wait();
  return result;
}

/// Bytes are scaled on their way into the result, as they are in networks.
static constexpr float kScale = 1.0F / 4096;

static dnnl::primitive_attr getAttributes(const Types &types) {
  dnnl::primitive_attr attributes;
  if (types.result == DataType::u8) {
#if DNNL_VERSION_MAJOR < 3
    attributes.set_output_scales(0, {kScale});
#else
    attributes.set_scales_mask(DNNL_ARG_WEIGHTS, 0);
#endif
  }
  return attributes;
}

/// The operands of `description`, in the layouts that it wants.
template <typename Primitive>
static Step prepare(const typename Primitive::primitive_desc &description,
                    const Dims &left, const Dims &right, const Types &types,
                    const dnnl::engine &engine, dnnl::stream &stream) {
  Step step;
  step.name = description.impl_info_str();
  step.primitive = Primitive(description);
  step.arguments = {
      {DNNL_ARG_SRC,
       draw(left, types.left, description.src_desc(), engine, stream)},
      {DNNL_ARG_WEIGHTS,
       draw(right, types.right, description.weights_desc(), engine, stream)},
      {DNNL_ARG_DST, memory(description.dst_desc(), engine)}};
#if DNNL_VERSION_MAJOR >= 3
  if (types.result == DataType::u8) {
    memory scale({{1}, DataType::f32, Tag::a}, engine);
    *static_cast<float *>(scale.get_data_handle()) = kScale;
    step.arguments[DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS] = scale;
  }
#endif
  return step;
}

/// Sizes: images, inputs, outputs, height and width, kernel, stride, groups.
static Step makeConvolution(const std::vector<int64_t> &sizes,
                            const Types &types, const dnnl::engine &engine,
                            dnnl::stream &stream) {
  int64_t images = sizes[0], inputs = sizes[1], outputs = sizes[2],
          size = sizes[3], kernel = sizes[4], stride = sizes[5],
          groups = sizes[6];
  Dims left = {images, inputs, size, size};
  Dims right = {outputs, inputs, kernel, kernel};
  if (groups > 1) {
    right = {groups, outputs / groups, inputs / groups, kernel, kernel};
  }
  int64_t pad = kernel / 2;
  int64_t resultSize = (size + 2 * pad - kernel) / stride + 1;
  Dims result = {images, outputs, resultSize, resultSize};
  Dims strides = {stride, stride}, pads = {pad, pad};
  using Convolution = dnnl::convolution_forward;
  auto kind = dnnl::prop_kind::forward_inference;
  auto algorithm = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR < 3
  Convolution::primitive_desc description(
      {kind, algorithm, any(left, types.left), any(right, types.right),
       any(result, types.result), strides, pads, pads},
      getAttributes(types), engine);
#else
  Convolution::primitive_desc description(
      engine, kind, algorithm, any(left, types.left), any(right, types.right),
      any(result, types.result), strides, pads, pads, getAttributes(types));
#endif
  return prepare<Convolution>(description, left, right, types, engine, stream);
}

static Step makeMatMul(const std::vector<int64_t> &sizes, const Types &types,
                       const dnnl::engine &engine, dnnl::stream &stream) {
  Dims left = {sizes[0], sizes[1]}, right = {sizes[1], sizes[2]};
  Dims result = {sizes[0], sizes[2]};
#if DNNL_VERSION_MAJOR < 3
  dnnl::matmul::primitive_desc description({any(left, types.left),
                                            any(right, types.right),
                                            any(result, types.result)},
                                           getAttributes(types), engine);
#else
  dnnl::matmul::primitive_desc description(
      engine, any(left, types.left), any(right, types.right),
      any(result, types.result), getAttributes(types));
#endif
  return prepare<dnnl::matmul>(description, left, right, types, engine, stream);
}

static Step makeInnerProduct(const std::vector<int64_t> &sizes,
                             const Types &types, const dnnl::engine &engine,
                             dnnl::stream &stream) {
  // The weights' columns are its rows.
  Dims left = {sizes[0], sizes[1]}, right = {sizes[2], sizes[1]};
  Dims result = {sizes[0], sizes[2]};
  using InnerProduct = dnnl::inner_product_forward;
  auto kind = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR < 3
  InnerProduct::primitive_desc description({kind, any(left, types.left),
                                            any(right, types.right),
                                            any(result, types.result)},
                                           getAttributes(types), engine);
#else
  InnerProduct::primitive_desc description(
      engine, kind, any(left, types.left), any(right, types.right),
      any(result, types.result), getAttributes(types));
#endif
  return prepare<InnerProduct>(description, left, right, types, engine, stream);
}

/// Milliseconds of each run, in order of their lengths.
static std::vector<double> measure(const Step &step, double seconds,
                                   dnnl::stream &stream) {
  constexpr int kWarmUp = 5;
  constexpr size_t kAtLeast = 5;
  auto run = [&] {
    step.primitive.execute(stream, step.arguments);
    stream.wait();
  };
  for (int i = 0; i < kWarmUp; ++i) {
    run();
  }
  std::vector<double> times;
  Clock::time_point start = Clock::now();
  while (millisecondsSince(start) < seconds * 1000 || times.size() < kAtLeast) {
    Clock::time_point before = Clock::now();
    run();
    times.push_back(millisecondsSince(before));
  }
  std::sort(times.begin(), times.end());
  return times;
}

static double getMedian(const std::vector<double> &times) {
  return times[times.size() / 2];
}

static int race(int argc, char **argv) {
  double seconds = std::atof(argv[1]);
  Types types = {parseType(argv[2]), parseType(argv[3]), parseType(argv[4])};
  std::string kind = argv[5];
  std::vector<int64_t> sizes;
  for (int i = 6; i < argc; ++i) {
    sizes.push_back(std::atoll(argv[i]));
  }
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  std::vector<Step> steps;
  if (kind == "conv" && sizes.size() == 7) {
    steps.push_back(makeConvolution(sizes, types, engine, stream));
  } else if (kind == "matmul" && sizes.size() == 3) {
    steps.push_back(makeMatMul(sizes, types, engine, stream));
    steps.push_back(makeInnerProduct(sizes, types, engine, stream));
  } else {
    std::fprintf(stderr, "dnnl-bench: no step '%s' of %zu sizes\n",
                 kind.c_str(), sizes.size());
    return 3;
  }
  const Step *fastest = nullptr;
  std::vector<double> best;
  for (const Step &step : steps) {
    std::vector<double> times =
        measure(step, seconds / static_cast<double>(steps.size()), stream);
    if (!fastest || getMedian(times) < getMedian(best)) {
      fastest = &step;
      best = std::move(times);
    }
  }
  const dnnl_version_t *version = dnnl_version();
  std::printf("{\"engine\":\"onednn %d.%d.%d\",\"implementation\":\"%s\","
              "\"runs\":%zu,\"median_ms\":%.6f,\"min_ms\":%.6f}\n",
              version->major, version->minor, version->patch,
              fastest->name.c_str(), best.size(), getMedian(best),
              best.front());
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 6) {
    std::fprintf(stderr,
                 "usage: dnnl-bench SECONDS LEFT RIGHT RESULT KIND SIZES...\n"
                 "  types: f32, bf16, u8, s8\n"
                 "  conv IMAGES INPUTS OUTPUTS SIZE KERNEL STRIDE GROUPS\n"
                 "  matmul ROWS INNER COLUMNS\n");
    return 3;
  }
  try {
    return race(argc, argv);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "dnnl-bench: %s\n", error.what());
    return 2;
  }
}
