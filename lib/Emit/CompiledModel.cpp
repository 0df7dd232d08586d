//===- CompiledModel.cpp - Running compiled models ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JIT loads the very object an artifact would hold; only the weights are
// bound to memory instead of a section.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/CompiledModel.h"
#include "LibraryFile.h"
#include "Metadata.h"
#include "RuntimeValue.h"

#include "nacre/Emit/Artifact.h"
#include "nacre/Emit/ArtifactFile.h"
#include "nacre/Runtime/FunctionNames.h"
#include "nacre/Support/HugePages.h"
#include "nacre/Support/Memory.h"
#include "nacre/Target/RuntimeObjects.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <dlfcn.h>
#include <sys/mman.h>

using namespace mlir;
using namespace nacre;
using interpreter::Datum;
using interpreter::Tensor;

CompiledModel::~CompiledModel() = default;

/// Null where there is no memory for it.
static std::shared_ptr<void> allocate(int64_t size, int64_t alignment) {
  // Large blocks profit from huge pages.
  if (size >= kHugePage) {
    alignment = kHugePage;
  }
  size_t bytes = llvm::alignTo(size, alignment);
  std::shared_ptr<void> block(std::aligned_alloc(alignment, bytes), std::free);
  if (block && alignment == kHugePage) {
    (void)madvise(block.get(), bytes, MADV_HUGEPAGE);
  }
  return block;
}

LogicalResult CompiledModel::allocateArena(Location loc) {
  if (info.arenaBytes > 0 && fitsMemory(info.arenaBytes)) {
    arena = allocate(info.arenaBytes, info.arenaAlignment);
  }
  return arena || info.arenaBytes <= 0 ? success()
                                       : emitError(loc)
                                             << "no memory for an arena of "
                                             << info.arenaBytes << " bytes";
}

StringRef CompiledModel::getArchitecture() const {
  const char *name = architecture();
  return name ? name : "";
}

FailureOr<std::unique_ptr<CompiledModel>>
CompiledModel::jit(Location loc, Program &program, ArrayRef<char> object,
                   ArrayRef<std::pair<StringRef, void *>> functions) {
  auto fail = [&](llvm::Error error) -> LogicalResult {
    return emitError(loc) << "cannot load the compiled model: "
                          << llvm::toString(std::move(error));
  };
  std::unique_ptr<CompiledModel> model(new CompiledModel());
  model->info = program.getInfo();
  model->codeBytes = object.size();
  auto created = llvm::orc::LLJITBuilder().create();
  if (!created) {
    return fail(created.takeError());
  }
  model->engine = std::move(*created);
  llvm::orc::LLJIT &engine = *model->engine;
  llvm::orc::JITDylib &dylib = engine.getMainJITDylib();
  auto generator =
      llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
          engine.getDataLayout().getGlobalPrefix());
  if (!generator) {
    return fail(generator.takeError());
  }
  dylib.addGenerator(std::move(*generator));
  model->weights = allocate(std::max<int64_t>(model->info.weightBytes, 1),
                            model->info.arenaAlignment);
  if (!model->weights) {
    return emitError(loc) << "no memory for " << model->info.weightBytes
                          << " bytes of weights";
  }
  program.getWeights().release(static_cast<char *>(model->weights.get()));
  llvm::orc::SymbolMap symbols;
  symbols[engine.mangleAndIntern(program.getWeightsSymbol())] = {
      llvm::orc::ExecutorAddr::fromPtr(model->weights.get()),
      llvm::JITSymbolFlags::Exported};
  if (model->info.usesRuntime) {
    model->error = nacre_error;
  }
  auto bound = llvm::to_vector(functions);
  llvm::append_range(bound, getRuntimeFunctions());
  for (auto [name, address] : bound) {
    symbols[engine.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  }
  if (llvm::Error error =
          dylib.define(llvm::orc::absoluteSymbols(std::move(symbols)))) {
    return fail(std::move(error));
  }
  if (llvm::Error error =
          engine.addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(
              StringRef(object.data(), object.size()), model->info.name))) {
    return fail(std::move(error));
  }
  // A library's constructor checks the CPU; here it is called, where the code
  // has one.
  llvm::orc::SymbolStringPtr checkName =
      engine.mangleAndIntern(model->info.name + "_check_cpu");
  auto check = engine.getExecutionSession().lookup(
      {{&dylib, llvm::orc::JITDylibLookupFlags::MatchAllSymbols}},
      llvm::orc::SymbolLookupSet(
          checkName, llvm::orc::SymbolLookupFlags::WeaklyReferencedSymbol));
  if (!check) {
    return fail(check.takeError());
  }
  if (auto it = check->find(checkName);
      it != check->end() && it->second.getAddress()) {
    it->second.getAddress().toPtr<void (*)()>()();
  }
  auto symbol = engine.lookup(model->info.name + "_run");
  if (!symbol) {
    return fail(symbol.takeError());
  }
  auto architecture = engine.lookup(model->info.name + "_architecture");
  if (!architecture) {
    return fail(architecture.takeError());
  }
  model->function = symbol->toPtr<RunFunction>();
  if (model->info.hasHooks()) {
    auto hooked = engine.lookup(model->info.name + "_run_with_hooks");
    if (!hooked) {
      return fail(hooked.takeError());
    }
    model->hooked = hooked->toPtr<HookedFunction>();
  }
  model->architecture = architecture->toPtr<NameFunction>();
  return model;
}

