//===- Geometry.cpp - Expansions: windows, grids, sections ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that take elements from, or put them to, computed positions, by
// convolutions, interpolations and scatters.
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"
#include "AttentionBuilder.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/IR/Resampling.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

SmallVector<int64_t> onnx_import::takeInts(Expander &e, StringRef name,
                                           size_t count, int64_t otherwise) {
  SmallVector<int64_t> values = e.takeInts(name);
  if (values.empty()) {
    values.assign(count, otherwise);
  }
  if (values.size() != count) {
    e.fail("expected " + Twine(count) + " values in '" + name + "', found " +
           Twine(values.size()));
    values.assign(count, otherwise);
  }
  for (int64_t value : values) {
    if (value < (name == "pads" ? 0 : 1)) {
      e.fail("expected no such value in '" + name + "' as " + Twine(value));
      values.assign(count, 1);
      break;
    }
  }
  return values;
}

//===----------------------------------------------------------------------===//
// AffineGrid
//===----------------------------------------------------------------------===//

/// The coordinates of all elements of an image, x first, each followed by 1.
static SmallVector<double> getHomogeneousGrid(ArrayRef<int64_t> sizes,
                                              bool alignCorners) {
  auto getCoordinate = [&](int64_t i, int64_t size) {
    if (alignCorners) {
      return size == 1 ? -1.0 : -1.0 + 2.0 * i / (size - 1);
    }
    return (2.0 * i + 1.0) / size - 1.0;
  };
  SmallVector<double> grid;
  SmallVector<int64_t> position(sizes.size(), 0);
  int64_t count = ShapedType::getNumElements(sizes);
  for (int64_t n = 0; n < count; ++n) {
    for (size_t d = sizes.size(); d-- > 0;) {
      grid.push_back(getCoordinate(position[d], sizes[d]));
    }
    grid.push_back(1);
    for (size_t d = sizes.size(); d-- > 0;) {
      if (++position[d] < sizes[d]) {
        break;
      }
      position[d] = 0;
    }
  }
  return grid;
}

/// The same as (spatial..., coordinates) for dynamic sizes.
static Value buildHomogeneousGrid(Expander &e, Value size, int64_t dims,
                                  bool alignCorners, Type element) {
  Type i64 = e.getInt(64), f64 = Float64Type::get(element.getContext());
  size = e.cast(size, i64);
  Value zero = e.buildScalar(0, i64), one = e.buildScalar(1, i64);
  Value shape = e.concat(
      {e.gather(size,
                e.buildInts(llvm::to_vector(llvm::seq<int64_t>(2, 2 + dims))),
                0),
       e.buildInts(1)},
      0);
  SmallVector<Value> parts;
  for (int64_t d = dims; d-- > 0;) {
    Value count =
        e.gather(size, e.buildScalar(static_cast<double>(2 + d), i64), 0);
    Value number = e.cast(e.create<IE::RangeOp>({zero, count, one}), f64);
    Value extent = e.cast(count, f64);
    if (alignCorners) {
      extent = e.create<IE::MaxOp>({e.add(extent, -1), e.buildScalar(1, f64)});
    } else {
      number = e.add(number, 0.5);
    }
    Value part = e.add(e.div(e.mul(number, 2), extent), -1);
    SmallVector<int64_t> alongDim(dims + 1, 1);
    alongDim[d] = -1;
    part = e.cast(e.reshape(part, alongDim), element);
    parts.push_back(e.create<IE::ExpandOp>({part, shape}));
  }
  parts.push_back(e.create<IE::ExpandOp>({e.buildScalar(1, element), shape}));
  return e.concat(parts, dims);
}

