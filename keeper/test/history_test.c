#include "history.h"

#include "check.h"
#include "scratch.h"

static int dir;

static void write_log(uint64_t start, const char *data) {
  char name[32];
  segment_name(name, start, "log");
  scratch_write(dir, name, data, strlen(data));
}

/* Marks as "kind offset value" triples, in the order given. */
static void write_index(uint64_t start, const struct mark *marks, size_t count) {
  char name[32], text[50 * 16 + 1] = "";
  segment_name(name, start, "idx");
  for (size_t i = 0; i < count; i++) mark_format(&marks[i], text + i * INDEX_LINE);
  scratch_write(dir, name, text, count * INDEX_LINE);
}

/* All pieces of a history as one text: data as it is, marks as [kind], missing parts as <from-to> or <from-to!> for a gap. */
static void transcribe(const struct history *history, uint64_t from, bool marks, size_t step, char *out, size_t size) {
  struct reader reader = {.log = -1, .index = -1};
  reader_seek(&reader, from, marks);
  size_t used = 0;
  out[0] = 0;
  for (int pieces = 0; pieces < 100; pieces++) {
    uint8_t data[64];
    struct piece piece = reader_next(&reader, history, data, step);
    if (piece.kind == PIECE_NONE) break;
    if (piece.kind == PIECE_DATA) used += (size_t)snprintf(out + used, size - used, "%.*s", (int)piece.length, (char *)data);
    if (piece.kind == PIECE_MARK) used += (size_t)snprintf(out + used, size - used, "[%c]", piece.mark.kind);
    if (piece.kind == PIECE_MISSING)
      used += (size_t)snprintf(out + used, size - used, "<%llu-%llu%s>", (unsigned long long)piece.offset, (unsigned long long)piece.to, piece.gap ? "!" : "");
  }
  reader_close(&reader);
}

static void expect(const struct history *history, uint64_t from, bool marks, const char *wanted) {
  for (size_t step = 1; step <= 64; step *= 4) { /* however small the pieces */
    char seen[512];
    transcribe(history, from, marks, step, seen, sizeof seen);
    if (strcmp(seen, wanted) == 0) continue;
    CHECK(!"transcript");
    printf("from %llu by %zu: %s, not %s\n", (unsigned long long)from, step, seen, wanted);
  }
}

static void an_index_line_is_fifty_bytes_and_comes_back(void) {
  struct mark mark = {'r', 1234567, 9999999999999999ull, 80 * 65536 + 24}, back;
  char line[INDEX_LINE + 1];
  mark_format(&mark, line);
  CHECK(strlen(line) == INDEX_LINE && line[INDEX_LINE - 1] == '\n');
  CHECK(mark_parse(line, &back) && memcmp(&back.time_us, &mark.time_us, 3 * sizeof(uint64_t)) == 0 && back.kind == 'r');
  for (int i = 1; i < INDEX_LINE; i++) { /* any damaged byte but the kind is noticed */
    char damaged[INDEX_LINE + 1];
    memcpy(damaged, line, sizeof damaged);
    damaged[i] = 'x';
    CHECK(!mark_parse(damaged, &back));
  }
}

static void an_empty_directory_has_an_empty_history(void) {
  struct history history;
  dir = scratch_open();
  CHECK(history_scan(&history, dir) && history.count == 0 && history.end == 0);
  expect(&history, 0, true, "");
  history_free(&history);
  scratch_close(dir);
}

static void segments_are_read_as_one_sequence(void) {
  struct history history;
  dir = scratch_open();
  write_log(0, "hello ");
  write_log(6, "wide ");
  write_log(11, "world");
  scratch_write(dir, "12.log", "noise", 5);
  scratch_write(dir, "000000000000001x.log", "noise", 5);
  CHECK(mkdirat(dir, "0000000000000099.log", 0700) == 0);
  CHECK(history_scan(&history, dir) && history.count == 3 && history.end == 16 && history.dropped == 0);
  expect(&history, 0, false, "hello wide world");
  expect(&history, 8, false, "de world");
  expect(&history, 16, false, "");
  history_free(&history);
  scratch_close(dir);
}

static void dropped_bytes_and_gaps_are_told_apart(void) {
  struct history history;
  uint64_t next;
  dir = scratch_open();
  write_log(0, "head");
  write_log(100, "tail");
  write_log(120, "after");
  write_index(120, (struct mark[]){{'g', 5, 120, 16}, {'o', 5, 120, 0}}, 2);
  CHECK(history_scan(&history, dir) && history.dropped == 96 && history.gaps == 16 && history.end == 125);
  expect(&history, 0, false, "head<4-100>tail<104-120!>after");
  expect(&history, 0, true, "head<4-100>tail<104-120!>[g][o]after");
  CHECK(!history_has(&history, 50, &next) && next == 100);
  CHECK(!history_has(&history, 110, &next) && next == 120);
  CHECK(history_has(&history, 103, &next) && history_has(&history, 125, &next));
  CHECK(!history_has(&history, 126, &next) && next == 125);
  history_free(&history);
  scratch_close(dir);
}

