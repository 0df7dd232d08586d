//===- ImportTest.cpp - Tests of the ONNX importer ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Import/ONNX/Import.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <fstream>
#include <numeric>
#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace nacre;

namespace {

/// y = Relu(x) on float[2,3], to be damaged by each test.
class ImportTest : public testing::Test {
protected:
  ImportTest() {
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      message += diagnostic.str() + "\n";
      return success();
    });
    model.set_ir_version(8);
    auto *opset = model.add_opset_import();
    opset->set_domain("");
    opset->set_version(13);
    graph().set_name("g");
    declare(*graph().add_input(), "x", {2, 3});
    declare(*graph().add_output(), "y", {2, 3});
    addNode("Relu", {"x"}, "y");
  }

  onnx::GraphProto &graph() { return *model.mutable_graph(); }

  static void declare(onnx::ValueInfoProto &info, const char *name,
                      const std::vector<int64_t> &shape) {
    info.set_name(name);
    auto *type = info.mutable_type()->mutable_tensor_type();
    type->set_elem_type(onnx::TensorProto::FLOAT);
    type->mutable_shape()->clear_dim();
    for (int64_t dim : shape) {
      type->mutable_shape()->add_dim()->set_dim_value(dim);
    }
  }

  onnx::NodeProto &addNode(const char *op,
                           const std::vector<const char *> &inputs,
                           const char *output) {
    onnx::NodeProto &node = *graph().add_node();
    node.set_op_type(op);
    node.set_name(std::string("node_") + output);
    for (const char *input : inputs) {
      node.add_input(input);
    }
    node.add_output(output);
    return node;
  }

  ImportStatus import(size_t bytes = std::string::npos,
                      const ImportOptions &options = {}) {
    llvm::SmallString<128> path;
    int file;
    EXPECT_FALSE(
        llvm::sys::fs::createTemporaryFile("import", "onnx", file, path));
    std::string data = model.SerializeAsString().substr(0, bytes);
    llvm::raw_fd_ostream(file, /*shouldClose=*/true) << data;
    ImportResult result = importONNXModel(path, context, options);
    llvm::sys::fs::remove(path);
    module = std::move(result.module);
    return result.status;
  }

  /// The ops of @main in their order.
  std::string listOps() {
    std::string names;
    auto function = module->lookupSymbol<func::FuncOp>("main");
    for (Operation &op : function.getBody().front().without_terminator()) {
      names += op.getName().getStringRef().str() + " ";
    }
    return names;
  }

  bool mentions(StringRef text) { return StringRef(message).contains(text); }

  MLIRContext context;
  onnx::ModelProto model;
  OwningOpRef<ModuleOp> module;
  std::string message;
};

} // namespace

TEST_F(ImportTest, Model_OfOneNode_BecomesMainWithNames) {
  ASSERT_EQ(import(), ImportStatus::Success);
  auto function = module->lookupSymbol<func::FuncOp>("main");
  ASSERT_TRUE(function);
  EXPECT_EQ(nacre::abi::getOfArgument<nacre::abi::Name>(function, 0), "x");
  EXPECT_EQ(function.getBody().front().front().getName().getStringRef(),
            "IE.Relu");
}

TEST_F(ImportTest, Model_Truncated_IsBadInput) {
  EXPECT_EQ(import(/*bytes=*/20), ImportStatus::BadInput);
  EXPECT_FALSE(message.empty());
}

TEST_F(ImportTest, Node_WithUnknownOperator_IsUnsupportedByName) {
  graph().mutable_node(0)->set_op_type("Frobnicate");
  EXPECT_EQ(import(), ImportStatus::Unsupported);
  EXPECT_TRUE(mentions("Frobnicate"));
  EXPECT_TRUE(mentions("node_y"));
}

TEST_F(ImportTest, Node_WithUndefinedInput_IsBadInputByName) {
  graph().mutable_node(0)->set_input(0, "nowhere");
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("'nowhere' of Relu is defined nowhere")) << message;
}

