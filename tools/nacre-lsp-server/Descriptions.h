//===- Descriptions.h - Ops' descriptions in an editor ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's server shows an op's generic form on hovering. What TableGen's
// `description` says is not in the code of an op: it is added to the answers.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TOOLS_NACRE_LSP_SERVER_DESCRIPTIONS_H
#define NACRE_TOOLS_NACRE_LSP_SERVER_DESCRIPTIONS_H

#include "llvm/Support/raw_ostream.h"
#include <cstdio>

namespace nacre {

/// Copies what a language server writes, until it ends. Answers about an op of
/// nacre's get its description.
void addDescriptions(std::FILE *server, llvm::raw_ostream &os);

} // namespace nacre

#endif // NACRE_TOOLS_NACRE_LSP_SERVER_DESCRIPTIONS_H
