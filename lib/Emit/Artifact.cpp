//===- Artifact.cpp - Files a compilation leaves behind -------------------===//
//
// Everything is built under temporary names; the user's path is written last.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/Artifact.h"
#include "nacre/Emit/Header.h"
#include "nacre/Runtime/Embedded.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace nacre;

/// Creates an empty temporary file beside the destination, so that a rename
/// does not cross file systems.
static FailureOr<SmallString<128>> createTemporary(Location loc,
                                                   StringRef path) {
  SmallString<128> result;
  if (std::error_code error =
          llvm::sys::fs::createUniqueFile(path + ".%%%%%%.tmp", result)) {
    return emitError(loc) << "cannot write beside '" << path
                          << "': " << error.message();
  }
  return result;
}

static LogicalResult
writeStream(Location loc, StringRef path,
            llvm::function_ref<LogicalResult(llvm::raw_ostream &)> write) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  LogicalResult written = success();
  if (!error) {
    written = write(stream);
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error) {
    return emitError(loc) << "cannot write '" << path
                          << "': " << error.message();
  }
  return written;
}

static LogicalResult writeBytes(Location loc, StringRef path, StringRef bytes) {
  return writeStream(loc, path, [&](llvm::raw_ostream &stream) {
    stream << bytes;
    return success();
  });
}

static LogicalResult rename(Location loc, StringRef from, StringRef to) {
  if (std::error_code error = llvm::sys::fs::rename(from, to)) {
    return emitError(loc) << "cannot write '" << to << "': " << error.message();
  }
  return success();
}

/// Temporary files have the mode of secrets; artifacts are for everybody the
/// umask allows.
static void setMode(StringRef path, bool executable) {
  unsigned mask = llvm::sys::fs::getUmask();
  unsigned mode = (executable ? 0777 : 0666) & ~mask;
  (void)llvm::sys::fs::setPermissions(path,
                                      static_cast<llvm::sys::fs::perms>(mode));
}

LogicalResult nacre::writeFile(Location loc, StringRef path, StringRef bytes) {
  FailureOr<SmallString<128>> temporary = createTemporary(loc, path);
  if (failed(temporary)) {
    return failure();
  }
  llvm::scope_exit remove([&] { llvm::sys::fs::remove(*temporary); });
  if (failed(writeBytes(loc, *temporary, bytes))) {
    return failure();
  }
  setMode(*temporary, /*executable=*/false);
  return rename(loc, *temporary, path);
}

/// Runs LLVM's linker; what it says becomes the diagnostic.
static LogicalResult runLinker(Location loc, StringRef output,
                               ArrayRef<StringRef> options) {
  llvm::ErrorOr<std::string> linker =
      llvm::sys::findProgramByName("ld.lld", {NACRE_LLVM_TOOLS_DIR});
  if (!linker) {
    linker = llvm::sys::findProgramByName("ld.lld");
  }
  if (!linker) {
    return emitError(loc) << "cannot find ld.lld to link the artifact; "
                             "install lld-22 or use --emit=static";
  }
  std::vector<StringRef> arguments = {*linker, "-o", output};
  llvm::append_range(arguments, options);
  FailureOr<SmallString<128>> log = createTemporary(loc, output);
  if (failed(log)) {
    return failure();
  }
  llvm::scope_exit remove([&] { llvm::sys::fs::remove(*log); });
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(*log),
                                          StringRef(*log)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(*linker, arguments, std::nullopt,
                                         redirects, 0, 0, &message);
  if (status != 0) {
    auto text = llvm::MemoryBuffer::getFile(*log);
    return emitError(loc) << "linking failed: " << message
                          << (text ? (*text)->getBuffer() : StringRef());
  }
  return success();
}