TEST_F(ImportTest, Nodes_InACycle_AreBadInputByName) {
  graph().mutable_node(0)->set_input(0, "z");
  addNode("Add", {"y", "x"}, "z");
  addNode("Neg", {"y"}, "outside");
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("the nodes 'node_y', 'node_z' form a cycle")) << message;
}

TEST_F(ImportTest, Node_ThatNeedsItself_IsBadInput) {
  graph().mutable_node(0)->set_input(0, "y");
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("the node needs its own result")) << message;
}

TEST_F(ImportTest, Nodes_OutOfOrder_AreSorted) {
  graph().mutable_node(0)->set_input(0, "c");
  addNode("Abs", {"b"}, "c");
  addNode("Exp", {"x"}, "other");
  addNode("Neg", {"a"}, "b");
  addNode("Cast", {"x"}, "a").add_attribute();
  auto *to = graph().mutable_node(4)->mutable_attribute(0);
  to->set_name("to");
  to->set_type(onnx::AttributeProto::INT);
  to->set_i(onnx::TensorProto::FLOAT);
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  EXPECT_EQ(listOps(), "IE.Cast IE.Neg IE.Abs IE.Relu IE.Exp ");
}

TEST_F(ImportTest, Nodes_InOrder_StayWhereTheyAre) {
  addNode("Exp", {"x"}, "a");
  addNode("Neg", {"y"}, "b");
  addNode("Abs", {"x"}, "c");
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  EXPECT_EQ(listOps(), "IE.Relu IE.Exp IE.Neg IE.Abs ");
}

TEST_F(ImportTest, Value_DefinedTwice_IsBadInput) {
  addNode("Neg", {"x"}, "y");
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("defined twice"));
}

TEST_F(ImportTest, Initializer_OfWrongSize_IsBadInput) {
  onnx::TensorProto &tensor = *graph().add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(4);
  tensor.set_raw_data(std::string(12, '\0'));
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("expected 16 bytes"));
}

TEST_F(ImportTest, Initializer_OfManyBytes_HasItsValues) {
  std::vector<float> values(100000);
  std::iota(values.begin(), values.end(), 0.0f);
  onnx::TensorProto &tensor = *graph().add_initializer();
  tensor.set_raw_data(values.data(), values.size() * sizeof(float));
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(values.size());
  addNode("Neg", {"w"}, "z");
  ASSERT_EQ(import(), ImportStatus::Success);
  unsigned constants = 0;
  module->walk([&](IE::ConstantOp op) {
    ++constants;
    auto blob = cast<DenseResourceElementsAttr>(op.getValue());
    ArrayRef<char> data = blob.getData();
    ASSERT_EQ(data.size(), values.size() * sizeof(float));
    EXPECT_EQ(std::memcmp(data.data(), values.data(), data.size()), 0);
  });
  EXPECT_EQ(constants, 1u);
}

TEST_F(ImportTest, Initializer_OfManyBytesAndWrongSize_IsBadInput) {
  onnx::TensorProto &tensor = *graph().add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(100000);
  tensor.set_raw_data(std::string(399996, '\0'));
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("expected 400000 bytes"));
}

TEST_F(ImportTest, Model_TruncatedInALargeInitializer_IsBadInput) {
  onnx::TensorProto &tensor = *graph().add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(100000);
  tensor.set_raw_data(std::string(400000, '\0'));
  EXPECT_EQ(import(/*bytes=*/200000), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("malformed protobuf"));
}

TEST_F(ImportTest, Initializer_OfNegativeSize_IsBadInput) {
  onnx::TensorProto &tensor = *graph().add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(-4);
  EXPECT_EQ(import(), ImportStatus::BadInput);
}

TEST_F(ImportTest, ExternalData_OutsideTheFolder_IsBadInput) {
  onnx::TensorProto &tensor = *graph().add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(1);
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  auto *location = tensor.add_external_data();
  location->set_key("location");
  location->set_value("../secret");
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("../secret"));
}

