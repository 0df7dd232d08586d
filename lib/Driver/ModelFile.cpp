//===- ModelFile.cpp - Writing a session's model as ONNX ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelFile.h"

#include "nacre/Export/ONNX/Export.h"

using namespace nacre;
using namespace nacre::driver;

ExitCode driver::writeModel(Session &session, llvm::StringRef path,
                            bool usesExternalData) {
  switch (exportONNXModel(session.getModule(), path, usesExternalData)) {
  case ExportStatus::Success:
    return ExitCode::Success;
  case ExportStatus::Unsupported:
    return ExitCode::Unsupported;
  case ExportStatus::BadOutput:
    return ExitCode::BadInput;
  }
  llvm_unreachable("no status of the export");
}
