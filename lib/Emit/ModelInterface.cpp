//===- ModelInterface.cpp - Inputs and outputs of a model -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads names and types off the entry function.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/ModelInterface.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/ElementTypes.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/Runtime/IR/ElementTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace nacre;

int64_t nacre::countBytes(RankedTensorType type) {
  Type element = type.getElementType();
  auto complex = dyn_cast<ComplexType>(element);
  uint64_t bits = complex ? 2 * complex.getElementType().getIntOrFloatBitWidth()
                          : element.getIntOrFloatBitWidth();
  uint64_t bytes = llvm::SaturatingMultiply<uint64_t>(
      type.getNumElements(), llvm::divideCeil(bits, 8));
  return std::min<uint64_t>(bytes, std::numeric_limits<int64_t>::max());
}

bool nacre::isCIdentifier(StringRef text) {
  return !text.empty() && !llvm::isDigit(text[0]) &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

std::string nacre::toCIdentifier(StringRef text) {
  // Keywords of C and C++, whose programs include the header, too; and macros
  // that gcc defines unless it is told a standard.
  constexpr StringLiteral kKeywords =
      "alignas alignof and and_eq asm auto bitand bitor bool break case "
      "catch char char16_t char32_t char8_t class co_await co_return "
      "co_yield compl concept const const_cast consteval constexpr "
      "constinit continue decltype default delete do double dynamic_cast "
      "else enum explicit export extern false float for friend goto if "
      "inline int long mutable namespace new noexcept not not_eq nullptr "
      "operator or or_eq private protected public register "
      "reinterpret_cast requires restrict return short signed sizeof "
      "static static_assert static_cast struct switch template this "
      "thread_local throw true try typedef typeid typename typeof "
      "typeof_unqual union unsigned using virtual void volatile wchar_t "
      "while xor xor_eq linux unix "
      // What the standard headers define, and the types of the header's fields.
      "EOF I INFINITY NAN NULL assert errno stderr stdin stdout int8_t int16_t "
      "int32_t int64_t uint8_t uint16_t uint32_t uint64_t nacre_value";
  std::string result;
  for (char c : text) {
    result += llvm::isAlnum(c) ? c : '_';
  }
  StringRef made = result;
  // Compilers keep names that begin with two underscores, or with one and a
  // capital, to themselves.
  bool isReserved =
      made.starts_with("__") ||
      (made.size() > 1 && made[0] == '_' && made[1] >= 'A' && made[1] <= 'Z');
  if (made.empty() || llvm::isDigit(made.front()) || isReserved) {
    result = "t_" + result;
  }
  return llvm::is_contained(llvm::split(kKeywords, ' '), result) ? result + "_"
                                                                 : result;
}

std::string nacre::getElementTypeName(Type type) {
  if (type.isInteger(1)) {
    return "bool";
  }
  if (type.isBF16()) {
    return "bfloat16";
  }
  if (isa<IE::StringType>(type)) {
    return "string";
  }
  if (isa<FloatType>(type) && IE::isSmallNumber(type)) {
    // "f8E4M3FN", "f8E8M0FNU" and "f4E2M1FN"; ONNX leaves out what the latter
    // two end in, as there are no other kinds.
    std::string name;
    llvm::raw_string_ostream(name) << type;
    std::string kind = StringRef(name).drop_front().lower();
    if (isa<Float8E8M0FNUType, Float4E2M1FNType>(type)) {
      kind.resize(kind.find("fn"));
    }
    return "float" + kind;
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    return complex.getElementType().isF32() ? "complex64" : "complex128";
  }
  std::string width = std::to_string(type.getIntOrFloatBitWidth());
  if (isa<FloatType>(type)) {
    return "float" + width;
  }
  return (type.isUnsignedInteger() ? "uint" : "int") + width;
}

Type nacre::parseElementTypeName(MLIRContext *context, StringRef name) {
  return IE::findElementType(
      context, [&](Type type) { return getElementTypeName(type) == name; });
}

std::string nacre::getValueTypeName(Type type) {
  if (auto sequence = dyn_cast<IE::SequenceType>(type)) {
    return "sequence(" + getValueTypeName(sequence.getElementType()) + ")";
  }
  if (auto optional = dyn_cast<IE::OptionalType>(type)) {
    return "optional(" + getValueTypeName(optional.getElementType()) + ")";
  }
  if (auto map = dyn_cast<IE::MapType>(type)) {
    return "map(" + getElementTypeName(map.getKey()) + "," +
           getElementTypeName(map.getValue()) + ")";
  }
  return getElementTypeName(getElementTypeOrSelf(type));
}

/// "map(int64,float32)"; null for another name.
static Type parseMapTypeName(MLIRContext *context, StringRef name) {
  if (!name.consume_front("map(") || !name.consume_back(")")) {
    return {};
  }
  auto [first, second] = name.split(',');
  Type key = parseElementTypeName(context, first);
  Type value = parseElementTypeName(context, second);
  bool isValid = key && value && IE::MapType::isValid(key, value);
  return isValid ? IE::MapType::get(key, value) : Type();
}

Type nacre::parseListTypeName(MLIRContext *context, StringRef name) {
  if (name.starts_with("map(")) {
    return parseMapTypeName(context, name);
  }
  bool isSequence = name.consume_front("sequence(");
  if ((!isSequence && !name.consume_front("optional(")) ||
      !name.consume_back(")")) {
    return {};
  }
  Type element = parseElementTypeName(context, name);
  Type held = element ? UnrankedTensorType::get(element)
                      : parseListTypeName(context, name);
  if (!held) {
    return {};
  }
  return isSequence ? Type(IE::SequenceType::get(held))
                    : Type(IE::OptionalType::get(held));
}

bool ModelTensor::isRuntimeValue() const {
  return !type || rt::isTensorValue(type, type.getElementType());
}

std::string IntegerScale::describe() const {
  std::string text;
  llvm::raw_string_ostream(text)
      << "stands for (integer - " << zeroPoint << ") * "
      << llvm::format("%.9g", static_cast<double>(scale));
  return text;
}

std::string ModelTensor::getDimName(size_t dim) const {
  if (!type.isDynamicDim(dim)) {
    return std::to_string(type.getDimSize(dim));
  }
  bool isNamed = dim < dimNames.size() && !dimNames[dim].empty();
  return isNamed ? dimNames[dim] : "?";
}

/// The tensors of one side of a signature.
static LogicalResult
addTensors(func::FuncOp function, TypeRange types, StringRef prefix,
           llvm::function_ref<StringAttr(unsigned)> getName,
           bool forInterpreter, std::vector<ModelTensor> &tensors) {
  llvm::StringSet<> used;
  for (auto [i, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    bool isList = isa<IE::MapType, IE::OptionalType, IE::SequenceType>(type);
    if (!forInterpreter && !tensor && !isList) {
      return function.emitError("unsupported value at the model's boundary: "
                                "compiled models take and give tensors of "
                                "known rank, sequences, optionals and maps, "
                                "found ")
             << type << "; use --backend=interpreter";
    }
    StringAttr attr = getName(i);
    std::string name = attr ? attr.str() : (prefix + Twine(i)).str();
    std::string identifier = toCIdentifier(name);
    while (!used.insert(identifier).second) {
      identifier += "_" + std::to_string(i);
    }
    tensors.push_back({name,
                       identifier,
                       tensor,
                       /*isRead=*/true,
                       tensor ? Type() : type,
                       {}});
  }
  return success();
}

static std::vector<std::string> readDimNames(ArrayAttr list) {
  std::vector<std::string> names;
  for (size_t i = 0; list && i < list.size(); ++i) {
    names.push_back(cast<StringAttr>(list[i]).str());
  }
  return names;
}

/// The function that `nacre.interface` describes, as a declaration outside of
/// the module.
static OwningOpRef<func::FuncOp> buildRecorded(ModuleOp module,
                                               abi::InterfaceAttr interface) {
  // On the LLVM dialect no other function may be around.
  module.getContext()->loadDialect<func::FuncDialect>();
  OwningOpRef<func::FuncOp> function =
      func::FuncOp::create(module.getLoc(), "main", interface.getSignature());
  function->setArgAttrsAttr(interface.getInputs());
  function->setResAttrsAttr(interface.getOutputs());
  function->addEntryBlock();
  return function;
}

static FailureOr<ModelInterface>
readInterface(func::FuncOp function, bool forInterpreter, bool isRecorded);

FailureOr<ModelInterface> nacre::getModelInterface(ModuleOp module,
                                                   bool forInterpreter) {
  if (auto recorded = abi::get<abi::Interface>(module)) {
    OwningOpRef<func::FuncOp> function = buildRecorded(module, recorded);
    return readInterface(*function, forInterpreter, /*isRecorded=*/true);
  }
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (!function || function.isExternal()) {
    return module.emitError("expected a function @main");
  }
  return readInterface(function, forInterpreter, /*isRecorded=*/false);
}

static std::optional<IntegerScale> readIntegers(abi::IntegersAttr attribute) {
  if (!attribute) {
    return std::nullopt;
  }
  return IntegerScale{attribute.getScale().getValue().convertToFloat(),
                      attribute.getZeroPoint()};
}

static FailureOr<ModelInterface>
readInterface(func::FuncOp function, bool forInterpreter, bool isRecorded) {
  ModelInterface result;
  if (failed(addTensors(
          function, function.getArgumentTypes(), "input",
          [&](unsigned i) {
            return abi::getOfArgument<abi::Name>(function, i);
          },
          forInterpreter, result.inputs)) ||
      failed(addTensors(
          function, function.getResultTypes(), "output",
          [&](unsigned i) { return abi::getOfResult<abi::Name>(function, i); },
          forInterpreter, result.outputs))) {
    return failure();
  }
  for (auto [i, tensor] : llvm::enumerate(result.outputs)) {
    tensor.dimNames = readDimNames(
        abi::getOfResult<abi::Dims>(function, static_cast<unsigned>(i)));
    tensor.integers = readIntegers(
        abi::getOfResult<abi::Integers>(function, static_cast<unsigned>(i)));
  }
  for (auto [tensor, argument] :
       llvm::zip_equal(result.inputs, function.getArguments())) {
    unsigned number = argument.getArgNumber();
    tensor.isRead = isRecorded
                        ? !abi::getOfArgument<abi::Unread>(function, number)
                        : !argument.use_empty();
    tensor.dimNames =
        readDimNames(abi::getOfArgument<abi::Dims>(function, number));
    tensor.integers =
        readIntegers(abi::getOfArgument<abi::Integers>(function, number));
    auto state = abi::getOfArgument<abi::State>(function, number);
    if (!state) {
      continue;
    }
    ModelTensor &output = result.outputs[state.getInt()];
    if (!tensor.type ||
        !isa<FloatType, IntegerType>(tensor.type.getElementType()) ||
        IE::isPacked(tensor.type.getElementType())) {
      return function.emitError("unsupported state '")
             << tensor.name << "' of " << tensor.getValueType()
             << ": a state is a buffer of numbers of a byte at least; leave it "
                "out of --state, as an input and an output of their own";
    }
    if (tensor.isRuntimeValue() ||
        tensor.getValueType() != output.getValueType()) {
      return function.emitError("a state keeps its type and its shape, which "
                                "is known, found '")
             << tensor.name << "' of " << tensor.getValueType()
             << " to become '" << output.name << "' of "
             << output.getValueType();
    }
    tensor.state = state.getInt();
    output.state = number;
  }
  return result;
}

std::vector<ModelTensor> nacre::getOwnOutputs(const ModelInterface &interface) {
  std::vector<ModelTensor> outputs;
  llvm::copy_if(interface.outputs, std::back_inserter(outputs),
                [](const ModelTensor &tensor) { return !tensor.state; });
  return outputs;
}
