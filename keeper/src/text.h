/* The `key value` lines of CONTRACT.md §2: spec, exit, keeper and launcher records, option lines, STATE. */
#ifndef HOLDFAST_TEXT_H
#define HOLDFAST_TEXT_H

#include "bytes.h"

void text_add(struct buffer *out, const char *key, const void *value, size_t n);
void text_add_string(struct buffer *out, const char *key, const char *value);
void text_add_number(struct buffer *out, const char *key, uint64_t value);
void text_add_signed(struct buffer *out, const char *key, int64_t value);

/* One line at a time; value is unescaped into `scratch` (at least as long as the longest value) and terminated. */
struct text_line {
  char key[32];
  char *value;
  size_t length;
};
/* False at the end; lines without a key or with an overlong one are passed over. */
bool text_next(struct cursor *cursor, struct text_line *line, char *scratch, size_t size);
/* The value of the first line with that key, unescaped, terminated; false if there is none or it does not fit. */
bool text_find(const void *text, size_t n, const char *key, char *out, size_t size);
uint64_t text_find_number(const void *text, size_t n, const char *key, uint64_t otherwise);
/* Was it written by a version whose major number is ours? */
bool text_known_contract(const void *text, size_t n);

uint32_t text_sum(const void *data, size_t n);

#endif
