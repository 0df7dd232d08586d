//===- ListingText.cpp - What listings and graphs say of ops --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListingText.h"

#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Emit/ModelInterface.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::string getElementName(Type type) {
  if (type.isInteger(1)) {
    return "bool";
  }
  if (isa<IE::StringType>(type)) {
    return "str";
  }
  // A number of 64 bits, whatever a pointer has.
  if (type.isIndex()) {
    return "i64";
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    return "c" +
           std::to_string(2 * complex.getElementType().getIntOrFloatBitWidth());
  }
  if (type.isUnsignedInteger()) {
    return "u" + std::to_string(type.getIntOrFloatBitWidth());
  }
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return type.isIntOrFloat() ? name : "ptr";
}

std::string driver::getRegionType(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped) {
    return isa<IE::SequenceType, IE::OptionalType, IE::MapType>(type)
               ? getValueTypeName(type)
               : "value";
  }
  std::string text = getElementName(shaped.getElementType()) + "<";
  if (!shaped.hasRank()) {
    return text + "*>";
  }
  llvm::ListSeparator separator("x");
  for (int64_t size : shaped.getShape()) {
    text += separator;
    text += ShapedType::isDynamic(size) ? "?" : std::to_string(size);
  }
  return text + ">";
}

listing::Bytes driver::countRegionBytes(Type type) {
  return listing::countBytes(getRegionType(type))
      .value_or(listing::Bytes::open());
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Longer ones say less of an op than of its numbers.
static constexpr size_t kMostElements = 16, kMostCharacters = 120;

template <typename T> static std::string joinNumbers(ArrayRef<T> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(numbers.take_front(kMostElements), os, " ");
  return numbers.size() > kMostElements ? text + " ..." : text;
}

static std::string getText(Attribute attribute) {
  return llvm::TypeSwitch<Attribute, std::string>(attribute)
      .Case([](BoolAttr flag) { return flag.getValue() ? "true" : "false"; })
      .Case([](IntegerAttr number) {
        return llvm::toString(number.getValue(), 10,
                              !number.getType().isUnsignedInteger());
      })
      .Case([](FloatAttr number) {
        std::string text;
        llvm::raw_string_ostream(text)
            << llvm::format("%g", number.getValueAsDouble());
        return text;
      })
      .Case([](StringAttr word) {
        bool isWord = llvm::all_of(word.getValue(), [](char c) {
          return llvm::isAlnum(c) || c == '_';
        });
        if (isWord && !word.empty()) {
          return word.str();
        }
        std::string text;
        llvm::raw_string_ostream os(text);
        os << '"';
        llvm::printEscapedString(word, os);
        os << '"';
        return text;
      })
      .Case<DenseI64ArrayAttr, DenseI32ArrayAttr, DenseF32ArrayAttr,
            DenseF64ArrayAttr>(
          [](auto array) { return joinNumbers(array.asArrayRef()); })
      .Case([](TypeAttr type) {
        std::string text;
        llvm::raw_string_ostream(text) << type.getValue();
        return text;
      })
      .Case([](UnitAttr) { return ""; })
      .Default([](Attribute other) {
        std::string text;
        llvm::raw_string_ostream(text) << other;
        return text;
      });
}

/// The attributes of an op of that kind that nobody has said anything about.
static DictionaryAttr getDefaults(Operation *op) {
  Operation *plain =
      Operation::create(op->getLoc(), op->getName(), TypeRange(), ValueRange(),
                        NamedAttrList(), OpaqueProperties(nullptr));
  auto defaults =
      dyn_cast_if_present<DictionaryAttr>(plain->getPropertiesAsAttribute());
  plain->destroy();
  return defaults;
}

std::vector<std::string> driver::getAttributeTexts(Operation *op) {
  std::vector<std::string> texts;
  auto given =
      dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute());
  if (!given) {
    return texts;
  }
  DictionaryAttr defaults = getDefaults(op);
  for (NamedAttribute attribute : given) {
    StringRef name = attribute.getName();
    // How operands are told apart, and values.
    if (name.ends_with("SegmentSizes") ||
        isa<ElementsAttr>(attribute.getValue()) ||
        (defaults && defaults.get(name) == attribute.getValue())) {
      continue;
    }
    std::string value = getText(attribute.getValue());
    if (value.size() > kMostCharacters) {
      value = "...";
    }
    texts.push_back(value.empty() ? name.str() : name.str() + " " + value);
  }
  return texts;
}