TEST_F(ImportTest, Model_OfAnOpsetThatIsNotTested_IsWarnedAbout) {
  model.mutable_opset_import(0)->set_version(28);
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  EXPECT_FALSE(mentions("operator set"));
  model.mutable_opset_import(0)->set_version(29);
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  EXPECT_TRUE(mentions("operator set 29, the newest that is tested is 28"));
}

TEST_F(ImportTest, Model_OfAnOpsetBelowTheFirst_IsBadInput) {
  model.mutable_opset_import(0)->set_version(-1);
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("expected an operator set from 1 on, found -1"));
}

TEST_F(ImportTest, Nodes_WithoutARequiredAttribute_AreBadInput) {
  for (auto [op, attribute] : {std::pair("MaxPool", "kernel_shape"),
                               std::pair("AveragePool", "kernel_shape"),
                               std::pair("MaxUnpool", "kernel_shape"),
                               std::pair("Einsum", "equation")}) {
    graph().mutable_node(0)->set_op_type(op);
    EXPECT_EQ(import(), ImportStatus::BadInput);
    EXPECT_TRUE(mentions((Twine("'") + attribute + "' of " + op).str()))
        << message;
  }
}

TEST_F(ImportTest, Nodes_WithAnAttributeOfAnotherKind_AreBadInput) {
  onnx::NodeProto &node = *graph().mutable_node(0);
  auto *attribute = node.add_attribute();
  attribute->set_type(onnx::AttributeProto::STRINGS);
  attribute->add_strings("SAME_UPPER");
  node.set_op_type("Softmax");
  attribute->set_name("axis");
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("expected attribute 'axis' of Softmax to be INT, "
                       "found STRINGS"))
      << message;
  // Without a definition of ONNX's, what asks for the attribute says it.
  node.set_op_type("QuickGelu");
  node.set_domain("com.microsoft");
  attribute->set_name("alpha");
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("expected attribute 'alpha' of QuickGelu to be FLOAT, "
                       "found STRINGS"))
      << message;
}

TEST_F(ImportTest, Nodes_WithTooFewInputs_AreBadInput) {
  onnx::NodeProto &node = *graph().mutable_node(0);
  node.set_op_type("GridSample");
  model.mutable_opset_import(0)->set_version(16);
  graph()
      .mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(onnx::TensorProto::INT64);
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("expected at least 2 inputs of GridSample, found 1"))
      << message;
  // Of these operators only the op of theirs knows.
  model.mutable_opset_import(0)->set_version(14);
  message.clear();
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("expected at least 2 inputs of GridSample, found 1"))
      << message;
}

TEST_F(ImportTest, Nodes_OfAnotherKindOfValue_AreBadInput) {
  graph().mutable_node(0)->set_op_type("SequenceLength");
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("expected another kind of value than 'tensor<"))
      << message;
}

TEST_F(ImportTest, Cast_OfOpset5_GetsTheTypeThatIsNamed) {
  model.mutable_opset_import(0)->set_version(5);
  graph()
      .mutable_output(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(onnx::TensorProto::INT32);
  onnx::NodeProto &node = *graph().mutable_node(0);
  node.set_op_type("Cast");
  auto *to = node.add_attribute();
  to->set_name("to");
  to->set_type(onnx::AttributeProto::STRING);
  to->set_s("INT32");
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  Type found;
  module->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "IE.Cast") {
      found = op->getAttrOfType<TypeAttr>("to").getValue();
    }
  });
  EXPECT_TRUE(found && found.isSignlessInteger(32));
  to->set_s("INT33");
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("expected the name of an element type"));
}

TEST_F(ImportTest, Clip_OfOpset6_GetsItsBoundsAsOperands) {
  model.mutable_opset_import(0)->set_version(7);
  onnx::NodeProto &node = *graph().mutable_node(0);
  node.set_op_type("Clip");
  auto *bound = node.add_attribute();
  bound->set_name("max");
  bound->set_type(onnx::AttributeProto::FLOAT);
  bound->set_f(6);
  ASSERT_EQ(import(), ImportStatus::Success);
  unsigned operands = 0;
  module->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "IE.Clip") {
      operands = op->getNumOperands();
    }
  });
  EXPECT_EQ(operands, 2u);
}

