//===- Preprocessing.cpp - Expansions: features ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ai.onnx.ml does to features before a model sees them.
//
//===----------------------------------------------------------------------===//

#include "ClassicalModels.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/NGram.h"
#include "nacre/Dialect/IE/IR/Reduction.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// `input` with `count` features, its last dimension, which may be dynamic in
/// the type.
static Value expectFeatures(Expander &e, Value input, int64_t count,
                            const Twine &what) {
  int64_t features = e.getDim(input, -1);
  if (e.hasFailed() || features == count) {
    return input;
  }
  if (!ShapedType::isDynamic(features)) {
    e.fail("expected " + what + ", found " + Twine(count) + " for " +
           Twine(features) + " features");
    return {};
  }
  SmallVector<int64_t> shape(e.getRank(input), 0);
  shape.back() = count;
  return e.reshape(input, shape);
}

/// Values of which there is one, or one for each feature of `input`.
static Value buildFeatureVector(Expander &e, Value &input,
                                ArrayRef<double> values, StringRef name,
                                Type element) {
  int64_t count = values.size();
  if (count == 1) {
    return e.buildScalar(values[0], element);
  }
  input = expectFeatures(e, input, count,
                         "one value in '" + name + "' or one for each feature");
  return buildVector(e, values, element);
}

static void expandScaler(Expander &e) {
  Value input = e.cast(e.getRequiredInput(0, "X"), e.getF32());
  SmallVector<double> offset = e.takeFloats("offset");
  SmallVector<double> scale = e.takeFloats("scale");
  Value subtracted = buildFeatureVector(e, input, offset, "offset", e.getF32());
  Value factor = buildFeatureVector(e, input, scale, "scale", e.getF32());
  e.setResults(e.mul(e.sub(input, subtracted), factor));
}

static void expandNormalizer(Expander &e) {
  Value input = e.cast(e.getRequiredInput(0, "X"), e.getF32());
  std::string norm = e.takeString("norm", "MAX");
  int64_t rank = e.getRank(input);
  if (!e.hasFailed() && rank != 1 && rank != 2) {
    return e.fail("expected one or two dimensions, found " + Twine(rank));
  }
  Value size;
  if (norm == "MAX") {
    size = e.reduce<IE::ReduceMaxOp>(input, rank - 1);
  } else if (norm == "L1") {
    size = e.reduce<IE::ReduceL1Op>(input, rank - 1);
  } else if (norm == "L2") {
    size = e.reduce<IE::ReduceL2Op>(input, rank - 1);
  } else {
    return e.fail("expected a norm of MAX, L1 or L2, found '" + norm + "'");
  }
  // A row of zeros stays one.
  Value zero = e.buildScalar(0, e.getF32()), one = e.buildScalar(1, e.getF32());
  Value isZero = e.create<IE::EqualOp>({size, zero});
  e.setResults(e.div(input, e.where(isZero, one, size)));
}

static void expandBinarizer(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  Value bound = e.buildScalar(e.takeFloat("threshold", 0), e.getElement(input));
  e.setResults(
      e.cast(e.create<IE::GreaterOp>({input, bound}), e.getElement(input)));
}

static void expandArrayFeatureExtractor(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  Value indices = e.reshape(e.getRequiredInput(1, "Y"), -1);
  if (e.getRank(input) == 1) {
    input = e.unsqueeze(input, 0);
  }
  e.setResults(e.gather(input, indices, e.getRank(input) - 1));
}

static void expandImputer(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  Type element = e.getElement(input);
  if (e.hasFailed()) {
    return;
  }
  bool isFloat = isa<FloatType>(element);
  SmallVector<double> floats = e.takeFloats("imputed_value_floats");
  SmallVector<int64_t> ints = e.takeInts("imputed_value_int64s");
  double missing = e.takeFloat("replaced_value_float", 0);
  int64_t missingInt = e.takeInt("replaced_value_int64", 0);
  if (isFloat ? floats.empty() : ints.empty()) {
    return e.fail("expected imputed values of the input's type");
  }
  if (!isFloat) {
    floats.assign(ints.begin(), ints.end());
    missing = static_cast<double>(missingInt);
  }
  Value imputed =
      buildFeatureVector(e, input, floats, "imputed_value", element);
  Value isMissing =
      isFloat && missing != missing
          ? e.create<IE::IsNaNOp>({input})
          : e.create<IE::EqualOp>({input, e.buildScalar(missing, element)});
  e.setResults(e.where(isMissing, imputed, input));
}

