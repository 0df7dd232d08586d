//===- CodeGen.cpp - LLVM dialect to machine code -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates, optimises and emits with LLVM's own pipelines.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/CodeGen.h"
#include "BundleInterface.h"
#include "CInterface.h"
#include "Intrinsics.h"
#include "LLVMOptions.h"
#include "StepsText.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Emit/LargeLoops.h"
#include "nacre/Emit/LongBlocks.h"
#include "nacre/Emit/NarrowGathers.h"
#include "nacre/Emit/Optimization.h"
#include "nacre/Emit/Roles.h"
#include "nacre/Emit/ShortRows.h"
#include "nacre/Emit/StreamStores.h"
#include "nacre/Runtime/FunctionNames.h"
#include "nacre/Support/Stage.h"
#include "nacre/Target/ArchDescriptor.h"
#include "nacre/Target/RuntimeObjects.h"
#include "nacre/Target/TargetChoice.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace nacre;

Program::Program(Location loc) : loc(loc) {}
Program::Program(Program &&) = default;
Program::~Program() = default;

bool nacre::hasSystem(const llvm::Triple &triple) {
  return triple.getOS() != llvm::Triple::UnknownOS;
}

bool nacre::hasFixedAddress(const llvm::Triple &triple) {
  return isForFixedAddress(triple, CodeChoice());
}

/// The code model of a name, or else what LLVM takes.
static std::optional<llvm::CodeModel::Model>
getCodeModel(const llvm::Triple &triple, StringRef name) {
  using Model = std::optional<llvm::CodeModel::Model>;
  Model usual;
  if (hasFixedAddress(triple) && triple.isRISCV()) {
    // RAM is often in the upper half, out of reach of addresses near 0.
    usual = llvm::CodeModel::Medium;
  }
  return llvm::StringSwitch<Model>(name)
      .Case("tiny", llvm::CodeModel::Tiny)
      .Case("small", llvm::CodeModel::Small)
      .Case("medium", llvm::CodeModel::Medium)
      .Case("large", llvm::CodeModel::Large)
      .Default(usual);
}

static FailureOr<std::unique_ptr<llvm::TargetMachine>>
createMachine(Location loc, VPU::ArchAttr arch, const CodeOptions &code) {
  llvm::Triple triple(arch.getTriple());
  const llvm::Target *target = findTarget(triple);
  if (!target) {
    return emitError(loc) << "LLVM has no target for " << arch.getTriple();
  }
  llvm::TargetOptions options;
  options.MCOptions.ABIName = code.choice.abi;
  // LLVM defaults to .ctors, which no current loader runs.
  options.UseInitArray = true;
  // Linkers leave out what nobody refers to.
  options.DataSections = true;
  // Assembly says which block is of which loop, and what is spilled.
  options.MCOptions.AsmVerbose = true;
  auto level = llvm::CodeGenOpt::getLevel(code.optLevel);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, arch.getCpu(), arch.getFeatures(), options,
      isForFixedAddress(triple, code.choice) ? llvm::Reloc::Static
                                             : llvm::Reloc::PIC_,
      getCodeModel(triple, code.choice.codeModel),
      level.value_or(llvm::CodeGenOptLevel::Aggressive)));
  if (!machine) {
    return emitError(loc) << "LLVM has no machine for " << arch.getTriple();
  }
  return machine;
}

/// The CPU features without which the code may not run: all that LLVM may use
/// beyond the architecture's baseline. It has no use of its own for matrix
/// tiles, for which a process needs a permission.
static std::vector<std::string>
getNeededFeatures(const llvm::TargetMachine &machine,
                  const llvm::Module &module) {
  std::vector<std::string> features;
  bool usesTiles = module.getFunction("llvm.x86.ldtilecfg");
  if (!canAskCPU(machine.getTargetTriple())) {
    return features;
  }
  const llvm::MCSubtargetInfo &subtarget = *machine.getMCSubtargetInfo();
  for (StringRef feature : getCheckableFeatures()) {
    bool isIdle = feature.starts_with("amx") && !usesTiles;
    if (!isIdle && subtarget.checkFeatures(("+" + feature).str())) {
      features.push_back(feature.str());
    }
  }
  return features;
}

std::string nacre::listArchitectures(ArrayRef<std::string> names) {
  return llvm::join(names, ", ");
}

