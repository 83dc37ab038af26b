#define _GNU_SOURCE
#include "output.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

#include "check.h"
#include "scratch.h"

static int runs, pair[2];
static struct rundir run;
static struct output output;

static void make_pipe(void) {
  if (pipe(pair) != 0) abort();
  fcntl(pair[0], F_SETFL, O_NONBLOCK);
}

static void begin(uint64_t head_limit, uint64_t tail_limit) {
  runs = scratch_open();
  if (rundir_prepare(runs, "run", &run) != 0) abort();
  make_pipe();
  output_open(&output, &run, head_limit, tail_limit, sys_boottime_us());
}

static void end(void) {
  output_close(&output);
  rundir_close(&run);
  close(pair[0]);
  close(pair[1]);
  scratch_close(runs);
}

static uint8_t byte_at(uint64_t offset) { return (uint8_t)(offset ^ offset >> 8 ^ offset >> 16); }

/* n bytes from the child's side and into the segments. */
static void produce(uint64_t *at, size_t n, char stream) {
  while (n > 0) {
    uint8_t data[4096];
    size_t part = n < sizeof data ? n : sizeof data;
    for (size_t i = 0; i < part; i++) data[i] = byte_at(*at + i);
    if (write(pair[1], data, part) != (ssize_t)part) abort();
    for (size_t taken = 0; taken < part;) {
      ssize_t got = output_take(&output, pair[0], stream, part - taken);
      if (got <= 0) {
        CHECK(!"taken");
        return;
      }
      taken += (size_t)got;
    }
    *at += part;
    n -= part;
  }
}

/* Reads everything back; returns how many bytes there were and sums up what is missing. */
static uint64_t read_back(const struct history *history, uint64_t *dropped, uint64_t *gaps) {
  struct reader reader = {.log = -1, .index = -1};
  uint8_t data[1000];
  uint64_t bytes = 0;
  *dropped = *gaps = 0;
  reader_seek(&reader, 0, true);
  for (;;) {
    struct piece piece = reader_next(&reader, history, data, sizeof data);
    if (piece.kind == PIECE_NONE) break;
    if (piece.kind == PIECE_MISSING) *(piece.gap ? gaps : dropped) += piece.to - piece.offset;
    if (piece.kind != PIECE_DATA) continue;
    bytes += piece.length;
    for (size_t i = 0; i < piece.length; i++)
      if (data[i] != byte_at(piece.offset + i)) {
        CHECK(!"the byte that was written there");
        break;
      }
  }
  CHECK_EQUAL(reader.at, history->end);
  reader_close(&reader);
  return bytes;
}

static void bytes_within_the_limit_are_all_there(void) {
  uint64_t at = 0, dropped, gaps;
  begin(10000, 64000);
  produce(&at, 60000, 'o');
  CHECK_EQUAL(output.history.end, 60000);
  CHECK_EQUAL(read_back(&output.history, &dropped, &gaps), 60000);
  CHECK(dropped == 0 && gaps == 0 && output.history.count > 5);
  struct history scanned;
  CHECK(history_scan(&scanned, run.dir));
  CHECK_EQUAL(read_back(&scanned, &dropped, &gaps), 60000);
  history_free(&scanned);
  end();
}

static void beyond_the_limit_the_head_and_the_newest_stay(void) {
  uint64_t at = 0, dropped, gaps;
  begin(10000, 64000);
  produce(&at, 500000, 'o');
  uint64_t kept = read_back(&output.history, &dropped, &gaps), tail = 0;
  CHECK(kept + dropped == 500000 && gaps == 0);
  CHECK_EQUAL(output.history.dropped, dropped);
  CHECK(output.history.segments[0].start == 0 && output.history.segments[0].data > 9000);
  for (size_t i = 1; i < output.history.count; i++) tail += output.history.segments[i].data + output.history.segments[i].index;
  CHECK(tail >= 64000 && tail <= 64000 + 2 * 8000);
  struct history scanned; /* the files alone tell the same */
  CHECK(history_scan(&scanned, run.dir) && scanned.end == 500000 && scanned.dropped == dropped);
  CHECK_EQUAL(read_back(&scanned, &dropped, &gaps), kept);
  history_free(&scanned);
  end();
}

static void no_head_and_the_smallest_tail_still_work(void) {
  uint64_t at = 0, dropped, gaps;
  begin(0, 1);
  produce(&at, 50000, 'o');
  uint64_t kept = read_back(&output.history, &dropped, &gaps);
  CHECK(kept > 0 && kept <= 2 * 4096 && kept + dropped == 50000);
  end();
}

