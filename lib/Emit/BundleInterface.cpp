//===- BundleInterface.cpp - The C side of a bundle -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function of three pointers, and a constant table. Nothing runs when the
// code is loaded, and nothing is written but what the pointers say.
//
//===----------------------------------------------------------------------===//

#include "BundleInterface.h"

#include "Metadata.h"

#include "nacre/Runtime/FunctionNames.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace nacre;
using llvm::StringRef;

// What the function returns, as the header says. Glow's has 0 for success.
static constexpr int kSuccess = 0, kLacksFeatures = 1, kBadPointer = 2;

/// The caller's memory is not the compiler's to give back.
static void dropReleases(llvm::Module &module) {
  llvm::Function *release = module.getFunction(names::kReleaseWeights);
  if (!release) {
    return;
  }
  for (llvm::User *user : llvm::make_early_inc_range(release->users())) {
    llvm::cast<llvm::CallInst>(user)->eraseFromParent();
  }
  release->eraseFromParent();
}

/// What makes a bundle of the model impossible, if anything does.
static llvm::Error checkModel(const ArtifactInfo &info,
                              llvm::ArrayRef<CodeVersion> versions) {
  auto refuse = [](const llvm::Twine &reason) {
    return llvm::createStringError("unsupported: a bundle " + reason);
  };
  if (versions.size() > 1) {
    return refuse("for several architectures; name one with --vpu-arch, or "
                  "write an archive, as -o NAME.a does");
  }
  if (info.usesThreads) {
    return refuse("that shares work among threads; leave out --threads");
  }
  for (const auto *tensors :
       {&info.interface.inputs, &info.interface.outputs}) {
    for (const ModelTensor &tensor : *tensors) {
      if (tensor.isRuntimeValue()) {
        return refuse("of '" + tensor.name +
                      "', which has no fixed place in memory; fix sizes with "
                      "--shape NAME=DIMS, or write an archive, as -o NAME.a "
                      "does");
      }
    }
  }
  if (info.usesRuntime) {
    return refuse("of a model that calls nacre's runtime, for values whose "
                  "size is dynamic or for checks that a run may fail; "
                  "fix inputs with --shape NAME=DIMS, or write an archive, as "
                  "-o NAME.a does");
  }
  if (llvm::any_of(versions.front().features, [](StringRef feature) {
        return feature.starts_with("amx");
      })) {
    return refuse("with code for AMX, which a process has to ask for; compile "
                  "with --precision=f32 or for another --vpu-arch");
  }
  return llvm::Error::success();
}

namespace {

/// Builds the bundle's function.
class EntryBuilder {
public:
  EntryBuilder(llvm::Module &module, const BundleLayout &layout, bool hasHooks)
      : module(module), layout(layout), hasHooks(hasHooks),
        b(module.getContext()) {}

  /// With hooks the function that takes them, and one that has none.
  void build(StringRef name, const CodeVersion &version) {
    if (!hasHooks) {
      return buildEntry(name, version);
    }
    buildEntry((name + "_with_hooks").str(), version);
    llvm::Function *hooked = function;
    create(name.str(), 3);
    llvm::SmallVector<llvm::Value *> arguments = {
        function->getArg(0), function->getArg(1), function->getArg(2),
        llvm::ConstantPointerNull::get(b.getPtrTy())};
    llvm::CallInst *call = b.CreateCall(hooked, arguments);
    call->addRetAttr(kIntOfC);
    b.CreateRet(call);
  }

private:
  /// Where registers have 64 bits, some machines keep an int in them with its
  /// sign.
  static constexpr llvm::Attribute::AttrKind kIntOfC = llvm::Attribute::SExt;

  void create(const std::string &name, size_t numPointers) {
    llvm::SmallVector<llvm::Type *> types(numPointers, b.getPtrTy());
    function = llvm::Function::Create(
        llvm::FunctionType::get(b.getInt32Ty(), types, false),
        llvm::GlobalValue::ExternalLinkage, name, module);
    function->addRetAttr(kIntOfC);
    setBaseline(function);
    b.SetInsertPoint(createBlock("entry"));
  }

  void buildEntry(StringRef name, const CodeVersion &version) {
    create(name.str(), hasHooks ? 4 : 3);
    if (!version.features.empty()) {
      require(buildFeatureCheck(b, version.features), kLacksFeatures);
    }
    const std::pair<llvm::Value *, int64_t> regions[] = {
        {function->getArg(0), layout.constantBytes},
        {function->getArg(1), layout.mutableBytes},
        {function->getArg(2), layout.activationBytes}};
    for (auto [base, bytes] : regions) {
      if (bytes > 0) {
        checkPointer(base);
      }
    }
    b.CreateCall(version.main, getArguments(version.roles));
    b.CreateRet(b.getInt32(kSuccess));
  }

  llvm::BasicBlock *createBlock(const char *name) {
    return llvm::BasicBlock::Create(module.getContext(), name, function);
  }

  /// Returns `status` unless `condition` holds.
  void require(llvm::Value *condition, int status) {
    llvm::BasicBlock *refused = createBlock("refused");
    llvm::BasicBlock *next = createBlock("checked");
    b.CreateCondBr(condition, next, refused);
    b.SetInsertPoint(refused);
    b.CreateRet(b.getInt32(status));
    b.SetInsertPoint(next);
  }

