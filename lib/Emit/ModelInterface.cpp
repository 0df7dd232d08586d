//===- ModelInterface.cpp - What a model looks like from outside ----------===//
//
// Reading a model's signature from IE and carrying it across lowering.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/ModelInterface.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace nacre;

static constexpr llvm::StringLiteral kInterfaceAttr = "nacre.interface";
static constexpr llvm::StringLiteral kNameAttr = "nacre.name";

std::string nacre::toCIdentifier(StringRef text, StringRef fallback) {
  std::string identifier;
  for (char c : text) {
    // Bytes of multi-byte characters are not alphanumeric and map one by one.
    identifier += llvm::isAlnum(c) || c == '_' ? c : '_';
  }
  if (llvm::all_of(identifier, [](char c) { return c == '_'; })) {
    return fallback.str();
  }
  if (llvm::isDigit(identifier.front())) {
    identifier.insert(0, fallback.str() + "_");
  }
  static const llvm::StringSet<> keywords = {
      "alignas",  "alignof",  "and",      "asm",       "auto",     "bool",
      "break",    "case",     "catch",    "char",      "class",    "const",
      "continue", "default",  "delete",   "do",        "double",   "else",
      "enum",     "explicit", "export",   "extern",    "false",    "float",
      "for",      "friend",   "goto",     "if",        "inline",   "int",
      "long",     "mutable",  "namespace", "new",      "not",      "nullptr",
      "operator", "or",       "private",  "protected", "public",   "register",
      "restrict", "return",   "short",    "signed",    "sizeof",   "static",
      "struct",   "switch",   "template", "this",      "throw",    "true",
      "try",      "typedef",  "typename", "union",     "unsigned", "using",
      "virtual",  "void",     "volatile", "while",     "xor"};
  if (keywords.contains(identifier)) {
    identifier += '_';
  }
  return identifier;
}

void nacre::assignCNames(std::vector<TensorInterface> &tensors,
                         StringRef fallback) {
  // Compared without case: the header also spells the names in upper case.
  llvm::StringSet<> taken;
  for (auto [index, tensor] : llvm::enumerate(tensors)) {
    std::string base =
        toCIdentifier(tensor.name, (fallback + Twine(index)).str());
    std::string candidate = base;
    for (unsigned n = 1; !taken.insert(StringRef(candidate).lower()).second;
         ++n) {
      candidate = base + "_" + std::to_string(n);
    }
    tensor.cName = candidate;
  }
}

FailureOr<ModelInterface> ModelInterface::fromFunction(ModuleOp module,
                                                       StringRef name) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (!function || function.isExternal()) {
    return module.emitError("expected a function @main with a body");
  }
  ModelInterface interface;
  interface.name = name.str();
  auto add = [&](std::vector<TensorInterface> &tensors, Type type,
                 Attribute nameAttr, StringRef kind) -> LogicalResult {
    TensorInterface tensor;
    auto string = dyn_cast_or_null<StringAttr>(nameAttr);
    tensor.name =
        string ? string.str() : (kind + Twine(tensors.size())).str();
    tensor.type = dyn_cast<RankedTensorType>(type);
    if (!tensor.type ||
        nacre::getElementBytes(tensor.type.getElementType()) == 0) {
      return function.emitError()
             << kind << " '" << tensor.name
             << "' is unsupported: expected a tensor of numbers or booleans, "
                "found "
             << type;
    }
    tensors.push_back(std::move(tensor));
    return success();
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (failed(add(interface.inputs, type, function.getArgAttr(i, kNameAttr),
                   "input"))) {
      return failure();
    }
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    if (failed(add(interface.outputs, type,
                   function.getResultAttr(i, kNameAttr), "output"))) {
      return failure();
    }
  }
  assignCNames(interface.inputs, "input");
  assignCNames(interface.outputs, "output");
  return interface;
}

