//===- Weights.cpp - The constants of a compiled model --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights go into an object file of their own, written here: an assembler would
// hold several copies of them in memory.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/Weights.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Interpreter/Tensor.h"
#include "nacre/Support/HugePages.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Triple.h"

#include <cstring>
#include <limits>

using namespace mlir;
using namespace nacre;

FailureOr<Weights> Weights::get(ModuleOp module) {
  Weights result;
  auto values = abi::get<abi::Weights>(module);
  auto offsets = abi::get<abi::WeightOffsets>(module);
  if (!values) {
    return result;
  }
  for (auto [value, offset] : llvm::zip_equal(values, offsets.asArrayRef())) {
    auto elements = cast<ElementsAttr>(value);
    FailureOr<interpreter::Tensor> tensor =
        interpreter::Tensor::fromAttr(elements);
    if (failed(tensor) || offset < result.bytes) {
      return module.emitError("expected constants with data that do not "
                              "overlap in '")
             << abi::Weights::getNameStr() << "'";
    }
    result.constants.emplace_back(elements, offset);
    result.bytes = offset + tensor->getBytes().size();
  }
  return result;
}

void Weights::visit(llvm::function_ref<void(int64_t, ArrayRef<char>)> take) {
  for (auto [value, offset] : constants) {
    take(offset, interpreter::Tensor::fromAttr(value)->getBytes());
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
      DenseResourceElementsHandle handle = resource.getRawHandle();
      handle.getResource()->setBlob(AsmResourceBlob());
    }
  }
  constants.clear();
}

void Weights::release(llvm::raw_ostream &stream) {
  int64_t end = 0;
  visit([&](int64_t offset, ArrayRef<char> data) {
    stream.write_zeros(offset - end);
    stream.write(data.data(), data.size());
    end = offset + static_cast<int64_t>(data.size());
    // The order counts: each number goes into the next.
    uint64_t parts[] = {hash, static_cast<uint64_t>(offset),
                        llvm::xxh3_64bits(StringRef(data.data(), data.size()))};
    hash = llvm::xxh3_64bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(parts), sizeof(parts)));
  });
}

void Weights::release(char *memory) {
  visit([&](int64_t offset, ArrayRef<char> data) {
    llvm::copy(data, memory + offset);
  });
}

template <typename T>
static void writeStruct(llvm::raw_ostream &stream, const T &value) {
  stream.write(reinterpret_cast<const char *>(&value), sizeof(value));
}

bool nacre::canLinkIntoPrograms(const llvm::Triple &triple, int64_t bytes) {
  // x86-64 has sections that linkers place behind everything else, and finds
  // what is there by its whole address.
  return triple.getArch() == llvm::Triple::x86_64 ||
         bytes <= std::numeric_limits<int32_t>::max();
}

namespace {
/// The structures of an object for a machine with addresses of 32 bits.
struct Narrow {
  using Header = llvm::ELF::Elf32_Ehdr;
  using Section = llvm::ELF::Elf32_Shdr;
  using Symbol = llvm::ELF::Elf32_Sym;
};

/// The same for 64 bits.
struct Wide {
  using Header = llvm::ELF::Elf64_Ehdr;
  using Section = llvm::ELF::Elf64_Shdr;
  using Symbol = llvm::ELF::Elf64_Sym;
};
} // namespace