/// 1 where an element is a category, one more dimension for the categories.
static void expandOneHotEncoder(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  SmallVector<int64_t> categories = e.takeInts("cats_int64s");
  SmallVector<std::string> texts = e.takeStrings("cats_strings");
  bool allowsOthers = e.takeInt("zeros", 1) != 0;
  if (!allowsOthers) {
    return e.reject("an error for elements of no category ('zeros' = 0)");
  }
  bool hasTexts = e.hasStrings(input);
  if (hasTexts ? texts.empty() : categories.empty()) {
    return e.fail("expected categories of the input's type");
  }
  Value elements = hasTexts ? input : e.cast(input, e.getInt(64));
  Value isCategory = e.create<IE::EqualOp>(
      {e.unsqueeze(elements, e.getRank(input)),
       hasTexts ? e.buildStrings(texts) : e.buildInts(categories)});
  e.setResults(e.cast(isCategory, e.getF32()));
}

static void expandFeatureVectorizer(Expander &e) {
  SmallVector<int64_t> sizes = e.takeInts("inputdimensions");
  SmallVector<Value> parts;
  for (auto [i, input] : llvm::enumerate(e.getInputs())) {
    Value part = e.cast(e.getRequiredInput(i, "X"), e.getF32());
    if (e.getRank(part) == 1) {
      part = e.unsqueeze(part, 0);
    }
    if (i < sizes.size()) {
      part = expectFeatures(e, part, sizes[i],
                            "as many features in input " + Twine(i) +
                                " as 'inputdimensions' says");
    }
    parts.push_back(part);
  }
  e.setResults(e.concat(parts, 1));
}

/// Where each element of a tensor is among keys, `matches` having one more
/// dimension for these: the first key that matches, and whether one does.
static std::pair<Value, Value> findKeys(Expander &e, Value matches) {
  int64_t rank = e.getRank(matches) - 1;
  Value flags = e.cast(matches, e.getInt(32));
  Value positions = e.create<IE::ArgMaxOp>(
      {flags}, {e.attr("axis", rank), e.attr("keepdims", int64_t(0))});
  Value isKnown =
      e.cast(e.reduce<IE::ReduceMaxOp>(flags, rank, false), e.getInt(1));
  return {positions, isKnown};
}

/// The entry of a table by whose key each element equals; `other` where there
/// is none. Each key is compared with all elements.
static void encode(Expander &e, Value input, Value keys, Value table,
                   Value other) {
  if (e.hasFailed()) {
    return;
  }
  if (e.getElement(input) != e.getElement(keys)) {
    return e.fail("expected keys of the input's type");
  }
  if (e.getElement(table) != e.getElement(other)) {
    return e.fail("expected a default of the values' type");
  }
  if (!e.expectRank(keys, 1, "keys") || !e.expectRank(table, 1, "values")) {
    return;
  }
  int64_t count = e.getDim(keys, 0), rank = e.getRank(input);
  if (count == 0 || count != e.getDim(table, 0)) {
    return e.fail("expected as many values as keys, found " +
                  Twine(e.getDim(table, 0)) + " and " + Twine(count));
  }
  Value matches = e.create<IE::EqualOp>({e.unsqueeze(input, rank), keys});
  if (isa<FloatType>(e.getElement(keys))) {
    // NaN is a key like others.
    Value isMissing =
        e.create<IE::AndOp>({e.unsqueeze(e.create<IE::IsNaNOp>({input}), rank),
                             e.create<IE::IsNaNOp>({keys})});
    matches = e.create<IE::OrOp>({matches, isMissing});
  }
  // Where no key matches, the position is not used.
  auto [positions, isKnown] = findKeys(e, matches);
  e.setResults(e.where(isKnown, e.gather(table, positions, 0), other));
}

/// One side of a table from its attributes: a tensor, or a list of strings,
/// floats or integers.
static Value takeColumn(Expander &e, StringRef name) {
  auto get = [&](StringRef suffix) { return (name + suffix).str(); };
  SmallVector<int64_t> ints = e.takeInts(get("_int64s"));
  SmallVector<double> floats = e.takeFloats(get("_floats"));
  SmallVector<std::string> texts = e.takeStrings(get("_strings"));
  if (Value tensor = e.takeConstant(get("_tensor"))) {
    return tensor;
  }
  if (!texts.empty()) {
    return e.buildStrings(texts);
  }
  return floats.empty() ? e.buildInts(ints)
                        : buildVector(e, floats, e.getF32());
}