FailureOr<ModelInterface> ModelInterface::fromAttribute(ModuleOp module) {
  auto dict = module->getAttrOfType<DictionaryAttr>(kInterfaceAttr);
  if (!dict) {
    return module.emitError()
           << "expected the module attribute '" << kInterfaceAttr
           << "', which names the model's inputs and outputs";
  }
  ModelInterface interface;
  auto malformed = [&]() -> FailureOr<ModelInterface> {
    return module.emitError()
           << "expected '" << kInterfaceAttr
           << "' to hold 'name' and lists 'inputs' and 'outputs' of {name, "
              "type}, found "
           << dict;
  };
  auto name = dict.getAs<StringAttr>("name");
  if (!name) {
    return malformed();
  }
  interface.name = toCIdentifier(name.getValue(), "model");
  for (auto [key, tensors] :
       {std::pair("inputs", &interface.inputs),
        std::pair("outputs", &interface.outputs)}) {
    auto list = dict.getAs<ArrayAttr>(key);
    if (!list) {
      return malformed();
    }
    for (Attribute item : list) {
      auto entry = dyn_cast<DictionaryAttr>(item);
      auto entryName = entry ? entry.getAs<StringAttr>("name") : StringAttr();
      auto type = entry ? entry.getAs<TypeAttr>("type") : TypeAttr();
      auto tensor =
          type ? dyn_cast<RankedTensorType>(type.getValue()) : nullptr;
      if (!entryName || !tensor || !tensor.hasStaticShape() ||
          nacre::getElementBytes(tensor.getElementType()) == 0) {
        return malformed();
      }
      tensors->push_back({entryName.str(), "", tensor});
    }
  }
  assignCNames(interface.inputs, "input");
  assignCNames(interface.outputs, "output");
  return interface;
}

void ModelInterface::attach(ModuleOp module) const {
  Builder builder(module.getContext());
  auto toAttr = [&](const std::vector<TensorInterface> &tensors) {
    SmallVector<Attribute> list;
    for (const TensorInterface &tensor : tensors) {
      list.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("name", builder.getStringAttr(tensor.name)),
           builder.getNamedAttr("type", TypeAttr::get(tensor.type))}));
    }
    return builder.getArrayAttr(list);
  };
  module->setAttr(
      kInterfaceAttr,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("inputs", toAttr(inputs)),
           builder.getNamedAttr("name", builder.getStringAttr(name)),
           builder.getNamedAttr("outputs", toAttr(outputs))}));
}

bool ModelInterface::hasStaticShapes() const {
  auto isStatic = [](const TensorInterface &tensor) {
    return tensor.type.hasStaticShape();
  };
  return llvm::all_of(inputs, isStatic) && llvm::all_of(outputs, isStatic);
}

int64_t nacre::getElementBytes(Type elementType) {
  if (elementType.isInteger(1)) {
    return 1;
  }
  return getElementTypeName(elementType).empty()
             ? 0
             : elementType.getIntOrFloatBitWidth() / 8;
}

int64_t nacre::getByteSize(RankedTensorType type) {
  return type.getNumElements() * nacre::getElementBytes(type.getElementType());
}

std::string nacre::getElementTypeName(Type elementType) {
  if (elementType.isBF16()) {
    return "bfloat16";
  }
  if (elementType.isF16() || elementType.isF32() || elementType.isF64()) {
    return "float" + std::to_string(elementType.getIntOrFloatBitWidth());
  }
  auto integer = dyn_cast<IntegerType>(elementType);
  if (!integer) {
    return "";
  }
  switch (integer.getWidth()) {
  case 1:
    return "bool";
  case 8:
  case 16:
  case 32:
  case 64:
    return (integer.isUnsigned() ? "uint" : "int") +
           std::to_string(integer.getWidth());
  default:
    return "";
  }
}

Type nacre::parseElementTypeName(MLIRContext *context, StringRef name) {
  Builder builder(context);
  return llvm::StringSwitch<Type>(name)
      .Case("float16", builder.getF16Type())
      .Case("bfloat16", builder.getBF16Type())
      .Case("float32", builder.getF32Type())
      .Case("float64", builder.getF64Type())
      .Case("bool", builder.getI1Type())
      .Case("int8", builder.getIntegerType(8))
      .Case("int16", builder.getIntegerType(16))
      .Case("int32", builder.getIntegerType(32))
      .Case("int64", builder.getIntegerType(64))
      .Case("uint8", builder.getIntegerType(8, /*isSigned=*/false))
      .Case("uint16", builder.getIntegerType(16, /*isSigned=*/false))
      .Case("uint32", builder.getIntegerType(32, /*isSigned=*/false))
      .Case("uint64", builder.getIntegerType(64, /*isSigned=*/false))
      .Default(Type());
}

std::string nacre::describeType(RankedTensorType type) {
  std::string text = getElementTypeName(type.getElementType());
  text += '[';
  for (auto [i, dim] : llvm::enumerate(type.getShape())) {
    text += i == 0 ? "" : ",";
    text += ShapedType::isDynamic(dim) ? "?" : std::to_string(dim);
  }
  return text + "]";
}
