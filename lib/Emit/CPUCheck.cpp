//===- CPUCheck.cpp - What the CPU has, asked when code is loaded ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything here runs before the CPU is known to be capable, so it is compiled
// for the baseline of its architecture. It is no C of the runtime, which models
// of static shape do without: as a part of the model's own code it asks for the
// features that this model needs alone, is in LLVM's text and in the object of
// a bundle, too, and needs no library there.
//
//===----------------------------------------------------------------------===//

#include "CPUCheck.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <array>
#include <map>

using namespace nacre;
using llvm::StringRef;

namespace {

/// Where cpuid reports a feature.
struct FeatureBit {
  StringRef name;
  uint32_t leaf;
  uint32_t subleaf;
  unsigned reg; // 0 to 3: eax, ebx, ecx, edx
  unsigned bit;
};

constexpr uint32_t kExtended = 0x80000001;

constexpr FeatureBit kFeatureBits[] = {
    {"sse3", 1, 0, 2, 0},
    {"ssse3", 1, 0, 2, 9},
    {"fma", 1, 0, 2, 12},
    {"cx16", 1, 0, 2, 13},
    {"sse4.1", 1, 0, 2, 19},
    {"sse4.2", 1, 0, 2, 20},
    {"movbe", 1, 0, 2, 22},
    {"popcnt", 1, 0, 2, 23},
    {"avx", 1, 0, 2, 28},
    {"f16c", 1, 0, 2, 29},
    {"bmi", 7, 0, 1, 3},
    {"avx2", 7, 0, 1, 5},
    {"bmi2", 7, 0, 1, 8},
    {"avx512f", 7, 0, 1, 16},
    {"avx512dq", 7, 0, 1, 17},
    {"avx512ifma", 7, 0, 1, 21},
    {"avx512cd", 7, 0, 1, 28},
    {"avx512bw", 7, 0, 1, 30},
    {"avx512vl", 7, 0, 1, 31},
    {"avx512vbmi", 7, 0, 2, 1},
    {"avx512vbmi2", 7, 0, 2, 6},
    {"gfni", 7, 0, 2, 8},
    {"vaes", 7, 0, 2, 9},
    {"vpclmulqdq", 7, 0, 2, 10},
    {"avx512vnni", 7, 0, 2, 11},
    {"avx512bitalg", 7, 0, 2, 12},
    {"avx512vpopcntdq", 7, 0, 2, 14},
    {"amx-bf16", 7, 0, 3, 22},
    {"avx512fp16", 7, 0, 3, 23},
    {"amx-tile", 7, 0, 3, 24},
    {"amx-int8", 7, 0, 3, 25},
    {"avxvnni", 7, 1, 0, 4},
    {"avx512bf16", 7, 1, 0, 5},
    {"lzcnt", kExtended, 0, 2, 5},
};

// Bits of xcr0: the operating system saves AVX, AVX-512 and AMX state.
constexpr uint32_t kSavesAVX = 0x6, kSavesAVX512 = 0xe6, kSavesAMX = 0x600e6;

/// Builds the code that asks the CPU what it has.
class FeatureCheck {
public:
  FeatureCheck(llvm::IRBuilder<> &b) : b(b) {}

  /// A bit: can the process use all of `features`?
  llvm::Value *supports(llvm::ArrayRef<std::string> features) {
    llvm::Value *ok = b.getTrue();
    uint32_t saved = 0;
    bool needsTiles = false;
    for (const FeatureBit &feature : kFeatureBits) {
      if (!llvm::is_contained(features, feature.name)) {
        continue;
      }
      ok = b.CreateAnd(
          ok, hasBits(query(feature.leaf, feature.subleaf, feature.reg),
                      1u << feature.bit));
      if (feature.name.starts_with("amx")) {
        saved |= kSavesAMX;
        needsTiles = true;
      } else if (feature.name.starts_with("avx512")) {
        saved |= kSavesAVX512;
      } else if (feature.name.starts_with("avx") || feature.name == "fma" ||
                 feature.name == "f16c") {
        saved |= kSavesAVX;
      }
    }
    if (saved != 0) {
      ok = b.CreateAnd(ok, hasBits(getSavedState(), saved));
    }
    return needsTiles ? requestTiles(ok) : ok;
  }

private:
  llvm::Value *hasBits(llvm::Value *value, uint32_t mask) {
    llvm::Value *bits = b.CreateAnd(value, b.getInt32(mask));
    return b.CreateICmpEQ(bits, b.getInt32(mask));
  }

