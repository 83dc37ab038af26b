#define _GNU_SOURCE
#include "history.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void segment_name(char out[32], uint64_t start, const char *suffix) { snprintf(out, 32, "%016" PRIu64 ".%s", start, suffix); }

bool history_add(struct history *history, struct segment segment) {
  if (history->count == history->capacity) {
    size_t capacity = history->capacity ? history->capacity * 2 : 12;
    struct segment *grown = realloc(history->segments, capacity * sizeof *grown);
    if (!grown) return false;
    history->segments = grown;
    history->capacity = capacity;
  }
  history->segments[history->count++] = segment;
  return true;
}

static int compare_segments(const void *a, const void *b) {
  const struct segment *left = a, *right = b;
  return left->start < right->start ? -1 : left->start > right->start;
}

/* The start offset in a name like 0000000000001234.log; false for anything else. */
static bool parse_segment_name(const char *name, uint64_t *start) {
  if (strlen(name) != 20 || strcmp(name + 16, ".log") != 0) return false;
  *start = 0;
  for (int i = 0; i < 16; i++) {
    if (name[i] < '0' || name[i] > '9') return false;
    *start = *start * 10 + (uint64_t)(name[i] - '0');
  }
  return true;
}

static bool read_mark(int fd, size_t line, struct mark *out) {
  char text[INDEX_LINE];
  return pread(fd, text, sizeof text, (off_t)line * INDEX_LINE) == INDEX_LINE && mark_parse(text, out);
}

static bool starts_after_gap(int dir, uint64_t start, uint64_t *size) {
  char name[32];
  segment_name(name, start, "idx");
  int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  struct mark mark = {0};
  bool gap = read_mark(fd, 0, &mark) && mark.kind == 'g';
  close(fd);
  *size = mark.value;
  return gap;
}

