/* Reading the output of a run from its segments (CONTRACT.md §3): for a live keeper's clients and for an ended run. */
#ifndef HOLDFAST_HISTORY_H
#define HOLDFAST_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INDEX_LINE = 50 };

struct segment {
  uint64_t start, data, index; /* absolute offset of the first byte; bytes in .log and .idx */
  bool after_gap;
};

struct history {
  int dir; /* not owned */
  struct segment *segments;
  size_t count, capacity;
  uint64_t end;     /* absolute offset of the end of output */
  uint64_t dropped; /* bytes of segments that were dropped */
  uint64_t gaps;    /* bytes that the kept segments say were lost to a full disk; set by history_scan */
};

/* Builds the table from the files of a directory; false when it cannot be read. */
bool history_scan(struct history *history, int dir);
void history_free(struct history *history);
bool history_add(struct history *history, struct segment segment);
void segment_name(char out[32], uint64_t start, const char *suffix);

struct mark {
  char kind;
  uint64_t time_us, offset, value;
};
void mark_format(const struct mark *mark, char out[INDEX_LINE + 1]);
bool mark_parse(const char line[INDEX_LINE], struct mark *out);

/* Where the first byte at or after `offset` is: true if `offset` itself is there or is the end; else *next is the first that is. */
bool history_has(const struct history *history, uint64_t offset, uint64_t *next);

/* One reader's place. Zero-initialise, then reader_seek. Owns its descriptors. */
struct reader {
  uint64_t at;
  bool marks;
  int log, index;
  uint64_t segment_start;
  bool open;
  size_t line;
};
enum piece_kind { PIECE_NONE, PIECE_DATA, PIECE_MARK, PIECE_MISSING };
struct piece {
  enum piece_kind kind;
  uint64_t offset;   /* DATA: of its first byte; MISSING: from */
  size_t length;     /* DATA */
  uint64_t to;       /* MISSING */
  bool gap;          /* MISSING: lost to a full disk, not dropped */
  struct mark mark;
};
void reader_seek(struct reader *reader, uint64_t offset, bool marks);
/* The next piece, data into `out` (at most `most` bytes). PIECE_NONE: nothing more now. */
struct piece reader_next(struct reader *reader, const struct history *history, uint8_t *out, size_t most);
void reader_close(struct reader *reader);

#endif
