//===- CInterface.cpp - The C side of a compiled model --------------------===//
//
// Everything here runs before the CPU is known to be capable, so it is compiled
// for the baseline of its architecture.
//
//===----------------------------------------------------------------------===//

#include "CInterface.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace nacre;
using llvm::StringRef;

std::string nacre::buildMetadata(const ArtifactInfo &info) {
  auto describe = [](const std::vector<ModelTensor> &tensors) {
    llvm::json::Array result;
    for (const ModelTensor &tensor : tensors) {
      result.push_back(llvm::json::Object{
          {"name", llvm::json::fixUTF8(tensor.name)},
          {"c_name", tensor.cName},
          {"type", getElementTypeName(tensor.type.getElementType())},
          {"shape", llvm::json::Array(tensor.type.getShape())}});
    }
    return result;
  };
  llvm::json::Object root{{"name", info.name},
                          {"architecture", info.architecture},
                          {"threads", info.threads},
                          {"arena_bytes", info.arenaBytes},
                          {"arena_alignment", info.arenaAlignment},
                          {"weight_bytes", info.weightBytes},
                          {"inputs", describe(info.interface.inputs)},
                          {"outputs", describe(info.interface.outputs)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(root));
  return text;
}

namespace {

/// Where cpuid reports a feature.
struct FeatureBit {
  StringRef name;
  unsigned leaf;
  unsigned subleaf;
  unsigned reg; // 0 to 3: eax, ebx, ecx, edx
  unsigned bit;
};

} // namespace

static constexpr FeatureBit kFeatureBits[] = {
    {"fma", 1, 0, 2, 12},      {"avx", 1, 0, 2, 28},
    {"f16c", 1, 0, 2, 29},     {"avx2", 7, 0, 1, 5},
    {"bmi2", 7, 0, 1, 8},      {"avx512f", 7, 0, 1, 16},
    {"avx512dq", 7, 0, 1, 17}, {"avx512bw", 7, 0, 1, 30},
    {"avx512vl", 7, 0, 1, 31}, {"avx512vnni", 7, 0, 2, 11},
    {"amx-bf16", 7, 0, 3, 22}, {"amx-tile", 7, 0, 3, 24},
    {"amx-int8", 7, 0, 3, 25}, {"avx512bf16", 7, 1, 0, 5},
};

// Bits of xcr0: the operating system saves AVX, AVX-512 and AMX state.
static constexpr uint32_t kSavesAVX = 0x6, kSavesAVX512 = 0xe6,
                          kSavesAMX = 0x600e6;

namespace {

/// Builds the body of the feature check.
class FeatureCheck {
public:
  FeatureCheck(llvm::IRBuilder<> &b) : b(b), ok(b.getTrue()) {}

  void require(llvm::ArrayRef<std::string> features) {
    uint32_t saved = 0;
    for (const FeatureBit &feature : kFeatureBits) {
      if (!llvm::is_contained(features, feature.name)) {
        continue;
      }
      requireBits(query(feature.leaf, feature.subleaf, feature.reg),
                  1u << feature.bit);
      if (feature.name.starts_with("amx")) {
        saved |= kSavesAMX;
      } else if (feature.name.starts_with("avx512")) {
        saved |= kSavesAVX512;
      } else if (feature.name.starts_with("avx") || feature.name == "fma") {
        saved |= kSavesAVX;
      }
    }
    if (saved != 0) {
      requireOS(saved);
    }
  }

  llvm::Value *getResult() const { return ok; }

private:
  llvm::Value *query(unsigned leaf, unsigned subleaf, unsigned reg) {
    auto [it, isNew] = leaves.insert({{leaf, subleaf}, nullptr});
    if (isNew) {
      llvm::Type *i32 = b.getInt32Ty();
      auto *type = llvm::FunctionType::get(
          llvm::StructType::get(i32, i32, i32, i32), {i32, i32}, false);
      auto *code = llvm::InlineAsm::get(
          type, "cpuid",
          "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}",
          /*hasSideEffects=*/true);
      it->second =
          b.CreateCall(type, code, {b.getInt32(leaf), b.getInt32(subleaf)});
    }
    return b.CreateExtractValue(it->second, reg);
  }

  void requireBits(llvm::Value *value, uint32_t mask) {
    llvm::Value *bits = b.CreateAnd(value, b.getInt32(mask));
    ok = b.CreateAnd(ok, b.CreateICmpEQ(bits, b.getInt32(mask)));
  }

  /// xgetbv faults where the OS has not enabled it, so it is guarded.
  void requireOS(uint32_t mask) {
    constexpr uint32_t kOSXSave = 1u << 27;
    requireBits(query(1, 0, 2), kOSXSave);
    llvm::Function *function = b.GetInsertBlock()->getParent();
    auto *before = b.GetInsertBlock();
    auto *read = llvm::BasicBlock::Create(b.getContext(), "xcr0", function);
    auto *done = llvm::BasicBlock::Create(b.getContext(), "done", function);
    b.CreateCondBr(ok, read, done);
    b.SetInsertPoint(read);
    llvm::Type *i32 = b.getInt32Ty();
    auto *type =
        llvm::FunctionType::get(llvm::StructType::get(i32, i32), {i32}, false);
    auto *code = llvm::InlineAsm::get(
        type, "xgetbv", "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}",
        /*hasSideEffects=*/true);
    llvm::Value *low =
        b.CreateExtractValue(b.CreateCall(type, code, {b.getInt32(0)}), 0);
    llvm::Value *saves =
        b.CreateICmpEQ(b.CreateAnd(low, b.getInt32(mask)), b.getInt32(mask));
    b.CreateBr(done);
    b.SetInsertPoint(done);
    llvm::PHINode *phi = b.CreatePHI(b.getInt1Ty(), 2);
    phi->addIncoming(b.getFalse(), before);
    phi->addIncoming(saves, read);
    ok = phi;
  }

  llvm::IRBuilder<> &b;
  llvm::Value *ok;
  std::map<std::pair<unsigned, unsigned>, llvm::Value *> leaves;
};

} // namespace

/// Marks a function as runnable on any CPU of the architecture.
static void setBaseline(llvm::Function *function, bool isX86) {
  if (isX86) {
    function->addFnAttr("target-cpu", "x86-64");
    function->addFnAttr("target-features", "");
  }
}

/// A byte that is 1 once the code is loaded on a capable CPU; null when there
/// is nothing to check. cpuid is slow under virtualisation, hence once.
static llvm::GlobalVariable *
addFeatureCheck(llvm::Module &module, StringRef name, bool isX86,
                llvm::ArrayRef<std::string> features) {
  if (!isX86 || features.empty()) {
    return nullptr;
  }
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> b(context);
  auto *flag = new llvm::GlobalVariable(
      module, b.getInt8Ty(), /*isConstant=*/false,
      llvm::GlobalValue::InternalLinkage, b.getInt8(0), name + "_cpu_ok");
  auto *check = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), false),
      llvm::GlobalValue::ExternalLinkage, name + "_check_cpu", module);
  // Hidden, not internal: a JIT has no constructors and calls it by name.
  check->setVisibility(llvm::GlobalValue::HiddenVisibility);
  setBaseline(check, isX86);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", check));
  FeatureCheck builder(b);
  builder.require(features);
  b.CreateStore(b.CreateZExt(builder.getResult(), b.getInt8Ty()), flag);
  b.CreateRetVoid();
  llvm::appendToGlobalCtors(module, check, /*Priority=*/65535);
  return flag;
}