bool history_scan(struct history *history, int dir) {
  *history = (struct history){.dir = dir};
  int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
  if (!list) {
    if (fd >= 0) close(fd);
    return false;
  }
  struct dirent *entry;
  uint64_t start;
  while ((entry = readdir(list))) {
    struct stat log, index;
    char name[32];
    if (!parse_segment_name(entry->d_name, &start) || fstatat(dir, entry->d_name, &log, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(log.st_mode)) continue;
    segment_name(name, start, "idx");
    uint64_t index_size = fstatat(dir, name, &index, AT_SYMLINK_NOFOLLOW) == 0 ? (uint64_t)index.st_size : 0;
    history_add(history, (struct segment){start, (uint64_t)log.st_size, index_size - index_size % INDEX_LINE, false});
  }
  closedir(list);
  if (history->count) qsort(history->segments, history->count, sizeof *history->segments, compare_segments);
  for (size_t i = 0; i < history->count; i++) {
    struct segment *segment = &history->segments[i];
    if (i + 1 < history->count && segment->start + segment->data > segment[1].start)
      segment->data = segment[1].start - segment->start; /* a damaged name must not make offsets ambiguous */
    uint64_t lost = 0;
    if (i > 0 || segment->start > 0) segment->after_gap = starts_after_gap(dir, segment->start, &lost);
    if (segment->after_gap) history->gaps += lost;
    uint64_t before = i ? segment[-1].start + segment[-1].data : 0;
    if (!segment->after_gap && segment->start > before) history->dropped += segment->start - before;
    history->end = segment->start + segment->data;
  }
  return true;
}

void history_free(struct history *history) {
  free(history->segments);
  *history = (struct history){.dir = -1};
}

void mark_format(const struct mark *mark, char out[INDEX_LINE + 1]) {
  uint64_t most = 9999999999999u;
  snprintf(out, INDEX_LINE + 1, "%c %016" PRIu64 " %016" PRIu64 " %013" PRIu64 "\n", mark->kind, mark->time_us, mark->offset,
           mark->value > most ? most : mark->value);
}

static bool parse_digits(const char *at, int n, uint64_t *out) {
  *out = 0;
  for (int i = 0; i < n; i++) {
    if (at[i] < '0' || at[i] > '9') return false;
    *out = *out * 10 + (uint64_t)(at[i] - '0');
  }
  return true;
}

bool mark_parse(const char line[INDEX_LINE], struct mark *out) {
  out->kind = line[0];
  return line[1] == ' ' && parse_digits(line + 2, 16, &out->time_us) && line[18] == ' ' && parse_digits(line + 19, 16, &out->offset) &&
         line[35] == ' ' && parse_digits(line + 36, 13, &out->value) && line[49] == '\n';
}

/* The last segment that starts at or before offset; count if there is none. */
static size_t find_segment(const struct history *history, uint64_t offset) {
  size_t low = 0, high = history->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (history->segments[middle].start <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? low - 1 : history->count;
}

bool history_has(const struct history *history, uint64_t offset, uint64_t *next) {
  *next = offset;
  if (offset == history->end) return true;
  if (offset > history->end) {
    *next = history->end;
    return false;
  }
  size_t i = find_segment(history, offset);
  if (i < history->count && offset < history->segments[i].start + history->segments[i].data) return true;
  size_t after = i < history->count ? i + 1 : 0;
  *next = after < history->count ? history->segments[after].start : history->end;
  return false;
}

void reader_seek(struct reader *reader, uint64_t offset, bool marks) {
  reader_close(reader);
  reader->at = offset;
  reader->marks = marks;
}

void reader_close(struct reader *reader) {
  if (reader->open) {
    close(reader->log);
    if (reader->index >= 0) close(reader->index);
  }
  *reader = (struct reader){.log = -1, .index = -1};
}

/* The index line to begin with inside a segment: the last o/e before offset, which tells the stream; then all that stand at it. */
static size_t first_line(int index, size_t lines, uint64_t offset) {
  size_t low = 0, high = lines;
  struct mark mark;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (read_mark(index, middle, &mark) && mark.offset < offset)
      low = middle + 1;
    else
      high = middle;
  }
  while (low > 0) {
    low--;
    if (read_mark(index, low, &mark) && (mark.kind == 'o' || mark.kind == 'e')) break;
  }
  return low;
}

static bool open_segment(struct reader *reader, const struct history *history, const struct segment *segment) {
  uint64_t at = reader->at;
  bool marks = reader->marks;
  reader_close(reader);
  reader->at = at;
  reader->marks = marks;
  char name[32];
  segment_name(name, segment->start, "log");
  int log = openat(history->dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (log < 0) return false;
  segment_name(name, segment->start, "idx");
  reader->log = log;
  reader->index = marks ? openat(history->dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
  reader->segment_start = segment->start;
  reader->open = true;
  bool inside = reader->index >= 0 && at > segment->start;
  reader->line = inside ? first_line(reader->index, segment->index / INDEX_LINE, at) : 0;
  return true;
}

static struct piece missing(struct reader *reader, const struct history *history, uint64_t to) {
  if (to <= reader->at) return (struct piece){0};
  size_t i = find_segment(history, to);
  bool starts_here = i < history->count && history->segments[i].start == to;
  /* Output that ends where no segment does: the disk is still full. */
  bool gap = starts_here ? history->segments[i].after_gap : to == history->end;
  struct piece piece = {.kind = PIECE_MISSING, .offset = reader->at, .to = to, .gap = gap};
  reader->at = to;
  return piece;
}

/* Marks at the very end of the open segment, which the reader is about to leave: a resize just before a new segment began. */
static bool last_mark(struct reader *reader, struct mark *mark) {
  if (!reader->open || reader->index < 0 || !read_mark(reader->index, reader->line, mark) || mark->offset > reader->at) return false;
  reader->line++;
  return true;
}

struct piece reader_next(struct reader *reader, const struct history *history, uint8_t *out, size_t most) {
  uint64_t next;
  struct mark mark;
  size_t i = find_segment(history, reader->at);
  bool leaving = i >= history->count || history->segments[i].start != reader->segment_start;
  if (leaving && last_mark(reader, &mark)) return (struct piece){.kind = PIECE_MARK, .mark = mark};
  if (!history_has(history, reader->at, &next)) return missing(reader, history, next);
  if (i >= history->count) return (struct piece){0};
  const struct segment *segment = &history->segments[i];
  if ((!reader->open || reader->segment_start != segment->start) && !open_segment(reader, history, segment))
    return missing(reader, history, segment->start + segment->data);
  uint64_t stop = segment->start + segment->data;
  while (reader->index >= 0 && reader->line < segment->index / INDEX_LINE && read_mark(reader->index, reader->line, &mark)) {
    if (mark.offset > reader->at) {
      if (mark.offset < stop) stop = mark.offset;
      break;
    }
    reader->line++;
    return (struct piece){.kind = PIECE_MARK, .mark = mark};
  }
  uint64_t here = stop > reader->at ? stop - reader->at : 0;
  if (here == 0 || most == 0) return (struct piece){0};
  ssize_t n = pread(reader->log, out, here < most ? (size_t)here : most, (off_t)(reader->at - segment->start));
  if (n <= 0) return missing(reader, history, stop); /* the file was cut by somebody else */
  struct piece piece = {.kind = PIECE_DATA, .offset = reader->at, .length = (size_t)n};
  reader->at += (uint64_t)n;
  return piece;
}