static void streams_are_told_apart_in_the_index(void) {
  uint64_t at = 0;
  begin(100000, 100000);
  for (int i = 0; i < 10; i++) produce(&at, 100, i % 2 ? 'e' : 'o');
  struct reader reader = {.log = -1, .index = -1};
  reader_seek(&reader, 0, true);
  uint8_t data[1000];
  char stream = 0;
  for (;;) {
    struct piece piece = reader_next(&reader, &output.history, data, sizeof data);
    if (piece.kind == PIECE_NONE) break;
    if (piece.kind == PIECE_MARK) stream = piece.mark.kind;
    if (piece.kind == PIECE_DATA) CHECK(piece.length == 100 && stream == (piece.offset / 100 % 2 ? 'e' : 'o'));
  }
  reader_close(&reader);
  end();
}

static void the_end_of_the_pipe_is_the_end_and_leaves_no_index_line(void) {
  begin(1000, 1000);
  CHECK(output_take(&output, pair[0], 'o', 100) == -1 && errno == EAGAIN);
  close(pair[1]);
  CHECK(output_take(&output, pair[0], 'o', 100) == 0);
  CHECK_EQUAL(output.history.segments[0].index, 0);
  pair[1] = open("/dev/null", O_RDONLY);
  end();
}

static void a_successor_appends_where_the_files_end(void) {
  uint64_t at = 0, dropped, gaps;
  begin(10000, 64000);
  produce(&at, 25000, 'o');
  output_close(&output);
  CHECK(output_resume(&output, &run, 10000, 64000, sys_boottime_us()));
  CHECK_EQUAL(output.history.end, 25000);
  output_mark(&output, 'k', 4711);
  produce(&at, 25000, 'o');
  CHECK_EQUAL(read_back(&output.history, &dropped, &gaps), 50000);
  end();
}

/* A pipe from a regular file cannot be spliced; a terminal or an odd file system may refuse as well. */
static void where_splice_does_not_work_bytes_are_copied(void) {
  uint64_t at = 0, dropped, gaps;
  begin(5000, 64000);
  output.plain_copy = true;
  produce(&at, 30000, 'o');
  CHECK_EQUAL(read_back(&output.history, &dropped, &gaps), 30000);
  end();
}

static uint64_t recorded_end;
static void note_end(void) { recorded_end = output.history.end; }

/* On a tmpfs of 64 KiB in a mount namespace of its own. Exits with 0 (good), 1 (failed) or 2 (may not mount here). */
static int fill_a_disk(bool plain_copy) {
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
      mount("holdfast-test", scratch_path, "tmpfs", 0, "size=64k") != 0)
    return 2;
  close(runs);
  runs = open(scratch_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  make_pipe();
  CHECK(rundir_prepare(runs, "run", &run) == 0);
  output_open(&output, &run, 1 << 20, 1 << 20, sys_boottime_us());
  output.on_full = note_end;
  output.plain_copy = plain_copy;
  uint64_t at = 0, dropped, gaps;
  produce(&at, 200000, 'o'); /* the child is never held up */
  CHECK(output.log < 0 && output.gap_bytes > 100000 && output.history.end == 200000);
  uint64_t kept = read_back(&output.history, &dropped, &gaps);
  CHECK(kept > 8192 && kept + gaps == 200000 && dropped == 0);
  CHECK(mount("holdfast-test", scratch_path, "tmpfs", MS_REMOUNT, "size=1m") == 0);
  output.retry_ns = 0; /* it is time to look again */
  uint64_t gap_at = output.gap_bytes;
  produce(&at, 50000, 'o');
  CHECK(recorded_end >= 200000 && output.gap_bytes == gap_at && output.log >= 0);
  CHECK_EQUAL(read_back(&output.history, &dropped, &gaps), kept + 50000);
  CHECK_EQUAL(gaps, output.gap_bytes);
  output_close(&output);
  CHECK(output_resume(&output, &run, 1 << 20, 1 << 20, 0)); /* a successor knows the gap from the files */
  CHECK(output.gap_bytes == gaps && output.history.end == 250000);
  return check_good ? 0 : 1;
}

static void fill_in_a_process_of_its_own(bool plain_copy) {
  runs = scratch_open();
  pid_t pid = fork();
  if (pid == 0) {
    int code = fill_a_disk(plain_copy);
    fflush(stdout);
    _exit(code);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) != 1);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) printf("output: the full disk was not run, this user may not mount\n");
  scratch_close(runs);
}

static void a_full_disk_costs_the_bytes_that_did_not_fit_and_nothing_else(void) { fill_in_a_process_of_its_own(false); }
static void a_full_disk_without_splice(void) { fill_in_a_process_of_its_own(true); }

int main(void) {
  check_begin();
  RUN(bytes_within_the_limit_are_all_there);
  RUN(beyond_the_limit_the_head_and_the_newest_stay);
  RUN(no_head_and_the_smallest_tail_still_work);
  RUN(streams_are_told_apart_in_the_index);
  RUN(the_end_of_the_pipe_is_the_end_and_leaves_no_index_line);
  RUN(a_successor_appends_where_the_files_end);
  RUN(where_splice_does_not_work_bytes_are_copied);
  RUN(a_full_disk_costs_the_bytes_that_did_not_fit_and_nothing_else);
  RUN(a_full_disk_without_splice);
  return check_end("output");
}
