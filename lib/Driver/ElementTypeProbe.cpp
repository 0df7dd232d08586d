//===- ElementTypeProbe.cpp - The element types of an operation -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op is built of operands of a type and verified. Constraints are checked in
// order, those of attributes before those of operands: attributes that are
// required get some value, and whatever is wrong behind the first operand does
// not matter. An operand may need some number of dimensions: several are tried.
//
//===----------------------------------------------------------------------===//

#include "ElementTypeProbe.h"

#include "nacre/Dialect/IE/IR/String.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nacre;

static constexpr StringLiteral kSegments = "operandSegmentSizes";

//===----------------------------------------------------------------------===//
// How many operands and results an op needs
//===----------------------------------------------------------------------===//

template <unsigned N> static bool hasOperands(RegisteredOperationName name) {
  return name.hasTrait<OpTrait::NOperands<N>::template Impl>() ||
         name.hasTrait<OpTrait::AtLeastNOperands<N>::template Impl>();
}

template <unsigned N> static bool hasResults(RegisteredOperationName name) {
  return name.hasTrait<OpTrait::NResults<N>::template Impl>() ||
         name.hasTrait<OpTrait::AtLeastNResults<N>::template Impl>();
}

template <unsigned... N>
static unsigned countOperands(RegisteredOperationName name,
                              std::integer_sequence<unsigned, N...>) {
  bool isNone = name.hasTrait<OpTrait::ZeroOperands>();
  return isNone ? 0
                : std::max({1u, (hasOperands<N + 2>(name) ? N + 2 : 0u)...});
}

template <unsigned... N>
static unsigned countResults(RegisteredOperationName name,
                             std::integer_sequence<unsigned, N...>) {
  bool isNone = name.hasTrait<OpTrait::ZeroResults>();
  return isNone ? 0 : std::max({1u, (hasResults<N + 2>(name) ? N + 2 : 0u)...});
}

//===----------------------------------------------------------------------===//
// Ops to ask
//===----------------------------------------------------------------------===//

namespace {

class ElementTypeProbe {
public:
  explicit ElementTypeProbe(RegisteredOperationName name)
      : name(name), context(name.getContext()), builder(context) {
    constexpr auto most = std::make_integer_sequence<unsigned, 8>();
    numOperands = countOperands(name, most);
    numResults = countResults(name, most);
  }

  bool takes(Type element);

private:
  bool takesTensor(Type type);
  /// The first error of an op of operands of a type; empty where it has none.
  std::string verify(Type type);
  Attribute makeValue(StringRef attribute);
  std::string getAllowedWord(StringRef attribute);

  RegisteredOperationName name;
  MLIRContext *context;
  Builder builder;
  unsigned numOperands, numResults;
  NamedAttrList attributes;
};

} // namespace

std::string ElementTypeProbe::verify(Type type) {
  Block block;
  OperationState state(UnknownLoc::get(context), name);
  for (unsigned i = 0; i < numOperands; ++i) {
    state.operands.push_back(block.addArgument(type, state.location));
  }
  state.addTypes(SmallVector<Type>(numResults, type));
  state.addAttributes(attributes);
  std::string error;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (error.empty()) {
      error = diagnostic.str();
    }
    return success();
  });
  Operation *op = Operation::create(state);
  auto properties =
      dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute());
  // Optional operands are left out.
  if (auto segments = properties
                          ? properties.getAs<DenseI32ArrayAttr>(kSegments)
                          : DenseI32ArrayAttr()) {
    SmallVector<int32_t> sizes(segments.size(), 0);
    std::fill_n(sizes.begin(), std::min<size_t>(numOperands, sizes.size()), 1);
    op->setAttr(kSegments, builder.getDenseI32ArrayAttr(sizes));
  }
  (void)name.verifyInvariants(op);
  op->destroy();
  return error;
}

/// The first word that an error about an attribute of words lists.
std::string ElementTypeProbe::getAllowedWord(StringRef attribute) {
  std::string word;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    std::string text = diagnostic.str();
    word = StringRef(text).split("constraint: '").second.split('\'').first;
    return success();
  });
  NamedAttrList one;
  one.set(attribute, builder.getStringAttr("a"));
  auto emit = [&] { return emitError(UnknownLoc::get(context)); };
  (void)name.verifyInherentAttrs(one, emit);
  return word;
}

