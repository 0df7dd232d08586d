//===- DumpKernels.cpp - What kernels read and write ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DumpKernels.h"

#include "nacre/Support/Locations.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::Tensor;

/// The names that a pattern may mean a step by.
static std::vector<std::string> getNames(abi::StepAttr step) {
  std::vector<std::string> names = getLocationNames(step.getName());
  names.push_back(step.getKernel().str());
  return names;
}

FailureOr<KernelTaps> KernelTaps::create(Session &session, StringRef names) {
  KernelTaps taps(session);
  std::optional<llvm::GlobPattern> pattern;
  if (!names.empty()) {
    constexpr size_t kMostAlternatives = 1024;
    auto glob = llvm::GlobPattern::create(names, kMostAlternatives);
    if (!glob) {
      printError() << "'" << names << "' is no pattern of names: "
                   << llvm::toString(glob.takeError()) << "\n";
      return session.fail(ExitCode::BadInput);
    }
    pattern = std::move(*glob);
  }
  if (auto recorded = abi::get<abi::Steps>(session.getModule())) {
    auto range = recorded.getAsRange<abi::StepAttr>();
    taps.steps.assign(range.begin(), range.end());
  }
  for (abi::StepAttr step : taps.steps) {
    taps.isWanted.push_back(!pattern ||
                            llvm::any_of(getNames(step), [&](StringRef name) {
                              return name == names || pattern->match(name);
                            }));
  }
  if (pattern && !llvm::is_contained(taps.isWanted, true)) {
    printError() << "no kernel and no node of one is called '" << names
                 << "'\n";
    return session.fail(ExitCode::BadInput);
  }
  return taps;
}

FailureOr<Tensor> driver::readOperand(abi::StepOperandAttr operand,
                                      ArrayRef<char> bytes) {
  Type element = operand.getElement();
  bool isByte = element.isInteger(1) || element.isInteger(8);
  bool isNumber = isByte || element.isInteger(16) || element.isInteger(32) ||
                  element.isInteger(64) || element.isF32() || element.isF64() ||
                  element.isF16() || element.isBF16();
  if (!isNumber) {
    return failure();
  }
  auto width = static_cast<int64_t>(
      llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
  ArrayRef<int64_t> shape = operand.getShape(), strides = operand.getStrides();
  auto numBytes = static_cast<int64_t>(bytes.size());
  bool isKnown = !ShapedType::isDynamicShape(shape) &&
                 !ShapedType::isDynamicShape(strides);
  if (!isKnown) {
    Tensor flat(RankedTensorType::get({numBytes / width}, element));
    llvm::copy(bytes.take_front(flat.getBytes().size()),
               flat.getMutableBytes().begin());
    return flat;
  }
  Tensor tensor(RankedTensorType::get(shape, element));
  char *to = tensor.getMutableBytes().data();
  SmallVector<int64_t> position(shape.size(), 0);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i, to += width) {
    int64_t offset = 0;
    for (auto [index, stride] : llvm::zip_equal(position, strides)) {
      offset += index * stride * width;
    }
    if (offset < 0 || offset + width > numBytes) {
      return failure();
    }
    llvm::copy(bytes.slice(offset, width), to);
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++position[dim] < shape[dim]) {
        break;
      }
      position[dim] = 0;
    }
  }
  return tensor;
}

namespace {
/// What hooks get of their user.
struct Watch {
  ArrayRef<abi::StepAttr> steps;
  ArrayRef<bool> isWanted;
  KernelTaps::Take take;
  bool failed = false;
  /// The steps and operands of which there has been a warning.
  llvm::DenseSet<std::pair<size_t, size_t>> warned = {};
};
} // namespace

/// Says which operand is not shown.
static void warnOf(const KernelOperand &operand) {
  printWarning() << "operand " << operand.operand << " of kernel '"
                 << operand.kernel.getKernel().getValue() << "' of '"
                 << getLocationName(operand.kernel.getName())
                 << "' is not shown: its elements of type "
                 << getElementTypeName(operand.description.getElement())
                 << " cannot be read\n";
}

template <bool isAfter>
void KernelTaps::call(void *user, uint64_t step, uint64_t count,
                      const void *const *pointers, const uint64_t *bytes,
                      const uint8_t *roles) {
  auto &watch = *static_cast<Watch *>(user);
  if (step >= watch.steps.size() || !watch.isWanted[step]) {
    return;
  }
  KernelOperand operand;
  operand.step = step;
  operand.kernel = watch.steps[step];
  operand.isWritten = isAfter;
  ArrayAttr descriptions = operand.kernel.getOperands();
  for (size_t i = 0; i < count && !watch.failed; ++i) {
    bool isUsed = (roles[i] & (isAfter ? NACRE_WRITTEN : NACRE_READ)) != 0;
    // Weights are the model's, as it was compiled.
    if (!isUsed || (roles[i] & NACRE_CONSTANT) != 0 || !descriptions ||
        i >= descriptions.size()) {
      continue;
    }
    operand.operand = i;
    operand.description = cast<abi::StepOperandAttr>(descriptions[i]);
    FailureOr<Tensor> tensor = readOperand(
        operand.description, {static_cast<const char *>(pointers[i]),
                              static_cast<size_t>(bytes[i])});
    if (succeeded(tensor)) {
      watch.failed = failed(watch.take(operand, *tensor));
    } else if (watch.warned.insert({step, i}).second) {
      warnOf(operand);
    }
  }
}

LogicalResult KernelTaps::run(ArrayRef<Datum> inputs,
                              SmallVectorImpl<Datum> &outputs, Take take) {
  Watch watch{steps, isWanted, take};
  nacre_hooks hooks = {&watch, &KernelTaps::call<false>,
                       &KernelTaps::call<true>};
  CompiledModel &model = *session.getCompiledModel();
  model.setHooks(&hooks);
  LogicalResult result = session.run(inputs, outputs);
  model.setHooks(nullptr);
  if (succeeded(result) && watch.failed) {
    return session.fail(ExitCode::BadInput);
  }
  return result;
}
