//===- Artifact.cpp - Files a compilation leaves behind -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is built under temporary names, which become the user's last.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/Artifact.h"
#include "ArtifactParts.h"
#include "CInterface.h"
#include "Linker.h"
#include "nacre/Emit/Header.h"
#include "nacre/Runtime/FunctionNames.h"
#include "nacre/Target/RuntimeObjects.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace nacre;

/// Where the `.so` of a library's name is, without a version or before one.
static std::optional<size_t> findLibraryExtension(StringRef path) {
  StringRef version = path;
  while (!version.ends_with(".so")) {
    auto [rest, number] = version.rsplit('.');
    if (number.empty() || !llvm::all_of(number, llvm::isDigit)) {
      return std::nullopt;
    }
    version = rest;
  }
  return version.size() - StringRef(".so").size();
}

bool nacre::isSharedLibraryName(StringRef path) {
  return findLibraryExtension(path).has_value();
}

StringRef nacre::dropArtifactExtension(StringRef path) {
  if (std::optional<size_t> position = findLibraryExtension(path)) {
    return path.take_front(*position);
  }
  return path.drop_back(llvm::sys::path::extension(path).size());
}

std::string nacre::getHeaderPath(StringRef path) {
  return (dropArtifactExtension(path) + ".h").str();
}

std::string nacre::getStepsPath(StringRef path) {
  return (dropArtifactExtension(path) + ".steps.json").str();
}

static LogicalResult
writeArchive(Location loc, ArrayRef<std::pair<StringRef, std::string>> files,
             StringRef output) {
  SmallVector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
  std::vector<llvm::NewArchiveMember> members;
  for (const auto &[path, name] : files) {
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer) {
      return emitError(loc) << "cannot read '" << path << "'";
    }
    members.emplace_back(llvm::MemoryBufferRef((*buffer)->getBuffer(), name));
    buffers.push_back(std::move(*buffer));
  }
  if (llvm::Error error = llvm::writeArchive(
          output, members, llvm::SymtabWritingMode::NormalSymtab,
          llvm::object::Archive::K_GNU, /*Deterministic=*/true,
          /*Thin=*/false)) {
    return emitError(loc) << "cannot write the archive: "
                          << llvm::toString(std::move(error));
  }
  return success();
}

/// A machine without an operating system has nobody to load and to run things.
static LogicalResult checkSystem(Location loc, const llvm::Triple &triple,
                                 ArtifactKind kind, int64_t threads) {
  if (hasSystem(triple)) {
    return success();
  }
  if (kind == ArtifactKind::Shared) {
    return emitError(loc)
           << "unsupported: a shared library for " << triple.str()
           << ", which has no operating system to load it; write "
              "an archive, as -o NAME.a does";
  }
  if (threads > 1) {
    return emitError(loc) << "unsupported: several threads on " << triple.str()
                          << ", which has no operating system; leave out "
                             "--threads";
  }
  return success();
}

/// Code may need a part of the runtime, which is not there for every machine.
static LogicalResult checkRuntime(Location loc, const llvm::Triple &triple,
                                  const ArtifactInfo &info,
                                  const RuntimeObject *runtime) {
  bool fits = runtime && hasABIOfRuntime(info);
  if (fits || (!info.usesRuntime && !info.usesThreads)) {
    return success();
  }
  if (runtime) {
    return emitError(loc) << "unsupported: "
                          << (info.usesRuntime ? "values of dynamic size"
                                               : "several threads")
                          << ", for " << info.targets.front().describe()
                          << ": nacre's runtime passes floats as lp64d does; "
                          << (info.usesRuntime
                                  ? "fix inputs with --shape NAME=DIMS"
                                  : "leave out --threads")
                          << ", or leave out --mabi";
  }
  InFlightDiagnostic diagnostic = emitError(loc) << "unsupported: ";
  diagnostic << (info.usesRuntime ? "values of dynamic size"
                                  : "several threads")
             << ", for " << triple.str() << ", which nacre has no runtime for; "
             << (info.usesRuntime ? "fix inputs with --shape NAME=DIMS"
                                  : "leave out --threads")
             << ", or compile for one of ";
  llvm::interleave(
      getRuntimeObjects(), diagnostic,
      [&](const RuntimeObject &object) { diagnostic << object.triple; }, ", ");
  return diagnostic;
}

