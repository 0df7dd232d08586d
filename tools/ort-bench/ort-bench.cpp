//===- ort-bench.cpp - Times ONNX Runtime on a data folder ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The peer of `nacre bench --json`: the same model and data, all graph
// optimisations, one JSON line. With --write-outputs its results become the
// data folder's expected ones. Not part of the build: python/scripts/bench.py
// compiles it against the library of an npm package, which has no headers. So
// OrtApi is used as what it is, a table of functions that only ever grows at
// its end; Function names the entries.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <onnx/onnx_pb.h>

struct OrtApiBase {
  void **(*getApi)(uint32_t version);
  const char *(*getVersionString)();
};
extern "C" OrtApiBase *OrtGetApiBase();

enum Function {
  GetErrorMessage = 2,
  CreateEnv = 3,
  CreateSession = 7,
  Run = 9,
  CreateSessionOptions = 10,
  SetSessionGraphOptimizationLevel = 23,
  SetIntraOpNumThreads = 24,
  SetInterOpNumThreads = 25,
  SessionGetInputCount = 30,
  SessionGetOutputCount = 31,
  SessionGetInputName = 36,
  SessionGetOutputName = 37,
  CreateTensorWithDataAsOrtValue = 49,
  GetTensorMutableData = 51,
  GetTensorElementType = 60,
  GetDimensionsCount = 61,
  GetDimensions = 62,
  GetTensorTypeAndShape = 65,
  CreateCpuMemoryInfo = 69,
  GetAllocatorWithDefaultOptions = 78,
  ReleaseValue = 96,
};

static constexpr uint32_t kApiVersion = 17;
static constexpr int kWarning = 2, kAllOptimizations = 99;
static void **api;

template <typename... Arguments>
static void call(Function function, Arguments... arguments) {
  auto entry = reinterpret_cast<void *(*)(Arguments...)>(api[function]);
  if (void *status = entry(arguments...)) {
    auto message =
        reinterpret_cast<const char *(*)(void *)>(api[GetErrorMessage])(status);
    std::fprintf(stderr, "ort-bench: %s\n", message);
    std::exit(2);
  }
}

using Clock = std::chrono::steady_clock;

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// A line of /proc/self/status in MB.
static double getMemory(const std::string &key) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind(key, 0) == 0) {
      return std::atof(line.c_str() + key.size()) / 1024;
    }
  }
  return 0;
}

/// The bytes of a tensor, of the field that has them.
static std::string getBytes(const onnx::TensorProto &tensor) {
  if (tensor.has_raw_data()) {
    return tensor.raw_data();
  }
  auto copy = [](const auto &field) {
    return std::string(reinterpret_cast<const char *>(field.data()),
                       field.size() * sizeof(*field.data()));
  };
  switch (tensor.data_type()) {
  case onnx::TensorProto::FLOAT:
    return copy(tensor.float_data());
  case onnx::TensorProto::DOUBLE:
    return copy(tensor.double_data());
  case onnx::TensorProto::INT64:
    return copy(tensor.int64_data());
  case onnx::TensorProto::INT32:
    return copy(tensor.int32_data());
  default:
    std::fprintf(stderr, "ort-bench: '%s' is stored in a way unknown here\n",
                 tensor.name().c_str());
    std::exit(3);
  }
}

/// Bytes of an element, by TensorProto's number of its type; 0 for strings.
static size_t getWidth(int type) {
  switch (type) {
  case onnx::TensorProto::UINT8:
  case onnx::TensorProto::INT8:
  case onnx::TensorProto::BOOL:
    return 1;
  case onnx::TensorProto::UINT16:
  case onnx::TensorProto::INT16:
  case onnx::TensorProto::FLOAT16:
  case onnx::TensorProto::BFLOAT16:
    return 2;
  case onnx::TensorProto::FLOAT:
  case onnx::TensorProto::INT32:
  case onnx::TensorProto::UINT32:
    return 4;
  case onnx::TensorProto::DOUBLE:
  case onnx::TensorProto::INT64:
  case onnx::TensorProto::UINT64:
    return 8;
  default:
    return 0;
  }
}

/// Writes a tensor as ONNX stores it.
static void writeTensor(void *value, const char *name,
                        const std::string &path) {
  void *info, *data;
  int type;
  size_t rank;
  call(GetTensorTypeAndShape, value, &info);
  call(GetTensorElementType, info, &type);
  call(GetDimensionsCount, info, &rank);
  std::vector<int64_t> sizes(rank);
  call(GetDimensions, info, sizes.data(), rank);
  call(GetTensorMutableData, value, &data);
  size_t bytes = getWidth(type);
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(type);
  for (int64_t size : sizes) {
    tensor.add_dims(size);
    bytes *= size;
  }
  tensor.set_raw_data(data, bytes);
  std::ofstream file(path, std::ios::binary);
  if (!getWidth(type) || !tensor.SerializeToOstream(&file)) {
    std::fprintf(stderr, "ort-bench: cannot write '%s'\n", path.c_str());
    std::exit(3);
  }
}

