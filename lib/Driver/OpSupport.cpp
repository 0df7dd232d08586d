//===- OpSupport.cpp - Who computes an operation --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes have patterns for, they are asked; what an operation takes, its
// definition. Whether an instance of it goes to the engine, only a model tells:
// sizes, constants and neighbours decide.
//
//===----------------------------------------------------------------------===//

#include "OpSupport.h"
#include "ElementTypeProbe.h"

#include "nacre/Conversion/ConvertedOps.h"
#include "nacre/Dialect/IE/IR/Decomposition.h"
#include "nacre/Dialect/IE/IR/OperatorDialect.h"
#include "nacre/Dialect/IE/Transforms/DecomposedOps.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Interpreter/InterpretableOpInterface.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

namespace {

class SupportTable {
public:
  /// For the architecture that init-compiler has attached to `module`.
  explicit SupportTable(ModuleOp module)
      : engine(getOpsOfEngine(VPU::ArchAttr::lookup(module))),
        software(getOpsOfSoftware(module)),
        parts(IE::getDecomposedOps(module.getContext())) {
    if (auto names = abi::get<abi::Keep>(module)) {
      kept = names;
    }
  }

  /// In words, the best first; empty for what nothing computes.
  std::string describe(RegisteredOperationName name) const {
    SmallVector<StringRef> words;
    bool isKept = kept && !IE::getOperatorDialect(name) &&
                  llvm::is_contained(kept.getAsValueRange<StringAttr>(),
                                     name.stripDialect());
    if (isKept) {
      words.push_back("kept");
    }
    if (engine.contains(name)) {
      words.push_back("engine");
    }
    if (software.contains(name)) {
      words.push_back("software");
    }
    if (parts.contains(name)) {
      words.push_back("parts");
    }
    bool isInterpreted = name.hasInterface<InterpretableOpInterface>() ||
                         name.hasInterface<CompositeInterpretableOpInterface>();
    if (words.empty() && isInterpreted) {
      words.push_back("interpreter");
    }
    return llvm::join(words, ", ");
  }

private:
  llvm::DenseSet<OperationName> engine, software, parts;
  ArrayAttr kept;
};

} // namespace

static void printLegend(VPU::ArchAttr arch, bool keeps) {
  llvm::raw_ostream &os = llvm::outs();
  os << "architecture " << arch.getName() << ", whose engine computes ";
  llvm::interleaveComma(arch.getElementTypes().getAsValueRange<TypeAttr>(), os,
                        [&](Type type) { os << type; });
  os << "\n\n"
        "engine       forms of it go to the engine: sizes, constants, element "
        "types and\n"
        "             neighbours decide, and `nacre info MODEL` says which do "
        "not\n"
        "software     a kernel is generated\n"
        "parts        it becomes other operations of this list\n";
  if (keeps) {
    os << "kept         the architecture wants it whole for its engine; what "
          "that does not\n"
          "             take becomes parts\n";
  }
  os << "interpreter  --backend=interpreter alone computes it\n"
        "no           nothing computes it\n\n"
        "Element types are those of the first operand, where that is a tensor; "
        "float, int and\nuint have 8 to 64 bits, small numbers less. float16 "
        "and bfloat16 are computed as\nfloat32.\n\n";
}

/// The ops of IE by name, then those of plugins, dialect by dialect.
static SmallVector<RegisteredOperationName> getOperators(MLIRContext &context) {
  SmallVector<RegisteredOperationName> names;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (isa<IE::IEDialect>(name.getDialect()) || IE::getOperatorDialect(name)) {
      names.push_back(name);
    }
  }
  llvm::sort(names, [](RegisteredOperationName a, RegisteredOperationName b) {
    auto key = [](RegisteredOperationName name) {
      return std::tuple(IE::getOperatorDialect(name) != nullptr,
                        name.getDialectNamespace(), name.stripDialect());
    };
    return key(a) < key(b);
  });
  return names;
}

ExitCode driver::printSupport(Session &session) {
  MLIRContext &context = session.getContext();
  context.loadDialect<IE::IEDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  PassManager manager(&context);
  VPU::InitCompilerOptions init;
  init.arch = session.archs.front();
  manager.addPass(VPU::createInitCompiler(init));
  if (failed(manager.run(*module))) {
    return ExitCode::BadInput;
  }
  printLegend(VPU::ArchAttr::lookup(*module), abi::has<abi::Keep>(*module));
  SupportTable table(*module);
  for (RegisteredOperationName name : getOperators(context)) {
    // Only what computes values can be asked of a machine.
    if (name.hasTrait<OpTrait::IsTerminator>()) {
      continue;
    }
    std::string where = table.describe(name);
    StringRef shown = IE::getOperatorDialect(name) ? name.getStringRef()
                                                   : name.stripDialect();
    llvm::outs() << llvm::formatv("{0,-21} {1,-23}", shown,
                                  where.empty() ? "no" : where)
                 << getElementTypes(name) << "\n";
  }
  return ExitCode::Success;
}
