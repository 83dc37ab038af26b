#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

void text_add(struct buffer *out, const char *key, const void *value, size_t n) {
  static const char digits[] = "0123456789ABCDEF";
  const uint8_t *at = value;
  buffer_add(out, key, strlen(key));
  buffer_add_u8(out, ' ');
  for (size_t i = 0; i < n; i++) {
    uint8_t c = at[i];
    if (c >= 0x20 && c != '%' && c != 0x7f) {
      buffer_add_u8(out, c);
      continue;
    }
    char escape[3] = {'%', digits[c >> 4], digits[c & 15]};
    buffer_add(out, escape, 3);
  }
  buffer_add_u8(out, '\n');
}

void text_add_string(struct buffer *out, const char *key, const char *value) { text_add(out, key, value, strlen(value)); }

void text_add_number(struct buffer *out, const char *key, uint64_t value) {
  char number[24];
  snprintf(number, sizeof number, "%" PRIu64, value);
  text_add_string(out, key, number);
}

void text_add_signed(struct buffer *out, const char *key, int64_t value) {
  char number[24];
  snprintf(number, sizeof number, "%" PRId64, value);
  text_add_string(out, key, number);
}

static int hex_digit(uint8_t c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

/* Returns the unescaped length, or -1 if it does not fit. A malformed escape stands for itself. */
static ssize_t unescape(const uint8_t *at, size_t n, char *out, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    if (used + 1 >= size) return -1;
    if (at[i] == '%' && i + 2 < n && hex_digit(at[i + 1]) >= 0 && hex_digit(at[i + 2]) >= 0) {
      out[used++] = (char)(hex_digit(at[i + 1]) * 16 + hex_digit(at[i + 2]));
      i += 2;
    } else {
      out[used++] = (char)at[i];
    }
  }
  if (size == 0) return -1;
  out[used] = 0;
  return (ssize_t)used;
}

bool text_next(struct cursor *cursor, struct text_line *line, char *scratch, size_t size) {
  while (cursor->at < cursor->end) {
    const uint8_t *start = cursor->at;
    const uint8_t *newline = memchr(start, '\n', (size_t)(cursor->end - start));
    const uint8_t *stop = newline ? newline : cursor->end;
    cursor->at = newline ? newline + 1 : cursor->end;
    const uint8_t *space = memchr(start, ' ', (size_t)(stop - start));
    const uint8_t *key_end = space ? space : stop;
    size_t key_length = (size_t)(key_end - start);
    if (key_length == 0 || key_length >= sizeof line->key || memchr(start, 0, key_length)) continue;
    const uint8_t *value = space ? space + 1 : stop;
    ssize_t n = unescape(value, (size_t)(stop - value), scratch, size);
    if (n < 0) continue;
    memcpy(line->key, start, key_length);
    line->key[key_length] = 0;
    line->value = scratch;
    line->length = (size_t)n;
    return true;
  }
  return false;
}

bool text_find(const void *text, size_t n, const char *key, char *out, size_t size) {
  struct cursor cursor = cursor_of(text, n);
  struct text_line line;
  while (text_next(&cursor, &line, out, size))
    if (strcmp(line.key, key) == 0) return true;
  if (size) out[0] = 0;
  return false;
}

uint64_t text_find_number(const void *text, size_t n, const char *key, uint64_t otherwise) {
  char value[32], *end;
  if (!text_find(text, n, key, value, sizeof value) || value[0] < '0' || value[0] > '9') return otherwise;
  uint64_t number = strtoull(value, &end, 10);
  return *end == 0 || *end == ' ' ? number : otherwise;
}

bool text_known_contract(const void *text, size_t n) {
  char value[32], *end;
  return text_find(text, n, "contract", value, sizeof value) && strtoull(value, &end, 10) == CONTRACT_MAJOR && *end == '.';
}

/* CRC-32 (IEEE), a nibble at a time: the table fits in one cache line and the input is a few hundred bytes. */
uint32_t text_sum(const void *data, size_t n) {
  static const uint32_t table[16] = {
      0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
      0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
  };
  const uint8_t *at = data;
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < n; i++) {
    crc ^= at[i];
    crc = table[crc & 15] ^ crc >> 4;
    crc = table[crc & 15] ^ crc >> 4;
  }
  return ~crc;
}
