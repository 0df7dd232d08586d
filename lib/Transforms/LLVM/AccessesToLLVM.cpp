//===- AccessesToLLVM.cpp - Loads and stores with few addresses -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is unrolled as far as there are registers has many accesses,
// which differ in constants only: x[i, j + 1, 0] and x[i, j + 2, 0]. Upstream
// multiplies each index by its stride and adds them up, for each access anew.
// That is four of five instructions of a kernel, all of which LLVM then takes
// together again, and a third of the time that compiling takes. Here the
// constants of all indices are one, which is added last: what is before it is
// the same for all, and of no more than the loops' counters.
//
// A bool takes a byte in memory, but LLVM's loop vectoriser leaves loops alone
// that load or store one bit. So it is read and written as a byte.
//
//===----------------------------------------------------------------------===//

#include "AccessesToLLVM.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace {
/// The address of an element, counted in elements from the buffer's start: a
/// sum of values times strides, and a constant.
class ElementAddress {
public:
  ElementAddress(OpBuilder &builder, Location loc, MemRefDescriptor &buffer,
                 ArrayRef<int64_t> strides)
      : builder(builder), loc(loc), buffer(buffer), strides(strides) {}

  void add(unsigned dimension, Value index) {
    int64_t stride = strides[dimension];
    if (ShapedType::isDynamic(stride)) {
      if (!matchPattern(index, m_Zero())) {
        terms.push_back({dimension, index});
      }
      return;
    }
    Value variable = index;
    int64_t before = constant;
    APInt part;
    bool isAdded = true;
    while (auto sum = variable.getDefiningOp<LLVM::AddOp>()) {
      if (!matchPattern(sum.getRhs(), m_ConstantInt(&part))) {
        break;
      }
      isAdded &= addConstant(part, stride);
      variable = sum.getLhs();
    }
    if (matchPattern(variable, m_ConstantInt(&part))) {
      isAdded &= addConstant(part, stride);
      variable = Value();
    }
    if (!isAdded) {
      // Too large to be part of an instruction.
      constant = before;
      variable = index;
    }
    if (variable) {
      terms.push_back({dimension, variable});
    }
  }

  /// `staysInside` says that upstream, too, promises LLVM that nothing on the
  /// way to the element wraps or leaves the buffer. That no longer holds before
  /// a constant: of x[i - 1] it is x[i].
  Value emit(const LLVMTypeConverter &converter, MemRefType type,
             bool staysInside) {
    Value address = buffer.bufferPtr(builder, loc, converter, type);
    Type element = converter.convertType(type.getElementType());
    auto overflow = LLVM::IntegerOverflowFlags::none;
    auto wrap = LLVM::GEPNoWrapFlags::none;
    if (staysInside && constant == 0) {
      overflow =
          LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw;
      wrap = LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw;
    }
    Value sum;
    for (const Term &term : terms) {
      Value product = emitProduct(term, overflow);
      sum = sum ? LLVM::AddOp::create(builder, loc, sum, product, overflow)
                : product;
    }
    if (sum) {
      address = LLVM::GEPOp::create(builder, loc, address.getType(), element,
                                    address, sum, wrap);
    }
    if (constant != 0) {
      LLVM::GEPArg last(static_cast<int32_t>(constant));
      address = LLVM::GEPOp::create(builder, loc, address.getType(), element,
                                    address, last);
    }
    return address;
  }

private:
  struct Term {
    unsigned dimension;
    Value index;
  };

  bool addConstant(const APInt &part, int64_t stride) {
    std::optional<int64_t> value = part.trySExtValue();
    value = value ? llvm::checkedMulAdd(*value, stride, constant) : value;
    if (!value || !llvm::isInt<32>(*value)) {
      return false;
    }
    constant = *value;
    return true;
  }

  Value emitProduct(const Term &term, LLVM::IntegerOverflowFlags overflow) {
    int64_t stride = strides[term.dimension];
    if (stride == 1) {
      return term.index;
    }
    Value factor =
        ShapedType::isDynamic(stride)
            ? buffer.stride(builder, loc, term.dimension)
            : LLVM::ConstantOp::create(
                  builder, loc, term.index.getType(),
                  builder.getIntegerAttr(term.index.getType(), stride))
                  .getResult();
    return LLVM::MulOp::create(builder, loc, term.index, factor, overflow);
  }

