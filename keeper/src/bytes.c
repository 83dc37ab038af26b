#include "bytes.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_KEPT = 1024 };

bool buffer_reserve(struct buffer *buffer, size_t more) {
  if (buffer->start > 0 && buffer->start == buffer->length) buffer->start = buffer->length = 0;
  if (buffer->capacity - buffer->length >= more) return true;
  if (buffer->start > 0) {
    memmove(buffer->data, buffer_head(buffer), buffer_size(buffer));
    buffer->length -= buffer->start;
    buffer->start = 0;
    if (buffer->capacity - buffer->length >= more) return true;
  }
  size_t wanted = buffer->capacity ? buffer->capacity : 512;
  while (wanted - buffer->length < more) wanted *= 2;
  uint8_t *grown = realloc(buffer->data, wanted);
  if (!grown) {
    buffer->failed = true;
    return false;
  }
  buffer->data = grown;
  buffer->capacity = wanted;
  return true;
}

bool buffer_add(struct buffer *buffer, const void *data, size_t n) {
  if (!buffer_reserve(buffer, n)) return false;
  if (n) memcpy(buffer->data + buffer->length, data, n);
  buffer->length += n;
  return true;
}

static void add_number(struct buffer *buffer, uint64_t value, size_t width) {
  uint8_t encoded[8];
  for (size_t i = 0; i < width; i++) encoded[i] = (uint8_t)(value >> (8 * i));
  buffer_add(buffer, encoded, width);
}

void buffer_add_u8(struct buffer *buffer, uint8_t value) { add_number(buffer, value, 1); }
void buffer_add_u16(struct buffer *buffer, uint16_t value) { add_number(buffer, value, 2); }
void buffer_add_u32(struct buffer *buffer, uint32_t value) { add_number(buffer, value, 4); }
void buffer_add_u64(struct buffer *buffer, uint64_t value) { add_number(buffer, value, 8); }

void buffer_add_bytes(struct buffer *buffer, const void *data, size_t n) {
  buffer_add_u32(buffer, (uint32_t)n);
  buffer_add(buffer, data, n);
}

void buffer_consume(struct buffer *buffer, size_t n) {
  buffer->start += n;
  if (buffer->start < buffer->length) return;
  /* A small one is kept for the next frame: returning the page each time costs more than the page. */
  if (buffer->capacity > BUFFER_KEPT) buffer_free(buffer);
  buffer->start = buffer->length = 0;
  buffer->failed = false;
}

void buffer_free(struct buffer *buffer) {
  free(buffer->data);
  *buffer = (struct buffer){0};
}

struct cursor cursor_of(const void *data, size_t n) {
  const uint8_t *at = data;
  return (struct cursor){.at = at, .end = n ? at + n : at};
}

static uint64_t read_number(struct cursor *cursor, size_t width) {
  if (cursor->bad || (size_t)(cursor->end - cursor->at) < width) {
    cursor->bad = true;
    return 0;
  }
  uint64_t value = 0;
  for (size_t i = 0; i < width; i++) value |= (uint64_t)cursor->at[i] << (8 * i);
  cursor->at += width;
  return value;
}

uint8_t cursor_u8(struct cursor *cursor) { return (uint8_t)read_number(cursor, 1); }
uint16_t cursor_u16(struct cursor *cursor) { return (uint16_t)read_number(cursor, 2); }
uint32_t cursor_u32(struct cursor *cursor) { return (uint32_t)read_number(cursor, 4); }
uint64_t cursor_u64(struct cursor *cursor) { return read_number(cursor, 8); }

struct slice cursor_bytes(struct cursor *cursor) {
  size_t n = cursor_u32(cursor);
  if (cursor->bad || (size_t)(cursor->end - cursor->at) < n) {
    cursor->bad = true;
    return (struct slice){0};
  }
  struct slice slice = {cursor->at, n};
  cursor->at += n;
  return slice;
}

struct slice cursor_rest(struct cursor *cursor) {
  if (cursor->bad) return (struct slice){0};
  struct slice slice = {cursor->at, (size_t)(cursor->end - cursor->at)};
  cursor->at = cursor->end;
  return slice;
}
