//===- ExpansionTest.cpp - Tests of operators that become several ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What their nodes are refused for. What they compute is tested in Python.
//
//===----------------------------------------------------------------------===//

#include "nacre/Import/ONNX/Import.h"
#include "nacre/InitAllDialects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace nacre;

static DialectRegistry createRegistry() {
  DialectRegistry registry;
  nacre::registerAllDialects(registry);
  return registry;
}

namespace {

/// One node, whose inputs and outputs are the graph's.
class ExpansionTest : public testing::Test {
protected:
  ExpansionTest() : context(createRegistry()) {
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      message += diagnostic.str() + "\n";
      return success();
    });
    model.set_ir_version(8);
    setOpset("", 24);
    graph().set_name("g");
    node = graph().add_node();
    node->set_name("n");
  }

  onnx::GraphProto &graph() { return *model.mutable_graph(); }

  void setOpset(const char *domain, int64_t version) {
    for (onnx::OperatorSetIdProto &opset : *model.mutable_opset_import()) {
      if (opset.domain() == domain) {
        return opset.set_version(version);
      }
    }
    auto *opset = model.add_opset_import();
    opset->set_domain(domain);
    opset->set_version(version);
  }

  void setNode(const char *op, const char *domain = "") {
    node->set_op_type(op);
    node->set_domain(domain);
    if (*domain) {
      setOpset(domain, 1);
    }
    node->add_output("y");
    graph().add_output()->set_name("y");
  }

  void addInput(const std::vector<int64_t> &shape,
                int type = onnx::TensorProto::FLOAT) {
    std::string name = "x" + std::to_string(node->input_size());
    node->add_input(name);
    onnx::ValueInfoProto &info = *graph().add_input();
    info.set_name(name);
    auto *tensor = info.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    tensor->mutable_shape();
    for (int64_t dim : shape) {
      tensor->mutable_shape()->add_dim()->set_dim_value(dim);
    }
  }

  void setInt(const char *name, int64_t value) {
    onnx::AttributeProto &attribute = *node->add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
  }

  void setInts(const char *name, const std::vector<int64_t> &values) {
    onnx::AttributeProto &attribute = *node->add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INTS);
    for (int64_t value : values) {
      attribute.add_ints(value);
    }
  }

  void setFloats(const char *name, const std::vector<float> &values) {
    onnx::AttributeProto &attribute = *node->add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::FLOATS);
    for (float value : values) {
      attribute.add_floats(value);
    }
  }

  void setStrings(const char *name, const std::vector<std::string> &values) {
    onnx::AttributeProto &attribute = *node->add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::STRINGS);
    for (const std::string &value : values) {
      attribute.add_strings(value);
    }
  }

  /// A tree of a root and two leaves; `ifTrue` is the root's first child.
  void setTree(int64_t ifTrue, const char *mode = "BRANCH_LEQ") {
    setInts("nodes_treeids", {0, 0, 0});
    setInts("nodes_nodeids", {0, 1, 2});
    setInts("nodes_featureids", {1, 0, 0});
    setFloats("nodes_values", {0.5, 0, 0});
    setStrings("nodes_modes", {mode, "LEAF", "LEAF"});
    setInts("nodes_truenodeids", {ifTrue, 0, 0});
    setInts("nodes_falsenodeids", {2, 0, 0});
    setInts("target_treeids", {0, 0});
    setInts("target_nodeids", {1, 2});
    setInts("target_ids", {0, 0});
    setFloats("target_weights", {1, 2});
  }

  /// An input that is an initializer of four integers of four bits.
  void addFourBits(std::string data) {
    std::string name = "x" + std::to_string(node->input_size());
    node->add_input(name);
    onnx::TensorProto &tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(22);
    tensor.add_dims(4);
    tensor.set_raw_data(data);
  }

  ImportStatus import() {
    llvm::SmallString<128> path;
    int file;
    EXPECT_FALSE(
        llvm::sys::fs::createTemporaryFile("import", "onnx", file, path));
    llvm::raw_fd_ostream(file, /*shouldClose=*/true)
        << model.SerializeAsString();
    ImportResult result = importONNXModel(path, context, {});
    llvm::sys::fs::remove(path);
    module = std::move(result.module);
    return result.status;
  }

  void expect(ImportStatus status, StringRef text) {
    EXPECT_EQ(import(), status);
    EXPECT_TRUE(StringRef(message).contains(text)) << message;
  }

  MLIRContext context;
  onnx::ModelProto model;
  onnx::NodeProto *node;
  OwningOpRef<ModuleOp> module;
  std::string message;
};

} // namespace