static void marks_come_before_the_bytes_at_their_offset(void) {
  struct history history;
  dir = scratch_open();
  write_log(0, "outerrout");
  write_index(0, (struct mark[]){{'o', 1, 0, 0}, {'e', 2, 3, 0}, {'r', 3, 6, 1}, {'o', 4, 6, 0}}, 4);
  CHECK(history_scan(&history, dir));
  expect(&history, 0, true, "[o]out[e]err[r][o]out");
  expect(&history, 4, true, "[e]rr[r][o]out"); /* which stream it is in must be known there too */
  expect(&history, 8, true, "[o]t");
  expect(&history, 0, false, "outerrout");
  history_free(&history);
  scratch_close(dir);
}

static void a_mark_at_the_end_of_a_segment_is_not_lost_when_the_next_begins(void) {
  struct history history;
  dir = scratch_open();
  write_log(0, "abc");
  write_index(0, (struct mark[]){{'o', 1, 0, 0}, {'r', 2, 3, 7}, {'k', 2, 3, 7}}, 3);
  write_log(3, "def");
  write_index(3, (struct mark[]){{'o', 3, 3, 0}, {'r', 4, 6, 8}}, 2);
  CHECK(history_scan(&history, dir));
  expect(&history, 0, true, "[o]abc[r][k][o]def[r]");
  history_free(&history);
  scratch_close(dir);
}

static void overlapping_names_do_not_make_offsets_ambiguous(void) {
  struct history history;
  dir = scratch_open();
  write_log(0, "0123456789");
  write_log(4, "abcd");
  CHECK(history_scan(&history, dir) && history.end == 8);
  expect(&history, 0, false, "0123abcd");
  history_free(&history);
  scratch_close(dir);
}

static void a_torn_or_foreign_index_costs_marks_but_no_bytes(void) {
  struct history history;
  dir = scratch_open();
  write_log(0, "abcdef");
  char line[INDEX_LINE + 1], text[2 * INDEX_LINE];
  mark_format(&(struct mark){'o', 1, 0, 0}, line);
  memcpy(text, line, INDEX_LINE);
  memset(text + INDEX_LINE, '!', INDEX_LINE);
  scratch_write(dir, "0000000000000000.idx", text, sizeof text);
  CHECK(history_scan(&history, dir));
  expect(&history, 0, true, "[o]abcdef");
  history_free(&history);
  scratch_write(dir, "0000000000000000.idx", text, INDEX_LINE + 7); /* the writer fell inside a line */
  CHECK(history_scan(&history, dir) && history.segments[0].index == INDEX_LINE);
  expect(&history, 0, true, "[o]abcdef");
  history_free(&history);
  scratch_close(dir);
}

static void files_that_vanish_or_shrink_under_a_reader_are_missing_and_never_an_endless_loop(void) {
  struct history history;
  dir = scratch_open();
  write_log(0, "abc");
  write_log(3, "defghi");
  write_log(9, "xyz");
  CHECK(history_scan(&history, dir));
  CHECK(unlinkat(dir, "0000000000000003.log", 0) == 0);
  expect(&history, 0, false, "abc<3-9>xyz");
  write_log(9, "x");
  expect(&history, 0, false, "abc<3-9>x<10-12!>");
  CHECK(unlinkat(dir, "0000000000000009.log", 0) == 0);
  expect(&history, 12, false, ""); /* at the end, and nothing to open there */
  history_free(&history);
  scratch_close(dir);
}

static void a_reader_follows_a_segment_that_grows(void) {
  struct history history = {0};
  dir = scratch_open();
  history.dir = dir;
  write_log(0, "");
  CHECK(history_add(&history, (struct segment){0}));
  struct reader reader = {.log = -1, .index = -1};
  reader_seek(&reader, 0, true);
  uint8_t data[16];
  CHECK(reader_next(&reader, &history, data, sizeof data).kind == PIECE_NONE);
  write_log(0, "ab");
  history.segments[0].data = history.end = 2;
  struct piece piece = reader_next(&reader, &history, data, sizeof data);
  CHECK(piece.kind == PIECE_DATA && piece.length == 2 && memcmp(data, "ab", 2) == 0);
  CHECK(reader_next(&reader, &history, data, 0).kind == PIECE_NONE);
  reader_close(&reader);
  history_free(&history);
  scratch_close(dir);
}

int main(void) {
  check_begin();
  RUN(an_index_line_is_fifty_bytes_and_comes_back);
  RUN(an_empty_directory_has_an_empty_history);
  RUN(segments_are_read_as_one_sequence);
  RUN(dropped_bytes_and_gaps_are_told_apart);
  RUN(marks_come_before_the_bytes_at_their_offset);
  RUN(a_mark_at_the_end_of_a_segment_is_not_lost_when_the_next_begins);
  RUN(overlapping_names_do_not_make_offsets_ambiguous);
  RUN(a_torn_or_foreign_index_costs_marks_but_no_bytes);
  RUN(files_that_vanish_or_shrink_under_a_reader_are_missing_and_never_an_endless_loop);
  RUN(a_reader_follows_a_segment_that_grows);
  return check_end("history");
}
