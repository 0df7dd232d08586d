//===- AttentionBuilder.h - What all attentions share -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaled dot-product attention from matrix products and a softmax, in the
// variations that ONNX's and ONNX Runtime's operators have.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_EXPANSIONS_ATTENTIONBUILDER_H
#define NACRE_LIB_IMPORT_ONNX_EXPANSIONS_ATTENTIONBUILDER_H

#include "Expander.h"

namespace nacre::onnx_import {

/// Heads are (batch, heads, sequence, head size) throughout.
class AttentionBuilder {
public:
  explicit AttentionBuilder(Expander &e) : e(e) {}

  /// (batch, sequence, heads * head size) to heads and back.
  mlir::Value splitHeads(mlir::Value value, int64_t heads);
  mlir::Value joinHeads(mlir::Value value);

  /// 0, 1, … for dimension `dim` of `value`, as a vector of i64.
  mlir::Value buildPositions(mlir::Value value, int64_t dim);
  /// The size of dimension `dim` as a vector of one i64.
  mlir::Value buildSize(mlir::Value value, int64_t dim);

  /// A mask or a bias that the model gives, which broadcasts to (batch, heads,
  /// sequence, keys), as attend() wants it; may be null.
  mlir::Value fitScores(mlir::Value value, mlir::Value query, mlir::Value key);

  /// Whether the query at position i, which `offset` positions precede, may see
  /// the key at position j: i + offset - left <= j <= i + offset + right, where
  /// a bound of -1 is none. (rows, keys), with the dimensions of `offset` in
  /// front; null where there is no bound.
  mlir::Value buildWindowMask(mlir::Value query, mlir::Value key,
                              mlir::Value offset, int64_t left, int64_t right);
  /// Whether the key's position is before `end`, which has one element for each
  /// of the batch: (batch, 1, 1, keys).
  mlir::Value buildLengthMask(mlir::Value key, mlir::Value end);
  /// Rows of a cache that has more than there are sequences to fill it.
  struct Rows {
    mlir::Value key, value;
    /// The position of the first, a vector of one i64; null for 0.
    mlir::Value first;
  };
  /// The rows that some query sees: none behind the longest of the sequences,
  /// of which `lengths` has the ends and, if a query sees no more than `left`
  /// positions before its own (-1: all of them), none before the first of
  /// these. `before` is how many positions precede the queries.
  Rows takeVisible(mlir::Value key, mlir::Value value, mlir::Value lengths,
                   mlir::Value before, int64_t left);
  /// Positions [start, end) of dimension `dim`; `start` may be null.
  mlir::Value takeRange(mlir::Value value, int64_t dim, mlir::Value start,
                        mlir::Value end);

  /// 0 where `mask` holds, `otherwise` elsewhere.
  mlir::Value buildBias(mlir::Value mask, double otherwise, mlir::Type element);
  /// The conjunction of two masks, or the sum of two biases, of which either
  /// may be null.
  mlir::Value joinMasks(mlir::Value lhs, mlir::Value rhs);
  mlir::Value joinBiases(mlir::Value lhs, mlir::Value rhs);

  /// `value` with its pairs of elements rotated by angles given as cosines and
  /// sines in a shape that broadcasts to it: the pairs are neighbours if
  /// `interleaved`, else halves of the first elements that the angles cover.
  mlir::Value rotate(mlir::Value value, mlir::Value cosines, mlir::Value sines,
                     bool interleaved);

  struct Options {
    /// What scores are multiplied by.
    double scale = 1;
    /// The same where it is known only at run time; else null.
    mlir::Value runTimeScale;
    /// The bound of scores by a hyperbolic tangent; 0 for none.
    double softcap = 0;
    /// Added to the scores; may be null. Where heads share a key and the length
    /// of the sequence is dynamic, their rows follow each other.
    mlir::Value bias;
    /// Whether a query that the bias hides all keys from gives 0; a softmax has
    /// no answer there.
    bool clearsHiddenRows = false;
    /// The type the softmax is computed in; null for that of the scores.
    mlir::Type softmaxType;
    /// Which of the scores are wanted: see `Result`.
    int64_t scoresMode = 0;
    /// An element beside the scores of each head that takes part in the
    /// softmax: (heads), or null.
    mlir::Value sink;
  };
  struct Result {
    mlir::Value output;
    /// The scores as they are at first (0), bounded (1), biased (2), or after
    /// the softmax (3).
    mlir::Value scores;
  };

  /// Each head of `key` and `value` serves as many successive ones of `query`
  /// as there are.
  Result attend(mlir::Value query, mlir::Value key, mlir::Value value,
                const Options &options);

  /// Rows of `update` into `cache` (batch, heads, positions, head size) from
  /// position `starts`, one for each of the batch, on.
  mlir::Value writeRows(mlir::Value cache, mlir::Value update,
                        mlir::Value starts);

private:
  /// Of how many heads the rows follow each other in a matrix of scores.
  int64_t getHeadsPerMatrix(mlir::Value query, mlir::Value key);

  /// Which of the heads in a matrix of scores each row belongs to, null where
  /// there is one, and its position in the sequence.
  struct ScoreRows {
    mlir::Value head, position;
  };
  ScoreRows buildRows(mlir::Value query, mlir::Value key);

  /// The first and the second elements of the pairs that angles rotate.
  struct Pairs {
    mlir::Value first, second;
  };
  Pairs splitPairs(mlir::Value value, mlir::Value cosines, bool interleaved);

  /// The rows of those heads of the query that share a head of `key` after each
  /// other, and heads as in `query` again.
  mlir::Value groupHeads(mlir::Value value, mlir::Value key);
  mlir::Value ungroupHeads(mlir::Value value, mlir::Value query);

  Expander &e;
};

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_EXPANSIONS_ATTENTIONBUILDER_H