static void expandAffineGrid(Expander &e) {
  Value theta = e.getRequiredInput(0, "theta");
  Value given = e.getRequiredInput(1, "size");
  bool alignCorners = e.takeInt("align_corners", 0) != 0;
  if (!e.expectRank(theta, 3, "theta")) {
    return;
  }
  std::optional<SmallVector<int64_t>> known = e.evaluateInts(given);
  if (!known) {
    if (!e.expectRank(given, 1, "size")) {
      return;
    }
    int64_t dims = e.getStaticDim(given, 0, "size") - 2;
    if (!e.hasFailed() && dims != 2 && dims != 3) {
      return e.fail("expected a 'size' of four or five dimensions");
    }
    if (e.hasFailed()) {
      return;
    }
    Value grid =
        buildHomogeneousGrid(e, given, dims, alignCorners, e.getElement(theta));
    SmallVector<int64_t> batchOnly =
        llvm::to_vector(llvm::seq<int64_t>(1, dims));
    Value moves = e.unsqueeze(e.transpose(theta, {0, 2, 1}), batchOnly);
    return e.setResults(e.matmul(e.unsqueeze(grid, 0), moves));
  }
  SmallVector<int64_t> size = *known;
  if ((size.size() != 4 && size.size() != 5) ||
      llvm::any_of(size, [](int64_t dim) { return dim < 1; })) {
    return e.fail("expected a 'size' of four or five positive dimensions");
  }
  ArrayRef<int64_t> spatial = ArrayRef(size).drop_front(2);
  if (!e.expectPlausible(spatial)) {
    return;
  }
  int64_t count = ShapedType::getNumElements(spatial);
  int64_t dims = spatial.size();
  Value grid = e.buildTensor(getHomogeneousGrid(spatial, alignCorners),
                             {count, dims + 1}, e.getElement(theta));
  Value moved = e.matmul(grid, e.transpose(theta, {0, 2, 1}));
  SmallVector<int64_t> shape = {0};
  llvm::append_range(shape, spatial);
  shape.push_back(dims);
  e.setResults(e.reshape(moved, shape));
}

//===----------------------------------------------------------------------===//
// CenterCropPad
//===----------------------------------------------------------------------===//

/// Cuts or pads each axis at both ends, by sizes that may be dynamic.
static void expandCenterCropPad(Expander &e) {
  Value value = e.getRequiredInput(0, "input_data");
  Value sizes = e.getRequiredInput(1, "shape");
  int64_t rank = e.getRank(value);
  SmallVector<int64_t> axes = e.takeInts("axes");
  if (axes.empty()) {
    axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  }
  for (int64_t &axis : axes) {
    axis = e.normalizeAxis(axis, rank);
  }
  if (!e.expectRank(sizes, 1, "shape")) {
    return;
  }
  auto count = static_cast<int64_t>(axes.size());
  if (ShapedType::isDynamic(e.getDim(sizes, 0))) {
    // A run checks that there is one for each axis.
    sizes = e.reshape(sizes, count);
  } else if (e.getDim(sizes, 0) != count) {
    return e.fail("expected a size for each of " + Twine(count) +
                  " axes, found " + Twine(e.getDim(sizes, 0)));
  }
  Value along = e.buildInts(axes);
  Value given = e.gather(e.create<IE::ShapeOp>({value}), along, 0);
  sizes = e.cast(sizes, e.getInt(64));
  // Half of what is too much goes from the front, half of what lacks to it.
  Value zero = e.buildInts(0), two = e.buildInts(2);
  Value excess = e.create<IE::MaxOp>({e.sub(given, sizes), zero});
  Value missing = e.create<IE::MaxOp>({e.sub(sizes, given), zero});
  Value start = e.div(excess, two), before = e.div(missing, two);
  Value end = e.add(start, sizes);
  value = e.create<IE::SliceOp>({value, start, end, along, Value()});
  Value pads = e.concat({before, e.sub(missing, before)}, 0);
  e.setResults(e.create<IE::PadOp>({value, pads, Value(), along}));
}

//===----------------------------------------------------------------------===//
// DeformConv
//===----------------------------------------------------------------------===//

namespace {

/// A convolution whose kernel elements are read at offsets of their own: the
/// image is interpolated at all these positions, one row of images per kernel
/// element, and the kernel becomes one of size 1 over them.
class DeformConvExpansion {
public:
  explicit DeformConvExpansion(Expander &e) : e(e) {}

