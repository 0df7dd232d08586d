//===- States.cpp - The --state option ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the inputs and outputs that the user calls states.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// The position of `name`; nothing when there is no such name.
static std::optional<size_t> findName(ArrayRef<std::string> names,
                                      StringRef name) {
  const auto *it = llvm::find(names, name);
  return it == names.end() ? std::nullopt
                           : std::optional<size_t>(it - names.begin());
}

static LogicalResult fail(const llvm::Twine &message,
                          ArrayRef<std::string> names) {
  printError() << message << "; it has " << llvm::join(names, ", ") << "\n";
  return failure();
}

LogicalResult driver::bindStates(ModuleOp module,
                                 ArrayRef<std::string> states) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (states.empty() || !function) {
    return success();
  }
  auto getNames = [](unsigned count, StringRef prefix, auto getName) {
    std::vector<std::string> names;
    for (unsigned i = 0; i < count; ++i) {
      StringAttr name = getName(i);
      names.push_back(name ? name.str() : (prefix + Twine(i)).str());
    }
    return names;
  };
  auto inputs = getNames(function.getNumArguments(), "input", [&](unsigned i) {
    return abi::getOfArgument<abi::Name>(function, i);
  });
  auto outputs = getNames(function.getNumResults(), "output", [&](unsigned i) {
    return abi::getOfResult<abi::Name>(function, i);
  });
  Builder builder(module.getContext());
  llvm::SmallDenseSet<size_t> taken;
  for (StringRef state : states) {
    // Names may hold colons: the one that parts two known names counts.
    std::optional<size_t> input, output;
    for (size_t colon = state.find(':'); colon != StringRef::npos && !output;
         colon = state.find(':', colon + 1)) {
      if (auto found = findName(inputs, state.take_front(colon))) {
        input = found;
        output = findName(outputs, state.drop_front(colon + 1));
      }
    }
    if (!state.contains(':')) {
      printError() << "--state needs INPUT:OUTPUT, found '" << state << "'\n";
      return failure();
    }
    if (!input) {
      return fail("--state=" + state + " begins with no input of the model",
                  inputs);
    }
    if (!output) {
      return fail("--state=" + state + " ends with no output of the model",
                  outputs);
    }
    if (abi::getOfArgument<abi::State>(function, *input) ||
        !taken.insert(*output).second) {
      printError() << "--state=" << state
                   << ": an input is one output's state, and only one is the "
                      "state of an output\n";
      return failure();
    }
    abi::setOfArgument<abi::State>(
        function, *input,
        builder.getI64IntegerAttr(static_cast<int64_t>(*output)));
  }
  return success();
}
