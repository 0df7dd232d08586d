//===- Maps.cpp - Expansions: maps ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ai.onnx.ml makes of maps, and maps of scores.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Map.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// The first input, a map; null, after an error, when it is none.
static Value getMap(Expander &e) {
  Value input = e.getInput(0);
  if (!input || !isa<IE::MapType>(input.getType())) {
    e.fail("expected a map as its input");
    return {};
  }
  return input;
}

/// Integers or strings of two attributes, as a vector; null, after an error,
/// unless there are some of one kind.
static Value buildKeys(Expander &e, StringRef ints, StringRef strings) {
  SmallVector<int64_t> numbers = e.takeInts(ints);
  SmallVector<std::string> texts = e.takeStrings(strings);
  if (numbers.empty() == texts.empty()) {
    e.fail("expected either '" + ints + "' or '" + strings + "'");
    return {};
  }
  return texts.empty() ? e.buildInts(numbers) : e.buildStrings(texts);
}

static void expandZipMap(Expander &e) {
  Value scores = e.getRequiredInput(0, "X");
  Value labels = buildKeys(e, "classlabels_int64s", "classlabels_strings");
  if (e.hasFailed()) {
    return;
  }
  e.setResults(e.create<IE::ZipMapOp>({scores, labels}));
}

static void expandDictVectorizer(Expander &e) {
  Value map = getMap(e);
  Value keys = buildKeys(e, "int64_vocabulary", "string_vocabulary");
  if (e.hasFailed()) {
    return;
  }
  e.setResults(e.createAll<IE::MapGetOp>({map, keys}).front());
}

/// The values of the keys 0, 1, …, or of all keys in their order, converted.
static void expandCastMap(Expander &e) {
  Value map = getMap(e);
  std::string to = e.takeString("cast_to", "TO_FLOAT");
  std::string form = e.takeString("map_form", "DENSE");
  int64_t count = e.takeInt("max_map", 1);
  if (e.hasFailed()) {
    return;
  }
  auto type = cast<IE::MapType>(map.getType());
  Type text = IE::StringType::get(type.getContext());
  Type element = to == "TO_FLOAT"    ? e.getF32()
                 : to == "TO_INT64"  ? e.getInt(64)
                 : to == "TO_STRING" ? text
                                     : Type();
  if (!element || (form != "DENSE" && form != "SPARSE")) {
    return e.fail("expected 'cast_to' of TO_FLOAT, TO_INT64 or TO_STRING and "
                  "'map_form' of DENSE or SPARSE");
  }
  if (isa<IE::StringType>(type.getKey())) {
    return e.fail("expected a map of integers");
  }
  if (form == "DENSE") {
    return e.setResults(e.cast(e.create<IE::MapValuesOp>({map}), element));
  }
  if (count < 1 || !e.expectPlausible(count)) {
    return e.fail("expected a positive 'max_map', found " + Twine(count));
  }
  SmallVector<Value> both =
      e.createAll<IE::MapGetOp>({map, e.buildIota(count)});
  if (e.hasFailed()) {
    return;
  }
  Value values = both[0], found = both[1];
  // What is missing is 0, or no text, whatever it would be converted from.
  if (element == text) {
    values = e.where(found, e.cast(values, text), e.buildString(""));
  } else if (type.getValue() == text) {
    values = e.cast(e.where(found, values, e.buildString("0")), element);
  } else {
    values = e.cast(values, element);
  }
  e.setResults(values);
}

ArrayRef<ExpansionEntry> onnx_import::getMapExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"ai.onnx.ml", "CastMap", expandCastMap},
      {"ai.onnx.ml", "DictVectorizer", expandDictVectorizer},
      {"ai.onnx.ml", "ZipMap", expandZipMap},
  };
  return kEntries;
}
