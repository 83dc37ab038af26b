/* What clients typed and the child has not taken yet (CONTRACT.md §4.2 Stdin). In memory only, but in memory that the
 * launcher holds too: the file position of the memory file is how much the child was given. */
#ifndef HOLDFAST_STDIN_QUEUE_H
#define HOLDFAST_STDIN_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { QUEUE_MOST = 65536, QUEUE_WRITERS = 64, KEEPER_WRITER = 0 };

struct queue_head {
  uint64_t written; /* file offset after the last accepted byte */
  uint64_t line;    /* bytes since the last line end, for canonical terminals */
  uint32_t closing; /* close (or type end-of-file) once empty */
  uint32_t count;
  struct {
    uint64_t writer, next, used;
  } writers[QUEUE_WRITERS];
  uint64_t clock; /* orders `used` */
};

struct queue_map;
struct stdin_queue {
  int fd; /* -1 where there is no memory file */
  struct queue_map *map;
};

/* Makes an empty queue, or takes over the one behind fd. False: no memory. */
bool queue_open(struct stdin_queue *queue, int fd);
void queue_close(struct stdin_queue *queue);
static inline bool queue_is_open(const struct stdin_queue *queue) { return queue->map != NULL; }

enum queue_answer { QUEUE_TAKEN, QUEUE_GAP, QUEUE_LONG_LINE };
/* Takes what fits of [sequence, sequence + n); *next is the writer's next sequence. line_most = 0: no line limit. */
enum queue_answer queue_accept(struct stdin_queue *queue, uint64_t writer, uint64_t sequence, const uint8_t *data, size_t n, size_t line_most,
                               uint64_t *next);
/* Was all of this accepted before? */
bool queue_has_taken(const struct stdin_queue *queue, uint64_t writer, uint64_t sequence, size_t n);
size_t queue_pending(const struct stdin_queue *queue);
/* How much would be accepted now. Can be 0 with little pending: the linear room begins anew only when the queue is empty. */
size_t queue_room(const struct stdin_queue *queue);
/* Hands bytes to the child; as write(). */
ssize_t queue_feed(struct stdin_queue *queue, int out);
void queue_set_closing(struct stdin_queue *queue);
bool queue_closing(const struct stdin_queue *queue);
/* Nobody will read what is queued: forget it. */
void queue_discard(struct stdin_queue *queue);

#endif
