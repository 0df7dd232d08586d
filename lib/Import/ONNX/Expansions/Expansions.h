//===- Expansions.h - Operators that become several IE ops ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators whose meaning is a combination of others have no op in IE: their
// nodes are imported as that combination. These are the composite operators of
// the newer ONNX operator sets, those that ONNX Runtime adds in the domain
// com.microsoft, and the classical models of ai.onnx.ml.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_EXPANSIONS_EXPANSIONS_H
#define NACRE_LIB_IMPORT_ONNX_EXPANSIONS_EXPANSIONS_H

#include "../Node.h"

namespace nacre::onnx_import {

class Expander;

/// Builds the results of a node.
using Expansion = void (*)(Expander &);

struct ExpansionEntry {
  llvm::StringRef domain, opType;
  Expansion expansion;
};

// One table per family, each in the family's source file.
llvm::ArrayRef<ExpansionEntry> getActivationExpansions();
llvm::ArrayRef<ExpansionEntry> getAliases();
llvm::ArrayRef<ExpansionEntry> getAttentionExpansions();
llvm::ArrayRef<ExpansionEntry> getContribAttentionExpansions();
llvm::ArrayRef<ExpansionEntry> getContribMatMulExpansions();
llvm::ArrayRef<ExpansionEntry> getContribQuantizationExpansions();
llvm::ArrayRef<ExpansionEntry> getExperimentalExpansions();
llvm::ArrayRef<ExpansionEntry> getGeometryExpansions();
llvm::ArrayRef<ExpansionEntry> getLinearModelExpansions();
llvm::ArrayRef<ExpansionEntry> getMapExpansions();
llvm::ArrayRef<ExpansionEntry> getStatefulSequenceExpansions();
llvm::ArrayRef<ExpansionEntry> getSupportVectorExpansions();
llvm::ArrayRef<ExpansionEntry> getNormalizationExpansions();
llvm::ArrayRef<ExpansionEntry> getPreprocessingExpansions();
llvm::ArrayRef<ExpansionEntry> getTreeExpansions();

// Of operators that IE has, in the cases that it has not; `adaptToNewestOpset`
// tells them.
void expandDequantizeLinear(Expander &);
void expandQuantizeLinear(Expander &);
void expandRealInverseDFT(Expander &);
void expandOnWiderType(Expander &);
void expandStringNGrams(Expander &);

/// What an operator expands to; null when it does not.
Expansion findExpansion(llvm::StringRef domain, llvm::StringRef opType);

/// Builds `node.results`. Emits an error and fails where that is impossible;
/// `unsupported` tells a use that is not supported from malformed input.
mlir::LogicalResult expand(Expansion expansion, mlir::OpBuilder &builder,
                           Node &node, bool &unsupported);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_EXPANSIONS_EXPANSIONS_H