TEST_F(ExpansionTest, Node_OfExpandedOperator_BecomesOtherOps) {
  setNode("RMSNormalization");
  addInput({2, 8});
  addInput({8});
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  unsigned means = 0;
  module->walk([&](Operation *op) {
    means += op->getName().getStringRef() == "IE.ReduceMean";
  });
  EXPECT_EQ(means, 1u);
}

TEST_F(ExpansionTest, Node_WithoutRequiredInput_IsBadInput) {
  setNode("RMSNormalization");
  addInput({2, 8});
  expect(ImportStatus::BadInput, "RMSNormalization: expected input 1, 'scale'");
}

TEST_F(ExpansionTest, Node_WithUnknownAttribute_IsUnsupported) {
  setNode("RMSNormalization");
  addInput({2, 8});
  addInput({8});
  setInt("mystery", 1);
  expect(ImportStatus::Unsupported,
         "unsupported RMSNormalization: attribute 'mystery'");
}

TEST_F(ExpansionTest, Node_WithUnknownOutput_IsUnsupported) {
  setNode("SwiGLU");
  addInput({2, 8});
  addInput({2, 8});
  node->add_output("z");
  expect(ImportStatus::Unsupported, "unsupported SwiGLU: output 1");
}

TEST_F(ExpansionTest, Node_WithOperandsThatClash_IsBadInput) {
  setNode("RMSNormalization");
  addInput({2, 8});
  addInput({7});
  EXPECT_EQ(import(), ImportStatus::BadInput);
  EXPECT_FALSE(message.empty());
}

TEST_F(ExpansionTest, GroupNormalization_WithGroupsThatDoNotFit_IsBadInput) {
  setNode("GroupNormalization");
  addInput({2, 6, 4});
  addInput({6});
  addInput({6});
  setInt("num_groups", 4);
  expect(ImportStatus::BadInput,
         "expected a number of groups that divides 6 channels, found 4");
}

TEST_F(ExpansionTest, GroupNormalization_Before21_HasParametersOfGroups) {
  setOpset("", 20);
  setNode("GroupNormalization");
  addInput({2, 6, 4});
  addInput({6});
  addInput({6});
  setInt("num_groups", 3);
  expect(ImportStatus::BadInput,
         "expected 3 elements of scale and bias, found 6");
}

TEST_F(ExpansionTest, Attention_WithHeadsThatDoNotFit_IsBadInput) {
  setNode("Attention");
  addInput({2, 4, 8});
  addInput({2, 4, 8});
  addInput({2, 4, 8});
  setInt("q_num_heads", 3);
  setInt("kv_num_heads", 2);
  expect(ImportStatus::BadInput,
         "expected a number of heads that divides 8, found 3");
}

TEST_F(ExpansionTest, CenterCropPad_OfFewerSizesThanAxes_IsBadInput) {
  setNode("CenterCropPad");
  addInput({4, 8});
  addInput({1}, onnx::TensorProto::INT64);
  expect(ImportStatus::BadInput, "expected a size for each of 2 axes, found 1");
}

TEST_F(ExpansionTest, Col2Im_ToShapeOfRunTime_IsDynamic) {
  setNode("Col2Im");
  addInput({1, 5, 5});
  addInput({2}, onnx::TensorProto::INT64);
  addInput({2}, onnx::TensorProto::INT64);
  ASSERT_EQ(import(), ImportStatus::Success) << message;
  auto main = module->lookupSymbol<func::FuncOp>("main");
  auto result = cast<RankedTensorType>(main.getResultTypes().front());
  EXPECT_EQ(result.getRank(), 4);
  EXPECT_TRUE(result.isDynamicDim(2) && result.isDynamicDim(3));
}

