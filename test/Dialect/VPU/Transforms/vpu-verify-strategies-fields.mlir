// What nothing reads is refused. StrategyFieldsTest.cpp has a table of all fields.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-verify-strategies=decided=groups --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies=decide=groups --split-input-file --verify-diagnostics

func.func @reshape_that_is_tiled(%x: tensor<64x128xf32>) -> tensor<64x8x16xf32> {
  // expected-error@+1 {{'tensor.expand_shape' op expected no tiles with decide=groups: it is for ops of the engine on tensors with decide=loops; leave it out; this op may have group or pointCost here}}
  %0 = tensor.expand_shape %x [[0], [1, 2]] output_shape [64, 8, 16] {VPU.strategy = #VPU.strategy<tiles = [2, 1, 1]>} : tensor<64x128xf32> into tensor<64x8x16xf32>
  return %0 : tensor<64x8x16xf32>
}

// -----

func.func @reshape_with_a_kernel(%x: tensor<64x128xf32>) -> tensor<8192xf32> {
  // expected-error@+1 {{'tensor.collapse_shape' op expected no innermost with decide=groups: it is for ops on buffers with decide=registers; leave it out; this op may have group or pointCost here}}
  %0 = tensor.collapse_shape %x [[0, 1]] {VPU.strategy = #VPU.strategy<kernel = <loops = <innermost = 0>>>} : tensor<64x128xf32> into tensor<8192xf32>
  return %0 : tensor<8192xf32>
}

// -----

func.func @reshape_with_a_tile_of_low_bits(%x: tensor<64x128xf32>) -> tensor<8192xf32> {
  // expected-error@+1 {{expected no lowBitTile with decide=groups: it is for ops of the engine on buffers with decide=buffers; leave it out; this op may have group or pointCost here}}
  %0 = tensor.collapse_shape %x [[0, 1]] {VPU.strategy = #VPU.strategy<kernel = <lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 2, panels = 4, pieces = 2>>>} : tensor<64x128xf32> into tensor<8192xf32>
  return %0 : tensor<8192xf32>
}

// -----

func.func @slice_with_parts(%x: tensor<64x128xf32>) -> tensor<8x128xf32> {
  // expected-error@+1 {{'tensor.extract_slice' op expected no parts with decide=groups: it is for ops of the engine on tensors with decide=loops, for the last op of a group with decide=groups, and, outside of others, for copies, structured ops and independent loops with decide=software, or, of steps of the model, with decide=concurrency, and for an IE.Scan that keeps rows apart with decide=operators; leave it out, as nothing is decided about this op}}
  %0 = tensor.extract_slice %x[0, 0] [8, 128] [1, 1] {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} : tensor<64x128xf32> to tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// -----

func.func @attribute_of_another_kind(%x: tensor<64x128xf32>) -> tensor<8192xf32> {
  // expected-error@+1 {{expected VPU.strategy to be a #VPU.strategy<…>, found #VPU.kernel_strategy<rollWindow = true>}}
  %0 = tensor.collapse_shape %x [[0, 1]] {VPU.strategy = #VPU.kernel_strategy<rollWindow = true>} : tensor<64x128xf32> into tensor<8192xf32>
  return %0 : tensor<8192xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>

func.func @group_of_which_clusters_share_columns_by_name(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  // expected-error@+1 {{expected multiCluster = SplitOverHeight with the parts of a group, whichever loop is split, found SplitOverKernel}}
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [2, 1], group = 1, block = [8, 0]>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
