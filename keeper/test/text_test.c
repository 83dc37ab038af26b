#include "text.h"

#include "check.h"

static void every_byte_survives_a_value(void) {
  struct buffer text = {0};
  uint8_t all[256];
  for (int i = 0; i < 256; i++) all[i] = (uint8_t)i;
  text_add_string(&text, "before", "1");
  text_add(&text, "all", all, sizeof all);
  text_add_string(&text, "after", "2");
  struct cursor cursor = cursor_of(buffer_head(&text), buffer_size(&text));
  struct text_line line;
  char scratch[300];
  int lines = 0;
  while (text_next(&cursor, &line, scratch, sizeof scratch)) {
    lines++;
    if (strcmp(line.key, "all") != 0) continue;
    CHECK(line.length == 256 && memcmp(line.value, all, 256) == 0);
    CHECK(line.value[256] == 0);
  }
  CHECK_EQUAL(lines, 3);
  /* Only control characters, % and DEL are escaped: everything else stays readable. */
  CHECK_EQUAL(buffer_size(&text), strlen("before 1\nall \nafter 2\n") + 256 + 2 * (32 + 2));
  buffer_free(&text);
  text_add(&text, "k", "\x1f ~%\x7f\x80", 6);
  CHECK(buffer_size(&text) == 15 && memcmp(buffer_head(&text), "k %1F ~%25%7F\x80\n", 15) == 0);
  buffer_free(&text);
}

static void what_is_no_escape_stands_for_itself(void) {
  const char *cases[][2] = {{"k 100%\n", "100%"}, {"k %4\n", "%4"}, {"k %zz%41\n", "%zzA"}, {"k %4a%4A\n", "JJ"}, {"k \n", ""}, {"k\n", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char value[16] = "?";
    CHECK(text_find(cases[i][0], strlen(cases[i][0]), "k", value, sizeof value));
    CHECK(strcmp(value, cases[i][1]) == 0);
  }
}

static void a_text_needs_no_final_newline(void) {
  char value[8];
  CHECK(text_find("a 1\nb 2", 7, "b", value, sizeof value) && strcmp(value, "2") == 0);
}

static void unreadable_lines_are_passed_over(void) {
  const char *text = "\n value-without-key\nan_overlong_key_of_thirty_two_char 1\nlong 0123456789\nk ok\n";
  char value[8];
  CHECK(text_find(text, strlen(text), "k", value, sizeof value) && strcmp(value, "ok") == 0);
  CHECK(!text_find(text, strlen(text), "long", value, sizeof value)); /* does not fit */
  CHECK(value[0] == 0);
  CHECK(!text_find("k\0x 1\n", 7, "k", value, sizeof value)); /* another key that only begins like it */
}

static void the_first_of_a_key_counts(void) {
  CHECK_EQUAL(text_find_number("a 1\na 2\n", 8, "a", 0), 1);
}

static void a_number_is_digits_or_it_is_not_there(void) {
  CHECK_EQUAL(text_find_number("n 18446744073709551615\n", 23, "n", 7), UINT64_MAX);
  CHECK_EQUAL(text_find_number("n 12x\n", 6, "n", 7), 7);
  CHECK_EQUAL(text_find_number("n -1\n", 5, "n", 7), 7);
  CHECK_EQUAL(text_find_number("n \n", 3, "n", 7), 7);
  CHECK_EQUAL(text_find_number("n 5   ", 6, "n", 7), 5); /* the padding of a keeper record */
  CHECK_EQUAL(text_find_number("", 0, "n", 7), 7);
  struct buffer text = {0};
  text_add_number(&text, "n", UINT64_MAX);
  text_add_signed(&text, "s", INT64_MIN);
  char value[32];
  CHECK(text_find(buffer_head(&text), buffer_size(&text), "s", value, sizeof value) && strcmp(value, "-9223372036854775808") == 0);
  buffer_free(&text);
}

static void the_sum_is_crc_32(void) {
  CHECK_EQUAL(text_sum("123456789", 9), 0xcbf43926);
  CHECK_EQUAL(text_sum("", 0), 0);
}

int main(void) {
  check_begin();
  RUN(every_byte_survives_a_value);
  RUN(what_is_no_escape_stands_for_itself);
  RUN(a_text_needs_no_final_newline);
  RUN(unreadable_lines_are_passed_over);
  RUN(the_first_of_a_key_counts);
  RUN(a_number_is_digits_or_it_is_not_there);
  RUN(the_sum_is_crc_32);
  return check_end("text");
}