  void run() {
    Value input = e.getRequiredInput(0, "X");
    Value weights = e.getRequiredInput(1, "W");
    Value offset = e.getRequiredInput(2, "offset");
    if (e.getRank(input) != 4 && !e.hasFailed()) {
      return e.reject("only images (N, C, H, W)");
    }
    if (!e.expectRank(weights, 4, "W") || !e.expectRank(offset, 4, "offset") ||
        !e.expectStatic(weights, "W")) {
      return;
    }
    for (int64_t i = 0; i < 2; ++i) {
      image.push_back(e.getStaticDim(input, 2 + i, "X"));
      kernel.push_back(e.getDim(weights, 2 + i));
      output.push_back(e.getStaticDim(offset, 2 + i, "offset"));
    }
    strides = takeInts(e, "strides", 2, 1);
    dilations = takeInts(e, "dilations", 2, 1);
    pads = takeInts(e, "pads", 4, 0);
    group = e.takeInt("group", 1);
    offsetGroup = e.takeInt("offset_group", 1);
    if (takeInts(e, "kernel_shape", 2, 1) != kernel && hasKernelShape) {
      e.fail("expected a 'kernel_shape' that is the shape of the weights");
    }
    channels = e.getStaticDim(input, 1, "X");
    if (e.hasFailed() || !verify(weights, offset)) {
      return;
    }
    int64_t elements = kernel[0] * kernel[1];
    Value values = e.create<IE::GridSampleOp>(
        {e.reshape(input, {-1, channels / offsetGroup, image[0], image[1]}),
         buildGrid(offset)},
        {e.attr("mode", StringRef("linear"))});
    if (Value mask = e.getInput(4)) {
      values = e.create<IE::MulOp>(
          {values, e.reshape(mask, {-1, 1, elements * output[0], output[1]})});
    }
    values = e.reshape(values, {-1, channels * elements, output[0], output[1]});
    SmallVector<Value> operands = {
        values, e.reshape(weights, {0, channels / group * elements, 1, 1})};
    if (Value bias = e.getInput(3)) {
      operands.push_back(bias);
    }
    e.setResults(e.create<IE::ConvOp>(operands, {e.attr("group", group)}));
  }

private:
  bool verify(Value weights, Value offset) {
    if (!e.expectPlausible({kernel[0], kernel[1], output[0], output[1]})) {
      return false;
    }
    int64_t elements = kernel[0] * kernel[1];
    if (group < 1 || offsetGroup < 1 || channels % group != 0 ||
        channels % offsetGroup != 0 ||
        e.getDim(weights, 1) != channels / group) {
      e.fail("expected groups that divide the channels, and weights for the "
             "channels of a group");
    } else if (e.getStaticDim(offset, 1, "offset") !=
               2 * offsetGroup * elements) {
      e.fail("expected " + Twine(2 * offsetGroup * elements) +
             " channels of offsets, found " + Twine(e.getDim(offset, 1)));
    }
    for (size_t i = 0; i < 2; ++i) {
      int64_t rest =
          image[i] + pads[i] + pads[2 + i] - (kernel[i] - 1) * dilations[i] - 1;
      if (rest < 0 || rest / strides[i] + 1 != output[i]) {
        e.fail("expected offsets of the shape of the result, found " +
               Twine(output[i]) + " in dimension " + Twine(2 + i));
      }
    }
    return !e.hasFailed();
  }

  /// Where kernel elements lie without an offset, in dimension `dim`.
  Value buildPositions(unsigned dim) {
    SmallVector<double> positions;
    for (int64_t kh = 0; kh < kernel[0]; ++kh) {
      for (int64_t kw = 0; kw < kernel[1]; ++kw) {
        for (int64_t h = 0; h < output[0]; ++h) {
          for (int64_t w = 0; w < output[1]; ++w) {
            int64_t k = dim == 0 ? kh : kw, o = dim == 0 ? h : w;
            positions.push_back(static_cast<double>(
                o * strides[dim] + k * dilations[dim] - pads[dim]));
          }
        }
      }
    }
    return e.buildTensor(
        positions, {kernel[0] * kernel[1], output[0], output[1]}, e.getF32());
  }

  /// (N * offset groups, kernel elements * H, W, 2)
  Value buildGrid(Value offset) {
    int64_t elements = kernel[0] * kernel[1];
    Value split = e.reshape(e.cast(offset, e.getF32()),
                            {-1, elements, 2, output[0], output[1]});
    auto buildCoordinate = [&](unsigned dim) {
      Value moved = e.reshape(e.slice(split, 2, dim, dim + 1),
                              {0, elements, output[0], output[1]});
      Value position = e.add(moved, buildPositions(dim));
      // GridSample's -1 and 1 are the outer edges of the image.
      double size = static_cast<double>(image[dim]);
      Value scaled = e.add(e.mul(position, 2 / size), 1 / size - 1);
      return e.reshape(scaled, {0, elements * output[0], output[1], 1});
    };
    Value y = buildCoordinate(0), x = buildCoordinate(1);
    return e.concat({x, y}, 3);
  }

  Expander &e;
  SmallVector<int64_t> image, kernel, output, strides, dilations, pads;
  int64_t group = 1, offsetGroup = 1, channels = 1;
  bool hasKernelShape = e.has("kernel_shape");
};

} // namespace

static void expandDeformConv(Expander &e) { DeformConvExpansion(e).run(); }

//===----------------------------------------------------------------------===//
// MaxRoiPool
//===----------------------------------------------------------------------===//

