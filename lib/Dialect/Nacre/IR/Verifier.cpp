//===- Verifier.cpp - Where attributes may stand, and with what -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of all attributes of the nacre dialect, and what several of them must
// agree on.
//
//===----------------------------------------------------------------------===//

#include "Verifier.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::abi;

//===----------------------------------------------------------------------===//
// Each attribute alone
//===----------------------------------------------------------------------===//

namespace {
struct Rule {
  StringRef name;
  SmallVector<Place, 4> places;
  /// What values are, in words, and whether one is.
  StringRef expected;
  bool (*isValid)(Attribute);
};
} // namespace

template <typename Attr> static bool isOfType(Attribute value) {
  return isa<ValueOf<Attr>>(value);
}

template <typename Element> static bool isArrayOf(Attribute value) {
  auto array = dyn_cast<ArrayAttr>(value);
  return array && llvm::all_of(array, llvm::IsaPred<Element>);
}

static bool isNumber(Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getType().isSignlessInteger(64) &&
         number.getInt() >= 0;
}

static bool isTextByName(Attribute value) {
  auto dictionary = dyn_cast<DictionaryAttr>(value);
  return dictionary && llvm::all_of(dictionary, [](NamedAttribute entry) {
           return isa<StringAttr>(entry.getValue());
         });
}

static bool isAscending(Attribute value) {
  auto numbers = dyn_cast<DenseI64ArrayAttr>(value);
  return numbers && llvm::is_sorted(numbers.asArrayRef());
}

static bool isPairs(Attribute value) {
  return isArrayOf<StringAttr>(value) && cast<ArrayAttr>(value).size() % 2 == 0;
}

template <typename Attr>
static Rule makeRule(ArrayRef<Place> places, StringRef expected,
                     bool (*isValid)(Attribute) = isOfType<Attr>) {
  return {Attr::getNameStr(), SmallVector<Place, 4>(places), expected, isValid};
}

static ArrayRef<Rule> getRules() {
  using P = Place;
  static constexpr StringRef kNumber = "an i64 that is not negative";
  static constexpr StringRef kTexts = "an array of strings";
  static constexpr StringRef kUnit = "no value";
  const auto ofValues = {P::Argument, P::Result, P::Input, P::Output};
  const auto ofInputs = {P::Argument, P::Input};
  static const Rule kRules[] = {
      makeRule<Name>(ofValues, "a string"),
      makeRule<Dims>(ofValues, kTexts, isArrayOf<StringAttr>),
      makeRule<Element>(ofValues, "a type"),
      makeRule<State>(ofInputs, kNumber, isNumber),
      makeRule<Integers>(ofValues, "#nacre.integers"),
      makeRule<Unread>({P::Input}, kUnit),
      makeRule<ArgumentRole>({P::Argument, P::Result}, "#nacre.role"),
      makeRule<Interface>({P::Module}, "#nacre.interface"),
      makeRule<Weights>({P::Module}, "an array of elements",
                        isArrayOf<ElementsAttr>),
      makeRule<WeightOffsets>({P::Module}, "an array of i64 that ascend",
                              isAscending),
      makeRule<ArenaBytes>({P::Module}, kNumber, isNumber),
      makeRule<ArenaLowerBound>({P::Module}, kNumber, isNumber),
      makeRule<MemoryLimit>({P::Module}, kNumber, isNumber),
      makeRule<Steps>({P::Module}, "an array of #nacre.step",
                      isArrayOf<StepAttr>),
      makeRule<Hooks>({P::Module}, kUnit),
      makeRule<Taps>({P::Module}, "#nacre.taps"),
      makeRule<Keep>({P::Module}, kTexts, isArrayOf<StringAttr>),
      makeRule<Options>({P::Module}, "a dictionary of strings", isTextByName),
      makeRule<Metadata>({P::Module}, "an array of strings, keys and values",
                         isPairs),
      makeRule<Repairs>({P::Function}, "an array of #nacre.repair",
                        isArrayOf<RepairAttr>),
      makeRule<Rescaled>({P::Op}, "#nacre.rescaling"),
      makeRule<Implicit>({P::Op}, kUnit),
      makeRule<HasSteps>({P::Op}, kUnit),
      makeRule<KeepsSizes>({P::Op}, kUnit),
      makeRule<Independent>({P::Op}, kNumber, isNumber),
      makeRule<MostBytes>({P::Op}, kNumber, isNumber),
  };
  return kRules;
}

static StringRef describe(Place place) {
  switch (place) {
  case Place::Module:
    return "modules";
  case Place::Function:
    return "functions";
  case Place::Op:
    return "ops";
  case Place::Argument:
    return "arguments";
  case Place::Result:
    return "results";
  case Place::Input:
    return "inputs of an interface";
  case Place::Output:
    return "outputs of an interface";
  }
  llvm_unreachable("a place has a name");
}