int main(int argc, char **argv) {
  bool writesOutputs = argc == 6 && std::string(argv[5]) == "--write-outputs";
  if (argc != 5 && !writesOutputs) {
    std::fprintf(stderr, "usage: ort-bench MODEL DATADIR THREADS SECONDS "
                         "[--write-outputs]\n");
    return 3;
  }
  std::string folder = argv[2];
  int threads = std::atoi(argv[3]);
  double seconds = std::atof(argv[4]);

  api = OrtGetApiBase()->getApi(kApiVersion);
  void *environment, *options, *session, *memory, *allocator;
  call(CreateEnv, kWarning, "bench", &environment);
  call(CreateSessionOptions, &options);
  call(SetSessionGraphOptimizationLevel, options, kAllOptimizations);
  call(SetIntraOpNumThreads, options, threads);
  call(SetInterOpNumThreads, options, 1);
  Clock::time_point start = Clock::now();
  call(CreateSession, environment, static_cast<const char *>(argv[1]), options,
       &session);
  double loadMs = millisecondsSince(start);
  call(CreateCpuMemoryInfo, 0, 0, &memory);
  call(GetAllocatorWithDefaultOptions, &allocator);

  size_t inputCount, outputCount;
  call(SessionGetInputCount, session, &inputCount);
  call(SessionGetOutputCount, session, &outputCount);
  std::vector<char *> names(inputCount), outputNames(outputCount);
  for (size_t i = 0; i < inputCount; ++i) {
    call(SessionGetInputName, session, i, allocator, &names[i]);
  }
  for (size_t i = 0; i < outputCount; ++i) {
    call(SessionGetOutputName, session, i, allocator, &outputNames[i]);
  }
  std::vector<onnx::TensorProto> tensors(inputCount);
  std::vector<std::string> bytes(inputCount);
  std::vector<const char *> inputNames(inputCount);
  std::vector<void *> inputs(inputCount), outputs(outputCount);
  for (size_t i = 0; i < inputCount; ++i) {
    std::ifstream file(folder + "/input_" + std::to_string(i) + ".pb",
                       std::ios::binary);
    if (!file || !tensors[i].ParseFromIstream(&file)) {
      std::fprintf(stderr, "ort-bench: cannot read input %zu\n", i);
      return 3;
    }
    // By name where names match, else by number.
    inputNames[i] = names[i];
    for (const char *name : names) {
      if (tensors[i].name() == name) {
        inputNames[i] = name;
      }
    }
    bytes[i] = getBytes(tensors[i]);
    call(CreateTensorWithDataAsOrtValue, memory,
         static_cast<void *>(bytes[i].data()), bytes[i].size(),
         tensors[i].dims().data(), static_cast<size_t>(tensors[i].dims_size()),
         static_cast<int>(tensors[i].data_type()), &inputs[i]);
  }

  auto run = [&] {
    std::fill(outputs.begin(), outputs.end(), nullptr);
    call(Run, session, static_cast<void *>(nullptr), inputNames.data(),
         static_cast<void *const *>(inputs.data()), inputs.size(),
         outputNames.data(), outputNames.size(), outputs.data());
  };
  auto release = [&] {
    for (void *output : outputs) {
      reinterpret_cast<void (*)(void *)>(api[ReleaseValue])(output);
    }
  };
  auto runOnce = [&] {
    run();
    release();
  };
  if (writesOutputs) {
    run();
    for (size_t i = 0; i < outputCount; ++i) {
      writeTensor(outputs[i], outputNames[i],
                  folder + "/output_" + std::to_string(i) + ".pb");
    }
    release();
  }
  constexpr int kWarmUp = 5;
  constexpr size_t kAtLeast = 5;
  for (int i = 0; i < kWarmUp; ++i) {
    runOnce();
  }
  std::vector<double> times;
  start = Clock::now();
  while (millisecondsSince(start) < seconds * 1000 || times.size() < kAtLeast) {
    Clock::time_point before = Clock::now();
    runOnce();
    times.push_back(millisecondsSince(before));
  }
  std::sort(times.begin(), times.end());
  double mean = std::accumulate(times.begin(), times.end(), 0.0) /
                static_cast<double>(times.size());
  std::printf("{\"engine\":\"onnxruntime %s\",\"threads\":%d,\"runs\":%zu,"
              "\"median_ms\":%.5f,\"mean_ms\":%.5f,\"min_ms\":%.5f,"
              "\"load_ms\":%.3f,"
              "\"rss_mb\":%.1f,\"private_mb\":%.1f}\n",
              OrtGetApiBase()->getVersionString(), threads, times.size(),
              times[times.size() / 2], mean, times.front(), loadMs,
              getMemory("VmHWM:"), getMemory("RssAnon:"));
  std::fflush(stdout);
  // Its threads need not be waited for.
  std::_Exit(0);
}
