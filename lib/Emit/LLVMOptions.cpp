//===- LLVMOptions.cpp - LLVM's options, for a while ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LLVMOptions.h"

using namespace nacre;

static std::mutex mutex;

LLVMOptions::LLVMOptions() : guard(mutex) {}

LLVMOptions::~LLVMOptions() {
  for (auto [option, before] : changed) {
    option->setValue(before);
  }
}

void LLVMOptions::set(llvm::StringRef name, bool value) {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find(name);
  if (found != options.end() && found->second->getNumOccurrences() == 0) {
    auto *option = static_cast<llvm::cl::opt<bool> *>(found->second);
    changed.emplace_back(option, option->getValue());
    option->setValue(value);
  }
}
