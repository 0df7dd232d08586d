//===- Resampling.td - Images of other sizes ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: resampling.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_RESAMPLING_TD
#define NACRE_DIALECT_IE_IR_RESAMPLING_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_ResizeOp : IE_OnnxOp<"Resize", [
    IE_OwnSizes,
    IE_ComputesFloats,
    AttrSizedOperandSegments]> {
  let summary = "Interpolation to other sizes of dimensions";
  let description = [{
    Each resized dimension is interpolated by itself: an element of the result is
    a weighted sum of a few elements of the input, whose positions and weights
    depend on `mode`, `coordinate_transformation_mode` and the other attributes.
    Exactly one of `scales` and `sizes` is given, one value per dimension in
    `axes`, or per dimension of the input without `axes`; `roi` has the starts
    and then the ends, for `tf_crop_and_resize` only. Tensors without elements
    count as absent.

    Interpolated elements are floats, but for integers of 8 bits that are
    resized with `antialias`: as in image libraries and ONNX Runtime, weights
    are then integers, multiples of 2^-22, computed in single precision, and
    dimensions are resized from the last to the first, each sum rounded and cut
    to the range of the elements.

    Example:
    ```mlir
    %1 = IE.Resize(%0) scales(%s : tensor<4xf32>) {mode = "linear"}
        : (tensor<1x3x8x8xf32>) -> tensor<1x3x16x16xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Resize.html
  }];
  let arguments = (ins
    IE_NumberOrBoolTensor:$input,
    Optional<IE_FloatTensor>:$roi,
    Optional<IE_FloatTensor>:$scales,
    Optional<IE_I64Tensor>:$sizes,
    DefaultValuedAttr<I64Attr, "0">:$antialias,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$axes,
    DefaultValuedAttr<IE_StringAttrOf<["half_pixel", "half_pixel_symmetric",
        "pytorch_half_pixel", "tf_half_pixel_for_nn", "align_corners",
        "asymmetric", "tf_crop_and_resize"]>, "\"half_pixel\"">
        :$coordinate_transformation_mode,
    DefaultValuedAttr<F32Attr, "-0.75f">:$cubic_coeff_a,
    DefaultValuedAttr<I64Attr, "0">:$exclude_outside,
    DefaultValuedAttr<F32Attr, "0.0f">:$extrapolation_value,
    DefaultValuedAttr<IE_StringAttrOf<["stretch", "not_larger",
        "not_smaller"]>, "\"stretch\"">:$keep_aspect_ratio_policy,
    DefaultValuedAttr<IE_StringAttrOf<["nearest", "linear", "cubic"]>,
        "\"nearest\"">:$mode,
    DefaultValuedAttr<IE_StringAttrOf<["round_prefer_floor",
        "round_prefer_ceil", "floor", "ceil"]>,
        "\"round_prefer_floor\"">:$nearest_mode
  );
  let results = (outs IE_NumberOrBoolTensor:$output);
  let assemblyFormat = [{
    `(` $input `)` (`roi` `(` $roi^ `:` type($roi) `)`)?
    (`scales` `(` $scales^ `:` type($scales) `)`)?
    (`sizes` `(` $sizes^ `:` type($sizes) `)`)?
    attr-dict `:` `(` type($input) `)` `->` type($output)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimensions that are resized where their sizes may be dynamic.
    ::llvm::SmallVector<SizedResize> getResizedDims(SizeBuilder &sizes);
    /// True where integers are weighed by integers.
    bool isFixedPoint();
  }];
}

def IE_GridSampleOp : IE_OnnxOp<"GridSample", [
    IE_ComputesFloats,
    IE_OwnSizes,
    AllElementTypesMatch<["input", "output"]>]> {
  let summary = "An image or volume interpolated at given positions";
  let description = [{
    | operand | shape                                |
    |---------|--------------------------------------|
    | input   | (N, C, H, W), or (N, C, D, H, W)     |
    | grid    | (N, spatial output…, 2), or (…, 3)   |
    | output  | (N, C, spatial output…)              |

    `grid` has the x, the y and, of volumes, the z of each element of the result,
    where -1 and 1 are the ends of the image: the centers of its outermost elements when
    `align_corners` is 1, their outer edges when it is 0. `padding_mode` says
    what is beyond the ends: zeros, the nearest element, or the image's mirror
    image.

    Example:
    ```mlir
    %2 = IE.GridSample(%0, %1) {mode = "cubic", padding_mode = "border"}
        : (tensor<1x3x8x8xf32>, tensor<1x4x6x2xf32>) -> tensor<1x3x4x6xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__GridSample.html
  }];
  let arguments = (ins
    IE_NumberOrBoolTensor:$input,
    IE_FloatTensor:$grid,
    DefaultValuedAttr<I64Attr, "0">:$align_corners,
    DefaultValuedAttr<IE_StringAttrOf<["linear", "nearest", "cubic"]>,
        "\"linear\"">:$mode,
    DefaultValuedAttr<IE_StringAttrOf<["zeros", "border", "reflection"]>,
        "\"zeros\"">:$padding_mode
  );
  let results = (outs IE_NumberOrBoolTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def IE_RoiAlignOp : IE_OnnxOp<"RoiAlign", [
    IE_ComputesFloats,
    IE_OwnSizes,
    AllElementTypesMatch<["input", "rois", "output"]>]> {
  let summary = "Regions of images, each averaged to the same size";
  let description = [{
    | operand       | shape                                            |
    |---------------|--------------------------------------------------|
    | input         | (N, C, H, W)                                     |
    | rois          | (regions, 4): x1, y1, x2, y2                     |
    | batch_indices | (regions): the image of each region              |
    | output        | (regions, C, output_height, output_width)        |

    A region, times `spatial_scale`, is divided into as many bins as the result
    has elements. `sampling_ratio` points in each direction of a bin, or as many
    as cover it when that is 0, are interpolated bilinearly. Mode `avg` takes
    their mean; mode `max` takes the largest of the weighted elements that the
    interpolations would add up. Points more than one element outside of the
    image are 0. `half_pixel` shifts regions by half an element;
    `output_half_pixel`, what the operator did before version 16, does not, and
    makes every region at least one element long.

    Example:
    ```mlir
    %3 = IE.RoiAlign(%0, %1, %2) {output_height = 5 : i64,
        output_width = 5 : i64} : (tensor<1x3x16x16xf32>, tensor<7x4xf32>,
        tensor<7xi64>) -> tensor<7x3x5x5xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__RoiAlign.html
  }];
  let arguments = (ins
    4DTensorOf<[IE_AnyFloat]>:$input,
    2DTensorOf<[IE_AnyFloat]>:$rois,
    1DTensorOf<[I64]>:$batch_indices,
    DefaultValuedAttr<IE_StringAttrOf<["half_pixel", "output_half_pixel"]>,
        "\"half_pixel\"">:$coordinate_transformation_mode,
    DefaultValuedAttr<IE_StringAttrOf<["avg", "max"]>, "\"avg\"">:$mode,
    DefaultValuedAttr<I64Attr, "1">:$output_height,
    DefaultValuedAttr<I64Attr, "1">:$output_width,
    DefaultValuedAttr<I64Attr, "0">:$sampling_ratio,
    DefaultValuedAttr<F32Attr, "1.0f">:$spatial_scale
  );
  let results = (outs 4DTensorOf<[IE_AnyFloat]>:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // NACRE_DIALECT_IE_IR_RESAMPLING_TD
