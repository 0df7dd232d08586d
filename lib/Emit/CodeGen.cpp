//===- CodeGen.cpp - LLVM dialect to machine code -------------------------===//
//
// Translates, optimises and emits with LLVM's own pipelines.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/CodeGen.h"
#include "CInterface.h"

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Target/ArchDescriptor.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace nacre;

Program::Program(Location loc) : loc(loc) {}
Program::Program(Program &&) = default;
Program::~Program() = default;

static int64_t getInt(ModuleOp module, StringRef name) {
  auto attr = module->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

static void initializeTargets() {
  static bool once = [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
    return true;
  }();
  (void)once;
}

static FailureOr<std::unique_ptr<llvm::TargetMachine>>
createMachine(Location loc, VPU::ArchAttr arch, unsigned optLevel) {
  initializeTargets();
  llvm::Triple triple(arch.getTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    return emitError(loc) << error;
  }
  llvm::TargetOptions options;
  // LLVM defaults to .ctors, which no current loader runs.
  options.UseInitArray = true;
  auto level = llvm::CodeGenOpt::getLevel(optLevel);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, arch.getCpu(), arch.getFeatures(), options, llvm::Reloc::PIC_,
      std::nullopt, level.value_or(llvm::CodeGenOptLevel::Aggressive)));
  if (!machine) {
    return emitError(loc) << "LLVM has no machine for " << arch.getTriple();
  }
  return machine;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     unsigned optLevel) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = optLevel > 1;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  static const llvm::OptimizationLevel kLevels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel level = kLevels[std::min(optLevel, 3u)];
  llvm::ModulePassManager passes =
      level == llvm::OptimizationLevel::O0
          ? builder.buildO0DefaultPipeline(level)
          : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
}

FailureOr<Program> Program::create(ModuleOp source,
                                   const ModelInterface &interface,
                                   StringRef name, int64_t threads,
                                   unsigned optLevel) {
  Location loc = source.getLoc();
  auto arch =
      source->getAttrOfType<VPU::ArchAttr>(VPU::ArchAttr::moduleAttrName);
  if (!arch) {
    return source.emitError("expected a module with an architecture; run "
                            "init-compiler first");
  }
  auto descriptor = loadArch(arch.getName());
  std::vector<std::string> hostFeatures;
  if (descriptor) {
    hostFeatures = descriptor->hostFeatures;
  } else {
    llvm::consumeError(descriptor.takeError());
  }
  Program program(loc);
  program.info.name = name.str();
  program.info.architecture = arch.getName().str();
  program.info.threads = threads;
  program.info.arenaBytes = getInt(source, "nacre.arena_bytes");
  program.info.arenaLowerBound = getInt(source, "nacre.arena_lower_bound");
  program.info.interface = interface;
  program.weights =
      source->getAttrOfType<DenseResourceElementsAttr>("nacre.weights");
  program.info.weightBytes = program.getWeights().size();

  auto machine = createMachine(loc, arch, optLevel);
  if (failed(machine)) {
    return failure();
  }
  program.machine = std::move(*machine);
  program.context = std::make_unique<llvm::LLVMContext>();
  program.module = translateModuleToLLVMIR(source, *program.context, name);
  if (!program.module) {
    return source.emitError("translation to LLVM IR failed");
  }
  if (!program.module->getFunction("main")) {
    return source.emitError("expected a function @main");
  }
  program.module->setTargetTriple(program.machine->getTargetTriple());
  program.module->setDataLayout(program.machine->createDataLayout());
  if (!arch.getTune().empty()) {
    for (llvm::Function &function : *program.module) {
      if (!function.isDeclaration()) {
        function.addFnAttr("tune-cpu", arch.getTune());
      }
    }
  }
  addCInterface(*program.module, program.info, hostFeatures);
  optimize(*program.module, *program.machine, optLevel);
  return program;
}

const llvm::Triple &Program::getTriple() const {
  return machine->getTargetTriple();
}

ArrayRef<char> Program::getWeights() const {
  if (!weights || !weights.getRawHandle().getBlob()) {
    return {};
  }
  return weights.getRawHandle().getBlob()->getData();
}

FailureOr<SmallVector<char, 0>> Program::emit(bool asObject) {
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  auto type = asObject ? llvm::CodeGenFileType::ObjectFile
                       : llvm::CodeGenFileType::AssemblyFile;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type)) {
    return emitError(loc) << "LLVM cannot emit "
                          << (asObject ? "objects" : "assembly") << " for "
                          << machine->getTargetTriple().str();
  }
  passes.run(*module);
  return bytes;
}

FailureOr<SmallVector<char, 0>> Program::emitObject(StringRef weightsFile) {
  if (!weightsFile.empty()) {
    // The assembler copies the file into the object; LLVM IR never sees it.
    std::string symbol = getWeightsSymbol();
    std::string text;
    llvm::raw_string_ostream(text)
        << ".section .rodata." << symbol << ",\"a\",@progbits\n"
        << ".balign " << info.arenaAlignment << "\n.globl " << symbol
        << "\n.hidden " << symbol << "\n.type " << symbol << ",@object\n"
        << symbol << ":\n.incbin \"" << weightsFile << "\"\n.byte 0\n.size "
        << symbol << ", .-" << symbol << "\n";
    module->appendModuleInlineAsm(text);
  }
  return emit(/*asObject=*/true);
}

FailureOr<SmallVector<char, 0>> Program::emitAssembly() {
  return emit(/*asObject=*/false);
}

std::string Program::emitLLVMIR() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}
