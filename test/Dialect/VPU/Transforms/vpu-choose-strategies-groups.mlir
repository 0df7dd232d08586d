// Which ops share a loop over rows, in which blocks, architecture by architecture.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies="decide=groups min-cycles=1000" --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies="decide=groups min-cycles=1000" --split-input-file | FileCheck %s --check-prefix=TWO
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=2" --vpu-choose-strategies="decide=groups min-cycles=1000" --split-input-file | FileCheck %s --check-prefix=V3
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=4" --vpu-choose-strategies="decide=groups min-cycles=1000" --split-input-file | FileCheck %s --check-prefix=ARM
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies="decide=groups min-cycles=1000" --split-input-file | FileCheck %s --check-prefix=NPU

// The steps of a softmax. A block divides the rows that a cluster has.
// ONE-LABEL: @rows
// ONE-COUNT-2: VPU.strategy = #VPU.strategy<group = 1>
// ONE: VPU.strategy = #VPU.strategy<group = 1, block = [64, 0]>
// TWO-LABEL: @rows
// TWO-COUNT-2: VPU.strategy = #VPU.strategy<group = 1>
// TWO: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1], group = 1, block = [64, 0]>
// V3-LABEL: @rows
// V3-COUNT-2: VPU.strategy = #VPU.strategy<group = 1>
// V3: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1], group = 1, block = [16, 0]>
// ARM-LABEL: @rows
// ARM-COUNT-2: VPU.strategy = #VPU.strategy<group = 1>
// ARM: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [4, 1], group = 1, block = [32, 0]>
// NPU-LABEL: @rows
// NPU-NOT: VPU.strategy
func.func @rows(%x: tensor<512x128xf32>) -> tensor<512x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x128xf32>
  %r = tensor.empty() : tensor<512xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<512xf32>) -> tensor<512xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x128xf32>) outs(%e : tensor<512x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<512x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<512x128xf32>) outs(%fill : tensor<512xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<512xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<512x128xf32>, tensor<512xf32>) outs(%e : tensor<512x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<512x128xf32>
  return %2 : tensor<512x128xf32>
}

// -----

// 509 rows are cut by nothing: parts differ by a row, in blocks of about one size.
// One cluster has single rows.
// ONE-LABEL: @prime_rows
// ONE-COUNT-2: VPU.strategy = #VPU.strategy<group = 1>
// ONE: VPU.strategy = #VPU.strategy<group = 1, block = [1, 0]>
// TWO-LABEL: @prime_rows
// TWO-COUNT-2: VPU.strategy = #VPU.strategy<group = 1>
// TWO: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1], group = 1, block = [85, 0]>
// V3-LABEL: @prime_rows
// V3-COUNT-2: VPU.strategy = #VPU.strategy<group = 1>
// V3: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1], group = 1, block = [20, 0]>
// ARM-LABEL: @prime_rows
// ARM-COUNT-2: VPU.strategy = #VPU.strategy<group = 1>
// ARM: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [4, 1], group = 1, block = [32, 0]>
// NPU-LABEL: @prime_rows
// NPU-NOT: VPU.strategy
func.func @prime_rows(%x: tensor<509x128xf32>) -> tensor<509x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<509x128xf32>
  %r = tensor.empty() : tensor<509xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<509xf32>) -> tensor<509xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<509x128xf32>) outs(%e : tensor<509x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<509x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<509x128xf32>) outs(%fill : tensor<509xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<509xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<509x128xf32>, tensor<509xf32>) outs(%e : tensor<509x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<509x128xf32>
  return %2 : tensor<509x128xf32>
}

// -----

