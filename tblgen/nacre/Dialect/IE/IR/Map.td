//===- Map.td - Values by keys -----------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: maps.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_MAP_TD
#define NACRE_DIALECT_IE_IR_MAP_TD

include "nacre/Dialect/IE/IR/SequenceTypes.td"

def IE_MapKeys : 1DTensorOf<[I64, IE_String]>;

class IE_MapOp<string mnemonic> : IE_OnnxOp<mnemonic> {
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def IE_ZipMapOp : IE_MapOp<"ZipMap"> {
  let summary = "A map for each row of a matrix";
  let description = [{
    The elements of each row of `input` become the values of a map, by the keys
    in `labels`, in that order. A vector is one row.

    Example:
    ```mlir
    %0 = IE.ZipMap(%scores, %labels)
        : (tensor<8x3xf32>, tensor<3xi64>) -> !IE.Sequence<!IE.Map<i64, f32>>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx_aionnxml_ZipMap.html
  }];
  let arguments = (ins
    AnyTypeOf<[1DTensorOf<[F32]>, 2DTensorOf<[F32]>]>:$input,
    IE_MapKeys:$labels
  );
  let results = (outs IE_SequenceType:$output);
}

def IE_MapGetOp : IE_MapOp<"MapGet"> {
  let summary = "What a map has for keys";
  let description = [{
    As one row, the values of `map` for `keys`, and whether it has one. Where it
    has none, the value is 0 or an empty string. DictVectorizer and CastMap of
    ONNX consist of it.

    Example:
    ```mlir
    %values, %found = IE.MapGet(%map, %keys)
        : (!IE.Map<!IE.String, f32>, tensor<3x!IE.String>)
        -> (tensor<1x3xf32>, tensor<1x3xi1>)
    ```
  }];
  let arguments = (ins IE_MapType:$map, IE_MapKeys:$keys);
  let results = (outs
    2DTensorOf<[I64, F32, F64, IE_String]>:$values,
    2DTensorOf<[I1]>:$found
  );
}

def IE_MapValuesOp : IE_MapOp<"MapValues"> {
  let summary = "The values of a map";
  let description = [{
    As one row, in the order of the keys. CastMap of ONNX consists of it.

    Example:
    ```mlir
    %0 = IE.MapValues(%map) : (!IE.Map<i64, f32>) -> tensor<1x?xf32>
    ```
  }];
  let arguments = (ins IE_MapType:$map);
  let results = (outs 2DTensorOf<[I64, F32, F64, IE_String]>:$values);
  let hasVerifier = 0;
}

#endif // NACRE_DIALECT_IE_IR_MAP_TD
