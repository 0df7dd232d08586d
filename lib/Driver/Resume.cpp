//===- Resume.cpp - Going on with a module of any level -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module goes on as it has begun: with the options that it records, from the
// level that it is at, or with the passes that its file names.
//
//===----------------------------------------------------------------------===//

#include "Resume.h"
#include "CodeArguments.h"
#include "Session.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/InitAllDialects.h"
#include "nacre/InitAllPasses.h"
#include "nacre/Target/ArchDescriptor.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

bool driver::isIRFile(StringRef path) {
  return path.ends_with(".mlir") || path.ends_with(".mlirbc");
}

OwningOpRef<ModuleOp> driver::readIRFile(MLIRContext &context, StringRef path,
                                         std::string &pipeline) {
  // A file may have more than nacre's pipelines make, for passes that it names.
  DialectRegistry all;
  nacre::registerAllDialects(all);
  context.appendDialectRegistry(all);
  ParserConfig config(&context);
  config.attachResourceParser(
      "mlir_reproducer", [&](AsmParsedResourceEntry &entry) -> LogicalResult {
        // The others are for tools that run the passes as they are.
        if (entry.getKey() != "pipeline") {
          return success();
        }
        FailureOr<std::string> text = entry.parseAsString();
        if (succeeded(text)) {
          pipeline = *text;
        }
        return text;
      });
  return parseSourceFile<ModuleOp>(path, config);
}

FailureOr<OpPassManager> driver::parsePipeline(StringRef text) {
  [[maybe_unused]] static const bool kOnce = [] {
    registerAllPasses();
    return true;
  }();
  FailureOr<OpPassManager> parsed = parsePassPipeline(text);
  if (failed(parsed) || parsed->getOpAnchorName() != "builtin.module") {
    printError() << "expected a pipeline on builtin.module, found '" << text
                 << "'\n";
    return failure();
  }
  return parsed;
}

std::string driver::joinPipelines(ArrayRef<StringRef> pipelines) {
  SmallVector<StringRef> parts;
  for (StringRef pipeline : pipelines) {
    pipeline.consume_front("builtin.module(");
    pipeline.consume_back(")");
    if (!pipeline.empty()) {
      parts.push_back(pipeline);
    }
  }
  return "builtin.module(" + llvm::join(parts, ",") + ")";
}

ArrayRef<StringRef> driver::getRecordedOptions() {
  static constexpr StringRef kOptions[] = {"--backend",
                                           "--threads",
                                           "--vpu-arch",
                                           "--target",
                                           "--mcpu",
                                           "--mattr",
                                           "--float-abi",
                                           "--mabi",
                                           "--code-model",
                                           "--relocation-model",
                                           "--no-winograd",
                                           "--precision",
                                           "--accuracy-level",
                                           "-O0",
                                           "-O1",
                                           "-O2",
                                           "-O3",
                                           "-Os"};
  return kOptions;
}

bool driver::isLLVMLevel(StringRef option) { return option.starts_with("-O"); }

StringRef driver::getDefaultValue(StringRef option) {
  return llvm::StringSwitch<StringRef>(option)
      .Case("--backend", "cpu")
      .Case("--threads", "1")
      .Case("--precision", "f32")
      .Case("--accuracy-level", "0")
      .Case("--vpu-arch", "host")
      .Default("");
}

void Session::recordOptions(ModuleOp target) const {
  if (given.empty()) {
    return;
  }
  Builder builder(target.getContext());
  NamedAttrList attrs;
  for (const auto &option : given) {
    attrs.set(option.getKey().ltrim('-'),
              builder.getStringAttr(option.getValue()));
  }
  abi::set<abi::Options>(target, attrs.getDictionary(target.getContext()));
}

/// Takes the options that the module records and the command line does not
/// name. From VPU on they have been decided.
LogicalResult Session::adoptOptions() {
  auto recorded = abi::get<abi::Options>(*module);
  bool isDecided = !pending.empty() || getLevel(*module) != Level::IE;
  bool namesLLVMLevel = llvm::any_of(
      given, [](const auto &option) { return isLLVMLevel(option.getKey()); });
  for (StringRef option : getRecordedOptions()) {
    auto value =
        recorded ? recorded.getAs<StringAttr>(option.ltrim('-')) : StringAttr();
    auto found = given.find(option);
    bool isNamed = found != given.end();
    if (isNamed && isDecided && recorded && !isLLVMLevel(option) &&
        !isCodeOption(option) && option != "--vpu-arch" &&
        (value ? value.getValue() != found->getValue()
               : option == "--no-winograd" ||
                     found->getValue() != getDefaultValue(option))) {
      printError() << "the module has been lowered "
                   << (value ? "with " : "without ") << option
                   << (value ? "=" + value.getValue() : "") << ", found "
                   << option << (found->getValue().empty() ? "" : "=")
                   << found->getValue() << "\n";
      return fail(ExitCode::BadInput);
    }
    if (value && !isNamed && !(isLLVMLevel(option) && namesLLVMLevel)) {
      given[option] = value.str();
    }
  }
  std::vector<std::string> words;
  for (StringRef option : getRecordedOptions()) {
    if (auto found = given.find(option); found != given.end()) {
      words.push_back(found->getValue().empty()
                          ? option.str()
                          : (option + "=" + found->getValue()).str());
    }
  }
  SmallVector<const char *> pointers;
  for (const std::string &word : words) {
    pointers.push_back(word.c_str());
  }
  SmallVector<OptionSpec> known(getCompilationOptions());
  llvm::append_range(known, getTargetOptions());
  llvm::append_range(known, getCodeOptions());
  FailureOr<Arguments> arguments = Arguments::parse(known, pointers);
  if (failed(arguments)) {
    return fail(ExitCode::BadInput);
  }
  archs.clear();
  if (failed(configureCode(*arguments)) || failed(adoptArchitecture())) {
    return failure();
  }
  recordOptions(*module);
  return success();
}

/// A module that has an architecture keeps it; naming it again is no harm.
LogicalResult Session::adoptArchitecture() {
  auto present =
      (*module)->getAttrOfType<VPU::ArchAttr>(VPU::ArchAttr::moduleAttrName);
  if (!present) {
    return success();
  }
  static constexpr StringRef kOfTarget[] = {"--target", "--mcpu", "--mattr",
                                            "--float-abi"};
  bool namesTarget = llvm::any_of(
      kOfTarget, [&](StringRef option) { return given.contains(option); });
  if (given.contains("--vpu-arch") || namesTarget) {
    for (const std::string &name : archs) {
      llvm::Expected<ArchDescriptor> descriptor = loadArch(name);
      if (!descriptor) {
        printError() << llvm::toString(descriptor.takeError()) << "\n";
        return fail(ExitCode::BadInput);
      }
      const LLVMTarget &target = descriptor->target;
      bool isSameTarget = target.triple == present.getTriple() &&
                          target.cpu == present.getCpu() &&
                          target.features == present.getFeatures();
      if (descriptor->name != present.getName() ||
          (namesTarget && !isSameTarget)) {
        auto describe = [&](StringRef arch, StringRef triple, StringRef cpu,
                            StringRef features) {
          return namesTarget ? llvm::join_items(" ", arch, "for", cpu, "of",
                                                triple, features)
                             : arch.str();
        };
        printError() << "the module already has the architecture "
                     << describe(present.getName(), present.getTriple(),
                                 present.getCpu(), present.getFeatures())
                     << ", found another request for "
                     << describe(descriptor->name, target.triple, target.cpu,
                                 target.features)
                     << "\n";
        return fail(ExitCode::BadInput);
      }
    }
  }
  archs = {""};
  return success();
}
