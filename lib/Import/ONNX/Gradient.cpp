//===- Gradient.cpp - Derivatives by reverse accumulation -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports Gradient: walks the operators between the variables and the output
// from the back, and gives each operand its share of the derivative by the
// operator's result.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "Training.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/LayerNormalizationUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

namespace {

/// The derivatives by the operands of one operator. `g` is that by its result;
/// a null share is zero.
class Differentiator {
public:
  explicit Differentiator(const Arithmetic &arithmetic) : a(arithmetic) {}

  /// Null for an operator without a derivative here.
  std::optional<SmallVector<Value>> differentiate(Operation *op,
                                                  Value g) const {
    using Shares = std::optional<SmallVector<Value>>;
    Value x = op->getOperand(0), r = op->getResult(0);
    Value y = op->getNumOperands() > 1 ? op->getOperand(1) : Value();
    auto one = [&](Value share) -> Shares { return SmallVector<Value>{share}; };
    auto two = [&](Value first, Value second) -> Shares {
      return SmallVector<Value>{sumTo(first, x), sumTo(second, y)};
    };
    OpBuilder &b = a.getBuilder();
    Location loc = a.getLoc();
    auto complement = [&] { return a.sub(a.number(1, r), r); };
    return llvm::TypeSwitch<Operation *, Shares>(op)
        .Case<IE::IdentityOp>([&](auto) { return one(g); })
        .Case<IE::AddOp>([&](auto) { return two(g, g); })
        .Case<IE::SubOp>([&](auto) { return two(g, a.neg(g)); })
        .Case<IE::MulOp>([&](auto) { return two(a.mul(g, y), a.mul(g, x)); })
        .Case<IE::DivOp>([&](auto) {
          Value share = a.div(g, y);
          return two(share, a.neg(a.mul(share, r)));
        })
        .Case<IE::PowOp>([&](auto) {
          Value exponent = a.castLike(y, x);
          Value lower = a.pow(x, a.sub(exponent, a.number(1, exponent)));
          Value logarithm = IE::LogOp::create(b, loc, x);
          return two(a.mul(g, a.mul(exponent, lower)),
                     a.castLike(a.mul(g, a.mul(r, logarithm)), y));
        })
        .Case<IE::NegOp>([&](auto) { return one(a.neg(g)); })
        .Case<IE::ExpOp>([&](auto) { return one(a.mul(g, r)); })
        .Case<IE::LogOp>([&](auto) { return one(a.div(g, x)); })
        .Case<IE::SqrtOp>(
            [&](auto) { return one(a.div(g, a.mul(a.number(2, r), r))); })
        .Case<IE::ReciprocalOp>(
            [&](auto) { return one(a.neg(a.mul(g, a.mul(r, r)))); })
        .Case<IE::SinOp>(
            [&](auto) { return one(a.mul(g, IE::CosOp::create(b, loc, x))); })
        .Case<IE::CosOp>([&](auto) {
          return one(a.neg(a.mul(g, IE::SinOp::create(b, loc, x))));
        })
        .Case<IE::TanhOp>([&](auto) {
          return one(a.mul(g, a.sub(a.number(1, r), a.mul(r, r))));
        })
        .Case<IE::SigmoidOp>(
            [&](auto) { return one(a.mul(g, a.mul(r, complement()))); })
        .Case<IE::AbsOp>(
            [&](auto) { return one(a.mul(g, IE::SignOp::create(b, loc, x))); })
        .Case<IE::ReluOp>([&](auto) {
          Value zero = a.number(0, x);
          return one(a.select(a.greater(x, zero), g, zero));
        })
        .Case<IE::MatMulOp>([&](auto) -> Shares {
          if (getTensorType(x).getRank() < 2 ||
              getTensorType(y).getRank() < 2) {
            return std::nullopt;
          }
          return two(IE::MatMulOp::create(b, loc, g, transpose(y)),
                     IE::MatMulOp::create(b, loc, transpose(x), g));
        })
        .Case<IE::ReshapeOp, IE::SqueezeOp, IE::UnsqueezeOp, IE::FlattenOp>(
            [&](auto) { return one(reshape(g, getTensorType(x).getShape())); })
        .Case<IE::ReduceSumOp>(
            [&](auto reduce) { return spread(reduce, g, /*isMean=*/false); })
        .Case<IE::ReduceMeanOp>(
            [&](auto reduce) { return spread(reduce, g, /*isMean=*/true); })
        .Default(Shares());
  }

private:
  Value reshape(Value value, ArrayRef<int64_t> shape) const {
    return IE::ReshapeOp::create(a.getBuilder(), a.getLoc(),
                                 TypeRange(getTensorType(value).clone(shape)),
                                 value, a.ints(shape))
        ->getResult(0);
  }

