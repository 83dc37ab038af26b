/* Capturing output: bytes from the child into segments, the index beside them, the size limit, a full disk. */
#ifndef HOLDFAST_OUTPUT_H
#define HOLDFAST_OUTPUT_H

#include "history.h"
#include "rundir.h"

struct output {
  struct history history;
  void (*on_full)(void); /* the disk is full and `end` has moved: note it where a successor finds it */
  int log, index; /* of the last segment; owned; -1 while the disk is full */
  uint64_t head_limit, tail_limit, segment_limit;
  uint64_t started_boottime_us;
  char stream;          /* of the last o/e line; 0 = none in this segment yet */
  uint64_t marked_us;   /* time of that line */
  uint64_t gap_bytes;   /* all that was lost to a full disk */
  uint64_t open_gap;    /* of the gap that is going on */
  uint64_t retry_ns;    /* when to look for room again */
  bool plain_copy;      /* splice does not work between these descriptors */
};

/* Takes over run->log and run->index. */
void output_open(struct output *output, struct rundir *run, uint64_t head_limit, uint64_t tail_limit, uint64_t started_us);
/* Goes on after another keeper: finds the end from the files and the keeper record. False: unreadable. */
bool output_resume(struct output *output, struct rundir *run, uint64_t head_limit, uint64_t tail_limit, uint64_t started_us);
/* Stores up to `most` bytes from a pipe. As read(): bytes taken (stored, or counted as a gap), 0 at the end, -1 with errno. */
ssize_t output_take(struct output *output, int from, char stream, size_t most);
void output_mark(struct output *output, char kind, uint64_t value);
void output_close(struct output *output);

#endif