/// Links objects into a shared library.
static LogicalResult link(Location loc, ArrayRef<StringRef> objects,
                          StringRef output, StringRef soname, bool usesOpenMP,
                          bool isForHost) {
  std::vector<StringRef> arguments = {"-shared",     "-soname",       soname,
                                      "--as-needed", "--gc-sections", "-z",
                                      "now"};
  llvm::append_range(arguments, objects);
  // libm for the functions the code calls; the search path is the usual one.
  // A library for another machine leaves them to the program that loads it:
  // this machine's libraries do not fit.
  if (isForHost) {
    for (StringRef folder :
         {"-L/lib/x86_64-linux-gnu", "-L/usr/lib/x86_64-linux-gnu", "-L/lib64",
          "-L/usr/lib64", "-L/usr/lib"}) {
      arguments.push_back(folder);
    }
    arguments.push_back("-l:libm.so.6");
    arguments.push_back("-l:libc.so.6");
  }
  std::string rpath = std::string("-rpath=") + NACRE_LLVM_LIB_DIR;
  std::string libraries = std::string("-L") + NACRE_LLVM_LIB_DIR;
  if (usesOpenMP && isForHost) {
    arguments.insert(arguments.end(), {libraries, rpath, "-l:libomp.so.5"});
  }
  return runLinker(loc, output, arguments);
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

LogicalResult nacre::writeArtifact(Location loc, Program &program,
                                   ArtifactKind kind, StringRef path) {
  SmallVector<SmallString<128>> temporaries;
  llvm::scope_exit cleanUp([&] {
    for (StringRef file : temporaries) {
      llvm::sys::fs::remove(file);
    }
  });
  auto newFile = [&]() -> FailureOr<SmallString<128>> {
    FailureOr<SmallString<128>> file = createTemporary(loc, path);
    if (succeeded(file)) {
      temporaries.push_back(*file);
    }
    return file;
  };
  const ArtifactInfo &info = program.getInfo();
  bool isForHost = program.getTriple().getArch() ==
                   llvm::Triple(llvm::sys::getProcessTriple()).getArch();
  std::optional<StringRef> runtimeBytes = getRuntimeObject(program.getTriple());
  if (info.usesRuntime && !runtimeBytes) {
    InFlightDiagnostic diagnostic =
        emitError(loc)
        << "unsupported: values whose size only a run knows, for "
        << program.getTriple().str() << ", which nacre has no runtime for; fix "
        << "inputs with --shape NAME=DIMS, or compile for ";
    llvm::interleave(
        getRuntimeObjects(), diagnostic,
        [&](const RuntimeObject &object) { diagnostic << object.triple; },
        " or ");
    return diagnostic;
  }
  // Weights first, which gives their memory back before LLVM takes its own.
  FailureOr<SmallString<128>> weights = newFile(), object = newFile();
  FailureOr<SmallString<128>> result = newFile();
  if (failed(weights) || failed(object) || failed(result) ||
      failed(writeStream(loc, *weights, [&](llvm::raw_ostream &stream) {
        return writeWeightsObject(loc, stream, program.getTriple(),
                                  program.getWeightsSymbol(),
                                  info.arenaAlignment, program.getWeights());
      }))) {
    return failure();
  }
  FailureOr<SmallVector<char, 0>> code = program.emitObject();
  if (failed(code) ||
      failed(writeBytes(loc, *object, StringRef(code->data(), code->size())))) {
    return failure();
  }
  std::vector<std::pair<StringRef, std::string>> parts = {
      {*object, info.name + ".o"}, {*weights, info.name + "_weights.o"}};
  FailureOr<SmallString<128>> runtime = SmallString<128>();
  if (info.usesRuntime) {
    runtime = newFile();
    if (failed(runtime) || failed(writeBytes(loc, *runtime, *runtimeBytes))) {
      return failure();
    }
    parts.emplace_back(*runtime, "nacre_runtime.o");
  }
  SmallVector<StringRef> objects;
  for (const auto &[file, name] : parts) {
    objects.push_back(file);
  }
  LogicalResult built = success();
  switch (kind) {
  case ArtifactKind::Shared:
    built = link(loc, objects, *result, llvm::sys::path::filename(path),
                 info.threads > 1, isForHost);
    break;
  case ArtifactKind::Static:
    built = writeArchive(loc, parts, *result);
    break;
  case ArtifactKind::Object:
    objects.insert(objects.begin(), "-r");
    built = runLinker(loc, *result, objects);
    break;
  }
  if (failed(built)) {
    return failure();
  }
  SmallString<128> header(path);
  llvm::sys::path::replace_extension(header, ".h");
  if (failed(writeFile(loc, header, buildHeader(info)))) {
    return failure();
  }
  setMode(*result, kind == ArtifactKind::Shared);
  return rename(loc, *result, path);
}