Attribute ElementTypeProbe::makeValue(StringRef attribute) {
  const Attribute values[] = {builder.getI64IntegerAttr(1),
                              builder.getF32FloatAttr(1),
                              builder.getF64FloatAttr(1),
                              builder.getStringAttr("a"),
                              builder.getDenseI64ArrayAttr(1),
                              builder.getDenseF32ArrayAttr(1),
                              TypeAttr::get(builder.getF32Type()),
                              builder.getStrArrayAttr(StringRef("a"))};
  for (Attribute value : values) {
    NamedAttrList one;
    one.set(attribute, value);
    ScopedDiagnosticHandler quiet(context,
                                  [](Diagnostic &) { return success(); });
    auto emit = [&] { return emitError(UnknownLoc::get(context)); };
    if (succeeded(name.verifyInherentAttrs(one, emit))) {
      return value;
    }
  }
  return builder.getStringAttr(getAllowedWord(attribute));
}

bool ElementTypeProbe::takes(Type element) {
  if (numOperands == 0 || !name.hasTrait<OpTrait::ZeroRegions>()) {
    return false;
  }
  return llvm::any_of(ArrayRef<int64_t>{2, 4, 1, 0}, [&](int64_t rank) {
    return takesTensor(
        RankedTensorType::get(SmallVector<int64_t>(rank, 1), element));
  });
}

bool ElementTypeProbe::takesTensor(Type type) {
  constexpr int kMostAttributes = 16;
  std::string error;
  for (int i = 0; i < kMostAttributes; ++i) {
    error = verify(type);
    StringRef rest = error;
    if (!rest.consume_front("'" + name.getStringRef().str() +
                            "' op requires attribute '")) {
      break;
    }
    StringRef attribute = rest.take_until([](char c) { return c == '\''; });
    attributes.set(attribute, makeValue(attribute));
  }
  return !StringRef(error).contains("operand #0 must be");
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

namespace {
struct Kind {
  StringRef word;
  SmallVector<std::pair<StringRef, Type>> types;
};
} // namespace

/// Types by kind, in the order in which they are named.
static SmallVector<Kind> getKinds(MLIRContext *context) {
  Builder b(context);
  auto getUnsigned = [&](unsigned bits) -> Type {
    return IntegerType::get(context, bits, IntegerType::Unsigned);
  };
  return {{"float",
           {{"float16", b.getF16Type()},
            {"bfloat16", b.getBF16Type()},
            {"float32", b.getF32Type()},
            {"float64", b.getF64Type()}}},
          {"int",
           {{"int8", b.getIntegerType(8)},
            {"int16", b.getIntegerType(16)},
            {"int32", b.getIntegerType(32)},
            {"int64", b.getIntegerType(64)}}},
          {"uint",
           {{"uint8", getUnsigned(8)},
            {"uint16", getUnsigned(16)},
            {"uint32", getUnsigned(32)},
            {"uint64", getUnsigned(64)}}},
          {"small",
           {{"float8", Float8E4M3FNType::get(context)},
            {"int4", b.getIntegerType(4)},
            {"int2", b.getIntegerType(2)}}},
          {"bool", {{"bool", b.getI1Type()}}},
          {"string", {{"string", IE::StringType::get(context)}}},
          {"complex", {{"complex64", ComplexType::get(b.getF32Type())}}}};
}

std::string driver::getElementTypes(RegisteredOperationName name) {
  ElementTypeProbe probe(name);
  SmallVector<StringRef> words;
  for (const Kind &kind : getKinds(name.getContext())) {
    SmallVector<StringRef> taken;
    for (const auto &[word, type] : kind.types) {
      if (probe.takes(type)) {
        taken.push_back(word);
      }
    }
    if (taken.size() == kind.types.size()) {
      words.push_back(kind.word);
    } else {
      llvm::append_range(words, taken);
    }
  }
  return llvm::join(words, " ");
}
