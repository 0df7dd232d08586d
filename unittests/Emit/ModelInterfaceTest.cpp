//===- ModelInterfaceTest.cpp - Tests of a model's outside ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and types as C programs and metadata see them.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/ModelInterface.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre;

TEST(ToCIdentifier, Identifier_StaysAsItIs) {
  EXPECT_EQ(toCIdentifier("input_1"), "input_1");
}

TEST(ToCIdentifier, OtherCharacters_BecomeUnderscores) {
  EXPECT_EQ(toCIdentifier("image/in:0"), "image_in_0");
  EXPECT_EQ(toCIdentifier("t\xc3\xa9"), "t__");
}

TEST(ToCIdentifier, NameThatCompilersReserve_GetsPrefix) {
  EXPECT_EQ(toCIdentifier("\xc3\xa9t\xc3\xa9"), "t___t__");
  EXPECT_EQ(toCIdentifier("_Bool"), "t__Bool");
}

TEST(ToCIdentifier, LeadingDigitOrNothing_GetsPrefix) {
  EXPECT_EQ(toCIdentifier("2nd"), "t_2nd");
  EXPECT_EQ(toCIdentifier(""), "t_");
}

TEST(ToCIdentifier, KeywordOfCOrCxx_GetsSuffix) {
  EXPECT_EQ(toCIdentifier("int"), "int_");
  EXPECT_EQ(toCIdentifier("class"), "class_");
}

TEST(ElementTypeName, EveryTypeOfIE_RoundTrips) {
  MLIRContext context;
  for (StringRef name :
       {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
        "uint64", "float16", "bfloat16", "float32", "float64"}) {
    Type type = parseElementTypeName(&context, name);
    ASSERT_TRUE(type) << name.str();
    EXPECT_EQ(getElementTypeName(type), name.str());
  }
}

TEST(ElementTypeName, UnknownName_IsNull) {
  MLIRContext context;
  EXPECT_FALSE(parseElementTypeName(&context, "float31"));
  EXPECT_FALSE(parseElementTypeName(&context, ""));
}

namespace {

class ModelInterfaceOfModule : public ::testing::Test {
protected:
  ModelInterfaceOfModule() {
    context.loadDialect<func::FuncDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
  }

  FailureOr<ModelInterface> read(StringRef source) {
    module = parseSourceString<ModuleOp>(source, &context);
    return getModelInterface(*module);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string message;
};

} // namespace

TEST_F(ModelInterfaceOfModule, CollidingNames_GetDistinctIdentifiers) {
  FailureOr<ModelInterface> interface =
      read("func.func @main(%a: tensor<2xf32> {nacre.name = \"x:0\"},"
           "                %b: tensor<2xf32> {nacre.name = \"x/0\"})"
           "    -> (tensor<2xf32> {nacre.name = \"y\"}) {"
           "  return %a : tensor<2xf32>\n}");
  ASSERT_TRUE(succeeded(interface));
  ASSERT_EQ(interface->inputs.size(), 2u);
  EXPECT_EQ(interface->inputs[0].name, "x:0");
  EXPECT_EQ(interface->inputs[1].name, "x/0");
  EXPECT_NE(interface->inputs[0].cName, interface->inputs[1].cName);
  ASSERT_EQ(interface->outputs.size(), 1u);
  EXPECT_EQ(interface->outputs[0].name, "y");
}

TEST_F(ModelInterfaceOfModule, WithoutNames_CountsThem) {
  FailureOr<ModelInterface> interface =
      read("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {"
           "  return %a : tensor<2xf32>\n}");
  ASSERT_TRUE(succeeded(interface));
  EXPECT_EQ(interface->inputs[0].name, "input0");
  EXPECT_EQ(interface->outputs[0].name, "output0");
}

TEST_F(ModelInterfaceOfModule, DynamicShape_IsARuntimeValueWithNames) {
  auto interface = read("func.func @main(%a: tensor<?x?x4xf32> {nacre.dims = "
                        "[\"batch\", \"\", \"\"]}) {\n  return\n}");
  ASSERT_TRUE(succeeded(interface)) << message;
  const ModelTensor &input = interface->inputs[0];
  EXPECT_TRUE(input.isRuntimeValue());
  EXPECT_EQ(input.getDimName(0), "batch");
  EXPECT_EQ(input.getDimName(1), "?");
  EXPECT_EQ(input.getDimName(2), "4");
}

TEST_F(ModelInterfaceOfModule, NoMain_Fails) {
  EXPECT_TRUE(failed(read("func.func @other() {\n  return\n}")));
  EXPECT_EQ(message, "expected a function @main");
}
