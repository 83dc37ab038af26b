#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>


enum {
  COALESCE_US = 10000,        /* one index line per 10 ms: 5 kB/s at most, and replay is exact to a frame of 100 Hz */
  RETRY_NS = 200000000,       /* looking for room on a full disk costs two failed creates */
  SEGMENT_LEAST = 4096,
  SEGMENT_MOST = 64 << 20,
  COPY = 65536,
};

static uint64_t now_us(const struct output *output) { return sys_boottime_us() - output->started_boottime_us; }

static void set_limits(struct output *output, uint64_t head_limit, uint64_t tail_limit, uint64_t started_us) {
  uint64_t size = tail_limit / 8;
  output->head_limit = head_limit;
  output->tail_limit = tail_limit;
  output->segment_limit = size < SEGMENT_LEAST ? SEGMENT_LEAST : size > SEGMENT_MOST ? SEGMENT_MOST : size;
  output->started_boottime_us = started_us;
}

static struct segment *last_segment(struct output *output) {
  return output->history.count ? &output->history.segments[output->history.count - 1] : NULL;
}

static bool is_head(const struct output *output, const struct segment *segment) { return segment->start == 0 && output->head_limit > 0; }

void output_open(struct output *output, struct rundir *run, uint64_t head_limit, uint64_t tail_limit, uint64_t started_us) {
  *output = (struct output){.log = run->log, .index = run->index, .history.dir = run->dir};
  run->log = run->index = -1;
  set_limits(output, head_limit, tail_limit, started_us);
  history_add(&output->history, (struct segment){0});
}

