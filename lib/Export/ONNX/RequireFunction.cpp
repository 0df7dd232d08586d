//===- RequireFunction.cpp - IE.Require in ONNX ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RequireFunction.h"

#include "llvm/ADT/ArrayRef.h"

using namespace llvm;
using namespace nacre;

static onnx::NodeProto &addNode(onnx::FunctionProto &function, StringRef type,
                                ArrayRef<StringRef> inputs, StringRef output) {
  onnx::NodeProto &node = *function.add_node();
  node.set_op_type(type.str());
  for (StringRef input : inputs) {
    node.add_input(input.str());
  }
  node.add_output(output.str());
  return node;
}

static void addInts(onnx::FunctionProto &function, ArrayRef<int64_t> numbers,
                    StringRef output) {
  onnx::AttributeProto &value =
      *addNode(function, "Constant", {}, output).add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  onnx::TensorProto &tensor = *value.mutable_t();
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(numbers.size());
  tensor.mutable_int64_data()->Add(numbers.begin(), numbers.end());
}

void onnx_export::writeRequireFunction(onnx::FunctionProto &function,
                                       int64_t opset) {
  function.set_domain(kDomain.str());
  function.set_name("Require");
  function.set_doc_string("x, if the condition holds; else the run ends");
  function.add_input("x");
  function.add_input("condition");
  function.add_output("y");
  function.add_attribute("message");
  onnx::OperatorSetIdProto &import = *function.add_opset_import();
  import.set_domain("");
  import.set_version(opset);

  // Of one slice, the first where the condition holds, else the second.
  addNode(function, "Not", {"condition"}, "fails");
  onnx::AttributeProto &to =
      *addNode(function, "Cast", {"fails"}, "number").add_attribute();
  to.set_name("to");
  to.set_type(onnx::AttributeProto::INT);
  to.set_i(onnx::TensorProto::INT64);
  addInts(function, {}, "scalar");
  addNode(function, "Reshape", {"number", "scalar"}, "index");
  addInts(function, 0, "first");
  addNode(function, "Unsqueeze", {"x", "first"}, "slices");
  addNode(function, "Gather", {"slices", "index"}, "y");
}