/// What stands for elements that are no key, in the type of the values.
static Value takeDefault(Expander &e, Type element) {
  int64_t number = e.takeInt("default_int64", -1);
  double real = e.takeFloat("default_float", -0.0);
  std::string text = e.takeString("default_string", "_Unused");
  Value tensor = e.takeConstant("default_tensor");
  if (e.hasFailed()) {
    return {};
  }
  if (tensor) {
    return e.reshape(tensor, {});
  }
  if (isa<IE::StringType>(element)) {
    return e.buildString(text);
  }
  return isa<FloatType>(element)
             ? e.buildScalar(real, element)
             : e.buildTensor(ArrayRef<int64_t>(number), {}, element);
}

/// Strings and integers, either by the other.
static void encodeBothWays(Expander &e, Value input, Value texts,
                           Value numbers) {
  bool hasTexts = e.hasStrings(input);
  Value table = hasTexts ? numbers : texts;
  encode(e, input, hasTexts ? texts : numbers, table,
         takeDefault(e, e.getElement(table)));
}

static void expandLabelEncoder(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  SmallVector<std::string> classes = e.takeStrings("classes_strings");
  if (!classes.empty()) {
    // Operator set 1: classes by their numbers.
    auto count = static_cast<int64_t>(classes.size());
    return encodeBothWays(e, input, e.buildStrings(classes),
                          e.buildIota(count));
  }
  Value keys = takeColumn(e, "keys");
  Value table = takeColumn(e, "values");
  if (e.hasFailed()) {
    return;
  }
  if (isa<FloatType>(e.getElement(input)) && !e.hasStrings(keys) &&
      isa<FloatType>(e.getElement(keys))) {
    keys = e.cast(keys, e.getElement(input));
  }
  encode(e, input, keys, table, takeDefault(e, e.getElement(table)));
}

static void expandCategoryMapper(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  Value texts = e.buildStrings(e.takeStrings("cats_strings"));
  Value numbers = e.buildInts(e.takeInts("cats_int64s"));
  encodeBothWays(e, input, texts, numbers);
}

void onnx_import::expandStringNGrams(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  SmallVector<std::string> pool = e.takeStrings("pool_strings");
  if (pool.empty() || !e.hasStrings(input)) {
    return e.fail("expected a pool of the input's type");
  }
  // Tokens by their number among the different ones of the pool.
  llvm::StringMap<int64_t> numbers;
  SmallVector<std::string> tokens;
  SmallVector<int64_t> ids;
  for (const std::string &token : pool) {
    auto [it, isNew] = numbers.try_emplace(token, tokens.size());
    if (isNew) {
      tokens.push_back(token);
    }
    ids.push_back(it->second);
  }
  Value matches = e.create<IE::EqualOp>(
      {e.unsqueeze(input, e.getRank(input)), e.buildStrings(tokens)});
  auto [positions, isKnown] = findKeys(e, matches);
  Value other = e.buildTensor(ArrayRef<int64_t>(-1), {}, e.getInt(64));
  SmallVector<NamedAttribute> attributes = e.takeAttributes();
  attributes.push_back(e.attr("pool_int64s", ids));
  e.setResults(e.create<IE::TfIdfVectorizerOp>(
      {e.where(isKnown, positions, other)}, attributes));
}

ArrayRef<ExpansionEntry> onnx_import::getPreprocessingExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"ai.onnx.ml", "ArrayFeatureExtractor", expandArrayFeatureExtractor},
      {"ai.onnx.ml", "Binarizer", expandBinarizer},
      {"ai.onnx.ml", "CategoryMapper", expandCategoryMapper},
      {"ai.onnx.ml", "FeatureVectorizer", expandFeatureVectorizer},
      {"ai.onnx.ml", "Imputer", expandImputer},
      {"ai.onnx.ml", "LabelEncoder", expandLabelEncoder},
      {"ai.onnx.ml", "Normalizer", expandNormalizer},
      {"ai.onnx.ml", "OneHotEncoder", expandOneHotEncoder},
      {"ai.onnx.ml", "Scaler", expandScaler},
  };
  return kEntries;
}
