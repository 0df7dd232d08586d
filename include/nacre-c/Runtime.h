/*===- Runtime.h - Values that compiled models exchange ----------*- C -*-===*\
|*
|* What a model whose inputs, outputs or intermediate values are no tensors of
|* fixed size needs at run time: values with a size, memory, failures. Plain C99
|* that depends on nothing but the C library. A model that is fixed in size
|* contains none of it, unless its weights are large.
|*
|* Functions may be called from several threads; one value must not be changed
|* by two at a time.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_C_RUNTIME_H
#define NACRE_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types, numbered as in ONNX's TensorProto.DataType. */
enum {
  NACRE_FLOAT32 = 1,
  NACRE_UINT8 = 2,
  NACRE_INT8 = 3,
  NACRE_UINT16 = 4,
  NACRE_INT16 = 5,
  NACRE_INT32 = 6,
  NACRE_INT64 = 7,
  NACRE_STRING = 8, /* const char *, UTF-8 that ends with a zero */
  NACRE_BOOL = 9,
  NACRE_FLOAT16 = 10,
  NACRE_FLOAT64 = 11,
  NACRE_UINT32 = 12,
  NACRE_UINT64 = 13,
  NACRE_COMPLEX64 = 14,  /* two floats, the real part first */
  NACRE_COMPLEX128 = 15, /* two doubles, aligned to 16 bytes */
  NACRE_BFLOAT16 = 16,
  NACRE_FLOAT8E4M3FN = 17,
  NACRE_FLOAT8E4M3FNUZ = 18,
  NACRE_FLOAT8E5M2 = 19,
  NACRE_FLOAT8E5M2FNUZ = 20,
  NACRE_UINT4 = 21, /* of four bits each byte has two, the first in its lower */
  NACRE_INT4 = 22,  /* half, as in ONNX's TensorProto */
  NACRE_FLOAT4E2M1 = 23
};

/* A reference-counted value. */
typedef struct nacre_value nacre_value;

/* A tensor of `rank` dimensions over `data`, row-major, which stays the
   caller's and must outlive the value. The caller owns the result. */
nacre_value *nacre_tensor_wrap(int64_t type, int64_t rank, const int64_t *shape,
                               void *data);

/* A tensor without elements: its dimensions are set to 0. Then
   nacre_tensor_set_dim and, last, nacre_tensor_allocate complete it. The caller
   owns the result; inside a run, the run does. */
nacre_value *nacre_tensor_new(int64_t type, int64_t rank);
void nacre_tensor_set_dim(nacre_value *tensor, int64_t dim, int64_t size);

/* Gives a new tensor memory for its elements, which are undefined. */
char *nacre_tensor_allocate(nacre_value *tensor);

/* What a tensor consists of. The data are row-major. */
int64_t nacre_tensor_type(const nacre_value *tensor);
int64_t nacre_tensor_rank(const nacre_value *tensor);
int64_t nacre_tensor_dim(const nacre_value *tensor, int64_t dim);
char *nacre_tensor_data(const nacre_value *tensor);

/* The number of bytes of an element type; 0 for a number that is none, and for
   types of four bits. */
int64_t nacre_type_size(int64_t type);

/* The number of bytes of a tensor's data. */
int64_t nacre_tensor_bytes(const nacre_value *tensor);

/* A tensor of a type of four bits from one of as many NACRE_UINT8, each with
   the bits of a number at its low end, and the other way round. The caller owns
   the result; inside a run, the run does. */
nacre_value *nacre_tensor_pack(const nacre_value *bytes, int64_t type);
nacre_value *nacre_tensor_unpack(const nacre_value *tensor);

/* A tensor of copies of strings. The caller owns the result; inside a run, the
   run does. So it is for the two below. */
nacre_value *nacre_tensor_of_strings(int64_t rank, const int64_t *shape,
                                     const char *const *strings);

/* A sequence of tensors of one element type, and an optional of a value, or of
   nothing if that is null. Both become owners of what they hold. */
nacre_value *nacre_sequence_new(int64_t length, nacre_value *const *elements);
nacre_value *nacre_optional_new(nacre_value *value);

/* A map of the values, a vector of NACRE_INT64, NACRE_FLOAT32, NACRE_FLOAT64 or
   NACRE_STRING, by the keys, as long a vector of NACRE_INT64 or NACRE_STRING.
   It becomes an owner of both. */
nacre_value *nacre_map_new(nacre_value *keys, nacre_value *values);

/* The two vectors of a map, which stay its own. */
nacre_value *nacre_map_keys(const nacre_value *map);
nacre_value *nacre_map_values(const nacre_value *map);

/* How many values a sequence or an optional holds, 0 for a tensor, and one of
   them, which stays its own; null for a position that there is none at. */
int64_t nacre_length(const nacre_value *list);
nacre_value *nacre_element(const nacre_value *list, int64_t position);

/* 1 for a tensor, 0 for another value. So it is for maps. */
int64_t nacre_is_tensor(const nacre_value *value);
int64_t nacre_is_map(const nacre_value *value);

/* One more and one less owner. The last one to release a value frees it. Null
   is allowed. */
nacre_value *nacre_retain(nacre_value *value);
void nacre_release(nacre_value *value);

/* Replaces the allocation functions, for all threads, before the first use:
   `allocate` gives `size` bytes, aligned to `alignment`, or null; `deallocate`
   takes what it gave. */
void nacre_set_allocator(void *(*allocate)(size_t size, size_t alignment),
                         void (*deallocate)(void *block));

/* Frees what is kept for later runs: the memory of the large buffers of as many
   runs as there were at the same time, each as large as its last one needed. */
void nacre_trim(void);

/* Why the last run on this thread failed; the empty string if it did not. */
const char *nacre_error(void);

/*===----------------------------------------------------------------------===*\
|* For compiled models.
\*===----------------------------------------------------------------------===*/

/* Calls `body`, which may call nacre_fail; what it allocates and does not keep
   is freed afterwards. Returns 0, or 3 if it failed. */
int nacre_run(void (*body)(void *argument), void *argument);

/* A run that threads share: each calls nacre_run_part for what it does of it,
   and when all are done, the one that has the run calls nacre_run_join, which
   ends it if a part failed. A part that would begin after that does nothing. */
struct nacre_run *nacre_run_current(void);
void nacre_run_part(struct nacre_run *whole, void (*body)(void *argument),
                    void *argument);
void nacre_run_join(struct nacre_run *whole);

/* Ends the innermost run, or part of one, on this thread. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void nacre_fail(const char *message);

/* Memory of the run, aligned to 64 bytes. Fails the run if there is none. What
   a part of a run takes is freed when the part ends. */
void *nacre_alloc(size_t size);
void nacre_free(void *block);

/* Asks the system to keep weights in huge pages, before anything reads them. */
void nacre_map_weights(const char *weights, size_t bytes);

/* Takes the huge pages that lie within these bytes out of the process, if they
   are of a file: the next access finds them there, or in the system's cache. */
void nacre_release_weights(const char *weights, size_t bytes);

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
/* Whether each matches a pattern as a whole (see nacre/Runtime/Regex.h). */
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

#endif /* NACRE_C_RUNTIME_H */
