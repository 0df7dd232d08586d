// RUN: nacre-opt %s | nacre-opt | FileCheck %s

// CHECK-LABEL: func @strategies
func.func @strategies() attributes {
  // CHECK-SAME: a = #VPU.strategy<>
  a = #VPU.strategy<>,
  // CHECK-SAME: b = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1], tiles = [1, 1, 4, 1, 1], fused = [producer, unblocking], wideningBlocks = 2>
  b = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1], tiles = [1, 1, 4, 1, 1], fused = [producer, unblocking], wideningBlocks = 2>,
  // CHECK-SAME: c = #VPU.strategy<multiCluster = SplitOverBatch, parts = [?, ?, 1], grain = 100>
  c = #VPU.strategy<multiCluster = SplitOverBatch, parts = [?, ?, 1], grain = 100>,
  // CHECK-SAME: d = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2], rest = 8>
  d = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2], rest = 8>,
  // CHECK-SAME: e = #VPU.strategy<padInPlace = true>
  e = #VPU.strategy<padInPlace = true>,
  // CHECK-SAME: f = #VPU.strategy<algorithm = winograd, winogradTile = 2>
  f = #VPU.strategy<algorithm = winograd, winogradTile = 2>,
  // CHECK-SAME: g = #VPU.strategy<algorithm = direct, tiles = [1, 2]>
  g = #VPU.strategy<algorithm = direct, tiles = [1, 2]>,
  // CHECK-SAME: h = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1], group = 3, block = [16, 0]>
  h = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1], group = 3, block = [16, 0]>,
  // CHECK-SAME: i = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 100, group = 3, block = [?, 0], pointCost = 72, limits = <bytes = 65536, leastSteps = [16, 1], mostBytes = [262144, 0], leastBytes = 16384>>
  i = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 100, group = 3, block = [?, 0], pointCost = 72, limits = <bytes = 65536, leastSteps = [16, 1], mostBytes = [262144, 0], leastBytes = 16384>>,
  // CHECK-SAME: j = #VPU.strategy<tiles = [1, 1, ?, 1, 1], limits = <bytes = 262144, leastPixels = 6>>
  j = #VPU.strategy<tiles = [1, 1, ?, 1, 1], limits = <bytes = 262144, leastPixels = 6>>,
  // CHECK-SAME: k = #VPU.strategy<chunk = [2, 14]>
  k = #VPU.strategy<chunk = [2, 14]>,
  // CHECK-SAME: l = #VPU.strategy<kernel = <>>
  l = #VPU.strategy<kernel = <>>,
  // CHECK-SAME: m = #VPU.strategy<kernel = <registers = [<columns = 14, vectors = 2>, <rows = 2, columns = 7>], skipBorder = [rows]>>
  m = #VPU.strategy<kernel = <registers = [<columns = 14, vectors = 2>, <rows = 2, columns = 7, vectors = 1>], skipBorder = [rows]>>,
  // CHECK-SAME: n = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>, <>]>>
  n = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>, <>]>>,
  // CHECK-SAME: o = #VPU.strategy<kernel = <prefetchWeights = true, skipBorder = [rows, columns], lowBitTile = <stepWords = 4, pieceWords = 8, rowTiles = 4, panels = 2, pieces = 16>>>
  o = #VPU.strategy<kernel = <prefetchWeights = true, skipBorder = [rows, columns], lowBitTile = <stepWords = 4, pieceWords = 8, rowTiles = 4, panels = 2, pieces = 16>>>,
  // CHECK-SAME: p = #VPU.strategy<kernel = <matrixTiles = <pixelsFirst = true, streamRight = true>>>
  p = #VPU.strategy<kernel = <matrixTiles = <pixelsFirst = true, streamRight = true>>>,
  // CHECK-SAME: q = #VPU.strategy<kernel = <registers = [<columns = 5>], prefetchBytes = 2048, rollWindow = true>>
  q = #VPU.strategy<kernel = <registers = [<columns = 5>], prefetchBytes = 2048, rollWindow = true>>,
  // CHECK-SAME: r = #VPU.strategy<kernel = <registers = [<columns = 8, vectors = 2>], prefetchWeights = true, stagedColumns = <inputs = 2, outputs = 3>>>
  r = #VPU.strategy<kernel = <registers = [<columns = 8, vectors = 2>], prefetchWeights = true, stagedColumns = <inputs = 2, outputs = 3>>>,
  // CHECK-SAME: ra = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2, widenRows = true, steps = 4>], prefetchPixels = true>>
  ra = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2, widenRows = true, steps = 4>], prefetchPixels = true>>,
  // CHECK-SAME: s = #VPU.strategy<kernel = <loops = <innermost = 0, unrolled = 1>>>
  s = #VPU.strategy<kernel = <loops = <innermost = 0, unrolled = 1>>>,
  // CHECK-SAME: t = #VPU.strategy<kernel = <loops = <blockEdge = 16>>>
  t = #VPU.strategy<kernel = <loops = <blockEdge = 16>>>,
  // CHECK-SAME: u = #VPU.strategy<kernel = <loops = <byteProduct = <perLane = 4, rows = 8, columns = 2048, byParts = true>>>>
  u = #VPU.strategy<kernel = <loops = <byteProduct = <perLane = 4, rows = 8, columns = 2048, byParts = true>>>>,
  // CHECK-SAME: v = #VPU.strategy<algorithm = standingLines>
  v = #VPU.strategy<algorithm = standingLines>,
  // CHECK-SAME: w = #VPU.strategy<blockParts = 4>
  w = #VPU.strategy<blockParts = 4>,
  // CHECK-SAME: x = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, ?], grain = 100, group = 3, block = [1, 1], pointCost = 72, fewSteps = 4>
  x = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, ?], grain = 100, group = 3, block = [1, 1], pointCost = 72, fewSteps = 4>,
  // CHECK-SAME: x1 = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 1, shareRest = true>
  x1 = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 1, shareRest = true>,
  // CHECK-SAME: y = #VPU.strategy<merge = 2>
  y = #VPU.strategy<merge = 2>,
  // CHECK-SAME: z = #VPU.strategy<chunk = [2, 14], prefetchInput = true>
  z = #VPU.strategy<chunk = [2, 14], prefetchInput = true>,
  // CHECK-SAME: z1 = #VPU.strategy<kernel = <loops = <joinStored = true>>>
  z1 = #VPU.strategy<kernel = <loops = <joinStored = true>>>
} {
  return
}
