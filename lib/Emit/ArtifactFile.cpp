//===- ArtifactFile.cpp - Reading what nacre compile wrote ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the metadata among the sections and symbols of ELF files.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/ArtifactFile.h"
#include "Linker.h"
#include "Metadata.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace nacre;
using llvm::object::ELFObjectFileBase;
using llvm::object::ObjectFile;
using llvm::object::SectionRef;

/// What an operation on a damaged file gives, or nothing.
template <typename T> static std::optional<T> take(llvm::Expected<T> value) {
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  return std::move(*value);
}

static int64_t countCodeBytes(const ObjectFile &file) {
  int64_t bytes = 0;
  for (const SectionRef &section : file.sections()) {
    StringRef name = take(section.getName()).value_or("");
    bool isWeights = name == kWeightsSection || name.ends_with("_weights");
    if (!isWeights && (section.isText() || section.isData())) {
      bytes += static_cast<int64_t>(section.getSize());
    }
  }
  return bytes;
}

int64_t nacre::countCodeBytes(StringRef path) {
  auto file = take(ObjectFile::createObjectFile(path));
  return file ? ::countCodeBytes(*file->getBinary()) : 0;
}

bool nacre::isForOtherMachine(StringRef path) {
  auto file = take(ObjectFile::createObjectFile(path));
  return file && file->getBinary()->isELF() &&
         file->getBinary()->getArch() !=
             llvm::Triple(llvm::sys::getProcessTriple()).getArch();
}

/// The text that a symbol stands for; nothing where it is not defined here.
static std::optional<std::string>
readText(const llvm::object::ELFSymbolRef &symbol, const ObjectFile &file) {
  auto section = take(symbol.getSection());
  auto address = take(symbol.getAddress());
  if (!section || !address || *section == file.section_end()) {
    return std::nullopt;
  }
  auto contents = take((*section)->getContents());
  uint64_t offset = *address - (*section)->getAddress();
  if (!contents || offset >= contents->size()) {
    return std::nullopt;
  }
  return contents->drop_front(offset)
      .take_until([](char c) { return c == '\0'; })
      .str();
}

static std::optional<std::string> findMetadata(const ObjectFile &file) {
  for (const SectionRef &section : file.sections()) {
    if (take(section.getName()).value_or("") == kMetadataSection) {
      auto contents = take(section.getContents());
      return contents ? std::optional(contents->str()) : std::nullopt;
    }
  }
  auto *elf = dyn_cast<ELFObjectFileBase>(&file);
  if (!elf) {
    return std::nullopt;
  }
  auto search = [&](const auto &symbols) -> std::optional<std::string> {
    for (const llvm::object::ELFSymbolRef &symbol : symbols) {
      StringRef name = take(symbol.getName()).value_or("");
      if (name.ends_with("_metadata")) {
        if (std::optional<std::string> text = readText(symbol, file)) {
          return text;
        }
      }
    }
    return std::nullopt;
  };
  std::optional<std::string> text = search(elf->symbols());
  return text ? text : search(elf->getDynamicSymbolIterators());
}

/// The object in the folder of a bundle.
static FailureOr<std::string> findObject(Location loc, StringRef folder) {
  std::vector<std::string> objects;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error)) {
    if (llvm::sys::path::extension(it->path()) == ".o") {
      objects.push_back(it->path());
    }
  }
  if (error) {
    return emitError(loc) << "cannot read the folder: " << error.message();
  }
  if (objects.size() != 1) {
    return emitError(loc) << "expected the folder of a bundle, with one "
                             "object, found "
                          << objects.size();
  }
  return objects.front();
}

/// Adds an object to what is known of an artifact; its metadata, if it has any,
/// become `text`.
static void addObject(const ObjectFile &object, ArtifactFile &result,
                      std::optional<std::string> &text) {
  result.codeBytes += ::countCodeBytes(object);
  text = text ? text : findMetadata(object);
}

FailureOr<ArtifactFile> nacre::readArtifactFile(Location loc, StringRef path) {
  std::string file = path.str();
  if (llvm::sys::fs::is_directory(path)) {
    FailureOr<std::string> object = findObject(loc, path);
    if (failed(object)) {
      return failure();
    }
    file = *object;
  }
  auto binary = llvm::object::createBinary(file);
  if (!binary) {
    return emitError(loc) << "expected what nacre compile has written: "
                          << llvm::toString(binary.takeError());
  }
  ArtifactFile result;
  std::optional<std::string> text;
  if (auto *archive = dyn_cast<llvm::object::Archive>(binary->getBinary())) {
    llvm::Error error = llvm::Error::success();
    for (const llvm::object::Archive::Child &child : archive->children(error)) {
      auto member = take(child.getAsBinary());
      if (auto *object =
              member ? dyn_cast<ObjectFile>(member->get()) : nullptr) {
        addObject(*object, result, text);
      }
    }
    if (error) {
      return emitError(loc) << "the archive is truncated or damaged: "
                            << llvm::toString(std::move(error));
    }
  } else if (auto *object = dyn_cast<ObjectFile>(binary->getBinary())) {
    addObject(*object, result, text);
  }
  if (!text) {
    return emitError(loc) << "expected what nacre compile has written, found a "
                             "file without metadata";
  }
  if (failed(parseMetadata(loc, *text, result.info))) {
    return failure();
  }
  return result;
}
