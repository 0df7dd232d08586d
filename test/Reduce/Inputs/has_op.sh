#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Of interest is a graph with the op that the first argument names.
! grep -q "$1" "$2"
