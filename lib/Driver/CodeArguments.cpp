//===- CodeArguments.cpp - How code is to call and address ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeArguments.h"

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Target/ArchDescriptor.h"

#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

static const OptionSpec kOptions[] = {
    {"--mabi", "NAME",
     "the ABI of the code, where a machine has several: on RISC-V lp64, lp64f, "
     "lp64d or ilp32 and so on, as gcc's -mabi (default: what the CPU has "
     "registers for)"},
    {"--code-model", "NAME",
     "how far code and data may be apart: tiny, small, medium or large, of "
     "which a machine has some (default: small, and medium on RISC-V without "
     "an operating system)"},
    {"--relocation-model", "NAME",
     "pic (default where there is an operating system), code that runs "
     "wherever it is loaded, or static, code for the address that a program "
     "is linked to"},
};

static constexpr std::pair<StringRef, std::string CodeChoice::*> kFields[] = {
    {"--mabi", &CodeChoice::abi},
    {"--code-model", &CodeChoice::codeModel},
    {"--relocation-model", &CodeChoice::relocation}};

ArrayRef<OptionSpec> driver::getCodeOptions() { return kOptions; }

bool driver::isCodeOption(StringRef option) {
  return llvm::is_contained(llvm::make_first_range(kFields), option);
}

FailureOr<CodeChoice> driver::readCodeChoice(const Arguments &arguments) {
  CodeChoice choice;
  for (auto [option, field] : kFields) {
    if (arguments.has(option) && arguments.get(option).empty()) {
      printError() << "option '" << option << "' needs a value\n";
      return failure();
    }
    choice.*field = arguments.get(option).str();
  }
  return choice;
}

/// Prints an error and fails where a target cannot have what was chosen.
static LogicalResult check(const LLVMTarget &target, const CodeChoice &choice,
                           bool isShared) {
  if (llvm::Error error = checkCode(target, choice)) {
    printError() << llvm::toString(std::move(error)) << "\n";
    return failure();
  }
  bool reachesFar = choice.codeModel == "medium" || choice.codeModel == "large";
  if (isShared && reachesFar && llvm::Triple(target.triple).isX86()) {
    printError() << "--code-model=" << choice.codeModel
                 << " has data behind everything else, where the weights of a "
                    "shared library are, which need no other model however "
                    "large they are; write an archive, as -o NAME.a does\n";
    return failure();
  }
  return success();
}

LogicalResult driver::checkCodeChoice(Session &session, bool isShared) {
  const CodeChoice &choice = session.codeChoice;
  if (isShared && choice.relocation == "static") {
    printError() << "--relocation-model=static is for code that a program is "
                    "linked with, and a shared library is loaded anywhere; "
                    "write an archive, as -o NAME.a does\n";
    return failure();
  }
  if (auto arch = VPU::ArchAttr::lookup(session.getModule())) {
    return check({arch.getTriple().str(), arch.getCpu().str(),
                  arch.getTune().str(), arch.getFeatures().str()},
                 choice, isShared);
  }
  for (const std::string &name : session.archs) {
    llvm::Expected<ArchDescriptor> descriptor = loadArch(name);
    if (!descriptor) {
      printError() << llvm::toString(descriptor.takeError()) << "\n";
      return failure();
    }
    if (failed(check(descriptor->target, choice, isShared))) {
      return failure();
    }
  }
  return success();
}