bool output_resume(struct output *output, struct rundir *run, uint64_t head_limit, uint64_t tail_limit, uint64_t started_us) {
  *output = (struct output){.log = -1, .index = -1};
  set_limits(output, head_limit, tail_limit, started_us);
  if (!history_scan(&output->history, run->dir)) return false;
  output->gap_bytes = output->history.gaps;
  uint64_t known_end = rundir_recorded_end(run->dir);
  struct segment *last = last_segment(output);
  if (known_end > output->history.end) { /* the other keeper fell while the disk was full */
    output->open_gap = known_end - output->history.end;
    output->gap_bytes += output->open_gap;
    output->history.end = known_end;
    return true;
  }
  if (!last) return true;
  char name[32];
  segment_name(name, last->start, "log");
  output->log = openat(run->dir, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  segment_name(name, last->start, "idx");
  output->index = openat(run->dir, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  return true;
}

void output_close(struct output *output) {
  if (output->log >= 0) close(output->log);
  if (output->index >= 0) close(output->index);
  output->log = output->index = -1;
  history_free(&output->history);
}

static bool add_line(struct output *output, struct mark mark) {
  struct segment *segment = last_segment(output);
  char line[INDEX_LINE + 1];
  mark_format(&mark, line);
  if (!segment || output->index < 0 || pwrite(output->index, line, INDEX_LINE, (off_t)segment->index) != INDEX_LINE) return false;
  segment->index += INDEX_LINE;
  return true;
}

void output_mark(struct output *output, char kind, uint64_t value) {
  add_line(output, (struct mark){kind, now_us(output), output->history.end, value});
}

static void drop_segment(struct output *output, size_t i) {
  struct history *history = &output->history;
  char name[32];
  segment_name(name, history->segments[i].start, "log");
  unlinkat(history->dir, name, 0);
  segment_name(name, history->segments[i].start, "idx");
  unlinkat(history->dir, name, 0);
  history->dropped += history->segments[i].data;
  memmove(&history->segments[i], &history->segments[i + 1], (history->count - i - 1) * sizeof *history->segments);
  history->count--;
}

/* Drops the oldest tail segment while the ones after it alone hold tail_limit bytes. */
static void enforce_limit(struct output *output) {
  struct history *history = &output->history;
  for (;;) {
    size_t first = history->count && is_head(output, &history->segments[0]) ? 1 : 0;
    uint64_t after = 0;
    for (size_t i = first + 1; i < history->count; i++) after += history->segments[i].data + history->segments[i].index;
    if (history->count <= first + 1 || after < output->tail_limit) return;
    drop_segment(output, first);
  }
}

/* Opens a segment at the present end. False: no room; then nothing is left of it. */
static bool begin_segment(struct output *output) {
  int dir = output->history.dir;
  char log_name[32], index_name[32];
  segment_name(log_name, output->history.end, "log");
  segment_name(index_name, output->history.end, "idx");
  int log = openat(dir, log_name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  int index = log >= 0 ? openat(dir, index_name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
  struct segment segment = {.start = output->history.end, .after_gap = output->open_gap > 0};
  bool ready = index >= 0 && history_add(&output->history, segment);
  if (ready) {
    if (output->log >= 0) close(output->log);
    if (output->index >= 0) close(output->index);
    output->log = log;
    output->index = index;
    output->stream = 0;
    if (!segment.after_gap || add_line(output, (struct mark){'g', now_us(output), segment.start, output->open_gap})) {
      output->open_gap = 0;
      return true;
    }
    output->history.count--;
    output->log = output->index = -1;
  }
  if (index >= 0) close(index);
  if (log >= 0) close(log);
  unlinkat(dir, log_name, 0);
  unlinkat(dir, index_name, 0);
  return false;
}

static bool segment_full(const struct output *output, const struct segment *segment, uint64_t *room) {
  uint64_t limit = is_head(output, segment) ? output->head_limit : output->segment_limit;
  /* One without data is never full: the next would begin at the same offset and so have the same name. */
  uint64_t used = segment->data ? segment->data + segment->index : 0;
  *room = used < limit ? limit - used : 0;
  return *room == 0;
}

/* A full disk: the child must go on, so its bytes are read, counted and let go. */
static ssize_t skip(struct output *output, int from, size_t most) {
  uint8_t nowhere[4096];
  ssize_t n = read(from, nowhere, most < sizeof nowhere ? most : sizeof nowhere);
  if (n <= 0) return n;
  output->history.end += (uint64_t)n;
  output->gap_bytes += (uint64_t)n;
  output->open_gap += (uint64_t)n;
  return n;
}

static void disk_full(struct output *output) {
  if (output->log >= 0) close(output->log);
  if (output->index >= 0) close(output->index);
  output->log = output->index = -1;
  /* An empty last segment would carry the name that the next one needs. */
  struct segment *last = last_segment(output);
  if (last && last->data == 0) drop_segment(output, output->history.count - 1);
  output->retry_ns = sys_monotonic_ns() + RETRY_NS;
}

static bool find_room(struct output *output) {
  uint64_t now = sys_monotonic_ns();
  if (now < output->retry_ns) return false;
  /* So that a successor knows the true offset even if this keeper falls before there is room. */
  if (output->on_full) output->on_full();
  output->retry_ns = now + RETRY_NS;
  return begin_segment(output);
}

/* Where splice does not work. Does its own accounting: what was read but could not be stored is a gap. */
static ssize_t copy(struct output *output, int from, struct segment *segment, size_t most) {
  static uint8_t *space; /* kept: where it is needed at all it is needed all the time */
  if (!space && !(space = malloc(COPY))) return -1;
  ssize_t n = read(from, space, most < COPY ? most : COPY);
  if (n <= 0) return n;
  ssize_t written = pwrite(output->log, space, (size_t)n, (off_t)segment->data);
  size_t stored = written > 0 ? (size_t)written : 0;
  segment->data += stored;
  output->history.end += (uint64_t)n;
  if (stored < (size_t)n) {
    output->gap_bytes += (uint64_t)n - stored;
    output->open_gap += (uint64_t)n - stored;
    disk_full(output);
  }
  return n;
}

/* A pipe itself never fails to be read: whatever else went wrong is the file's doing, and the child must go on. */
static bool is_disk_error(int error) { return error != EAGAIN && error != EINTR; }

static bool stamp(struct output *output, int from, char stream) {
  uint64_t now = now_us(output);
  if (output->stream == stream && now - output->marked_us < COALESCE_US) return true;
  int waiting = 1;
  if (ioctl(from, FIONREAD, &waiting) == 0 && waiting == 0) return true; /* nothing to describe: probably the end */
  if (!add_line(output, (struct mark){stream, now, output->history.end, 0})) return false;
  output->stream = stream;
  output->marked_us = now;
  return true;
}

ssize_t output_take(struct output *output, int from, char stream, size_t most) {
  uint64_t room = 0;
  if (output->log < 0 && !find_room(output)) return skip(output, from, most);
  struct segment *segment = last_segment(output);
  if (!segment) return skip(output, from, most); /* no memory for the table */
  if (segment_full(output, segment, &room)) {
    if (!begin_segment(output)) {
      disk_full(output);
      return skip(output, from, most);
    }
    enforce_limit(output);
    segment = last_segment(output);
    segment_full(output, segment, &room);
  }
  if (!stamp(output, from, stream)) {
    disk_full(output);
    return skip(output, from, most);
  }
  if (most > room) most = (size_t)room;
  if (output->plain_copy) return copy(output, from, segment, most);
  uint64_t at = segment->data;
  ssize_t n = sys_move(from, output->log, &at, most);
  if (n > 0) {
    segment->data += (uint64_t)n;
    output->history.end += (uint64_t)n;
    return n;
  }
  if (n < 0 && errno == EINVAL) {
    output->plain_copy = true;
    return copy(output, from, segment, most);
  }
  if (n < 0 && is_disk_error(errno)) {
    disk_full(output);
    return skip(output, from, most);
  }
  return n;
}