TEST_F(ImportTest, TopK_OfOpset9_GetsItsNumberAsOperand) {
  model.mutable_opset_import(0)->set_version(9);
  declare(*graph().mutable_output(0), "y", {2, 1});
  onnx::NodeProto &node = *graph().mutable_node(0);
  node.set_op_type("TopK");
  node.add_output("indices");
  auto *k = node.add_attribute();
  k->set_name("k");
  k->set_type(onnx::AttributeProto::INT);
  k->set_i(1);
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  unsigned operands = 0;
  module->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "IE.TopK") {
      operands = op->getNumOperands();
    }
  });
  EXPECT_EQ(operands, 2u);
}

TEST_F(ImportTest, GridSample_OfOpset16_GetsTheNewNameOfItsMode) {
  model.mutable_opset_import(0)->set_version(16);
  declare(*graph().mutable_input(0), "x", {1, 1, 2, 2});
  declare(*graph().mutable_output(0), "y", {1, 1, 1, 2});
  onnx::NodeProto &node = *graph().mutable_node(0);
  node.set_op_type("GridSample");
  node.add_input("x");
  auto *mode = node.add_attribute();
  mode->set_name("mode");
  mode->set_type(onnx::AttributeProto::STRING);
  mode->set_s("bicubic");
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  StringRef found;
  module->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "IE.GridSample") {
      found = op->getAttrOfType<StringAttr>("mode").getValue();
    }
  });
  EXPECT_EQ(found, "cubic");
}

TEST_F(ImportTest, Add_OfOpset6BroadcastAtAnAxis_GetsTrailingDimensions) {
  model.mutable_opset_import(0)->set_version(6);
  declare(*graph().add_input(), "b", {2});
  graph().clear_node();
  onnx::NodeProto &node = addNode("Add", {"x", "b"}, "y");
  for (auto [name, value] : {std::pair("broadcast", 1), std::pair("axis", 0)}) {
    onnx::AttributeProto *attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::INT);
    attribute->set_i(value);
  }
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  module->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "IE.Add") {
      EXPECT_EQ(cast<ShapedType>(op->getOperand(1).getType()).getShape(),
                ArrayRef<int64_t>({2, 1}));
    }
  });
}

TEST_F(ImportTest, Add_OfOpset6BroadcastBeyondTheRank_IsBadInput) {
  model.mutable_opset_import(0)->set_version(6);
  declare(*graph().add_input(), "b", {2});
  graph().clear_node();
  onnx::NodeProto &node = addNode("Add", {"x", "b"}, "y");
  for (auto [name, value] : {std::pair("broadcast", 1), std::pair("axis", 2)}) {
    onnx::AttributeProto *attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::INT);
    attribute->set_i(value);
  }
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("expected 1 dimensions from axis 2 on")) << message;
}

TEST_F(ImportTest, PRelu_OfOpset6_GetsASlopePerChannel) {
  model.mutable_opset_import(0)->set_version(6);
  declare(*graph().mutable_input(0), "x", {2, 3, 4, 5});
  declare(*graph().mutable_output(0), "y", {2, 3, 4, 5});
  declare(*graph().add_input(), "slope", {3});
  graph().clear_node();
  addNode("PRelu", {"x", "slope"}, "y");
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  module->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "IE.PRelu") {
      EXPECT_EQ(cast<ShapedType>(op->getOperand(1).getType()).getShape(),
                ArrayRef<int64_t>({3, 1, 1}));
    }
  });
}

