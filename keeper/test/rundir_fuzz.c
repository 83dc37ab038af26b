/* A run directory whose files hold anything: every reader must come to an end, and offsets must only go forward.
 * An input is a list of files: selector, u16 length, bytes. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "keeper.h"
#include "text.h"

static int dir;

static const char *const names[] = {
    "spec",  "exit", "keeper", "0000000000000000.log", "0000000000000000.idx", "0000000000000010.log", "0000000000000010.idx",
    "0000000000001000.log", "0000000000001000.idx", "9999999999999999.log", "9999999999999999.idx", "0000000000000005.log",
};
enum { NAMES = sizeof names / sizeof *names };

static void write_files(const uint8_t *data, size_t n) {
  while (n >= 3) {
    const char *name = names[data[0] % NAMES];
    size_t length = (size_t)data[1] | (size_t)data[2] << 8;
    data += 3;
    n -= 3;
    if (length > n) length = n;
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    MUST(fd >= 0 && write(fd, data, length) == (ssize_t)length);
    close(fd);
    data += length;
    n -= length;
  }
}

static void read_texts(void) {
  struct buffer text = {0};
  struct spec spec;
  if (spec_read(dir, &spec)) {
    MUST(spec.child.pid > 1 && spec.options.cwd && spec.options.cwd[0]);
    options_free(&spec.options);
  }
  if (rundir_read_exit(dir, &text)) {
    MUST(buffer_size(&text) > 13 && memcmp(buffer_head(&text) + buffer_size(&text) - 13, "sum ", 4) == 0);
    buffer_free(&text);
  }
  if (!rundir_read(dir, "keeper", KEEPER_RECORD, &text)) return;
  struct cursor cursor = cursor_of(buffer_head(&text), buffer_size(&text));
  struct text_line line;
  char scratch[KEEPER_RECORD];
  struct tree tree = {.cgroup = -1};
  while (text_next(&cursor, &line, scratch, sizeof scratch)) {
    MUST(strlen(line.key) > 0 && line.value[line.length] == 0);
    if (strcmp(line.key, "spared") == 0) tree_spare_recorded(&tree, line.value);
  }
  MUST(tree.spared_count <= SPARED_MOST);
  buffer_free(&text);
}

static void read_output(const struct history *history, uint64_t from, bool marks) {
  struct reader reader = {.log = -1, .index = -1};
  uint8_t data[512];
  uint64_t at = from, pieces = 0;
  reader_seek(&reader, from, marks);
  for (;; pieces++) {
    struct piece piece = reader_next(&reader, history, data, sizeof data);
    if (piece.kind == PIECE_NONE) break;
    MUST(pieces < 100000);
    if (piece.kind == PIECE_DATA) MUST(piece.offset == at && piece.length > 0 && piece.length <= sizeof data);
    if (piece.kind == PIECE_MISSING) MUST(piece.offset == at && piece.to > at);
    if (piece.kind == PIECE_DATA) at += piece.length;
    if (piece.kind == PIECE_MISSING) at = piece.to;
    MUST(reader.at == at);
  }
  MUST(from > history->end || at == history->end);
  reader_close(&reader);
}

static void read_history(void) {
  struct history history;
  MUST(history_scan(&history, dir));
  for (size_t i = 1; i < history.count; i++) MUST(history.segments[i - 1].start + history.segments[i - 1].data <= history.segments[i].start);
  const uint64_t places[] = {0, 3, 10, 15, 1000, history.end, history.end + 1};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    uint64_t next;
    if (!history_has(&history, places[i], &next)) MUST(next <= history.end);
    read_output(&history, places[i], i % 2);
    read_output(&history, places[i], !(i % 2));
  }
  history_free(&history);
}

static void go_on_writing(void) {
  struct output output;
  struct rundir run = RUNDIR_NONE;
  run.dir = dir;
  if (!output_resume(&output, &run, 100, 1000, 0)) return;
  int pair[2];
  if (pipe(pair) != 0 || write(pair[1], "successor", 9) != 9) abort();
  uint64_t end = output.history.end;
  ssize_t n = output_take(&output, pair[0], 'o', 9);
  MUST(n > 0 && output.history.end == end + (uint64_t)n);
  close(pair[0]);
  close(pair[1]);
  output_close(&output);
}

static void clean(void) {
  DIR *list = fdopendir(openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (struct dirent *entry; list && (entry = readdir(list));)
    if (entry->d_name[0] != '.') unlinkat(dir, entry->d_name, 0);
  if (list) closedir(list);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  char path[256];
  dir = open(fuzz_directory(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  write_files(data, n);
  read_texts();
  read_history();
  go_on_writing();
  read_history();
  clean();
  return 0;
}
