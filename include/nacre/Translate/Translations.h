//===- Translations.h - nacre-translate's translations ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers --import-onnx, --mlir-to-object and --mlir-to-header.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSLATE_TRANSLATIONS_H
#define NACRE_TRANSLATE_TRANSLATIONS_H

namespace nacre {
void registerTranslations();
} // namespace nacre

#endif // NACRE_TRANSLATE_TRANSLATIONS_H