TEST_F(ExpansionTest, DeformConv_WithOffsetsOfAnotherShape_IsBadInput) {
  setNode("DeformConv");
  addInput({1, 2, 5, 5});
  addInput({3, 2, 2, 2});
  addInput({1, 8, 5, 4});
  expect(ImportStatus::BadInput,
         "expected offsets of the shape of the result, found 5 in dimension 2");
}

TEST_F(ExpansionTest, QuantizeLinear_WithBlocksThatDoNotFit_IsBadInput) {
  setNode("QuantizeLinear");
  addInput({4, 6});
  addInput({4, 2});
  setInt("block_size", 2);
  expect(ImportStatus::BadInput,
         "expected a scale for each block of 2 of 6 elements, found 2");
}

TEST_F(ExpansionTest, QuantizeLinear_ToUnknownType_IsUnsupportedByNumber) {
  setNode("QuantizeLinear");
  addInput({4, 6});
  addInput({});
  setInt("output_dtype", 27);
  expect(ImportStatus::Unsupported,
         "element type data type 27 in attribute 'output_dtype'");
}

TEST_F(ExpansionTest, QuantizeLinear_ToNumbersWithoutSign_IsUnsupported) {
  setNode("QuantizeLinear");
  addInput({4, 6});
  addInput({});
  setInt("output_dtype", 24);
  expect(ImportStatus::Unsupported,
         "other types than float8 with a sign, float4 and integers of 2,");
}

TEST_F(ExpansionTest, MatMulNBits_WithTooFewWeights_IsBadInput) {
  setNode("MatMulNBits", "com.microsoft");
  addInput({3, 32});
  addInput({4, 2, 7}, onnx::TensorProto::UINT8);
  addInput({8});
  setInt("K", 32);
  setInt("N", 4);
  setInt("block_size", 16);
  expect(ImportStatus::BadInput, "expected weights of 4x2x8 bytes, found 56");
}

TEST_F(ExpansionTest, GroupQueryAttention_OfQuantizedCache_IsUnsupported) {
  setNode("GroupQueryAttention", "com.microsoft");
  addInput({1, 1, 8});
  setInt("num_heads", 2);
  setInt("kv_num_heads", 1);
  onnx::AttributeProto &attribute = *node->add_attribute();
  attribute.set_name("k_quant_type");
  attribute.set_type(onnx::AttributeProto::STRING);
  attribute.set_s("PER_TENSOR");
  expect(ImportStatus::Unsupported, "a quantized cache");
}

TEST_F(ExpansionTest, FusedConv_WithUnknownActivation_IsUnsupported) {
  setNode("FusedConv", "com.microsoft");
  addInput({1, 2, 4, 4});
  addInput({3, 2, 1, 1});
  onnx::AttributeProto &attribute = *node->add_attribute();
  attribute.set_name("activation");
  attribute.set_type(onnx::AttributeProto::STRING);
  attribute.set_s("Frobnicate");
  expect(ImportStatus::Unsupported, "activation 'Frobnicate'");
}

TEST_F(ExpansionTest, Trees_OfOneNode_BecomeComparisonAndGathers) {
  setNode("TreeEnsembleRegressor", "ai.onnx.ml");
  addInput({5, 2});
  setTree(/*ifTrue=*/1);
  EXPECT_EQ(import(), ImportStatus::Success) << message;
}

TEST_F(ExpansionTest, Trees_WithACycle_AreBadInput) {
  setNode("TreeEnsembleRegressor", "ai.onnx.ml");
  addInput({5, 2});
  setTree(/*ifTrue=*/0);
  expect(ImportStatus::BadInput,
         "expected trees, in which no node leads back to itself");
}

TEST_F(ExpansionTest, Trees_WithAMissingChild_AreBadInput) {
  setNode("TreeEnsembleRegressor", "ai.onnx.ml");
  addInput({5, 2});
  setTree(/*ifTrue=*/7);
  expect(ImportStatus::BadInput, "expected a node 7 of tree 0");
}

TEST_F(ExpansionTest, Trees_WithAnUnknownMode_AreUnsupported) {
  setNode("TreeEnsembleRegressor", "ai.onnx.ml");
  addInput({5, 2});
  setTree(/*ifTrue=*/1, "BRANCH_MEMBER");
  expect(ImportStatus::Unsupported, "nodes of mode 'BRANCH_MEMBER'");
}

