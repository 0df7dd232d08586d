/*===- Compiled.h - What compiled models call --------------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The part of the runtime that only generated code calls: runs and their
|* memory, checks of what a run is given, and ONNX's operators on sequences,
|* maps and strings. A model that is fixed in size contains none of it, unless
|* its weights are large. Programs need Runtime.h alone.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_C_COMPILED_H
#define NACRE_C_COMPILED_H

#include "nacre-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls `body`, which may call nacre_fail; what it allocates and does not keep
   is freed afterwards. Returns NACRE_OK or NACRE_FAILED. */
int nacre_run(void (*body)(void *argument), void *argument);

/* A run that threads share: each calls nacre_run_part for what it does of it,
   and when all are done, the one that has the run calls nacre_run_join, which
   ends it if a part failed. A part that would begin after that does nothing. */
struct nacre_run *nacre_run_current(void);
void nacre_run_part(struct nacre_run *whole, void (*body)(void *argument),
                    void *argument);
void nacre_run_join(struct nacre_run *whole);

/* Calls `part` once for each index below `count`, on this thread and as many
   others that `threads`, all of them together, allows and the machine has, and
   returns when all calls have. Which thread makes which call varies. No part
   may end the run. `step` is `part`, or another function that stands for this
   step: how long it takes is measured. */
void nacre_share(void (*step)(void *frame, uint64_t index),
                 void (*part)(void *frame, uint64_t index), void *frame,
                 uint64_t count, uint32_t threads);

/* The same through `share`, which is nacre_share, for parts that may end the
   run: each ends by itself, and the run when all have. */
void nacre_run_share(void (*share)(void (*step)(void *frame, uint64_t index),
                                   void (*part)(void *frame, uint64_t index),
                                   void *frame, uint64_t count,
                                   uint32_t threads),
                     void (*part)(void *frame, uint64_t index), void *frame,
                     uint64_t count, uint32_t threads);

/* Makes `reason` what nacre_error says, and returns `status`: of a call that
   ends before a run begins. */
int nacre_refuse(int status, const char *reason);

/* Ends the innermost run, or part of one, on this thread. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void nacre_fail(const char *message);

/* Memory of the run, aligned to 64 bytes. Fails the run if there is none. What
   a part of a run takes is freed when the part ends. Compiled code counts with
   64 bits on every machine. */
void *nacre_alloc(uint64_t size);
void nacre_free(void *block);

/* Asks the system to keep weights in huge pages, before anything reads them. */
void nacre_map_weights(const char *weights, uint64_t bytes);

/* Takes the huge pages that lie within these bytes out of the process, if they
   are of a file: the next access finds them there, or in the system's cache. */
void nacre_release_weights(const char *weights, uint64_t bytes);

/* One more and one less owner in this run. What the run made and no part of it
   owns is freed, unless something else that lives holds it; but for strings,
   which stay until the run ends, since its tensors may have pointers to their
   characters. Both leave values alone that the run did not make. What the
   functions below give has one owner more. */
void nacre_keep(nacre_value *value);
void nacre_drop(nacre_value *value);

/* Fails the run unless `value` is a tensor of this type and rank. */
void nacre_check_tensor(const nacre_value *value, int64_t type, int64_t rank,
                        const char *name);

/* Fails the run unless a dimension of `tensor`, an input, has this size. */
void nacre_check_dim(const nacre_value *tensor, int64_t dim, int64_t size,
                     const char *name);

/* Fail the run unless `value` is a sequence, or an optional. */
void nacre_check_sequence(const nacre_value *value, const char *name);
void nacre_check_optional(const nacre_value *value, const char *name);

/* Fails the run unless `value` is a map of these types of keys and values. */
void nacre_check_map(const nacre_value *value, int64_t key, int64_t type,
                     const char *name);

/* Replaces the elements of a new tensor of strings by copies of its own. */
void nacre_tensor_own_strings(nacre_value *tensor);

