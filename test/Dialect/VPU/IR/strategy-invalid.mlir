// RUN: nacre-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected parts to be positive or `?`, found 0}}
func.func @no_parts() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 0]>}

// -----

// expected-error@+1 {{expected as many tiles as parts, found 3 and 2}}
func.func @other_rank() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2], tiles = [1, 1, 2]>}

// -----

// expected-error@+1 {{unexpected parts with multiCluster = Clustering}}
func.func @parts_of_one_cluster() attributes {a = #VPU.strategy<parts = [1, 2]>}

// -----

// expected-error@+1 {{expected parts with multiCluster = SplitOverHeight}}
func.func @no_parts_of_several_clusters() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight>}

// -----

// expected-error@+1 {{expected a positive grain of 31 bits exactly where parts are computed at run time, found 0}}
func.func @no_grain() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, ?]>}

// -----

// expected-error@+1 {{expected a positive grain of 31 bits exactly where parts are computed at run time, found 5}}
func.func @grain_of_known_parts() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2], grain = 5>}

// -----

// expected-error@+1 {{expected no negative number, found rest = -1 and wideningBlocks = 0}}
func.func @negative_rest() attributes {a = #VPU.strategy<rest = -1>}

// -----

// expected-error@+1 {{expected SplitOverKernel with rest = 8, found SplitOverHeight}}
func.func @rest_of_rows() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2], rest = 8>}

// -----

