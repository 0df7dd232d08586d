//===- TargetSpec.cpp - The machine that code is emitted for --------------===//
//
// Target selection, and the table that ties LLVM's feature names to CPUID.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/TargetSpec.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace nacre;

// XCR0 bits: SSE and AVX state; plus opmask and both ZMM halves; plus AMX tile
// configuration and data.
static constexpr uint32_t kNoState = 0;
static constexpr uint32_t kAvxState = 0x6;
static constexpr uint32_t kAvx512State = 0xe6;
static constexpr uint32_t kAmxState = 0x60000;

llvm::ArrayRef<CpuidBit> nacre::getX86CpuidBits() {
  using R = CpuidBit;
  static const CpuidBit bits[] = {
      {"sse3", 1, 0, R::ECX, 0, kNoState},
      {"pclmul", 1, 0, R::ECX, 1, kNoState},
      {"ssse3", 1, 0, R::ECX, 9, kNoState},
      {"fma", 1, 0, R::ECX, 12, kAvxState},
      {"cx16", 1, 0, R::ECX, 13, kNoState},
      {"sse4.1", 1, 0, R::ECX, 19, kNoState},
      {"sse4.2", 1, 0, R::ECX, 20, kNoState},
      {"movbe", 1, 0, R::ECX, 22, kNoState},
      {"popcnt", 1, 0, R::ECX, 23, kNoState},
      {"aes", 1, 0, R::ECX, 25, kNoState},
      {"avx", 1, 0, R::ECX, 28, kAvxState},
      {"f16c", 1, 0, R::ECX, 29, kAvxState},
      {"bmi", 7, 0, R::EBX, 3, kNoState},
      {"avx2", 7, 0, R::EBX, 5, kAvxState},
      {"bmi2", 7, 0, R::EBX, 8, kNoState},
      {"avx512f", 7, 0, R::EBX, 16, kAvx512State},
      {"avx512dq", 7, 0, R::EBX, 17, kAvx512State},
      {"adx", 7, 0, R::EBX, 19, kNoState},
      {"avx512ifma", 7, 0, R::EBX, 21, kAvx512State},
      {"avx512cd", 7, 0, R::EBX, 28, kAvx512State},
      {"avx512bw", 7, 0, R::EBX, 30, kAvx512State},
      {"avx512vl", 7, 0, R::EBX, 31, kAvx512State},
      {"avx512vbmi", 7, 0, R::ECX, 1, kAvx512State},
      {"avx512vbmi2", 7, 0, R::ECX, 6, kAvx512State},
      {"gfni", 7, 0, R::ECX, 8, kNoState},
      {"vaes", 7, 0, R::ECX, 9, kAvxState},
      {"vpclmulqdq", 7, 0, R::ECX, 10, kAvxState},
      {"avx512vnni", 7, 0, R::ECX, 11, kAvx512State},
      {"avx512bitalg", 7, 0, R::ECX, 12, kAvx512State},
      {"avx512vpopcntdq", 7, 0, R::ECX, 14, kAvx512State},
      {"amx-bf16", 7, 0, R::EDX, 22, kAmxState},
      {"avx512fp16", 7, 0, R::EDX, 23, kAvx512State},
      {"amx-tile", 7, 0, R::EDX, 24, kAmxState},
      {"amx-int8", 7, 0, R::EDX, 25, kAmxState},
      {"avxvnni", 7, 1, R::EAX, 4, kAvxState},
      {"avx512bf16", 7, 1, R::EAX, 5, kAvx512State},
      {"lzcnt", 0x80000001, 0, R::ECX, 5, kNoState},
  };
  return bits;
}

TargetSpec TargetSpec::host() {
  TargetSpec spec;
  spec.triple = llvm::sys::getDefaultTargetTriple();
  llvm::Triple triple(spec.triple);
  llvm::StringMap<bool> available = llvm::sys::getHostCPUFeatures();
  auto add = [&](StringRef feature) {
    spec.features += (spec.features.empty() ? "+" : ",+") + feature.str();
  };
  if (triple.getArch() == llvm::Triple::x86_64) {
    // Only what selects instructions: the rest would make an artifact refuse
    // machines that can run it.
    spec.cpu = "x86-64";
    for (const CpuidBit &bit : getX86CpuidBits()) {
      if (available.lookup(bit.feature)) {
        add(bit.feature);
      }
    }
    return spec;
  }
  spec.cpu = "generic";
  SmallVector<StringRef> names;
  for (const auto &entry : available) {
    if (entry.getValue()) {
      names.push_back(entry.getKey());
    }
  }
  // The map has no order; artifacts must not depend on it.
  llvm::sort(names);
  llvm::for_each(names, add);
  return spec;
}

TargetSpec TargetSpec::fromModule(ModuleOp module) {
  auto get = [&](StringRef name) {
    auto attr = module->getAttrOfType<StringAttr>(name);
    return attr ? attr.str() : std::string();
  };
  TargetSpec spec;
  spec.triple = get("nacre.target_triple");
  if (spec.triple.empty()) {
    return host();
  }
  spec.cpu = get("nacre.target_cpu");
  spec.features = get("nacre.target_features");
  if (spec.cpu.empty()) {
    bool isX86 =
        llvm::Triple(spec.triple).getArch() == llvm::Triple::x86_64;
    spec.cpu = isX86 ? "x86-64" : "generic";
  }
  return spec;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
TargetSpec::createTargetMachine(unsigned optLevel) const {
  // Registration is idempotent and cheap beside any use of the result.
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmParsers();
  llvm::InitializeAllAsmPrinters();
  std::string error;
  llvm::Triple parsed(triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(parsed, error);
  if (!target) {
    return llvm::createStringError("target triple '" + triple + "': " + error);
  }
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(parsed, cpu, ""));
  if (!subtarget || !subtarget->isCPUStringValid(cpu)) {
    return llvm::createStringError("target CPU '" + cpu +
                                   "' is unknown for triple '" + triple + "'");
  }
  llvm::CodeGenOptLevel level =
      llvm::CodeGenOpt::getLevel(static_cast<int>(optLevel))
          .value_or(llvm::CodeGenOptLevel::Aggressive);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      parsed, cpu, features, llvm::TargetOptions(), llvm::Reloc::PIC_,
      /*CM=*/std::nullopt, level));
  if (!machine) {
    return llvm::createStringError("no code generator for target triple '" +
                                   triple + "'");
  }
  return machine;
}