LogicalResult nacre::writeArtifact(Location loc, Program &program,
                                   ArtifactKind kind, StringRef path) {
  if (path == "-" || isSpecialFile(path)) {
    return emitError(loc) << "cannot write '" << path
                          << "': it is no regular file";
  }
  TemporaryFiles files(loc);
  const ArtifactInfo &info = program.getInfo();
  bool isForHost = program.getTriple().getArch() ==
                   llvm::Triple(llvm::sys::getProcessTriple()).getArch();
  const RuntimeObject *runtime = getRuntimeObject(program.getTriple());
  if (failed(checkSystem(loc, program.getTriple(), kind, info.threads)) ||
      failed(checkRuntime(loc, program.getTriple(), info, runtime)) ||
      failed(checkSizes(loc, program.getTriple(), info))) {
    return failure();
  }
  if (kind != ArtifactKind::Shared &&
      !canLinkIntoPrograms(program.getTriple(), info.weightBytes)) {
    return emitError(loc) << "unsupported: " << info.weightBytes
                          << " bytes of weights in an archive or object for "
                          << program.getTriple().str()
                          << ", which no program can be linked with; write a "
                             "shared library, as -o NAME.so does";
  }
  FailureOr<StringRef> result =
      files.createFor(path, /*executable=*/kind == ArtifactKind::Shared);
  if (failed(result)) {
    return failure();
  }
  FailureOr<StringRef> weights = files.create(path),
                       object = files.create(path);
  if (failed(weights) || failed(object)) {
    return failure();
  }
  std::vector<std::pair<StringRef, std::string>> parts = {
      {*object, info.name + ".o"}};
  FailureOr<SmallVector<char, 0>> empty = program.emitEmptyObject();
  if (failed(empty)) {
    return failure();
  }
  auto writeWeights = [&](StringRef file, Weights &values) {
    parts.emplace_back(file, info.name + "_weights.o");
    return writeStream(loc, file, [&](llvm::raw_ostream &stream) {
      return writeWeightsObject(loc, stream, *empty, program.getWeightsSymbol(),
                                info.arenaAlignment,
                                kind != ArtifactKind::Shared, values);
    });
  };
  // Weights first, which gives their memory back before LLVM takes its own.
  if (kind == ArtifactKind::Shared) {
    FailureOr<StringRef> placeholder = files.create(path);
    Weights none;
    if (failed(placeholder) || failed(writeWeights(*placeholder, none)) ||
        failed(writeStream(loc, *weights, [&](llvm::raw_ostream &stream) {
          // Huge pages of a file are those that a call writes as a whole.
          stream.SetBufferSize(kHugePage);
          stream.write_zeros(getRoomBeforeWeights(info.weightBytes));
          program.getWeights().release(stream);
          return success();
        }))) {
      return failure();
    }
  } else if (failed(writeWeights(*weights, program.getWeights()))) {
    return failure();
  }
  program.identify(/*asSymbol=*/kind == ArtifactKind::Static);
  FailureOr<SmallVector<char, 0>> code = program.emitObject();
  if (failed(code) ||
      failed(writeBytes(loc, *object, StringRef(code->data(), code->size())))) {
    return failure();
  }
  auto addPart = [&](StringRef bytes, StringRef name) -> LogicalResult {
    FailureOr<StringRef> file = files.create(path);
    if (failed(file) || failed(writeBytes(loc, *file, bytes))) {
      return failure();
    }
    parts.emplace_back(*file, name.str());
    return success();
  };
  std::optional<StringRef> half = findHalfObject(program, *code);
  if (((info.usesRuntime || info.releasesWeights) &&
       failed(addPart(runtime->bytes, names::kRuntimeFile))) ||
      (info.usesThreads &&
       failed(addPart(runtime->threads, names::kThreadsFile))) ||
      (half && failed(addPart(*half, names::kHalfFile)))) {
    return failure();
  }
  SmallVector<StringRef> objects(llvm::make_first_range(parts));
  LogicalResult built = success();
  switch (kind) {
  case ArtifactKind::Shared: {
    std::string symbol = program.getWeightsSymbol();
    LibraryOptions options;
    options.name = info.name;
    options.soname = llvm::sys::path::filename(path);
    options.weightsSymbol = symbol;
    options.weightBytes = info.weightBytes;
    options.isForHost = isForHost;
    built = linkLibrary(loc, objects, *weights, *result, options, files);
    break;
  }
  case ArtifactKind::Static:
    built = writeArchive(loc, parts, *result);
    break;
  case ArtifactKind::Object:
    built = linkObject(loc, objects, *result, files);
    break;
  }
  if (failed(built) ||
      (info.hasHooks() &&
       failed(files.write(getStepsPath(path), info.steps))) ||
      failed(files.write(getHeaderPath(path), buildHeader(info)))) {
    return failure();
  }
  return files.keep();
}