/// Which positions along dimension `dim` of `input` each of `count` bins has,
/// (regions, bins, positions), where regions begin and end at (regions, 1).
static Value buildBins(Expander &e, Value input, int64_t dim, Value first,
                       Value last, int64_t count) {
  Type element = e.getElement(first);
  Value one = e.buildScalar(1, element);
  Value extent = e.create<IE::MaxOp>({e.add(e.sub(last, first), one), one});
  Value size = e.div(extent, e.buildScalar(count, element));
  Value number = e.cast(e.buildIota(count), element);
  Value begin = e.create<IE::FloorOp>({e.mul(size, number)});
  Value end = e.create<IE::CeilOp>({e.mul(size, e.add(number, one))});
  Value position =
      e.cast(AttentionBuilder(e).buildPositions(input, dim), element);
  return e.create<IE::AndOp>(
      {e.create<IE::LessOrEqualOp>(
           {e.unsqueeze(e.add(begin, first), 2), position}),
       e.create<IE::LessOp>({position, e.unsqueeze(e.add(end, first), 2)})});
}

/// The maximum of the elements that `mask` has along `axis`, which ends.
static Value takeMaximum(Expander &e, Value mask, Value value, int64_t axis) {
  Value lowest = e.buildScalar(-std::numeric_limits<double>::infinity(),
                               e.getElement(value));
  return e.reduce<IE::ReduceMaxOp>(e.where(mask, value, lowest), axis,
                                   /*keepDims=*/false);
}

/// Regions are cut into bins, of which each has whole rows and columns.
static void expandMaxRoiPool(Expander &e) {
  Value input = e.getRequiredInput(0, "X"),
        rois = e.getRequiredInput(1, "rois");
  SmallVector<int64_t> pooled = e.takeInts("pooled_shape");
  double scale = e.takeFloat("spatial_scale", 1);
  if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1) {
    return e.fail("expected a 'pooled_shape' of two positive sizes");
  }
  if (!e.expectRank(input, 4, "X") || !e.expectRank(rois, 2, "rois")) {
    return;
  }
  Type element = e.getElement(input);
  rois = e.cast(rois, element.isF64() ? element : e.getF32());
  Value batch = e.reshape(e.cast(e.slice(rois, 1, 0, 1), e.getInt(64)), {-1});
  // To the nearest, of two away from zero.
  Value scaled = e.mul(e.slice(rois, 1, 1, 5), scale);
  Value nearest =
      e.create<IE::FloorOp>({e.add(e.create<IE::AbsOp>({scaled}), 0.5)});
  Value corners = e.mul(e.create<IE::SignOp>({scaled}), nearest);
  auto corner = [&](int64_t i) { return e.slice(corners, 1, i, i + 1); };
  Value rows = buildBins(e, input, 2, corner(1), corner(3), pooled[0]);
  Value columns = buildBins(e, input, 3, corner(0), corner(2), pooled[1]);
  // (regions, C, H, W), then (regions, C, H, columns), then (…, rows, columns).
  Value value = e.gather(input, batch, 0);
  value =
      takeMaximum(e, e.unsqueeze(columns, {1, 2}), e.unsqueeze(value, 3), 4);
  value = takeMaximum(e, e.unsqueeze(rows, {1, 4}), e.unsqueeze(value, 2), 3);
  // A bin beyond the image is empty.
  auto isAny = [&](Value mask) {
    Value numbers = e.cast(mask, e.getF32());
    return e.cast(e.reduce<IE::ReduceMaxOp>(numbers, 2, false), e.getInt(1));
  };
  Value isFull = e.create<IE::AndOp>(
      {e.unsqueeze(isAny(rows), {1, 3}), e.unsqueeze(isAny(columns), {1, 2})});
  e.setResults(e.where(isFull, value, e.buildScalar(0, element)));
}

//===----------------------------------------------------------------------===//
// LpPool, GlobalLpPool
//===----------------------------------------------------------------------===//

/// |x|^p
static Value raise(Expander &e, Value value, int64_t p) {
  Value magnitude = e.create<IE::AbsOp>({value});
  if (p == 1) {
    return magnitude;
  }
  return p == 2 ? e.mul(value, value)
                : e.create<IE::PowOp>(
                      {magnitude, e.buildScalar(p, e.getElement(value))});
}

/// x^(1/p) of what is not negative.
static Value takeRoot(Expander &e, Value value, int64_t p) {
  if (p == 1) {
    return value;
  }
  return p == 2 ? e.create<IE::SqrtOp>({value})
                : e.create<IE::PowOp>(
                      {value, e.buildScalar(1.0 / p, e.getElement(value))});
}

static int64_t takeNorm(Expander &e) {
  int64_t p = e.takeInt("p", 2);
  if (p < 1) {
    e.fail("expected a positive 'p', found " + Twine(p));
  }
  return p;
}

