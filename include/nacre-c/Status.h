/*===- Status.h - What a call of a compiled model returns --------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* NAME.h repeats it for every model.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_C_STATUS_H
#define NACRE_C_STATUS_H

enum {
  NACRE_OK = 0,
  /* This CPU lacks instructions that the model was compiled for, or the system
     refuses them to this process. */
  NACRE_UNSUPPORTED_CPU = 1,
  /* A pointer is null, or the arena is misaligned. */
  NACRE_BAD_POINTER = 2,
  /* The inputs do not fit the model, or memory is short. */
  NACRE_FAILED = 3
};

#endif /* NACRE_C_STATUS_H */
