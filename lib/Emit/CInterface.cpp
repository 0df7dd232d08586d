//===- CInterface.cpp - The C side of a compiled model --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything here runs before the CPU is known to be capable, so it is compiled
// for the baseline of its architecture.
//
//===----------------------------------------------------------------------===//

#include "CInterface.h"
#include "CPUCheck.h"
#include "Metadata.h"

#include "nacre-c/Status.h"
#include "nacre/Runtime/FunctionNames.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace nacre;
using llvm::StringRef;

/// Lets the runtime prepare the weights when a library is loaded.
static void addWeightsConstructor(llvm::Module &module, StringRef name,
                                  llvm::GlobalVariable *weights,
                                  int64_t bytes) {
  llvm::IRBuilder<> b(module.getContext());
  auto *constructor = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), false),
      llvm::GlobalValue::InternalLinkage, name + "_map_weights", module);
  setBaseline(constructor);
  b.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", constructor));
  auto map = module.getOrInsertFunction(names::kMapWeights, b.getVoidTy(),
                                        b.getPtrTy(), b.getInt64Ty());
  b.CreateCall(map, {weights, b.getInt64(bytes)});
  b.CreateRetVoid();
  llvm::appendToGlobalCtors(module, constructor, /*Priority=*/65535);
}

/// NAME_architecture: the name of the version in use, or null.
static void addArchitectureFunction(llvm::Module &module, StringRef name,
                                    llvm::ArrayRef<CodeVersion> versions,
                                    llvm::GlobalVariable *picked) {
  llvm::IRBuilder<> b(module.getContext());
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(b.getPtrTy(), false),
      llvm::GlobalValue::ExternalLinkage, name + "_architecture", module);
  setBaseline(function);
  b.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", function));
  if (!picked) {
    b.CreateRet(b.CreateGlobalString(versions.front().architecture));
    return;
  }
  llvm::Value *number = b.CreateLoad(b.getInt8Ty(), picked);
  llvm::Value *result = llvm::ConstantPointerNull::get(b.getPtrTy());
  for (auto [i, version] : llvm::enumerate(versions)) {
    result = b.CreateSelect(b.CreateICmpEQ(number, b.getInt8(i + 1)),
                            b.CreateGlobalString(version.architecture), result);
  }
  b.CreateRet(result);
}

/// NAME_error: nacre_error of the runtime that this model calls, of which a
/// program with several libraries has one for each.
static void addErrorFunction(llvm::Module &module, StringRef name) {
  llvm::IRBuilder<> b(module.getContext());
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(b.getPtrTy(), false),
      llvm::GlobalValue::ExternalLinkage, name + "_error", module);
  setBaseline(function);
  b.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", function));
  b.CreateRet(
      b.CreateCall(module.getOrInsertFunction(names::kError, b.getPtrTy())));
}

namespace {

/// Where registers have 64 bits, some machines keep an int in them with its
/// sign, RISC-V among them.
constexpr llvm::Attribute::AttrKind kIntOfC = llvm::Attribute::SExt;

/// Builds NAME_run: checks what it is given and calls the right version. With
/// hooks NAME_run_with_hooks does so, and NAME_run calls that without any.
class RunBuilder {
public:
  RunBuilder(llvm::Module &module, const ArtifactInfo &info,
             llvm::Value *weights)
      : module(module), info(info), weights(weights), b(module.getContext()) {}

  void build(llvm::ArrayRef<CodeVersion> versions,
             llvm::GlobalVariable *picked);

private:
  llvm::BasicBlock *createBlock(const char *name) {
    return llvm::BasicBlock::Create(module.getContext(), name, run);
  }

  /// Returns `status`. A runtime, where there is one, keeps the reason.
  void refuse(int status, llvm::Value *reason) {
    llvm::Value *result = b.getInt32(status);
    if (info.usesRuntime) {
      llvm::CallInst *call = b.CreateCall(
          module.getOrInsertFunction(names::kRefuse, b.getInt32Ty(),
                                     b.getInt32Ty(), b.getPtrTy()),
          {result, reason});
      call->addParamAttr(0, kIntOfC);
      call->addRetAttr(kIntOfC);
      result = call;
    }
    b.CreateRet(result);
  }

  llvm::Value *createText(const llvm::Twine &text) {
    return b.CreateGlobalString(text.str());
  }

  /// Goes on only where `condition` holds; refuses the call elsewhere.
  void require(llvm::Value *condition, const llvm::Twine &reason) {
    llvm::BasicBlock *next = createBlock("checked");
    if (info.usesRuntime) {
      badReason->addIncoming(createText(reason), b.GetInsertBlock());
    }
    b.CreateCondBr(condition, next, badPointer);
    b.SetInsertPoint(next);
  }

  llvm::Value *getField(llvm::Value *base, size_t index) {
    return b.CreateConstInBoundsGEP1_64(b.getPtrTy(), base, index);
  }

