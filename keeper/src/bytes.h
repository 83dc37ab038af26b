/* A growable byte buffer and a bounds-checked reader: everything that is parsed or sent passes through these. */
#ifndef HOLDFAST_BYTES_H
#define HOLDFAST_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes [start, length) are live. Zero-initialised = empty. */
struct buffer {
  uint8_t *data;
  size_t start, length, capacity;
  bool failed; /* memory was short and something is missing: what is built here must not be used */
};

/* False when memory is short; the content is then unchanged. */
bool buffer_reserve(struct buffer *buffer, size_t more);
bool buffer_add(struct buffer *buffer, const void *data, size_t n);
void buffer_add_u8(struct buffer *buffer, uint8_t value);
void buffer_add_u16(struct buffer *buffer, uint16_t value);
void buffer_add_u32(struct buffer *buffer, uint32_t value);
void buffer_add_u64(struct buffer *buffer, uint64_t value);
void buffer_add_bytes(struct buffer *buffer, const void *data, size_t n);
void buffer_consume(struct buffer *buffer, size_t n);
/* Gives the memory back: an idle keeper holds no buffers. */
void buffer_free(struct buffer *buffer);
static inline size_t buffer_size(const struct buffer *buffer) { return buffer->length - buffer->start; }
static inline uint8_t *buffer_head(const struct buffer *buffer) { return buffer->data + buffer->start; }

/* Reads never pass `end`; the first one that would sets `bad` and yields zeros from then on. */
struct cursor {
  const uint8_t *at, *end;
  bool bad;
};
struct slice {
  const uint8_t *data;
  size_t length;
};

struct cursor cursor_of(const void *data, size_t n);
uint8_t cursor_u8(struct cursor *cursor);
uint16_t cursor_u16(struct cursor *cursor);
uint32_t cursor_u32(struct cursor *cursor);
uint64_t cursor_u64(struct cursor *cursor);
struct slice cursor_bytes(struct cursor *cursor);
struct slice cursor_rest(struct cursor *cursor);

#endif