// The length of rows is known, and so the number that fits. Parts are counted at run time.
// ONE-LABEL: @rows_of_unknown_number
// ONE-COUNT-2: VPU.strategy = #VPU.strategy<group = 1>
// ONE: VPU.strategy = #VPU.strategy<group = 1, block = [85, 0]>
// TWO-LABEL: @rows_of_unknown_number
// TWO: VPU.strategy = #VPU.strategy<group = 1, pointCost = 128>
// TWO: VPU.strategy = #VPU.strategy<group = 1, pointCost = 9>
// TWO: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 1000, group = 1, block = [85, 0], pointCost = 17>
// V3-LABEL: @rows_of_unknown_number
// V3: VPU.strategy = #VPU.strategy<group = 1, pointCost = 128>
// V3: VPU.strategy = #VPU.strategy<group = 1, pointCost = 17>
// V3: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 1000, group = 1, block = [21, 0], pointCost = 33>
// ARM-LABEL: @rows_of_unknown_number
// ARM: VPU.strategy = #VPU.strategy<group = 1, pointCost = 128>
// ARM: VPU.strategy = #VPU.strategy<group = 1, pointCost = 33>
// ARM: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 1000, group = 1, block = [42, 0], pointCost = 65>
// NPU-LABEL: @rows_of_unknown_number
// NPU-NOT: VPU.strategy
func.func @rows_of_unknown_number(%x: tensor<?x128xf32>, %n: index) -> tensor<?x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x128xf32>
  %r = tensor.empty(%n) : tensor<?xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x128xf32>) outs(%e : tensor<?x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<?x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<?x128xf32>) outs(%fill : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<?x128xf32>, tensor<?xf32>) outs(%e : tensor<?x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<?x128xf32>
  return %2 : tensor<?x128xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>

// Rows of each matrix, of which a cluster has some of the matrices.
// ONE-LABEL: @attention_keeps_a_block_of_scores
// ONE-COUNT-6: VPU.strategy = #VPU.strategy<group = 1>
// ONE: VPU.strategy = #VPU.strategy<group = 1, block = [1, 64, 0]>
// TWO-LABEL: @attention_keeps_a_block_of_scores
// TWO-COUNT-6: VPU.strategy = #VPU.strategy<group = 1>
// TWO: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1, 1], group = 1, block = [1, 64, 0]>
// V3-LABEL: @attention_keeps_a_block_of_scores
// V3-COUNT-6: VPU.strategy = #VPU.strategy<group = 1>
// V3: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1, 1], group = 1, block = [1, 16, 0]>
// ARM-LABEL: @attention_keeps_a_block_of_scores
// ARM-COUNT-6: VPU.strategy = #VPU.strategy<group = 1>
// ARM: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [4, 1, 1], group = 1, block = [1, 32, 0]>
// NPU-LABEL: @attention_keeps_a_block_of_scores
// NPU-NOT: VPU.strategy
func.func @attention_keeps_a_block_of_scores(%q: tensor<8x512x64xf32>, %k: tensor<8x32x64x16xf32>, %v: tensor<8x4x512x16xf32>) -> tensor<8x512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<8x512x512xf32>
  %ey = tensor.empty() : tensor<8x512x64xf32>
  %rows = tensor.empty() : tensor<2x4x512xf32>
  %whole = tensor.empty() : tensor<2x4x512x512xf32>
  %s = VPU.NCE.MatMul ins(%q, %k : tensor<8x512x64xf32>, tensor<8x32x64x16xf32>) outs(%es : tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %heads = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 4, 512, 512] : tensor<8x512x512xf32> into tensor<2x4x512x512xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%heads : tensor<2x4x512x512xf32>) outs(%whole : tensor<2x4x512x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x512x512xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<2x4x512xf32>) -> tensor<2x4x512xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x512x512xf32>) outs(%none : tensor<2x4x512xf32>) {
  ^bb0(%a: f32, %t: f32):
    %0 = arith.addf %t, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x512xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x4x512x512xf32>, tensor<2x4x512xf32>) outs(%whole : tensor<2x4x512x512xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %0 = arith.divf %a, %t : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x512x512xf32>
  %joined = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x4x512x512xf32> into tensor<8x512x512xf32>
  %y = VPU.NCE.MatMul ins(%joined, %v : tensor<8x512x512xf32>, tensor<8x4x512x16xf32>) outs(%ey : tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  return %y : tensor<8x512x64xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>

// The rows of a block, of one matrix at a time, are computed at run time, and
// clusters share matrices, or rows where these are few.
// ONE-LABEL: @attention_of_unknown_length
// ONE-COUNT-6: VPU.strategy = #VPU.strategy<group = 1>
// ONE: VPU.strategy = #VPU.strategy<group = 1, block = [1, ?, 0], limits = <bytes = 262144, leastSteps = [1, 16, 16], mostBytes = [0, 0, 0], leastBytes = 65536>>
// TWO-LABEL: @attention_of_unknown_length
// TWO: VPU.strategy = #VPU.strategy<group = 1, pointCost = 3>
// TWO: VPU.strategy = #VPU.strategy<group = 1>
// TWO: VPU.strategy = #VPU.strategy<group = 1, pointCost = 128>
// TWO: VPU.strategy = #VPU.strategy<group = 1, pointCost = 9>
// TWO: VPU.strategy = #VPU.strategy<group = 1, pointCost = 17>
// TWO: VPU.strategy = #VPU.strategy<group = 1>
// TWO: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, ?, 1], grain = 1000, group = 1, block = [1, ?, 0], pointCost = 3, fewSteps = 4, limits = <bytes = 262144, leastSteps = [1, 16, 16], mostBytes = [0, 0, 0], leastBytes = 65536>>
// V3-LABEL: @attention_of_unknown_length
// V3: VPU.strategy = #VPU.strategy<group = 1, pointCost = 5>
// V3: VPU.strategy = #VPU.strategy<group = 1>
// V3: VPU.strategy = #VPU.strategy<group = 1, pointCost = 128>
// V3: VPU.strategy = #VPU.strategy<group = 1, pointCost = 17>
// V3: VPU.strategy = #VPU.strategy<group = 1, pointCost = 33>
// V3: VPU.strategy = #VPU.strategy<group = 1>
// V3: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, ?, 1], grain = 1000, group = 1, block = [1, ?, 0], pointCost = 5, fewSteps = 4, limits = <bytes = 65536, leastSteps = [1, 16, 8], mostBytes = [0, 0, 0], leastBytes = 16384>>
// ARM-LABEL: @attention_of_unknown_length
// ARM: VPU.strategy = #VPU.strategy<group = 1, pointCost = 10>
// ARM: VPU.strategy = #VPU.strategy<group = 1>
// ARM: VPU.strategy = #VPU.strategy<group = 1, pointCost = 128>
// ARM: VPU.strategy = #VPU.strategy<group = 1, pointCost = 33>
// ARM: VPU.strategy = #VPU.strategy<group = 1, pointCost = 65>
// ARM: VPU.strategy = #VPU.strategy<group = 1>
// ARM: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, ?, 1], grain = 1000, group = 1, block = [1, ?, 0], pointCost = 10, fewSteps = 4, limits = <bytes = 131072, leastSteps = [1, 16, 4], mostBytes = [0, 0, 0], leastBytes = 32768>>
// NPU-LABEL: @attention_of_unknown_length
// NPU-NOT: VPU.strategy
func.func @attention_of_unknown_length(%q: tensor<?x?x64xf32>, %k: tensor<?x1x64x?xf32>, %v: tensor<?x1x?x64xf32>, %b: index, %s: index, %t: index) -> tensor<?x?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %n = arith.muli %b, %c4 : index
  %es = tensor.empty(%n, %s, %t) : tensor<?x?x?xf32>
  %ey = tensor.empty(%n, %s) : tensor<?x?x64xf32>
  %rows = tensor.empty(%b, %s) : tensor<?x4x?xf32>
  %whole = tensor.empty(%b, %s, %t) : tensor<?x4x?x?xf32>
  %scores = VPU.NCE.MatMul ins(%q, %k : tensor<?x?x64xf32>, tensor<?x1x64x?xf32>) outs(%es : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %heads = tensor.expand_shape %scores [[0, 1], [2], [3]] output_shape [%b, 4, %s, %t] : tensor<?x?x?xf32> into tensor<?x4x?x?xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%heads : tensor<?x4x?x?xf32>) outs(%whole : tensor<?x4x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x4x?x?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<?x4x?x?xf32>) outs(%none : tensor<?x4x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x4x?xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<?x4x?x?xf32>, tensor<?x4x?xf32>) outs(%whole : tensor<?x4x?x?xf32>) {
  ^bb0(%a: f32, %z: f32, %o: f32):
    %0 = arith.divf %a, %z : f32
    linalg.yield %0 : f32
  } -> tensor<?x4x?x?xf32>
  %joined = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<?x4x?x?xf32> into tensor<?x?x?xf32>
  %y = VPU.NCE.MatMul ins(%joined, %v : tensor<?x?x?xf32>, tensor<?x1x?x64xf32>) outs(%ey : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  return %y : tensor<?x?x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// How many rows of their length fit is computed at run time.
// ONE-LABEL: @rows_of_unknown_length
// ONE-COUNT-2: VPU.strategy = #VPU.strategy<group = 1>
// ONE: VPU.strategy = #VPU.strategy<group = 1, block = [?, 0], limits = <bytes = 131072, leastSteps = [16, 16], mostBytes = [524288, 0], leastBytes = 32768>>
// TWO-LABEL: @rows_of_unknown_length
// TWO: VPU.strategy = #VPU.strategy<group = 1, pointCost = 128>
// TWO: VPU.strategy = #VPU.strategy<group = 1, pointCost = 9>
// TWO: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 1000, group = 1, block = [?, 0], pointCost = 17, limits = <bytes = 131072, leastSteps = [16, 16], mostBytes = [524288, 0], leastBytes = 32768>>
// V3-LABEL: @rows_of_unknown_length
// V3: VPU.strategy = #VPU.strategy<group = 1, pointCost = 128>
// V3: VPU.strategy = #VPU.strategy<group = 1, pointCost = 17>
// V3: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 1000, group = 1, block = [?, 0], pointCost = 33, limits = <bytes = 32768, leastSteps = [16, 8], mostBytes = [131072, 0], leastBytes = 8192>>
// ARM-LABEL: @rows_of_unknown_length
// ARM: VPU.strategy = #VPU.strategy<group = 1, pointCost = 128>
// ARM: VPU.strategy = #VPU.strategy<group = 1, pointCost = 33>
// ARM: VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 1000, group = 1, block = [?, 0], pointCost = 65, limits = <bytes = 65536, leastSteps = [16, 4], mostBytes = [262144, 0], leastBytes = 16384>>
// NPU-LABEL: @rows_of_unknown_length
// NPU-NOT: VPU.strategy
func.func @rows_of_unknown_length(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty(%n) : tensor<?xf32>
  %whole = tensor.empty(%n, %m) : tensor<?x?xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%whole : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<?x?xf32>) outs(%none : tensor<?xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%whole : tensor<?x?xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// One op gains nothing from blocks.
// ONE-LABEL: @single_op_is_no_group
// ONE-NOT: VPU.strategy
func.func @single_op_is_no_group(%x: tensor<512x128xf32>) -> tensor<512x128xf32> {
  %e = tensor.empty() : tensor<512x128xf32>
  %0 = linalg.exp ins(%x : tensor<512x128xf32>) outs(%e : tensor<512x128xf32>) -> tensor<512x128xf32>
  return %0 : tensor<512x128xf32>
}