template <typename Class>
static void writeObject(llvm::raw_ostream &stream, ArrayRef<char> like,
                        StringRef symbol, int64_t alignment, bool forProgram,
                        Weights &weights) {
  namespace ELF = llvm::ELF;
  static_assert(llvm::endianness::native == llvm::endianness::little,
                "structures are written as they lie in memory");
  typename Class::Header header = {};
  std::memcpy(&header, like.data(), sizeof(header));
  bool isLarge = forProgram && header.e_machine == ELF::EM_X86_64;
  // Loaders want a symbol even when there are no weights: one of one byte.
  int64_t bytes = std::max<int64_t>(weights.getBytes(), 1);
  alignment = getWeightsAlignment(bytes, alignment);
  std::string names = std::string(1, '\0') +
                      (isLarge ? ".lrodata." : ".rodata.") + symbol.str();
  auto addName = [&](StringRef name) {
    names += '\0';
    names += name;
    return static_cast<ELF::Elf64_Word>(names.size() - name.size());
  };
  std::string symbolNames = std::string(1, '\0') + symbol.str();
  symbolNames += '\0';

  enum Section { Null, Data, Stack, Symbols, Strings, Names, Count };
  typename Class::Section sections[Count] = {};
  uint64_t offset = llvm::alignTo(sizeof(header), alignment);
  auto place = [&](Section section, ELF::Elf64_Word name, ELF::Elf64_Word type,
                   uint64_t size, uint64_t align) {
    offset = llvm::alignTo(offset, align);
    sections[section].sh_name = name;
    sections[section].sh_type = type;
    sections[section].sh_offset = offset;
    sections[section].sh_size = size;
    sections[section].sh_addralign = align;
    offset += size;
  };
  ELF::Elf64_Word stackName = addName(".note.GNU-stack");
  ELF::Elf64_Word symbolsName = addName(".symtab");
  ELF::Elf64_Word stringsName = addName(".strtab");
  ELF::Elf64_Word namesName = addName(".shstrtab");
  names += '\0';
  place(Data, 1, ELF::SHT_PROGBITS, bytes, alignment);
  sections[Data].sh_flags =
      ELF::SHF_ALLOC | (isLarge ? ELF::SHF_X86_64_LARGE : 0);
  place(Stack, stackName, ELF::SHT_PROGBITS, 0, 1);
  place(Symbols, symbolsName, ELF::SHT_SYMTAB,
        2 * sizeof(typename Class::Symbol), 8);
  sections[Symbols].sh_entsize = sizeof(typename Class::Symbol);
  sections[Symbols].sh_link = Strings;
  sections[Symbols].sh_info = 1; // the first that is not local
  place(Strings, stringsName, ELF::SHT_STRTAB, symbolNames.size(), 1);
  place(Names, namesName, ELF::SHT_STRTAB, names.size(), 1);

  header.e_shoff = llvm::alignTo(offset, 8);
  header.e_shnum = Count;
  header.e_shstrndx = Names;

  uint64_t written = 0;
  auto padTo = [&](uint64_t position) {
    stream.write_zeros(position - written);
    written = position;
  };
  writeStruct(stream, header);
  written = sizeof(header);
  padTo(sections[Data].sh_offset);
  int64_t unused = bytes - weights.getBytes();
  weights.release(stream);
  stream.write_zeros(unused);
  written += bytes;
  padTo(sections[Symbols].sh_offset);
  typename Class::Symbol entry = {};
  writeStruct(stream, entry);
  entry.st_name = 1;
  entry.setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
  entry.st_other = ELF::STV_HIDDEN;
  entry.st_shndx = Data;
  entry.st_size = bytes;
  writeStruct(stream, entry);
  stream << symbolNames << names;
  written += 2 * sizeof(entry) + symbolNames.size() + names.size();
  padTo(header.e_shoff);
  for (const typename Class::Section &section : sections) {
    writeStruct(stream, section);
  }
}

LogicalResult nacre::writeWeightsObject(Location loc, llvm::raw_ostream &stream,
                                        ArrayRef<char> like, StringRef symbol,
                                        int64_t alignment, bool forProgram,
                                        Weights &weights) {
  namespace ELF = llvm::ELF;
  StringRef start(like.data(), like.size());
  if (!start.starts_with(ELF::ElfMagic) ||
      start[ELF::EI_DATA] != ELF::ELFDATA2LSB) {
    return emitError(loc) << "unsupported: machines whose objects are not "
                             "little-endian ELF; --emit=llvm leaves the rest "
                             "to other tools";
  }
  bool isNarrow = start[ELF::EI_CLASS] == ELF::ELFCLASS32;
  auto write = isNarrow ? writeObject<Narrow> : writeObject<Wide>;
  write(stream, like, symbol, alignment, forProgram, weights);
  return success();
}
