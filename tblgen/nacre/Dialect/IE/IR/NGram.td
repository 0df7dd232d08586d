//===- NGram.td - Runs of tokens ---------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: runs of tokens.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_NGRAM_TD
#define NACRE_DIALECT_IE_IR_NGRAM_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_TfIdfVectorizerOp : IE_OnnxOp<"TfIdfVectorizer", [IE_OwnSizes]> {
  let summary = "How often each of many n-grams occurs";
  let description = [{
    `pool_int64s` lists the n-grams: first those of one token, then those of
    two, and so on; `ngram_counts` says where each length begins. The count of
    n-gram number i becomes element `ngram_indexes[i]` of the result. Only
    lengths from `min_gram_length` to `max_gram_length` are counted. The tokens
    of an n-gram follow each other at equal distances, up to `max_skip_count`
    others between them. `mode` TF gives counts, IDF the weight of what occurs,
    TFIDF their product; `weights` are 1 when absent.

    Example:
    ```mlir
    %1 = IE.TfIdfVectorizer %0 {max_gram_length = 2 : i64,
        max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF",
        ngram_counts = array<i64: 0, 1>, ngram_indexes = array<i64: 0, 1>,
        pool_int64s = array<i64: 5, 5, 6>} : tensor<2x6xi32> -> tensor<2x2xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__TfIdfVectorizer.html
  }];
  let arguments = (ins
    TensorRankOf<[I32, I64], [1, 2]>:$input,
    I64Attr:$max_gram_length,
    I64Attr:$max_skip_count,
    I64Attr:$min_gram_length,
    IE_StringAttrOf<["TF", "IDF", "TFIDF"]>:$mode,
    DenseI64ArrayAttr:$ngram_counts,
    DenseI64ArrayAttr:$ngram_indexes,
    OptionalAttr<DenseI64ArrayAttr>:$pool_int64s,
    OptionalAttr<DenseF32ArrayAttr>:$weights
  );
  let results = (outs TensorRankOf<[F32], [1, 2]>:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// An n-gram of the pool: its tokens, and the element of the result that
    /// counts it.
    struct Gram {
      ::llvm::ArrayRef<int64_t> tokens;
      int64_t index;
    };
    /// The n-grams of `length` tokens.
    ::llvm::SmallVector<Gram> getGrams(int64_t length);
  }];
}

#endif // NACRE_DIALECT_IE_IR_NGRAM_TD