/// The sum in a window is its mean times its size, if the padding counts.
static void expandLpPool(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  int64_t p = takeNorm(e);
  SmallVector<int64_t> kernel = e.takeInts("kernel_shape");
  size_t dims = kernel.size();
  if (dims == 0 || llvm::any_of(kernel, [](int64_t k) { return k < 1; })) {
    return e.fail("expected a 'kernel_shape' of positive sizes");
  }
  if (!e.expectRank(input, static_cast<int64_t>(dims) + 2, "X")) {
    return;
  }
  SmallVector<int64_t> dilations = takeInts(e, "dilations", dims, 1);
  SmallVector<int64_t> strides = takeInts(e, "strides", dims, 1);
  SmallVector<int64_t> pads = takeInts(e, "pads", 2 * dims, 0);
  std::string autoPad = e.takeString("auto_pad", "NOTSET");
  if (e.takeInt("ceil_mode", 0) != 0 && autoPad == "NOTSET") {
    // Padded to whole windows, as a window beyond the padding has fewer
    // elements that count: as far as another one may need, but none begins
    // behind the image.
    for (size_t i = 0; i < dims; ++i) {
      int64_t reach = (kernel[i] - 1) * dilations[i] + 1;
      pads[dims + i] = std::min(pads[dims + i] + strides[i] - 1, reach - 1);
    }
  }
  SmallVector<NamedAttribute> attributes = {
      e.attr("kernel_shape", kernel), e.attr("dilations", dilations),
      e.attr("strides", strides), e.attr("count_include_pad", int64_t(1)),
      e.attr("auto_pad", StringRef(autoPad))};
  if (autoPad == "NOTSET") {
    attributes.push_back(e.attr("pads", pads));
  }
  Value mean = e.create<IE::AveragePoolOp>({raise(e, input, p)}, attributes);
  Value sum = e.mul(mean, double(ShapedType::getNumElements(kernel)));
  e.setResults(takeRoot(e, sum, p));
}

static void expandGlobalLpPool(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  int64_t p = takeNorm(e);
  if (!e.hasFailed() && e.getRank(input) < 3) {
    return e.fail("expected an input (N, C, spatial...)");
  }
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(2, e.getRank(input)));
  Value sum = e.reduce<IE::ReduceSumOp>(raise(e, input, p), axes);
  e.setResults(takeRoot(e, sum, p));
}

//===----------------------------------------------------------------------===//
// TensorScatter
//===----------------------------------------------------------------------===//

static void expandTensorScatter(Expander &e) {
  Value cache = e.getRequiredInput(0, "past_cache");
  Value update = e.getRequiredInput(1, "update");
  Value starts = e.getInput(2);
  int64_t rank = e.getRank(cache);
  int64_t axis = e.normalizeAxis(e.takeInt("axis", -2), rank);
  std::string mode = e.takeString("mode", "linear");
  if (!e.expectRank(update, rank, "update")) {
    return;
  }
  if (axis == 0) {
    return e.fail("expected an axis other than the batch");
  }
  if (mode != "linear" && mode != "circular") {
    return e.fail("expected 'mode' to be 'linear' or 'circular', found '" +
                  mode + "'");
  }
  AttentionBuilder builder(e);
  SmallVector<int64_t> shape(rank, 1);
  shape[axis] = -1;
  Value positions = e.reshape(builder.buildPositions(update, axis), shape);
  if (starts && e.expectRank(starts, 1, "write_indices")) {
    SmallVector<int64_t> batch(rank, 1);
    batch.front() = -1;
    positions =
        e.add(positions, e.reshape(e.cast(starts, e.getInt(64)), batch));
  }
  if (mode == "circular") {
    positions =
        e.create<IE::ModOp>({positions, builder.buildSize(cache, axis)});
  }
  e.setResults(e.create<IE::ScatterElementsOp>(
      {cache, e.expandLike(positions, update), update},
      {e.attr("axis", axis)}));
}

ArrayRef<ExpansionEntry> onnx_import::getGeometryExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"", "AffineGrid", expandAffineGrid},
      {"", "CenterCropPad", expandCenterCropPad},
      {"", "Col2Im", expandCol2Im},
      {"", "DeformConv", expandDeformConv},
      {"", "GlobalLpPool", expandGlobalLpPool},
      {"", "LpPool", expandLpPool},
      {"", "MaxRoiPool", expandMaxRoiPool},
      {"", "TensorScatter", expandTensorScatter},
  };
  return kEntries;
}
