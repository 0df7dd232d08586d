//===- Indexing.td - Element access by index ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: element access by index. Indices may be negative, which
// counts from the end. An index out of range is an error of the model: the
// interpreter reports it, and so does compiled code where each index picks 32
// elements or more and some input of the model has a dynamic size.
// Elsewhere the last element is taken, so that no access leaves the tensor:
// code for known sizes carries no runtime to end a run with, and comparing the
// indices of single elements takes about half as long as reading these.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_INDEXING_TD
#define NACRE_DIALECT_IE_IR_INDEXING_TD

include "nacre/Dialect/IE/IR/IEBase.td"

// How an update combines with the element that it meets.
def IE_ScatterReduction
    : IE_StringAttrOf<["none", "add", "mul", "max", "min"]>;

// Base of the ops that read elements of `data` at `indices`.
class IE_GatherLikeOp<string mnemonic, list<Trait> traits = []>
    : IE_OnnxOp<mnemonic, !listconcat(traits, [
        IE_OwnSizes,
        IE_MovesFloats,
        AllElementTypesMatch<["data", "output"]>])> {
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = [{
    $data `,` $indices attr-dict `:` type($data) `,` type($indices)
    `->` type($output)
  }];
}

// Base of the ops that write `updates` into a copy of `data` at `indices`.
class IE_ScatterLikeOp<string mnemonic, list<Trait> traits = []>
    : IE_OnnxOp<mnemonic, !listconcat(traits, [
        IE_SizesOfFirst,
        DeclareOpInterfaceMethods<IE_PrecisionOpInterface>,
        AllElementTypesMatch<["data", "updates", "output"]>])> {
  let results = (outs IE_Tensor:$output);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    // What meets in one place is combined.
    ::nacre::IE::FloatUse $cppClass::getFloatUse() {
      return getReduction() == "none" ? ::nacre::IE::FloatUse::Moves
                                      : ::nacre::IE::FloatUse::Computes;
    }
  }];
}

def IE_GatherOp : IE_GatherLikeOp<"Gather", [
    DeclareOpInterfaceMethods<IE_SamplePlacesOpInterface>]> {
  let summary = "Slices of a tensor along one axis, chosen by index";
  let description = [{
    The result's shape is that of `data` with dimension `axis` replaced by the
    dimensions of `indices`.

    Example:
    ```mlir
    %2 = IE.Gather %0, %1 {axis = 1 : i64} : tensor<3x5xf32>, tensor<2x2xi64>
        -> tensor<3x2x2xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Gather.html
  }];
  let arguments = (ins IE_Tensor:$data, IE_IndexTensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$axis);
  let hasCanonicalizer = 1;
}

def IE_GatherElementsOp : IE_GatherLikeOp<"GatherElements"> {
  let summary = "One element per index along an axis";
  let description = [{
    `output[i][j] = data[indices[i][j]][j]` for `axis` = 0 of a matrix.

    Example:
    ```mlir
    %2 = IE.GatherElements %0, %1 : tensor<3x3xf32>, tensor<2x3xi64>
        -> tensor<2x3xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__GatherElements.html
  }];
  let arguments = (ins IE_Tensor:$data, IE_IndexTensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$axis);
  let hasCanonicalizer = 1;
}

def IE_GatherNDOp : IE_GatherLikeOp<"GatherND"> {
  let summary = "Slices of a tensor chosen by index tuples";
  let description = [{
    The last dimension of `indices` holds a tuple that addresses the dimensions
    of `data` after the first `batch_dims`, which both share.

    Example:
    ```mlir
    %2 = IE.GatherND %0, %1 : tensor<2x2x4xf32>, tensor<3x2xi64>
        -> tensor<3x4xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__GatherND.html
  }];
  let arguments = (ins IE_Tensor:$data, IE_I64Tensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let extraClassDeclaration = [{
    /// How many dimensions each tuple of `indices` addresses.
    int64_t getTupleLength();
  }];
}

def IE_ScatterElementsOp : IE_ScatterLikeOp<"ScatterElements"> {
  let summary = "Writes one element per index along an axis";
  let description = [{
    `output[indices[i][j]][j] = updates[i][j]` for `axis` = 0 of a matrix;
    `reduction` combines the update with the element that is there.

    Example:
    ```mlir
    %3 = IE.ScatterElements %0, %1, %2 {axis = 1 : i64, reduction = "add"}
        : tensor<1x5xf32>, tensor<1x2xi64>, tensor<1x2xf32> -> tensor<1x5xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__ScatterElements.html
  }];
  let arguments = (ins
    IE_Tensor:$data,
    IE_IndexTensor:$indices,
    IE_Tensor:$updates,
    DefaultValuedAttr<I64Attr, "0">:$axis,
    DefaultValuedAttr<IE_ScatterReduction, "\"none\"">:$reduction
  );
  let assemblyFormat = [{
    $data `,` $indices `,` $updates attr-dict
    `:` type($data) `,` type($indices) `,` type($updates) `->` type($output)
  }];
  let hasCanonicalizer = 1;
}

def IE_ScatterNDOp : IE_ScatterLikeOp<"ScatterND"> {
  let summary = "Writes slices at index tuples";
  let description = [{
    The last dimension of `indices` holds a tuple that addresses the first
    dimensions of `data`; `updates` holds one slice per tuple.

    Example:
    ```mlir
    %3 = IE.ScatterND %0, %1, %2
        : tensor<8xf32>, tensor<4x1xi64>, tensor<4xf32> -> tensor<8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__ScatterND.html
  }];
  let arguments = (ins
    IE_Tensor:$data,
    IE_I64Tensor:$indices,
    IE_Tensor:$updates,
    DefaultValuedAttr<IE_ScatterReduction, "\"none\"">:$reduction
  );
  let assemblyFormat = [{
    $data `,` $indices `,` $updates attr-dict
    `:` type($data) `,` type($indices) `,` type($updates) `->` type($output)
  }];
  let extraClassDeclaration = [{
    /// How many dimensions each tuple of `indices` addresses.
    int64_t getTupleLength();
  }];
}

def IE_OneHotOp : IE_OnnxOp<"OneHot", [
    IE_OwnSizes,
    AllElementTypesMatch<["values", "output"]>]> {
  let summary = "One-hot vectors of indices";
  let description = [{
    Inserts a dimension of size `depth` at `axis`. It holds `values[1]` where
    its position is the index and `values[0]` elsewhere; an index outside
    [-depth, depth) gives `values[0]` everywhere.

    Example:
    ```mlir
    %3 = IE.OneHot %indices, %depth, %values
        : tensor<4xi64>, tensor<i64>, tensor<2xf32> -> tensor<4x10xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__OneHot.html
  }];
  let arguments = (ins
    IE_NumberTensor:$indices,
    TensorRankOf<[IE_AnyNumber], [0, 1]>:$depth,
    1DTensorOf<[IE_AnyElement]>:$values,
    DefaultValuedAttr<I64Attr, "-1">:$axis
  );
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = [{
    $indices `,` $depth `,` $values attr-dict `:` type(operands)
    `->` type($output)
  }];
}

#endif // NACRE_DIALECT_IE_IR_INDEXING_TD