  /// `share` summed over what `operand` was broadcast along.
  Value sumTo(Value share, Value operand) const {
    RankedTensorType type = getTensorType(share);
    RankedTensorType wanted = getTensorType(operand);
    if (type.getShape() == wanted.getShape()) {
      return share;
    }
    int64_t missing = type.getRank() - wanted.getRank();
    SmallVector<int64_t> axes, sums;
    for (auto [i, dim] : llvm::enumerate(type.getShape())) {
      int64_t own = static_cast<int64_t>(i) - missing;
      bool isSummed = own < 0 || (wanted.getDimSize(own) == 1 && dim != 1);
      if (isSummed) {
        axes.push_back(i);
      }
      sums.push_back(isSummed ? 1 : dim);
    }
    OpBuilder &b = a.getBuilder();
    if (!axes.empty()) {
      share = IE::ReduceSumOp::create(
                  b, a.getLoc(), TypeRange(type.clone(sums)), share,
                  a.ints(axes), b.getI64IntegerAttr(1), b.getI64IntegerAttr(0))
                  ->getResult(0);
    }
    return reshape(share, wanted.getShape());
  }

  /// The last two dimensions exchanged.
  Value transpose(Value value) const {
    int64_t rank = getTensorType(value).getRank();
    auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(permutation[rank - 1], permutation[rank - 2]);
    return IE::TransposeOp::create(
               a.getBuilder(), a.getLoc(), value,
               a.getBuilder().getDenseI64ArrayAttr(permutation))
        ->getResult(0);
  }

  /// Each reduced element gets the same share.
  template <typename OpT>
  std::optional<SmallVector<Value>> spread(OpT op, Value g, bool isMean) const {
    std::optional<SmallVector<int64_t>> axes = op.getReducedAxes();
    if (!axes) {
      return std::nullopt;
    }
    RankedTensorType type = getTensorType(op.getInput());
    SmallVector<int64_t> kept =
        IE::reduceShape(type.getShape(), *axes, /*keepDims=*/true);
    int64_t count = type.getNumElements() /
                    std::max<int64_t>(ShapedType::getNumElements(kept), 1);
    if (isMean) {
      g = a.div(g, a.number(static_cast<double>(count), g));
    }
    Value share =
        IE::ExpandOp::create(a.getBuilder(), a.getLoc(), TypeRange(type),
                             reshape(g, kept), a.ints(type.getShape()))
            ->getResult(0);
    // The axes have no derivative.
    return SmallVector<Value>(op->getNumOperands() > 1
                                  ? SmallVector<Value>{share, Value()}
                                  : SmallVector<Value>{share});
  }

  const Arithmetic &a;
};

} // namespace

/// The operations that `output` depends on, as far as `inputs`, in order.
static SmallVector<Operation *> collectOperations(Value output,
                                                  ValueRange inputs) {
  llvm::SetVector<Operation *> found;
  SmallVector<Value> pending = {output};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || llvm::is_contained(inputs, value) || !found.insert(op)) {
      continue;
    }
    llvm::append_range(pending, op->getOperands());
  }
  SmallVector<Operation *> ordered = found.takeVector();
  llvm::sort(ordered, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  return ordered;
}