/* ONNX's operators on sequences and optionals. Each fails the run where ONNX
   says that it is an error. Negative positions and axes count from the end.
   Operands stay as they are; their elements are shared. */
nacre_value *nacre_sequence_empty(void);
nacre_value *nacre_sequence_append(const nacre_value *sequence,
                                   nacre_value *element);
nacre_value *nacre_sequence_insert(const nacre_value *sequence,
                                   nacre_value *element, int64_t position);
nacre_value *nacre_sequence_erase(const nacre_value *sequence,
                                  int64_t position);
nacre_value *nacre_sequence_erase_last(const nacre_value *sequence);
/* The same, of a sequence that loses an owner: the sequence itself, changed,
   where it had no other. */
nacre_value *nacre_sequence_append_in_place(nacre_value *sequence,
                                            nacre_value *element);
nacre_value *nacre_sequence_insert_in_place(nacre_value *sequence,
                                            nacre_value *element,
                                            int64_t position);
nacre_value *nacre_sequence_erase_in_place(nacre_value *sequence,
                                           int64_t position);
nacre_value *nacre_sequence_erase_last_in_place(nacre_value *sequence);
nacre_value *nacre_sequence_at(const nacre_value *sequence, int64_t position);
/* Single parts along the axis, without it unless `keeps_axis`; parts of one
   size but for the last; parts of the sizes in a tensor of i32 or i64. */
nacre_value *nacre_sequence_split_each(const nacre_value *tensor, int64_t axis,
                                       int64_t keeps_axis);
nacre_value *nacre_sequence_split_evenly(const nacre_value *tensor,
                                         int64_t axis, int64_t size);
nacre_value *nacre_sequence_split(const nacre_value *tensor, int64_t axis,
                                  const nacre_value *sizes);
nacre_value *nacre_sequence_concat(const nacre_value *sequence, int64_t axis);
nacre_value *nacre_sequence_stack(const nacre_value *sequence, int64_t axis);
nacre_value *nacre_optional_none(void);
nacre_value *nacre_optional_get(const nacre_value *optional);

/* A sequence of maps, each of a row of `scores`, a matrix or one row, by
   `labels`. */
nacre_value *nacre_map_zip(nacre_value *labels, const nacre_value *scores);
/* A sequence of two rows: the values of keys, and whether there is one; 0 or an
   empty string where not. */
nacre_value *nacre_map_get(const nacre_value *map, const nacre_value *keys);
/* A row of all values, in the order of the keys. */
nacre_value *nacre_map_sorted_values(const nacre_value *map);

/* ONNX's operators on strings. Numbers are read and written as NumPy does it,
   letters change by Unicode's simple case mappings. */
/* A vector of `count` strings that lie one after the other, each with a zero at
   its end. */
nacre_value *nacre_string_constant(const char *texts, int64_t count);
nacre_value *nacre_string_write(const nacre_value *numbers);
nacre_value *nacre_string_read(const nacre_value *texts, int64_t type);
nacre_value *nacre_string_equal(const nacre_value *a, const nacre_value *b);
nacre_value *nacre_string_concat(const nacre_value *a, const nacre_value *b);
/* `action` is 0 for none, 1 for lower, 2 for upper case; `stopwords` are a
   vector, or null for none. */
nacre_value *nacre_string_normalize(const nacre_value *texts, int64_t action,
                                    int64_t is_case_sensitive,
                                    const nacre_value *stopwords);
/* Whether each matches a pattern as a whole (see nacre-c/Regex.h). */
nacre_value *nacre_string_match(const nacre_value *texts, const char *pattern);
/* For each the number of the different ones that are less, byte by byte. */
nacre_value *nacre_string_ranks(const nacre_value *texts);
/* A sequence of the parts and their numbers. An empty delimiter is white space,
   a negative limit none. */
nacre_value *nacre_string_split(const nacre_value *texts, const char *delimiter,
                                int64_t limit);

#ifdef __cplusplus
}
#endif

#endif /* NACRE_C_COMPILED_H */
