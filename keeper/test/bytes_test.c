#include "bytes.h"

#include "check.h"

static void a_buffer_keeps_what_was_added_while_it_grows_and_shrinks(void) {
  struct buffer buffer = {0};
  uint8_t next_in = 0, next_out = 0;
  for (int round = 0; round < 200; round++) {
    for (int i = 0; i < 37; i++) buffer_add_u8(&buffer, next_in++);
    for (int i = 0; i < 31; i++) {
      CHECK(*buffer_head(&buffer) == next_out);
      next_out++;
      buffer_consume(&buffer, 1);
    }
  }
  CHECK_EQUAL(buffer_size(&buffer), 200 * (37 - 31));
  while (buffer_size(&buffer)) {
    CHECK(*buffer_head(&buffer) == next_out);
    next_out++;
    buffer_consume(&buffer, 1);
  }
}

static void an_emptied_buffer_keeps_little_memory_and_gives_much_back(void) {
  struct buffer buffer = {0};
  CHECK(buffer_add(&buffer, "abc", 3));
  buffer_consume(&buffer, 3);
  CHECK(buffer_size(&buffer) == 0 && buffer.capacity <= 1024);
  CHECK(buffer_reserve(&buffer, 100000));
  buffer.length += 100000;
  buffer_consume(&buffer, 100000);
  CHECK(buffer.data == NULL && buffer.capacity == 0);
}

static void a_reserve_that_memory_cannot_satisfy_leaves_the_content_and_is_remembered(void) {
  struct buffer buffer = {0};
  CHECK(buffer_add(&buffer, "abc", 3));
  CHECK(!buffer_reserve(&buffer, SIZE_MAX / 4));
  CHECK(buffer.failed);
  CHECK(buffer_size(&buffer) == 3 && memcmp(buffer_head(&buffer), "abc", 3) == 0);
  buffer_free(&buffer);
  CHECK(!buffer.failed);
}

static void numbers_are_little_endian_both_ways(void) {
  struct buffer buffer = {0};
  buffer_add_u8(&buffer, 0xab);
  buffer_add_u16(&buffer, 0x1234);
  buffer_add_u32(&buffer, 0xdeadbeef);
  buffer_add_u64(&buffer, 0x0123456789abcdefull);
  const uint8_t wanted[] = {0xab, 0x34, 0x12, 0xef, 0xbe, 0xad, 0xde, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01};
  CHECK(buffer_size(&buffer) == sizeof wanted && memcmp(buffer_head(&buffer), wanted, sizeof wanted) == 0);
  struct cursor cursor = cursor_of(wanted, sizeof wanted);
  CHECK_EQUAL(cursor_u8(&cursor), 0xab);
  CHECK_EQUAL(cursor_u16(&cursor), 0x1234);
  CHECK_EQUAL(cursor_u32(&cursor), 0xdeadbeef);
  CHECK_EQUAL(cursor_u64(&cursor), 0x0123456789abcdefull);
  CHECK(!cursor.bad && cursor.at == cursor.end);
  buffer_free(&buffer);
}

/* Exact heap blocks, so that the sanitizer sees any read past the end. */
static void a_cursor_never_reads_past_its_end_and_stays_bad(void) {
  for (size_t n = 0; n < 8; n++) {
    uint8_t *exact = malloc(n ? n : 1);
    memset(exact, 0xff, n);
    struct cursor cursor = cursor_of(exact, n);
    CHECK_EQUAL(cursor_u64(&cursor), 0);
    CHECK(cursor.bad);
    CHECK_EQUAL(cursor_u8(&cursor), 0);
    CHECK(cursor_bytes(&cursor).data == NULL && cursor_rest(&cursor).length == 0);
    free(exact);
  }
}

static void counted_bytes_are_a_slice_or_nothing(void) {
  struct buffer buffer = {0};
  buffer_add_bytes(&buffer, "hello", 5);
  buffer_add_bytes(&buffer, "", 0);
  buffer_add(&buffer, "rest", 4);
  struct cursor cursor = cursor_of(buffer_head(&buffer), buffer_size(&buffer));
  struct slice first = cursor_bytes(&cursor), second = cursor_bytes(&cursor), rest = cursor_rest(&cursor);
  CHECK(first.length == 5 && memcmp(first.data, "hello", 5) == 0);
  CHECK(second.length == 0 && second.data != NULL);
  CHECK(rest.length == 4 && memcmp(rest.data, "rest", 4) == 0);
  for (size_t n = 0; n < 9; n++) { /* every truncation of the first one */
    cursor = cursor_of(buffer_head(&buffer), n);
    cursor_bytes(&cursor);
    CHECK(cursor.bad);
  }
  buffer_free(&buffer);
  const uint8_t lie[] = {0xff, 0xff, 0xff, 0xff, 'x'};
  cursor = cursor_of(lie, sizeof lie);
  CHECK(cursor_bytes(&cursor).data == NULL && cursor.bad);
}

static void an_empty_text_has_a_cursor_too(void) {
  struct cursor cursor = cursor_of(NULL, 0);
  CHECK(cursor_rest(&cursor).length == 0 && !cursor.bad);
  CHECK_EQUAL(cursor_u8(&cursor), 0);
  CHECK(cursor.bad);
}

int main(void) {
  check_begin();
  RUN(a_buffer_keeps_what_was_added_while_it_grows_and_shrinks);
  RUN(an_emptied_buffer_keeps_little_memory_and_gives_much_back);
  RUN(a_reserve_that_memory_cannot_satisfy_leaves_the_content_and_is_remembered);
  RUN(numbers_are_little_endian_both_ways);
  RUN(a_cursor_never_reads_past_its_end_and_stays_bad);
  RUN(counted_bytes_are_a_slice_or_nothing);
  RUN(an_empty_text_has_a_cursor_too);
  return check_end("bytes");
}