void nacre::addCInterface(llvm::Module &module, const ArtifactInfo &info,
                          llvm::ArrayRef<std::string> hostFeatures) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> b(context);
  bool isX86 = module.getTargetTriple().isX86();
  llvm::Function *main = module.getFunction("main");
  main->setName(info.name + "_main");
  main->setLinkage(llvm::GlobalValue::InternalLinkage);

  llvm::Type *bytes = llvm::ArrayType::get(
      b.getInt8Ty(), std::max<int64_t>(info.weightBytes, 1));
  auto *weights = new llvm::GlobalVariable(module, bytes, /*isConstant=*/true,
                                           llvm::GlobalValue::ExternalLinkage,
                                           nullptr, info.name + "_weights");
  // Addressed through the GOT: the JIT's weights may be anywhere. In a library
  // the definition is hidden and the linker relaxes the access.
  weights->setDSOLocal(false);
  weights->setAlignment(llvm::Align(info.arenaAlignment));

  auto *metadata = new llvm::GlobalVariable(
      module,
      llvm::ArrayType::get(b.getInt8Ty(), buildMetadata(info).size() + 1),
      /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage,
      llvm::ConstantDataArray::getString(context, buildMetadata(info)),
      info.name + "_metadata");
  (void)metadata;

  llvm::GlobalVariable *flag =
      addFeatureCheck(module, info.name, isX86, hostFeatures);

  llvm::Type *ptr = b.getPtrTy();
  auto *run = llvm::Function::Create(
      llvm::FunctionType::get(b.getInt32Ty(), {ptr, ptr, ptr}, false),
      llvm::GlobalValue::ExternalLinkage, info.name + "_run", module);
  setBaseline(run, isX86);
  auto *entry = llvm::BasicBlock::Create(context, "entry", run);
  auto *execute = llvm::BasicBlock::Create(context, "execute", run);
  auto *lacks = llvm::BasicBlock::Create(context, "lacks_features", run);
  auto *badPointer = llvm::BasicBlock::Create(context, "bad_pointer", run);
  b.SetInsertPoint(lacks);
  b.CreateRet(b.getInt32(1));
  b.SetInsertPoint(badPointer);
  b.CreateRet(b.getInt32(2));

  b.SetInsertPoint(entry);
  if (flag) {
    auto *next = llvm::BasicBlock::Create(context, "capable", run, execute);
    llvm::Value *isOk =
        b.CreateICmpNE(b.CreateLoad(b.getInt8Ty(), flag), b.getInt8(0));
    b.CreateCondBr(isOk, next, lacks);
    b.SetInsertPoint(next);
  } else {
    llvm::BasicBlock *unused = lacks;
    unused->eraseFromParent();
  }
  auto require = [&](llvm::Value *condition) {
    auto *next = llvm::BasicBlock::Create(context, "checked", run, execute);
    b.CreateCondBr(condition, next, badPointer);
    b.SetInsertPoint(next);
  };
  llvm::Value *inputs = run->getArg(0), *outputs = run->getArg(1);
  llvm::Value *arena = run->getArg(2);
  llvm::SmallVector<llvm::Value *> arguments;
  auto loadPointers = [&](llvm::Value *base,
                          const std::vector<ModelTensor> &tensors) {
    if (tensors.empty()) {
      return;
    }
    require(b.CreateIsNotNull(base));
    for (size_t i = 0; i < tensors.size(); ++i) {
      llvm::Value *field = b.CreateConstInBoundsGEP1_64(ptr, base, i);
      llvm::Value *pointer = b.CreateLoad(ptr, field);
      require(b.CreateIsNotNull(pointer));
      arguments.push_back(pointer);
    }
  };
  loadPointers(inputs, info.interface.inputs);
  loadPointers(outputs, info.interface.outputs);
  if (info.arenaBytes > 0) {
    require(b.CreateIsNotNull(arena));
    llvm::Value *low = b.CreateAnd(b.CreatePtrToInt(arena, b.getInt64Ty()),
                                   b.getInt64(info.arenaAlignment - 1));
    require(b.CreateICmpEQ(low, b.getInt64(0)));
  }
  b.CreateBr(execute);
  b.SetInsertPoint(execute);
  arguments.push_back(arena);
  arguments.push_back(weights);
  b.CreateCall(main, arguments);
  b.CreateRet(b.getInt32(0));
}