  void checkPointer(llvm::Value *pointer) {
    require(b.CreateIsNotNull(pointer), kBadPointer);
    llvm::Value *low = b.CreateAnd(b.CreatePtrToInt(pointer, b.getInt64Ty()),
                                   b.getInt64(layout.alignment - 1));
    require(b.CreateIsNull(low), kBadPointer);
  }

  /// What main takes, in whatever order. Placeholders are inputs, then outputs
  /// that are no states.
  llvm::SmallVector<llvm::Value *>
  getArguments(llvm::ArrayRef<abi::Role> roles) {
    llvm::SmallVector<llvm::Value *> arguments;
    auto add = [&](const Placeholder &placeholder) {
      arguments.push_back(b.CreateConstInBoundsGEP1_64(
          b.getInt8Ty(), function->getArg(1), placeholder.offset));
    };
    const Placeholder *input = layout.placeholders.data();
    const Placeholder *output =
        input + llvm::count_if(roles, [](abi::Role role) {
          return role == abi::Role::Input || role == abi::Role::State;
        });
    for (abi::Role role : roles) {
      switch (role) {
      case abi::Role::Input:
      case abi::Role::State:
        add(*input++);
        break;
      case abi::Role::Output:
        add(*output++);
        break;
      case abi::Role::Hooks:
        arguments.push_back(function->getArg(3));
        break;
      case abi::Role::Arena:
        arguments.push_back(function->getArg(2));
        break;
      case abi::Role::Weights:
        arguments.push_back(function->getArg(0));
        break;
      }
    }
    return arguments;
  }

  llvm::Module &module;
  const BundleLayout &layout;
  bool hasHooks;
  llvm::IRBuilder<> b;
  llvm::Function *function = nullptr;
};

/// Builds NAME_config, the structs of which the header declares.
class TableBuilder {
public:
  TableBuilder(llvm::Module &module, const ArtifactInfo &info,
               const BundleLayout &layout, bool glow)
      : module(module), info(info), layout(layout), glow(glow),
        context(module.getContext()) {}

  void build() {
    llvm::SmallVector<llvm::Constant *> symbols;
    for (const Placeholder &placeholder : layout.placeholders) {
      symbols.push_back(glow ? describeForGlow(placeholder)
                             : describe(placeholder));
    }
    llvm::Constant *table = getNull();
    if (!symbols.empty()) {
      auto *type =
          llvm::ArrayType::get(symbols.front()->getType(), symbols.size());
      table = addConstant(llvm::ConstantArray::get(type, symbols), "symbols");
    }
    llvm::Constant *config = llvm::ConstantStruct::getAnon(
        {getNumber(layout.constantBytes), getNumber(layout.mutableBytes),
         getNumber(layout.activationBytes), getNumber(layout.alignment),
         getNumber(layout.placeholders.size()), table});
    auto *global = new llvm::GlobalVariable(
        module, config->getType(), /*isConstant=*/true,
        llvm::GlobalValue::ExternalLinkage, config, info.name + "_config");
    global->setDSOLocal(true);
  }

private:
  llvm::Constant *getNull() {
    return llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0));
  }

  llvm::Constant *getNumber(uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value);
  }

  llvm::Constant *addConstant(llvm::Constant *value, StringRef name) {
    return new llvm::GlobalVariable(module, value->getType(),
                                    /*isConstant=*/true,
                                    llvm::GlobalValue::PrivateLinkage, value,
                                    info.name + "_" + name);
  }

  llvm::Constant *addText(StringRef text) {
    return addConstant(llvm::ConstantDataArray::getString(context, text),
                       "text");
  }

  llvm::Constant *describeForGlow(const Placeholder &placeholder) {
    return llvm::ConstantStruct::getAnon(
        {addText(placeholder.tensor->name), getNumber(placeholder.offset),
         getNumber(placeholder.tensor->type.getNumElements()),
         llvm::ConstantInt::get(llvm::Type::getInt8Ty(context), 1)});
  }

  llvm::Constant *describe(const Placeholder &placeholder) {
    mlir::RankedTensorType type = placeholder.tensor->type;
    llvm::SmallVector<uint64_t> dims(type.getShape());
    llvm::Constant *shape =
        dims.empty()
            ? getNull()
            : addConstant(llvm::ConstantDataArray::get(context, dims), "dims");
    return llvm::ConstantStruct::getAnon(
        {addText(placeholder.tensor->name),
         addText(getElementTypeName(type.getElementType())),
         getNumber(placeholder.offset), getNumber(placeholder.bytes),
         getNumber(type.getNumElements()), getNumber(dims.size()), shape});
  }

  llvm::Module &module;
  const ArtifactInfo &info;
  const BundleLayout &layout;
  bool glow;
  llvm::LLVMContext &context;
};

} // namespace

llvm::Error nacre::addBundleInterface(llvm::Module &module,
                                      const ArtifactInfo &info,
                                      const BundleOptions &options,
                                      llvm::ArrayRef<CodeVersion> versions) {
  if (llvm::Error error = checkModel(info, versions)) {
    return error;
  }
  dropReleases(module);
  BundleLayout layout(info);
  EntryBuilder(module, layout, info.hasHooks())
      .build(options.getEntry(info), versions.front());
  if (options.hasTable()) {
    TableBuilder(module, info, layout, options.glow).build();
  }
  std::string metadata = buildMetadata(info);
  llvm::embedBufferInModule(module, llvm::MemoryBufferRef(metadata, info.name),
                            kMetadataSection);
  return llvm::Error::success();
}