  /// The struct and those of its pointers that a call must give.
  void checkPointers(llvm::Value *base, llvm::ArrayRef<ModelTensor> tensors,
                     bool areOutputs) {
    if (tensors.empty()) {
      return;
    }
    const char *kind = areOutputs ? "output" : "input";
    require(b.CreateIsNotNull(base),
            "the pointer to the struct of " + llvm::Twine(kind) + "s is null");
    for (auto [i, tensor] : llvm::enumerate(tensors)) {
      if (!areOutputs || !tensor.isRuntimeValue()) {
        require(
            b.CreateIsNotNull(b.CreateLoad(b.getPtrTy(), getField(base, i))),
            "the pointer of " + llvm::Twine(kind) + " '" + tensor.name +
                "' is null");
      }
    }
  }

  /// What the model is called with: the structs of inputs and outputs, the
  /// arena and, where it takes them, hooks.
  using Pointers = llvm::SmallVector<llvm::Value *, 4>;

  /// Creates a function that takes these.
  llvm::Function *createRun(const llvm::Twine &name, size_t numPointers);
  /// Creates NAME_run around what has been built.
  void addRunWithoutHooks();

  /// Calls the model with the pointers of the structs. What it returns, values
  /// of the runtime, becomes the caller's.
  void callMain(const CodeVersion &version, const Pointers &pointers);

  /// A function of one argument that runs the version: what nacre_run takes.
  llvm::Function *createBody(const CodeVersion &version);
  void callVersion(const CodeVersion &version, const Pointers &pointers);

  llvm::Module &module;
  const ArtifactInfo &info;
  llvm::Value *weights;
  llvm::IRBuilder<> b;
  llvm::Function *run = nullptr;
  llvm::BasicBlock *badPointer = nullptr;
  llvm::PHINode *badReason = nullptr; // if there is a runtime to keep it
};

} // namespace

void RunBuilder::callMain(const CodeVersion &version,
                          const Pointers &pointers) {
  llvm::Type *ptr = b.getPtrTy();
  llvm::Value *inputs = pointers[0], *outputs = pointers[1];
  llvm::SmallVector<size_t> values, buffers;
  for (auto [i, tensor] : llvm::enumerate(getOwnOutputs(info.interface))) {
    (tensor.isRuntimeValue() ? values : buffers).push_back(i);
  }
  llvm::SmallVector<llvm::Value *> arguments;
  size_t numInputs = 0, numOutputs = 0;
  for (abi::Role role : version.roles) {
    switch (role) {
    case abi::Role::Input:
    case abi::Role::State:
      arguments.push_back(b.CreateLoad(ptr, getField(inputs, numInputs++)));
      break;
    case abi::Role::Output:
      arguments.push_back(
          b.CreateLoad(ptr, getField(outputs, buffers[numOutputs++])));
      break;
    case abi::Role::Hooks:
      arguments.push_back(pointers[3]);
      break;
    case abi::Role::Arena:
      arguments.push_back(pointers[2]);
      break;
    case abi::Role::Weights:
      arguments.push_back(weights);
      break;
    }
  }
  llvm::Value *result = b.CreateCall(version.main, arguments);
  for (auto [number, index] : llvm::enumerate(values)) {
    llvm::Value *value =
        values.size() == 1 ? result : b.CreateExtractValue(result, number);
    value = b.CreateCall(module.getOrInsertFunction(names::kRetain, ptr, ptr),
                         value);
    b.CreateStore(value, getField(outputs, index));
  }
}

llvm::Function *RunBuilder::createBody(const CodeVersion &version) {
  llvm::IRBuilder<>::InsertPointGuard guard(b);
  llvm::Type *ptr = b.getPtrTy();
  auto *body = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), {ptr}, false),
      llvm::GlobalValue::InternalLinkage, version.main->getName() + "_body",
      module);
  setBaseline(body);
  b.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", body));
  Pointers pointers;
  for (size_t i = 0; i < run->arg_size(); ++i) {
    pointers.push_back(b.CreateLoad(ptr, getField(body->getArg(0), i)));
  }
  callMain(version, pointers);
  b.CreateRetVoid();
  return body;
}

void RunBuilder::callVersion(const CodeVersion &version,
                             const Pointers &pointers) {
  if (!info.usesRuntime) {
    callMain(version, pointers);
    b.CreateRet(b.getInt32(NACRE_OK));
    return;
  }
  llvm::Type *ptr = b.getPtrTy();
  llvm::Value *frame =
      b.CreateAlloca(llvm::ArrayType::get(ptr, pointers.size()));
  for (auto [i, value] : llvm::enumerate(pointers)) {
    b.CreateStore(value, getField(frame, i));
  }
  auto guarded =
      module.getOrInsertFunction(names::kRun, b.getInt32Ty(), ptr, ptr);
  llvm::CallInst *call = b.CreateCall(guarded, {createBody(version), frame});
  call->addRetAttr(kIntOfC);
  b.CreateRet(call);
}