  OpBuilder &builder;
  Location loc;
  MemRefDescriptor &buffer;
  ArrayRef<int64_t> strides;
  SmallVector<Term> terms;
  int64_t constant = 0;
};

template <typename AccessOp>
struct ConvertAccess final : ConvertOpToLLVMPattern<AccessOp> {
  explicit ConvertAccess(const LLVMTypeConverter &converter)
      // Before upstream's.
      : ConvertOpToLLVMPattern<AccessOp>(converter, /*benefit=*/2) {}

  static constexpr bool kIsVector = std::is_same_v<AccessOp, vector::LoadOp> ||
                                    std::is_same_v<AccessOp, vector::StoreOp>;
  static constexpr bool kIsLoad = std::is_same_v<AccessOp, memref::LoadOp> ||
                                  std::is_same_v<AccessOp, vector::LoadOp>;

  LogicalResult
  matchAndRewrite(AccessOp op, typename AccessOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const LLVMTypeConverter &converter = *this->getTypeConverter();
    Value source;
    Value original;
    if constexpr (std::is_same_v<AccessOp, memref::LoadOp> ||
                  std::is_same_v<AccessOp, memref::StoreOp>) {
      source = adaptor.getMemref();
      original = op.getMemref();
    } else {
      source = adaptor.getBase();
      original = op.getBase();
    }
    auto type = cast<MemRefType>(original.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)) ||
        !isa<LLVM::LLVMStructType>(source.getType())) {
      return rewriter.notifyMatchFailure(op, "is of a buffer without strides");
    }
    if (isa<VectorType>(type.getElementType())) {
      return rewriter.notifyMatchFailure(op, "is of a buffer of vectors");
    }
    MemRefDescriptor buffer(source);
    ElementAddress address(rewriter, op.getLoc(), buffer, strides);
    for (auto [i, index] : llvm::enumerate(adaptor.getIndices())) {
      address.add(i, index);
    }
    Value pointer = address.emit(converter, type, /*staysInside=*/!kIsVector);
    if constexpr (kIsLoad) {
      Type result = converter.convertType(op.getType());
      bool isBool = result.isInteger(1);
      Value loaded = LLVM::LoadOp::create(
          rewriter, op.getLoc(), isBool ? rewriter.getI8Type() : result,
          pointer, getAlignment(op, type), /*isVolatile=*/false,
          op.getNontemporal());
      rewriter.replaceOp(op, isBool ? isSet(rewriter, loaded) : loaded);
    } else {
      Value value;
      if constexpr (kIsVector) {
        value = adaptor.getValueToStore();
      } else {
        value = adaptor.getValue();
      }
      if (value.getType().isInteger(1)) {
        value = LLVM::ZExtOp::create(rewriter, op.getLoc(),
                                     rewriter.getI8Type(), value);
      }
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
          op, value, pointer, getAlignment(op, type), /*isVolatile=*/false,
          op.getNontemporal());
    }
    return success();
  }

private:
  /// The bool that a byte is: true is whatever is not 0.
  static Value isSet(OpBuilder &builder, Value byte) {
    Value zero = LLVM::ConstantOp::create(builder, byte.getLoc(),
                                          builder.getI8IntegerAttr(0));
    return LLVM::ICmpOp::create(builder, byte.getLoc(), LLVM::ICmpPredicate::ne,
                                byte, zero);
  }

  /// What LLVM may assume about the address, as upstream: what the access says,
  /// else for scalars what their type says, for vectors that of an element.
  unsigned getAlignment(AccessOp op, MemRefType type) const {
    std::optional<uint64_t> alignment = op.getAlignment();
    if (!kIsVector || alignment) {
      return alignment.value_or(0);
    }
    const LLVMTypeConverter &converter = *this->getTypeConverter();
    return LLVM::TypeToLLVMIRTranslator(context).getPreferredAlignment(
        converter.convertType(type.getElementType()),
        converter.getDataLayout());
  }

  /// One for all accesses: to make one takes longer than to convert an access.
  mutable llvm::LLVMContext context;
};
} // namespace

void nacre::populateAccessesToLLVM(const LLVMTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<ConvertAccess<memref::LoadOp>, ConvertAccess<memref::StoreOp>,
               ConvertAccess<vector::LoadOp>, ConvertAccess<vector::StoreOp>>(
      converter);
}