/// Gives allocations the runtime's functions, and finds out which are called.
static void bindRuntime(llvm::Module &module, ArtifactInfo &info) {
  for (auto [generic, name] :
       {std::pair("_mlir_memref_to_llvm_alloc", names::kAlloc),
        std::pair("_mlir_memref_to_llvm_free", names::kFree)}) {
    if (llvm::Function *function = module.getFunction(generic)) {
      function->setName(name);
    }
  }
  for (const auto &known : getRuntimeFunctions()) {
    const llvm::Function *function = module.getFunction(known.first);
    if (function && function->isDeclaration()) {
      bool &isUsed = known.first == names::kReleaseWeights
                         ? info.releasesWeights
                     : known.first == names::kShare ? info.usesThreads
                                                    : info.usesRuntime;
      isUsed = true;
    }
  }
}

/// The architecture's part of the artifact: an LLVM module of its own, each
/// function marked with the CPU that it is compiled for.
static FailureOr<std::unique_ptr<llvm::Module>>
translate(ModuleOp source, VPU::ArchAttr arch, llvm::LLVMContext &context,
          const llvm::TargetMachine &machine, StringRef name, int64_t threads) {
  Stage stage("translation to LLVM IR");
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(source, context, name);
  if (!module) {
    return source.emitError("translation to LLVM IR failed");
  }
  llvm::Function *main = module->getFunction("main");
  if (!main) {
    return source.emitError("expected a function @main");
  }
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  adaptIntrinsics(*module, machine);
  for (llvm::Function &function : *module) {
    if (function.isDeclaration()) {
      continue;
    }
    function.addFnAttr("target-cpu", arch.getCpu());
    function.addFnAttr("target-features", arch.getFeatures());
    if (!arch.getTune().empty()) {
      function.addFnAttr("tune-cpu", arch.getTune());
    }
    if (arch.getSharedCacheBytes() > 0) {
      // A cache that holds three quarters of operands and results helps as much
      // as to spare it the results. Several threads can do with less of one:
      // together they have more reads under way, and what one core writes past
      // the caches may be all that memory takes (docs/Performance.md).
      int64_t most = arch.getSharedCacheBytes();
      most = threads > 1 ? most : most - most / 4;
      function.addFnAttr(kStreamBytes, llvm::utostr(most / threads));
    }
  }
  return module;
}

static CodeTarget describeTarget(VPU::ArchAttr arch, const CodeChoice &code) {
  LLVMTarget target{arch.getTriple().str(), arch.getCpu().str(),
                    arch.getTune().str(), arch.getFeatures().str()};
  return {target.triple, target.cpu, target.features, getFloatABI(target).str(),
          code};
}