  /// One register of a leaf; 0 where the CPU does not know the leaf, for which
  /// some CPUs answer with another.
  llvm::Value *query(uint32_t leaf, uint32_t subleaf, unsigned reg) {
    constexpr uint32_t kExtendedRange = 0x80000000;
    llvm::Value *answer = b.CreateExtractValue(ask(leaf, subleaf), reg);
    if (leaf == 1) {
      return answer;
    }
    llvm::Value *last = b.CreateExtractValue(ask(leaf & kExtendedRange, 0), 0);
    return b.CreateSelect(b.CreateICmpUGE(last, b.getInt32(leaf)), answer,
                          b.getInt32(0));
  }

  llvm::Value *ask(uint32_t leaf, uint32_t subleaf) {
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
    return it->second;
  }

  /// xcr0, or 0 where the operating system has not enabled the instruction that
  /// reads it.
  llvm::Value *getSavedState() {
    if (savedState) {
      return savedState;
    }
    constexpr uint32_t kOSXSave = 1u << 27;
    llvm::Value *enabled = hasBits(query(1, 0, 2), kOSXSave);
    llvm::Function *function = b.GetInsertBlock()->getParent();
    auto *before = b.GetInsertBlock();
    auto *read = llvm::BasicBlock::Create(b.getContext(), "xcr0", function);
    auto *done = llvm::BasicBlock::Create(b.getContext(), "done", function);
    b.CreateCondBr(enabled, read, done);
    b.SetInsertPoint(read);
    llvm::Type *i32 = b.getInt32Ty();
    auto *type =
        llvm::FunctionType::get(llvm::StructType::get(i32, i32), {i32}, false);
    auto *code = llvm::InlineAsm::get(
        type, "xgetbv", "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}",
        /*hasSideEffects=*/true);
    llvm::Value *low =
        b.CreateExtractValue(b.CreateCall(type, code, {b.getInt32(0)}), 0);
    b.CreateBr(done);
    b.SetInsertPoint(done);
    llvm::PHINode *phi = b.CreatePHI(i32, 2);
    phi->addIncoming(b.getInt32(0), before);
    phi->addIncoming(low, read);
    return savedState = phi;
  }

  /// Where `ok`, asks Linux for the permission to use tile registers, which a
  /// process needs: whether it has it then.
  llvm::Value *requestTiles(llvm::Value *ok) {
    llvm::Function *function = b.GetInsertBlock()->getParent();
    auto *before = b.GetInsertBlock();
    auto *ask = llvm::BasicBlock::Create(b.getContext(), "tiles", function);
    auto *done = llvm::BasicBlock::Create(b.getContext(), "asked", function);
    b.CreateCondBr(ok, ask, done);
    b.SetInsertPoint(ask);
    // arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)
    constexpr int64_t kArchPrctl = 158, kRequest = 0x1023, kTileData = 18;
    llvm::Type *i64 = b.getInt64Ty();
    auto *type = llvm::FunctionType::get(i64, {i64, i64, i64}, false);
    auto *code = llvm::InlineAsm::get(
        type, "syscall",
        "={ax},{ax},{di},{si},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},"
        "~{flags}",
        /*hasSideEffects=*/true);
    llvm::Value *error = b.CreateCall(
        type, code,
        {b.getInt64(kArchPrctl), b.getInt64(kRequest), b.getInt64(kTileData)});
    llvm::Value *granted = b.CreateIsNull(error);
    b.CreateBr(done);
    b.SetInsertPoint(done);
    llvm::PHINode *phi = b.CreatePHI(b.getInt1Ty(), 2);
    phi->addIncoming(b.getFalse(), before);
    phi->addIncoming(granted, ask);
    return phi;
  }

  llvm::IRBuilder<> &b;
  llvm::Value *savedState = nullptr;
  std::map<std::pair<uint32_t, uint32_t>, llvm::Value *> leaves;
};

} // namespace

bool nacre::canAskCPU(const llvm::Triple &triple) {
  return triple.getArch() == llvm::Triple::x86_64;
}