/// The formulas of `operations` again, for the operands in `given`; of what has
/// no derivative here but is made of what has one, those parts.
static SmallVector<Operation *> buildFormulas(OpBuilder &builder,
                                              ArrayRef<Operation *> operations,
                                              IRMapping &given) {
  SmallVector<Operation *> built;
  for (Operation *op : operations) {
    Operation *copy = builder.clone(*op, given);
    auto normalization = dyn_cast<IE::LayerNormalizationOp>(op);
    if (!normalization) {
      built.push_back(copy);
      continue;
    }
    SmallVector<Value> parts = IE::writeOutLayerNormalization(
        builder, cast<IE::LayerNormalizationOp>(copy), /*all=*/true);
    for (auto [result, part] : llvm::zip_equal(op->getResults(), parts)) {
      given.map(result, part);
    }
    auto first = std::next(copy->getIterator());
    for (Operation &part :
         llvm::make_range(first, builder.getInsertionPoint())) {
      built.push_back(&part);
    }
    copy->erase();
  }
  return built;
}

LogicalResult onnx_import::importGradient(OpBuilder &builder, Node &node,
                                          const GradientSpec &spec,
                                          bool &unsupported) {
  auto isDifferentiable = [](Value value) {
    RankedTensorType type = getTensorType(value);
    return type.hasStaticShape() && isa<FloatType>(type.getElementType());
  };
  IRMapping given;
  for (auto [named, value] : llvm::zip_equal(spec.inputs, node.inputs)) {
    if (!value || value.getType() != named.getType()) {
      return emitError(node.loc)
             << "expected a value of type " << named.getType()
             << " for each of 'xs' and 'zs'";
    }
    given.map(named, value);
  }
  SmallVector<Operation *> operations = buildFormulas(
      builder, collectOperations(spec.output, spec.inputs), given);
  Value output = given.lookupOrDefault(spec.output);
  ArrayRef<Value> variables =
      ArrayRef(node.inputs).take_front(spec.numVariables);
  for (Value value : llvm::concat<const Value>(ArrayRef(output), variables)) {
    if (!isDifferentiable(value)) {
      unsupported = true;
      return emitError(node.loc)
             << "unsupported Gradient: expected floats of static shape, found "
             << value.getType();
    }
  }
  llvm::DenseSet<Value> dependent(variables.begin(), variables.end());
  for (Operation *op : operations) {
    if (llvm::any_of(op->getOperands(),
                     [&](Value value) { return dependent.contains(value); })) {
      dependent.insert(op->result_begin(), op->result_end());
    }
  }
  Arithmetic a(builder, node.loc);
  Differentiator differentiator(a);
  llvm::DenseMap<Value, Value> shares;
  RankedTensorType type = getTensorType(output);
  Attribute one = builder.getFloatAttr(type.getElementType(), 1);
  shares[output] = IE::ConstantOp::create(builder, node.loc,
                                          DenseElementsAttr::get(type, one));
  for (Operation *op : llvm::reverse(operations)) {
    Value g =
        op->getNumResults() == 1 ? shares.lookup(op->getResult(0)) : Value();
    bool depends = llvm::any_of(op->getResults(), [&](Value result) {
      return dependent.contains(result);
    });
    bool isUsed = llvm::any_of(op->getResults(), [&](Value result) {
      return shares.count(result) != 0;
    });
    if (!depends || !isUsed) {
      continue;
    }
    std::optional<SmallVector<Value>> parts;
    if (g && llvm::all_of(op->getOperands(), [&](Value operand) {
          return !dependent.contains(operand) || isDifferentiable(operand);
        })) {
      parts = differentiator.differentiate(op, g);
    }
    if (!parts) {
      unsupported = true;
      InFlightDiagnostic diag = emitError(node.loc)
                                << "unsupported Gradient: nacre has no "
                                   "derivative of "
                                << op->getName().stripDialect()
                                << "; export the gradient as a graph of its "
                                   "own";
      diag.attachNote(op->getLoc()) << "the operator is here";
      return diag;
    }
    for (auto [operand, part] : llvm::zip(op->getOperands(), *parts)) {
      if (!part || !dependent.contains(operand)) {
        continue;
      }
      Value &share = shares[operand];
      share = share ? a.add(share, part) : part;
    }
  }
  for (Value variable : variables) {
    Value share = shares.lookup(variable);
    if (!share) {
      auto zero = cast<ShapedType>(variable.getType());
      share = IE::ConstantOp::create(
          builder, node.loc,
          DenseElementsAttr::get(zero,
                                 builder.getZeroAttr(zero.getElementType())));
    }
    node.results.push_back(share);
  }
  return success();
}