LogicalResult
abi::verifyAttribute(llvm::function_ref<InFlightDiagnostic()> emitError,
                     Place place, StringRef owner, NamedAttribute attribute) {
  const Rule *rule = llvm::find_if(getRules(), [&](const Rule &candidate) {
    return candidate.name == attribute.getName();
  });
  if (rule == getRules().end()) {
    return emitError() << "expected an attribute of the nacre dialect, found '"
                       << attribute.getName().getValue() << "'";
  }
  if (!llvm::is_contained(rule->places, place)) {
    return emitError() << "expected '" << rule->name << "' on "
                       << llvm::join(llvm::map_range(rule->places, describe),
                                     ", ")
                       << ", found it on " << owner;
  }
  if (!rule->isValid(attribute.getValue())) {
    return emitError() << "expected '" << rule->name << "' to have "
                       << rule->expected << ", found " << attribute.getValue();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Several together
//===----------------------------------------------------------------------===//

/// Constants and their places come together.
static LogicalResult verifyWeights(Operation *module) {
  auto values = get<Weights>(module);
  auto offsets = get<WeightOffsets>(module);
  if (!values || !offsets ||
      values.size() != static_cast<size_t>(offsets.size())) {
    return module->emitError("expected '")
           << Weights::getNameStr() << "' and '" << WeightOffsets::getNameStr()
           << "' of one size";
  }
  return success();
}

LogicalResult NacreDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  Place place = isa<ModuleOp>(op)              ? Place::Module
                : isa<FunctionOpInterface>(op) ? Place::Function
                                               : Place::Op;
  if (failed(verifyAttribute([&] { return op->emitError(); }, place,
                             op->getName().getStringRef(), attribute))) {
    return failure();
  }
  StringRef name = attribute.getName();
  if (name == Weights::getNameStr() || name == WeightOffsets::getNameStr()) {
    return verifyWeights(op);
  }
  return success();
}

/// A state is a result, and each result the state of one argument.
static LogicalResult verifyState(FunctionOpInterface function, unsigned number,
                                 int64_t result) {
  if (result >= function.getNumResults()) {
    return function.emitError("expected the state of argument ")
           << number << " to be the number of a result, found " << result;
  }
  for (unsigned other = 0; other < number; ++other) {
    auto state = getOfArgument<State>(function, other);
    if (state && state.getInt() == result) {
      return function.emitError(
                 "expected one state per result, found several for result ")
             << result;
    }
  }
  return success();
}

/// There is one arena and one set of weights, bytes each, and one pointer to
/// hooks.
static LogicalResult verifyRole(FunctionOpInterface function, unsigned number,
                                Role role) {
  if (role < Role::Hooks) {
    return success();
  }
  for (unsigned other = 0; other < number; ++other) {
    if (getRole(function, other) == role) {
      return function.emitError("expected one argument of the role ")
             << stringifyRole(role) << ", found arguments " << other << " and "
             << number;
    }
  }
  Type type = function.getArgumentTypes()[number];
  auto buffer = dyn_cast<MemRefType>(type);
  bool isBytes =
      buffer && buffer.getRank() == 1 && buffer.getElementType().isInteger(8);
  if (role != Role::Hooks && isa<ShapedType>(type) && !isBytes) {
    return function.emitError("expected the ")
           << stringifyRole(role)
           << " to be a buffer of one dimension of i8, found " << type;
  }
  return success();
}

LogicalResult NacreDialect::verifyRegionArgAttribute(Operation *op,
                                                     unsigned regionIndex,
                                                     unsigned argIndex,
                                                     NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  Place place = function ? Place::Argument : Place::Op;
  if (failed(verifyAttribute([&] { return op->emitError(); }, place,
                             "argument " + std::to_string(argIndex),
                             attribute))) {
    return failure();
  }
  if (auto role = dyn_cast<RoleAttr>(attribute.getValue())) {
    return verifyRole(function, argIndex, role.getValue());
  }
  if (attribute.getName() == State::getNameStr()) {
    return verifyState(function, argIndex,
                       cast<IntegerAttr>(attribute.getValue()).getInt());
  }
  return success();
}

LogicalResult
NacreDialect::verifyRegionResultAttribute(Operation *op, unsigned regionIndex,
                                          unsigned resultIndex,
                                          NamedAttribute attribute) {
  if (failed(verifyAttribute([&] { return op->emitError(); }, Place::Result,
                             "result " + std::to_string(resultIndex),
                             attribute))) {
    return failure();
  }
  auto role = dyn_cast<RoleAttr>(attribute.getValue());
  if (role && role.getValue() != Role::Output) {
    return op->emitError("expected result ")
           << resultIndex << " to have the role output, found "
           << stringifyRole(role.getValue());
  }
  return success();
}