llvm::ArrayRef<StringRef> nacre::getCheckableFeatures() {
  static const std::vector<StringRef> names = [] {
    std::vector<StringRef> result;
    for (const FeatureBit &feature : kFeatureBits) {
      result.push_back(feature.name);
    }
    return result;
  }();
  return names;
}

llvm::Value *nacre::buildFeatureCheck(llvm::IRBuilder<> &b,
                                      llvm::ArrayRef<std::string> features) {
  return FeatureCheck(b).supports(features);
}

void nacre::setBaseline(llvm::Function *function) {
  const llvm::Triple &triple = function->getParent()->getTargetTriple();
  if (canAskCPU(triple)) {
    function->addFnAttr("target-cpu", "x86-64");
    function->addFnAttr("target-features", "");
  }
}

/// The number of the version called by NACRE_ARCH: 0 when the CPU lacks what it
/// needs, `picked` when there is no such variable or no such version.
static llvm::Value *obeyEnvironment(llvm::IRBuilder<> &b, llvm::Value *picked,
                                    llvm::ArrayRef<CodeVersion> versions,
                                    llvm::ArrayRef<llvm::Value *> numbers) {
  llvm::Function *function = b.GetInsertBlock()->getParent();
  llvm::Module &module = *function->getParent();
  llvm::Type *ptr = b.getPtrTy();
  llvm::FunctionCallee getenv = module.getOrInsertFunction("getenv", ptr, ptr);
  llvm::FunctionCallee strcmp =
      module.getOrInsertFunction("strcmp", b.getInt32Ty(), ptr, ptr);
  llvm::Value *wanted =
      b.CreateCall(getenv, {b.CreateGlobalString("NACRE_ARCH")});
  auto *before = b.GetInsertBlock();
  auto *named = llvm::BasicBlock::Create(b.getContext(), "named", function);
  auto *done = llvm::BasicBlock::Create(b.getContext(), "picked", function);
  b.CreateCondBr(b.CreateIsNull(wanted), done, named);
  b.SetInsertPoint(named);
  llvm::Value *result = picked;
  for (auto [version, number] : llvm::zip_equal(versions, numbers)) {
    llvm::Value *name = b.CreateGlobalString(version.architecture);
    llvm::Value *differs = b.CreateCall(strcmp, {wanted, name});
    result = b.CreateSelect(b.CreateIsNull(differs), number, result);
  }
  b.CreateBr(done);
  b.SetInsertPoint(done);
  llvm::PHINode *phi = b.CreatePHI(b.getInt8Ty(), 2);
  phi->addIncoming(picked, before);
  phi->addIncoming(result, named);
  return phi;
}

llvm::GlobalVariable *
nacre::addVersionCheck(llvm::Module &module, StringRef name,
                       llvm::ArrayRef<CodeVersion> versions) {
  if (llvm::all_of(versions, [](const CodeVersion &version) {
        return version.features.empty();
      })) {
    return nullptr;
  }
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> b(context);
  auto *picked = new llvm::GlobalVariable(
      module, b.getInt8Ty(), /*isConstant=*/false,
      llvm::GlobalValue::InternalLinkage, b.getInt8(0), name + "_cpu");
  auto *check = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), false),
      llvm::GlobalValue::ExternalLinkage, name + "_check_cpu", module);
  // Hidden, not internal: a JIT has no constructors and calls it by name.
  check->setVisibility(llvm::GlobalValue::HiddenVisibility);
  setBaseline(check);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", check));
  FeatureCheck builder(b);
  // A version's number, or 0 if the CPU cannot run it.
  llvm::SmallVector<llvm::Value *> numbers;
  for (auto [i, version] : llvm::enumerate(versions)) {
    numbers.push_back(b.CreateSelect(builder.supports(version.features),
                                     b.getInt8(i + 1), b.getInt8(0)));
  }
  llvm::Value *best = b.getInt8(0);
  for (llvm::Value *number : llvm::reverse(numbers)) {
    best = b.CreateSelect(b.CreateIsNotNull(number), number, best);
  }
  if (versions.size() > 1) {
    best = obeyEnvironment(b, best, versions, numbers);
  }
  b.CreateStore(best, picked);
  b.CreateRetVoid();
  llvm::appendToGlobalCtors(module, check, /*Priority=*/65535);
  return picked;
}
