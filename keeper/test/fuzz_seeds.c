/* Writes the seeds that the fuzzers start from: fuzz_seeds DIRECTORY makes DIRECTORY/frame and DIRECTORY/rundir. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frame.h"
#include "history.h"
#include "rundir.h"
#include "text.h"

static void save(const char *directory, const char *name, const struct buffer *seed) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "w");
  if (!file || fwrite(buffer_head(seed), 1, buffer_size(seed), file) != buffer_size(seed) || fclose(file) != 0) exit(1);
}

static void add_start(struct buffer *out) {
  size_t mark = frame_begin(out, FRAME_START, 1);
  buffer_add_bytes(out, "id-1", 4);
  buffer_add_u64(out, 12345678);
  const char *options = "mode pty\nstdin open\ncwd /tmp\nrlimit nofile 10 infinity\numask 077\nnice 3\nhead_limit 10\nnote a%0Ab\n";
  buffer_add_bytes(out, options, strlen(options));
  buffer_add_u32(out, 2);
  buffer_add_bytes(out, "/bin/echo", 9);
  buffer_add_bytes(out, "x", 1);
  buffer_add_u32(out, 1);
  buffer_add_bytes(out, "PATH=/bin", 9);
  frame_end(out, mark);
}

static void add_hello(struct buffer *out) {
  size_t mark = frame_begin(out, FRAME_HELLO, 0);
  buffer_add_u16(out, CONTRACT_MAJOR);
  buffer_add_u16(out, CONTRACT_MINOR);
  frame_end(out, mark);
}

static void frame_seeds(const char *directory) {
  struct buffer start = {0}, client = {0};
  buffer_add_u16(&start, 0x0501);
  add_start(&start);
  save(directory, "start", &start);
  buffer_add_u16(&client, 0x1000);
  add_hello(&client);
  size_t mark = frame_begin(&client, FRAME_OUTPUT, 2);
  buffer_add_u64(&client, 5);
  buffer_add_u64(&client, 1000);
  buffer_add_u8(&client, 3);
  frame_end(&client, mark);
  mark = frame_begin(&client, FRAME_CREDIT, 0);
  buffer_add_u64(&client, 1000);
  frame_end(&client, mark);
  frame_end(&client, frame_begin(&client, FRAME_PING, 3));
  save(directory, "client", &client);
  buffer_free(&start);
  buffer_free(&client);
}

static void add_file(struct buffer *seed, uint8_t selector, const void *data, size_t n) {
  buffer_add_u8(seed, selector);
  buffer_add_u16(seed, (uint16_t)n);
  buffer_add(seed, data, n);
}

static void rundir_seed(const char *directory) {
  struct buffer seed = {0}, exit_text = {0};
  const char *spec = "mode split\ncwd /tmp\ncontract 1.0\nid a\narg x\nenv PATH\nchild_pid 77\nchild_start 88\nboot b\nstarted_at 1\n";
  const char *record = "contract 1.0\npid 12\nstart 13\nboot b\nend 12\nreason user\nspared 12:13\nby me\n   ";
  struct exit_record ended = {.kind = EXIT_SIGNALED, .signal = 9, .output_bytes = 14};
  add_file(&seed, 0, spec, strlen(spec));
  exit_format(&ended, &exit_text);
  add_file(&seed, 1, buffer_head(&exit_text), buffer_size(&exit_text));
  add_file(&seed, 2, record, strlen(record));
  char lines[3 * INDEX_LINE + 1];
  mark_format(&(struct mark){'o', 1, 0, 0}, lines);
  mark_format(&(struct mark){'e', 2, 4, 0}, lines + INDEX_LINE);
  mark_format(&(struct mark){'r', 3, 10, 5}, lines + 2 * INDEX_LINE);
  add_file(&seed, 3, "0123456789", 10);
  add_file(&seed, 4, lines, 3 * INDEX_LINE);
  add_file(&seed, 5, "abcd", 4);
  mark_format(&(struct mark){'g', 1, 1000, 986}, lines);
  add_file(&seed, 7, "efgh", 4);
  add_file(&seed, 8, lines, INDEX_LINE);
  save(directory, "run", &seed);
  buffer_free(&seed);
  buffer_free(&exit_text);
}

int main(int argc, char **argv) {
  char directory[400];
  if (argc != 2) return 64;
  mkdir(argv[1], 0755);
  snprintf(directory, sizeof directory, "%s/frame", argv[1]);
  mkdir(directory, 0755);
  frame_seeds(directory);
  snprintf(directory, sizeof directory, "%s/rundir", argv[1]);
  mkdir(directory, 0755);
  rundir_seed(directory);
  return 0;
}