FailureOr<std::unique_ptr<CompiledModel>>
CompiledModel::load(MLIRContext &context, StringRef path) {
  Location loc = FileLineColLoc::get(&context, path, 0, 0);
  if (failed(checkLibraryFile(loc, path))) {
    return failure();
  }
  // dlopen searches the system for a name without a slash.
  SmallString<128> absolute(path);
  llvm::sys::fs::make_absolute(absolute);
  void *handle = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    return emitError(loc) << "cannot load the library: " << dlerror();
  }
  std::unique_ptr<CompiledModel> model(new CompiledModel());
  model->library.reset(handle, dlclose);
  auto find = [&](StringRef part) {
    return dlsym(handle, (names::kModelPrefix + part).str().c_str());
  };
  auto *metadata = static_cast<const char *>(find("_metadata"));
  model->function = reinterpret_cast<RunFunction>(find("_run"));
  model->architecture = reinterpret_cast<NameFunction>(find("_architecture"));
  model->error =
      reinterpret_cast<NameFunction>(dlsym(handle, names::kError.data()));
  // The library's own runtime finds the memory of results again.
  if (void *release = dlsym(handle, names::kRelease.data())) {
    model->release = reinterpret_cast<ReleaseFunction>(release);
  }
  if (failed(parseMetadata(loc, metadata, model->info))) {
    return failure();
  }
  model->codeBytes = countCodeBytes(path);
  if (failed(model->allocateArena(loc))) {
    return failure();
  }
  return model;
}

LogicalResult CompiledModel::withPointers(
    Location loc, ArrayRef<Datum> inputs, SmallVectorImpl<Datum> &outputs,
    llvm::function_ref<LogicalResult(llvm::function_ref<int()>)> use) {
  SmallVector<void *> inputPointers, outputPointers;
  SmallVector<RuntimeValue> values;
  for (auto [input, expected] :
       llvm::zip_equal(inputs, info.interface.inputs)) {
    if (expected.isRuntimeValue()) {
      FailureOr<RuntimeValue> value =
          RuntimeValue::create(loc, input, expected.getValueType());
      if (failed(value)) {
        return failure();
      }
      inputPointers.push_back(value->get());
      values.push_back(std::move(*value));
      continue;
    }
    if (input.getTensor().getType() != expected.type) {
      return emitError(loc)
             << "expected input '" << expected.name << "' of type "
             << expected.type << ", found " << input.getTensor().getType();
    }
    inputPointers.push_back(
        const_cast<char *>(input.getTensor().getBytes().data()));
  }
  SmallVector<Tensor> tensors;
  for (const ModelTensor &output : info.interface.outputs) {
    if (output.isRuntimeValue()) {
      tensors.emplace_back();
      outputPointers.push_back(nullptr);
      continue;
    }
    tensors.emplace_back(output.type);
    MutableArrayRef<char> bytes = tensors.back().getMutableBytes();
    if (!output.state) {
      outputPointers.push_back(bytes.data());
      continue;
    }
    // What a state becomes is written over it.
    llvm::copy(inputs[*output.state].getTensor().getBytes(), bytes.begin());
    inputPointers[*output.state] = bytes.data();
  }
  std::vector<ModelTensor> own = getOwnOutputs(info.interface);
  auto releaseAll = [&] {
    for (auto [pointer, output] : llvm::zip_equal(outputPointers, own)) {
      if (output.isRuntimeValue()) {
        release(static_cast<nacre_value *>(pointer));
        pointer = nullptr;
      }
    }
  };
  llvm::scope_exit releaseLast(releaseAll);
  if (failed(use([&] {
        releaseAll();
        return hooks && hooked
                   ? hooked(inputPointers.data(), outputPointers.data(),
                            arena.get(), hooks)
                   : function(inputPointers.data(), outputPointers.data(),
                              arena.get());
      }))) {
    return failure();
  }
  auto *pointer = outputPointers.begin();
  for (auto [tensor, output] :
       llvm::zip_equal(tensors, info.interface.outputs)) {
    outputs.push_back(
        output.isRuntimeValue()
            ? readRuntimeValue(*loc.getContext(),
                               static_cast<nacre_value *>(*pointer))
            : Datum(tensor));
    pointer += output.state ? 0 : 1;
  }
  return success();
}

LogicalResult CompiledModel::run(Location loc, ArrayRef<Datum> inputs,
                                 SmallVectorImpl<Datum> &outputs) {
  return withPointers(
      loc, inputs, outputs,
      [&](llvm::function_ref<int()> runOnce) -> LogicalResult {
        lastCall.begin = std::chrono::steady_clock::now();
        int status = runOnce();
        lastCall.end = std::chrono::steady_clock::now();
        switch (status) {
        case NACRE_OK:
          return success();
        case NACRE_UNSUPPORTED_CPU:
          return emitError(loc) << "this CPU lacks instructions that the model "
                                   "was compiled for, or the system refuses "
                                   "them to this process";
        case NACRE_FAILED:
          return emitError(loc)
                 << "the model cannot run on these inputs: " << error();
        default:
          return emitError(loc) << "the model rejected its arguments";
        }
      });
}