// expected-error@+1 {{expected padInPlace alone: a copy that is not there has no loops}}
func.func @tiles_of_no_copy() attributes {a = #VPU.strategy<tiles = [1, 2], padInPlace = true>}

// -----

// expected-error@+2 {{expected '['}}
// expected-error@+1 {{failed to parse VPU_StrategyAttr parameter 'tiles'}}
func.func @no_list() attributes {a = #VPU.strategy<tiles = 2>}

// -----

// expected-error@+2 {{expected producer or unblocking, found reader}}
// expected-error@+1 {{failed to parse VPU_StrategyAttr parameter 'fused'}}
func.func @other_neighbour() attributes {a = #VPU.strategy<fused = [reader]>}

// -----

// expected-error@+1 {{expected winogradTile to be 2 or 4 with algorithm = winograd, found 3}}
func.func @other_tile() attributes {a = #VPU.strategy<algorithm = winograd, winogradTile = 3>}

// -----

// expected-error@+1 {{expected algorithm = winograd with winogradTile = 2, found direct}}
func.func @tile_of_the_direct_algorithm() attributes {a = #VPU.strategy<algorithm = direct, winogradTile = 2>}

// -----

// expected-error@+1 {{expected padInPlace alone: a copy that is not there has no loops}}
func.func @algorithm_of_a_copy() attributes {a = #VPU.strategy<algorithm = direct, padInPlace = true>}

// -----

// expected-error@+1 {{expected group to be from 1 to 2147483647, found 0}}
func.func @block_of_no_group() attributes {a = #VPU.strategy<block = [16, 0]>}

// -----

// expected-error@+1 {{expected no negative size of a block, found -2}}
func.func @negative_block() attributes {a = #VPU.strategy<group = 1, block = [-2, 0]>}

// -----

// expected-error@+1 {{expected as many sizes of a block as parts, found 1 and 2}}
func.func @block_of_another_rank() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1], group = 1, block = [16]>}

// -----

// expected-error@+1 {{expected parts and a block alone with group = 1}}
func.func @tiles_of_a_group() attributes {a = #VPU.strategy<tiles = [2, 1], group = 1>}

// -----

// expected-error@+1 {{expected limits exactly where tiles or a block are computed at run time}}
func.func @tiles_without_limits() attributes {a = #VPU.strategy<tiles = [1, 1, ?, 1, 1]>}

// -----

// expected-error@+1 {{expected limits exactly where tiles or a block are computed at run time}}
func.func @limits_of_known_tiles() attributes {a = #VPU.strategy<tiles = [1, 1, 2, 1, 1], limits = <bytes = 1024, leastPixels = 6>>}

// -----

// expected-error@+1 {{expected leastPixels in the limits of tiles}}
func.func @limits_of_a_block_for_tiles() attributes {a = #VPU.strategy<tiles = [1, 1, ?, 1, 1], limits = <bytes = 1024, leastSteps = [1], mostBytes = [0]>>}

// -----

// expected-error@+1 {{expected as many leastSteps as sizes of a block, found 1 and 2}}
func.func @limits_of_other_loops() attributes {a = #VPU.strategy<group = 1, block = [?, 0], limits = <bytes = 1024, leastSteps = [1], mostBytes = [0]>>}

// -----

// expected-error@+1 {{expected a positive number of bytes, and mostBytes from 0, of up to 40 bits}}
func.func @no_bytes() attributes {a = #VPU.tile_limits<bytes = 0, leastPixels = 6>}

// -----

// expected-error@+1 {{expected leastSteps from 1 and leastPixels from 0, both up to 1048576}}
func.func @no_steps() attributes {a = #VPU.tile_limits<bytes = 1024, leastSteps = [0], mostBytes = [0]>}

// -----

// expected-error@+1 {{expected mostBytes for each of leastSteps, found 1 and 2}}
func.func @bytes_of_other_loops() attributes {a = #VPU.tile_limits<bytes = 1024, leastSteps = [1, 1], mostBytes = [0]>}

// -----

// expected-error@+1 {{expected either leastSteps, of a group, or leastPixels, of an image}}
func.func @steps_and_pixels() attributes {a = #VPU.tile_limits<bytes = 1024, leastSteps = [1], mostBytes = [0], leastPixels = 6>}

// -----

// expected-error@+1 {{expected leastBytes, of steps of a group, from 0 to 1024, found 1025}}
func.func @more_bytes_than_there_are() attributes {a = #VPU.tile_limits<bytes = 1024, leastSteps = [1], mostBytes = [0], leastBytes = 1025>}

// -----

// expected-error@+1 {{expected leastBytes, of steps of a group, from 0 to 0, found 1}}
func.func @bytes_of_steps_for_pixels() attributes {a = #VPU.tile_limits<bytes = 1024, leastBytes = 1, leastPixels = 6>}

// -----

// expected-error@+1 {{expected a pointCost of 31 bits on members of a group alone, found 3}}
func.func @cost_of_no_member() attributes {a = #VPU.strategy<pointCost = 3>}

// -----

// expected-error@+1 {{expected numbers of a chunk from 1 to 2147483647, found 0}}
func.func @empty_chunk() attributes {a = #VPU.strategy<chunk = [0, 4]>}

// -----

// expected-error@+1 {{expected a chunk alone: it is chosen when loops have been made}}
func.func @chunk_of_a_tile() attributes {a = #VPU.strategy<tiles = [1, 2], chunk = [4]>}

// -----

// expected-error@+1 {{expected kernel alone: it is chosen when loops and scratch memory are there}}
func.func @kernel_of_a_tile() attributes {a = #VPU.strategy<tiles = [1, 2], kernel = <>>}

// -----

// expected-error@+1 {{expected kernel alone: it is chosen when loops and scratch memory are there}}
func.func @kernel_of_a_chunk() attributes {a = #VPU.strategy<chunk = [4], kernel = <>>}

// -----

// expected-error@+1 {{expected rows, columns and vectors of a register tile from 1 to 1024, found 0}}
func.func @no_vectors() attributes {a = #VPU.register_tile<columns = 14, vectors = 0>}

// -----

// expected-error@+1 {{expected rows, columns and vectors of a register tile from 1 to 1024, found 1025}}
func.func @too_many_columns() attributes {a = #VPU.register_tile<columns = 1025>}

// -----

// expected-error@+1 {{expected steps of a register tile from 0, found -1}}
func.func @negative_steps() attributes {a = #VPU.register_tile<steps = -1>}

// -----

// expected-error@+1 {{expected positive sizes of 31 bits, found 0}}
func.func @no_pieces() attributes {a = #VPU.low_bit_tile<stepWords = 4, pieceWords = 8, rowTiles = 4, panels = 2, pieces = 0>}

// -----

// expected-error@+1 {{expected stepWords to divide pieceWords, found 3 and 8}}
func.func @uneven_steps() attributes {a = #VPU.low_bit_tile<stepWords = 3, pieceWords = 8, rowTiles = 4, panels = 2, pieces = 1>}

// -----

// expected-error@+1 {{expected even numbers of rowTiles and panels, found 4 and 1}}
func.func @one_panel() attributes {a = #VPU.low_bit_tile<stepWords = 4, pieceWords = 8, rowTiles = 4, panels = 1, pieces = 1>}

// -----

// expected-error@+1 {{expected stripTiles exactly with more than one of pieces, or with windowRows, found 0, 4 and 0}}
func.func @pieces_without_strips() attributes {a = #VPU.matrix_tiles<pieces = 4>}

// -----

// expected-error@+1 {{expected no joinRows with windowRows = 2}}
func.func @window_rows_of_joined_rows() attributes {a = #VPU.matrix_tiles<joinRows = true, windowRows = 2, stripTiles = 8>}

// -----

// expected-error@+1 {{expected no pieces with windowRows = 2}}
func.func @window_rows_and_pieces() attributes {a = #VPU.matrix_tiles<pieces = 4, windowRows = 2, stripTiles = 8>}

// -----

// expected-error@+1 {{expected no pixelsFirst with stripTiles}}
func.func @order_of_strips() attributes {a = #VPU.matrix_tiles<pieces = 4, stripTiles = 8, pixelsFirst = true>}

// -----

// expected-error@+1 {{expected no streamRight with stripTiles}}
func.func @right_tiles_of_strips() attributes {a = #VPU.matrix_tiles<pieces = 4, stripTiles = 8, streamRight = true>}

// -----

// expected-error@+1 {{expected sizes of 31 bits and at least one of pieces, found 0, windowRows = 0 and stripTiles = 0}}
func.func @no_pieces_of_blocks() attributes {a = #VPU.matrix_tiles<pieces = 0>}

// -----

// expected-error@+2 {{expected rows or columns, found corners}}
// expected-error@+1 {{failed to parse VPU_KernelStrategyAttr parameter 'skipBorder'}}
func.func @other_edge() attributes {a = #VPU.kernel_strategy<skipBorder = [corners]>}

// -----

// expected-error@+1 {{expected at most 1024 rowTiles and panels, found 2048 and 2}}
func.func @too_many_row_tiles() attributes {a = #VPU.low_bit_tile<stepWords = 4, pieceWords = 8, rowTiles = 2048, panels = 2, pieces = 1>}

// -----

// expected-error@+1 {{expected no negative numbers of staged columns, found inputs = -1 and outputs = 2}}
func.func @columns_that_are_not_there() attributes {a = #VPU.staged_columns<inputs = -1, outputs = 2>}

// -----

// expected-error@+1 {{expected prefetchBytes of 31 bits, found -64}}
func.func @prefetch_of_what_was_read() attributes {a = #VPU.kernel_strategy<prefetchBytes = -64>}

// -----

// expected-error@+1 {{expected blockParts of 31 bits, found -1}}
func.func @negative_parts_of_blocks() attributes {a = #VPU.strategy<blockParts = -1>}

// -----

// expected-error@+1 {{expected blockParts alone: they are chosen before weights are packed}}
func.func @parts_of_blocks_with_tiles() attributes {a = #VPU.strategy<blockParts = 2, tiles = [1, 2]>}

// -----

// expected-error@+1 {{expected loops alone: they are of software kernels, and the other fields of ops of the engine}}
func.func @loops_with_registers() attributes {a = #VPU.kernel_strategy<registers = [<columns = 2>], loops = <>>}

// -----

// expected-error@+1 {{expected numbers of loops from 0, found innermost = -2 and unrolled = -1}}
func.func @negative_loop() attributes {a = #VPU.kernel_loops<innermost = -2>}

// -----

// expected-error@+1 {{expected another innermost loop with unrolled = 1, found -1}}
func.func @unrolled_without_an_innermost_loop() attributes {a = #VPU.kernel_loops<unrolled = 1>}

// -----

// expected-error@+1 {{expected another innermost loop with unrolled = 1, found 1}}
func.func @unrolled_innermost_loop() attributes {a = #VPU.kernel_loops<innermost = 1, unrolled = 1>}

// -----

// expected-error@+1 {{expected blockEdge to be a power of two from 2 to 64, found 12}}
func.func @uneven_block() attributes {a = #VPU.kernel_loops<blockEdge = 12>}

// -----

// expected-error@+1 {{expected fewSteps, up to 1048576, where parts of two loops are `?`, found 4}}
func.func @few_steps_of_one_loop() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 100, group = 3, fewSteps = 4>}

// -----

// expected-error@+1 {{expected fewSteps, up to 1048576, where parts of two loops are `?`, found -1}}
func.func @negative_steps() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, ?], grain = 100, group = 3, fewSteps = -1>}

// -----

// expected-error@+1 {{expected shareRest with parts = [?] of a loop alone}}
func.func @rest_of_known_parts() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2], shareRest = true>}

// -----

// expected-error@+1 {{expected shareRest with parts = [?] of a loop alone}}
func.func @rest_of_a_group() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 1, group = 1, shareRest = true>}

// -----

// expected-error@+1 {{expected merge of 31 bits, found -1}}
func.func @negative_set() attributes {a = #VPU.strategy<merge = -1>}

// -----

// expected-error@+1 {{expected merge alone: reductions that become one op are in no group}}
func.func @set_in_a_group() attributes {a = #VPU.strategy<group = 1, merge = 1>}

// -----

// expected-error@+1 {{expected no loops with prefetchInput: it is chosen when they have been made}}
func.func @prefetched_input_with_parts() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2], prefetchInput = true>}

// -----

// expected-error@+1 {{expected kernel alone: it is chosen when loops and scratch memory are there}}
func.func @prefetched_input_with_registers() attributes {a = #VPU.strategy<prefetchInput = true, kernel = <registers = [<columns = 2>]>>}

// -----

// expected-error@+1 {{expected one of innermost, blockEdge, byteProduct and joinStored}}
func.func @joined_block() attributes {a = #VPU.kernel_loops<blockEdge = 8, joinStored = true>}

// -----

// expected-error@+1 {{expected one of innermost, blockEdge, byteProduct and joinStored}}
func.func @block_with_an_innermost_loop() attributes {a = #VPU.kernel_loops<innermost = 1, blockEdge = 8>}

// -----

// expected-error@+1 {{expected perLane to be 2 or 4, found 3}}
func.func @three_per_lane() attributes {a = #VPU.byte_product<perLane = 3, rows = 6, columns = 64>}

// -----

// expected-error@+1 {{expected rows to be a multiple of perLane = 4 up to 64, found 6}}
func.func @rows_of_a_part_of_a_lane() attributes {a = #VPU.byte_product<perLane = 4, rows = 6, columns = 64>}

// -----

// expected-error@+1 {{expected a positive number of columns of 31 bits, found 0}}
func.func @no_columns() attributes {a = #VPU.byte_product<perLane = 4, rows = 8, columns = 0>}

// -----

// expected-error@+1 {{expected perLane = 4 with byParts, found 2}}
func.func @parts_of_words() attributes {a = #VPU.byte_product<perLane = 2, rows = 8, columns = 64, byParts = true>}