TEST_F(ExpansionTest, Trees_OfFeaturesBeyondTheInput_AreBadInput) {
  setNode("TreeEnsembleRegressor", "ai.onnx.ml");
  addInput({5, 1});
  setTree(/*ifTrue=*/1);
  expect(ImportStatus::BadInput, "expected features in [0, 1), found 1");
}

TEST_F(ExpansionTest, LinearClassifier_WithTooFewWordsAsLabels_IsBadInput) {
  setNode("LinearClassifier", "ai.onnx.ml");
  addInput({5, 2});
  setFloats("coefficients", {1, 2, 3, 4, 5, 6});
  setStrings("classlabels_strings", {"cat", "dog"});
  expect(ImportStatus::BadInput, "expected a label for each of 3 classes");
}

TEST_F(ExpansionTest, SVMClassifier_WithTooFewCoefficients_IsBadInput) {
  setNode("SVMClassifier", "ai.onnx.ml");
  addInput({5, 2});
  setInts("vectors_per_class", {1, 2});
  setInts("classlabels_ints", {4, 5});
  setFloats("support_vectors", {1, 2, 3, 4, 5, 6});
  setFloats("coefficients", {1, 2});
  setFloats("rho", {1});
  expect(ImportStatus::BadInput, "expected 3 coefficients, found 2");
}

TEST_F(ExpansionTest, ZipMap_WithLabelsOfTwoKinds_IsBadInput) {
  setNode("ZipMap", "ai.onnx.ml");
  addInput({5, 2});
  setInts("classlabels_int64s", {4, 5});
  setStrings("classlabels_strings", {"cat", "dog"});
  expect(ImportStatus::BadInput, "expected either 'classlabels_int64s' or");
}

TEST_F(ExpansionTest, LinearRegressor_WithTooFewCoefficients_IsBadInput) {
  setNode("LinearRegressor", "ai.onnx.ml");
  addInput({5, 2});
  setFloats("coefficients", {1, 2, 3});
  setInt("targets", 2);
  expect(ImportStatus::BadInput, "expected 2 times 2 coefficients, found 3");
}

TEST_F(ExpansionTest, DequantizeLinear_OfFourBits_TakesThem) {
  setNode("DequantizeLinear");
  addFourBits("\x21\x43");
  addInput({});
  EXPECT_EQ(import(), ImportStatus::Success) << message;
}

TEST_F(ExpansionTest, Tensor_OfFourBitsWithTooManyBytes_IsBadInput) {
  setNode("DequantizeLinear");
  addFourBits("\x21\x43\x65\x07");
  addInput({});
  expect(ImportStatus::BadInput, "expected 2 bytes of tensor data");
}

TEST_F(ExpansionTest, QuantizeLinear_ToFourBits_IsTaken) {
  setNode("QuantizeLinear");
  setInt("axis", 0);
  addInput({4});
  addInput({4});
  addFourBits("\x21\x43");
  EXPECT_EQ(import(), ImportStatus::Success) << message;
}

TEST_F(ExpansionTest, Output_OfFourBits_IsTaken) {
  setNode("Identity");
  addFourBits("\x21\x43");
  EXPECT_EQ(import(), ImportStatus::Success) << message;
}

TEST_F(ExpansionTest, Optional_OfFourBits_IsBadInput) {
  setNode("Optional");
  addFourBits("\x21\x43");
  expect(ImportStatus::BadInput, "expected a tensor of other elements");
}

TEST_F(ExpansionTest, Sequence_OfFourBits_IsBadInput) {
  setNode("SequenceConstruct");
  addFourBits("\x21\x43");
  expect(ImportStatus::BadInput, "expected a tensor of other elements");
}

TEST_F(ExpansionTest, Trees_WithAbsurdlyManyTargets_AreBadInput) {
  setNode("TreeEnsembleRegressor", "ai.onnx.ml");
  addInput({5, 2});
  setTree(/*ifTrue=*/1);
  setInt("n_targets", int64_t(1) << 60);
  expect(ImportStatus::BadInput, "expected sizes of a plausible product");
}