llvm::Function *RunBuilder::createRun(const llvm::Twine &name,
                                      size_t numPointers) {
  llvm::SmallVector<llvm::Type *> types(numPointers, b.getPtrTy());
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(b.getInt32Ty(), types, false),
      llvm::GlobalValue::ExternalLinkage, name, module);
  function->addRetAttr(kIntOfC);
  setBaseline(function);
  return function;
}

void RunBuilder::addRunWithoutHooks() {
  llvm::Function *plain = createRun(info.name + "_run", 3);
  b.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", plain));
  Pointers pointers = {plain->getArg(0), plain->getArg(1), plain->getArg(2),
                       llvm::ConstantPointerNull::get(b.getPtrTy())};
  llvm::CallInst *call = b.CreateCall(run, pointers);
  call->addRetAttr(kIntOfC);
  b.CreateRet(call);
}

void RunBuilder::build(llvm::ArrayRef<CodeVersion> versions,
                       llvm::GlobalVariable *picked) {
  llvm::Type *ptr = b.getPtrTy();
  run = info.hasHooks() ? createRun(info.name + "_run_with_hooks", 4)
                        : createRun(info.name + "_run", 3);
  llvm::BasicBlock *entry = createBlock("entry");
  badPointer = createBlock("bad_pointer");
  b.SetInsertPoint(badPointer);
  if (info.usesRuntime) {
    badReason = b.CreatePHI(ptr, 0);
  }
  refuse(NACRE_BAD_POINTER, badReason);
  b.SetInsertPoint(entry);
  llvm::Value *number = nullptr;
  if (picked) {
    llvm::BasicBlock *lacks = createBlock("lacks_features");
    llvm::BasicBlock *capable = createBlock("capable");
    number = b.CreateLoad(b.getInt8Ty(), picked);
    b.CreateCondBr(b.CreateIsNotNull(number), capable, lacks);
    b.SetInsertPoint(lacks);
    refuse(NACRE_UNSUPPORTED_CPU,
           createText("this CPU lacks instructions that the model was compiled "
                      "for, or the system refuses them to this process"));
    b.SetInsertPoint(capable);
  }
  Pointers pointers;
  for (llvm::Argument &argument : run->args()) {
    pointers.push_back(&argument);
  }
  llvm::Value *inputs = pointers[0], *outputs = pointers[1];
  llvm::Value *arena = pointers[2];
  checkPointers(inputs, info.interface.inputs, /*areOutputs=*/false);
  checkPointers(outputs, getOwnOutputs(info.interface), /*areOutputs=*/true);
  if (info.arenaBytes > 0) {
    require(b.CreateIsNotNull(arena), "the arena is null");
    llvm::Value *low = b.CreateAnd(b.CreatePtrToInt(arena, b.getInt64Ty()),
                                   b.getInt64(info.arenaAlignment - 1));
    require(b.CreateICmpEQ(low, b.getInt64(0)),
            "the arena is not aligned to " + llvm::Twine(info.arenaAlignment) +
                " bytes");
  }
  for (auto [i, version] : llvm::enumerate(versions.drop_back())) {
    llvm::BasicBlock *chosen = createBlock("version");
    llvm::BasicBlock *others = createBlock("others");
    b.CreateCondBr(b.CreateICmpEQ(number, b.getInt8(i + 1)), chosen, others);
    b.SetInsertPoint(chosen);
    callVersion(version, pointers);
    b.SetInsertPoint(others);
  }
  callVersion(versions.back(), pointers);
  if (info.hasHooks()) {
    addRunWithoutHooks();
  }
}

void nacre::addCInterface(llvm::Module &module, const ArtifactInfo &info,
                          llvm::ArrayRef<CodeVersion> versions) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> b(context);
  llvm::Type *bytes = llvm::ArrayType::get(
      b.getInt8Ty(), std::max<int64_t>(info.weightBytes, 1));
  auto *weights = new llvm::GlobalVariable(module, bytes, /*isConstant=*/true,
                                           llvm::GlobalValue::ExternalLinkage,
                                           nullptr, info.name + "_weights");
  // Addressed through the GOT: the JIT's weights may be anywhere. In a library
  // the definition is hidden and the linker relaxes the access.
  weights->setDSOLocal(hasFixedAddress(module.getTargetTriple()));
  weights->setAlignment(llvm::Align(info.arenaAlignment));

  auto *metadata = new llvm::GlobalVariable(
      module,
      llvm::ArrayType::get(b.getInt8Ty(), buildMetadata(info).size() + 1),
      /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage,
      llvm::ConstantDataArray::getString(context, buildMetadata(info)),
      info.name + "_metadata");
  (void)metadata;

  if (info.releasesWeights) {
    addWeightsConstructor(module, info.name, weights, info.weightBytes);
  }
  llvm::GlobalVariable *picked = addVersionCheck(module, info.name, versions);
  addArchitectureFunction(module, info.name, versions, picked);
  if (info.usesRuntime) {
    addErrorFunction(module, info.name);
  }

  RunBuilder(module, info, weights).build(versions, picked);
}