TEST_F(ImportTest, CastLike_LeavesItsSecondOperandUnused) {
  auto *like = graph().add_input();
  declare(*like, "like", {7});
  like->mutable_type()->mutable_tensor_type()->set_elem_type(
      onnx::TensorProto::DOUBLE);
  graph()
      .mutable_output(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(onnx::TensorProto::DOUBLE);
  graph().clear_node();
  addNode("CastLike", {"x", "like"}, "y");
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  auto function = module->lookupSymbol<func::FuncOp>("main");
  EXPECT_TRUE(function.getArgument(1).use_empty());
  EXPECT_TRUE(
      cast<ShapedType>(function.getResultTypes()[0]).getElementType().isF64());
}

TEST_F(ImportTest, RandomNodes_WithoutSeeds_AreNumbered) {
  graph().clear_node();
  addNode("RandomUniformLike", {"x"}, "a");
  addNode("RandomNormalLike", {"x"}, "b");
  addNode("Add", {"a", "b"}, "y");
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  SmallVector<double> seeds;
  module->walk([&](Operation *op) {
    if (auto seed = op->getAttrOfType<FloatAttr>("seed")) {
      seeds.push_back(seed.getValueAsDouble());
    }
  });
  EXPECT_EQ(seeds, SmallVector<double>({0, 1}));
}

TEST_F(ImportTest, BatchNormalization_InTraining_UsesItsOwnStatistics) {
  model.mutable_opset_import(0)->set_version(15);
  graph().clear_node();
  for (const char *name : {"scale", "b", "mean", "variance"}) {
    declare(*graph().add_input(), name, {3});
  }
  onnx::NodeProto &node = addNode("BatchNormalization",
                                  {"x", "scale", "b", "mean", "variance"}, "y");
  node.add_output("running_mean");
  node.add_output("running_variance");
  onnx::AttributeProto *attribute = node.add_attribute();
  attribute->set_name("training_mode");
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(1);
  declare(*graph().add_output(), "running_mean", {3});
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  module->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "IE.BatchNormalization") {
      EXPECT_EQ(op->getOperand(3).getDefiningOp()->getName().getStringRef(),
                "IE.ReduceMean");
    }
  });
}

TEST_F(ImportTest, Adam_WithoutItsState_IsBadInput) {
  auto *opset = model.add_opset_import();
  opset->set_domain("ai.onnx.preview.training");
  opset->set_version(1);
  graph().clear_node();
  declare(*graph().add_input(), "r", {1});
  addNode("Adam", {"r", "r", "x", "x"}, "y")
      .set_domain("ai.onnx.preview.training");
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("a multiple of 4 tensors, found 4 inputs")) << message;
}

TEST_F(ImportTest, Operator_DefinedAsFunction_IsExpanded) {
  model.mutable_opset_import(0)->set_version(17);
  graph().mutable_node(0)->set_op_type("MeanVarianceNormalization");
  auto *axes = graph().mutable_node(0)->add_attribute();
  axes->set_name("axes");
  axes->set_type(onnx::AttributeProto::INTS);
  axes->add_ints(1);
  ASSERT_EQ(import(), ImportStatus::Success);
  unsigned means = 0;
  module->walk([&](Operation *op) {
    means += op->getName().getStringRef() == "IE.ReduceMean";
  });
  EXPECT_EQ(means, 2u);
}

TEST_F(ImportTest, Function_WithComputedShape_TakesTheDeclaredOne) {
  model.mutable_opset_import(0)->set_version(17);
  graph().mutable_node(0)->set_op_type("LayerNormalization");
  graph().mutable_node(0)->add_input("x");
  auto *axis = graph().mutable_node(0)->add_attribute();
  axis->set_name("axis");
  axis->set_type(onnx::AttributeProto::INT);
  axis->set_i(0);
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  auto function = module->lookupSymbol<func::FuncOp>("main");
  EXPECT_EQ(function.getResultTypes().front(),
            RankedTensorType::get({2, 3}, Float32Type::get(&context)));
}

TEST_F(ImportTest, ShapeOption_ForNoInput_IsBadInput) {
  ImportOptions options;
  options.shapes["nothing"] = {1};
  EXPECT_EQ(import(std::string::npos, options), ImportStatus::BadInput);
  EXPECT_TRUE(mentions("nothing"));
}
