//===- Npy.cpp - NumPy's array files --------------------------------------===//
//
// The format is a Python dictionary literal and raw data; only what NumPy
// itself writes is accepted.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Tensor;

static Type parseDescr(Builder &builder, StringRef descr) {
  MLIRContext *context = builder.getContext();
  if (!descr.consume_front("<") && !descr.consume_front("|")) {
    return {};
  }
  char kind = descr.empty() ? 0 : descr.front();
  unsigned bytes;
  if (descr.drop_front().getAsInteger(10, bytes)) {
    return {};
  }
  if (kind == 'b' && bytes == 1) {
    return builder.getI1Type();
  }
  if (kind == 'f' && bytes == 2) {
    return builder.getF16Type();
  }
  if (kind == 'f' && bytes == 4) {
    return builder.getF32Type();
  }
  if (kind == 'f' && bytes == 8) {
    return builder.getF64Type();
  }
  bool isWidth = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  if (kind == 'i' && isWidth) {
    return IntegerType::get(context, bytes * 8);
  }
  if (kind == 'u' && isWidth) {
    return IntegerType::get(context, bytes * 8, IntegerType::Unsigned);
  }
  return {};
}

FailureOr<Tensor> driver::readNpy(MLIRContext &context, StringRef path) {
  Location loc = FileLineColLoc::get(&context, path, 0, 0);
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    return emitError(loc) << "cannot open the file: "
                          << file.getError().message();
  }
  StringRef bytes = (*file)->getBuffer();
  auto malformed = [&](const Twine &what) {
    return emitError(loc) << "not a usable .npy file: " << what;
  };
  if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY")) {
    return malformed("no NumPy header");
  }
  bool isLong = bytes[6] >= 2;
  size_t headerStart = isLong ? 12 : 10;
  size_t headerSize = isLong
                          ? llvm::support::endian::read32le(bytes.data() + 8)
                          : llvm::support::endian::read16le(bytes.data() + 8);
  if (bytes.size() < headerStart + headerSize) {
    return malformed("truncated header");
  }
  StringRef header = bytes.substr(headerStart, headerSize);
  if (!header.contains("'fortran_order': False")) {
    return malformed("expected C order");
  }
  auto valueOf = [&](StringRef key, char open, char close) {
    StringRef rest = header.substr(header.find(key)).drop_front(key.size());
    rest = rest.substr(rest.find(open)).drop_front(1);
    return rest.substr(0, rest.find(close));
  };
  if (!header.contains("'descr':") || !header.contains("'shape':")) {
    return malformed("incomplete header");
  }
  Builder builder(&context);
  StringRef descr = valueOf("'descr':", '\'', '\'');
  Type element = parseDescr(builder, descr);
  if (!element) {
    return malformed("unsupported type '" + descr + "'");
  }
  SmallVector<int64_t> shape;
  SmallVector<StringRef> parts;
  valueOf("'shape':", '(', ')').split(parts, ',', -1, /*KeepEmpty=*/false);
  int64_t size = interpreter::getElementBytes(element);
  for (StringRef part : parts) {
    int64_t dim;
    if (part.trim().empty()) {
      continue;
    }
    if (part.trim().getAsInteger(10, dim) || dim < 0 ||
        llvm::MulOverflow(size, dim, size)) {
      return malformed("shape");
    }
    shape.push_back(dim);
  }
  StringRef data = bytes.drop_front(headerStart + headerSize);
  if (static_cast<int64_t>(data.size()) != size) {
    return malformed("expected " + Twine(size) + " bytes of data, found " +
                     Twine(data.size()));
  }
  Tensor tensor(RankedTensorType::get(shape, element));
  llvm::copy(data, tensor.getMutableBytes().begin());
  return tensor;
}

std::string driver::formatNpy(const Tensor &tensor) {
  Type element = tensor.getElementType();
  int64_t bytes = interpreter::getElementBytes(element);
  std::string descr;
  if (element.isInteger(1)) {
    descr = "|b1";
  } else {
    bool isUnsigned = element.isUnsignedInteger() || element.isBF16();
    char kind = isUnsigned ? 'u' : isa<FloatType>(element) ? 'f' : 'i';
    descr = std::string(bytes == 1 ? "|" : "<") + kind + std::to_string(bytes);
  }
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : tensor.getShape()) {
    header += std::to_string(dim) + ",";
  }
  header += "), }";
  // The data starts at a multiple of 64.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string result("\x93NUMPY\x01\x00", 8);
  result += static_cast<char>(header.size() & 0xff);
  result += static_cast<char>(header.size() >> 8);
  result += header;
  result.append(tensor.getBytes().data(), tensor.getBytes().size());
  return result;
}