FailureOr<Program> Program::create(ArrayRef<ModuleOp> sources,
                                   const ModelInterface &interface,
                                   StringRef name, int64_t threads,
                                   const CodeOptions &options) {
  ModuleOp preferred = sources.front();
  Program program(preferred.getLoc());
  program.context = std::make_unique<llvm::LLVMContext>();
  ArtifactInfo &info = program.info;
  info.name = name.str();
  info.threads = threads;
  info.interface = interface;
  SmallVector<CodeVersion> versions;
  SmallVector<std::string> entries;
  for (ModuleOp source : sources) {
    auto arch =
        source->getAttrOfType<VPU::ArchAttr>(VPU::ArchAttr::moduleAttrName);
    if (!arch) {
      return source.emitError("expected a module with an architecture; run "
                              "init-compiler first");
    }
    auto machine = createMachine(source.getLoc(), arch, options);
    if (failed(machine)) {
      return failure();
    }
    auto module =
        translate(source, arch, *program.context, **machine, name, threads);
    if (failed(module)) {
      return failure();
    }
    entries.push_back(info.name + "_main");
    if (sources.size() > 1) {
      entries.back() += "_" + toCIdentifier(arch.getName());
    }
    (*module)->getFunction("main")->setName(entries.back());
    auto roles = getRoles(source, interface);
    if (failed(roles)) {
      return failure();
    }
    versions.push_back({arch.getName().str(),
                        getNeededFeatures(**machine, **module),
                        std::move(*roles), nullptr});
    info.architectures.push_back(arch.getName().str());
    info.targets.push_back(describeTarget(arch, options.choice));
    info.arenaBytes =
        std::max(info.arenaBytes, abi::getNumber<abi::ArenaBytes>(source));
    info.arenaLowerBound = std::max(
        info.arenaLowerBound, abi::getNumber<abi::ArenaLowerBound>(source));
    if (!program.module) {
      program.machine = std::move(*machine);
      program.registers = arch.getRegisters();
      program.module = std::move(*module);
      continue;
    }
    if (!canAskCPU(program.getTriple()) ||
        (*machine)->getTargetTriple() != program.getTriple()) {
      return source.emitError("unsupported: one artifact for ")
             << program.getTriple().str() << " and "
             << (*machine)->getTargetTriple().str()
             << "; only several architectures of x86-64 can share one";
    }
    if (llvm::Linker::linkModules(*program.module, std::move(*module))) {
      return source.emitError("cannot link the code of ") << arch.getName();
    }
  }
  if (abi::has<abi::Hooks>(preferred)) {
    if (sources.size() > 1) {
      return preferred.emitError("unsupported: hooks in code for several "
                                 "architectures, whose steps differ");
    }
    info.steps = buildStepsText(preferred, info);
  }
  FailureOr<Weights> weights = Weights::get(sources.back());
  if (failed(weights)) {
    return failure();
  }
  program.weights = std::move(*weights);
  info.weightBytes = program.weights.getBytes();
  bindRuntime(*program.module, info);
  for (auto [version, entry] : llvm::zip_equal(versions, entries)) {
    version.main = program.module->getFunction(entry);
    version.main->setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  if (!options.bundle) {
    addCInterface(*program.module, info, versions);
  } else if (llvm::Error error = addBundleInterface(
                 *program.module, info, *options.bundle, versions)) {
    return preferred.emitError(llvm::toString(std::move(error)));
  }
  for (llvm::Function &function : *program.module) {
    if (options.smallCode && !function.isDeclaration()) {
      function.addFnAttr(llvm::Attribute::OptimizeForSize);
    }
  }
  keepLargeLoops(*program.module);
  keepNarrowGathers(*program.module);
  maskShortRows(*program.module, *program.machine, options.optLevel);
  splitLongBlocks(*program.module);
  program.pendingLevel = options.optLevel;
  return std::move(program);
}

void Program::identify(bool asSymbol) {
  SmallVector<char, 0> code;
  llvm::raw_svector_ostream stream(code);
  llvm::WriteBitcodeToFile(*module, stream);
  const uint64_t parts[] = {
      llvm::xxh3_64bits(StringRef(code.data(), code.size())),
      weights.getHash()};
  info.identity = llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(parts), sizeof(parts)));
  if (asSymbol) {
    info.uniqueRun =
        info.name + "_run_" + llvm::utohexstr(*info.identity, true);
    llvm::GlobalAlias::create(info.uniqueRun,
                              module->getFunction(info.name + "_run"));
    if (info.hasHooks()) {
      llvm::GlobalAlias::create(
          info.uniqueRun + "_with_hooks",
          module->getFunction(info.name + "_run_with_hooks"));
    }
  }
}

const llvm::Triple &Program::getTriple() const {
  return machine->getTargetTriple();
}

llvm::Module &Program::getOptimized() {
  if (pendingLevel) {
    optimize(*module, *machine, *pendingLevel);
    pendingLevel.reset();
  }
  return *module;
}

FailureOr<SmallVector<char, 0>> Program::emit(llvm::Module &source,
                                              bool asObject) {
  Stage stage("LLVM code generation");
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  auto type = asObject ? llvm::CodeGenFileType::ObjectFile
                       : llvm::CodeGenFileType::AssemblyFile;
  LLVMOptions options;
  // LLVM moves all constants out of loops, trusting that registers are
  // allocated to as many as there is room for. Where there is little, values of
  // the loop are spilled nevertheless, unless constants are moved back first.
  constexpr int64_t kFewRegisters = 16;
  options.set("sink-insts-to-avoid-spills", registers <= kFewRegisters);
  // Loop strength reduction takes a third of the time. On x86 LoopAddressesPass
  // has done what it would find for the loops of kernels.
  options.set("disable-lsr",
              machine->getTargetTriple().getArch() == llvm::Triple::x86_64);
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type)) {
    return emitError(loc) << "LLVM cannot emit "
                          << (asObject ? "objects" : "assembly") << " for "
                          << machine->getTargetTriple().str();
  }
  passes.run(source);
  return bytes;
}

FailureOr<SmallVector<char, 0>> Program::emitObject() {
  return emit(getOptimized(), /*asObject=*/true);
}

FailureOr<SmallVector<char, 0>> Program::emitAssembly() {
  return emit(getOptimized(), /*asObject=*/false);
}

FailureOr<SmallVector<char, 0>> Program::emitEmptyObject() {
  llvm::Module empty(info.name, *context);
  empty.setTargetTriple(machine->getTargetTriple());
  empty.setDataLayout(machine->createDataLayout());
  return emit(empty, /*asObject=*/true);
}

std::string Program::emitLLVMIR() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  getOptimized().print(stream, nullptr);
  return text;
}
