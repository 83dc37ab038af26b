#define _GNU_SOURCE
#include "stdin_queue.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sys.h"

enum {
  PAGE = 4096,
  BASE = 2 * PAGE,          /* data starts behind the map's header */
  RESERVED = 1024,          /* of it, for what the keeper itself types: an end of file must not be lost to a full queue */
  SPACE = 1 << 20,          /* linear room; begins anew whenever the queue is empty */
};

/* Two copies of the head and the number of the valid one: a keeper killed while it writes the other leaves a whole one. */
struct queue_map {
  uint32_t active;
  uint32_t pad;
  uint64_t position; /* stands in for the file position where there is no memory file */
  struct queue_head heads[2];
};
_Static_assert(sizeof(struct queue_map) <= BASE, "the header fits before the data");

static uint8_t *data_at(const struct stdin_queue *queue, uint64_t offset) { return (uint8_t *)queue->map + offset; }
static const struct queue_head *head(const struct stdin_queue *queue) { return &queue->map->heads[queue->map->active & 1]; }

static struct queue_head *edit(struct stdin_queue *queue) {
  struct queue_head *other = &queue->map->heads[!(queue->map->active & 1)];
  *other = *head(queue);
  return other;
}
static void commit(struct stdin_queue *queue) { __atomic_store_n(&queue->map->active, !(queue->map->active & 1), __ATOMIC_SEQ_CST); }

void queue_close(struct stdin_queue *queue) {
  if (queue->map) munmap(queue->map, BASE + SPACE);
  if (queue->fd >= 0) close(queue->fd);
  *queue = (struct stdin_queue){.fd = -1};
}

static uint64_t given(const struct stdin_queue *queue) {
  return queue->fd >= 0 ? (uint64_t)lseek(queue->fd, 0, SEEK_CUR) : queue->map->position;
}

size_t queue_pending(const struct stdin_queue *queue) {
  if (!queue->map) return 0;
  uint64_t position = given(queue);
  /* A position past the end: the keeper fell between emptying the head and winding the file back. */
  return position < head(queue)->written ? (size_t)(head(queue)->written - position) : 0;
}

/* Forgets all data: it may have been a password. Whole pages are cut out of the file, never overwritten: a pipe that was
 * fed from them still refers to them and the child has perhaps not read them yet. Position and head come after, in an order that
 * reads as empty wherever a keeper falls. */
static void start_over(struct stdin_queue *queue) {
  if (queue->fd >= 0)
    sys_forget(queue->fd, BASE, SPACE);
  else
    memset(data_at(queue, BASE), 0, SPACE);
  edit(queue)->written = BASE;
  commit(queue);
  if (queue->fd >= 0)
    lseek(queue->fd, BASE, SEEK_SET);
  else
    queue->map->position = BASE;
}

static void rewind_if_empty(struct stdin_queue *queue) {
  if (queue_pending(queue) == 0 && given(queue) > BASE) start_over(queue);
}

bool queue_open(struct stdin_queue *queue, int fd) {
  bool fresh = fd < 0;
  if (fresh) fd = sys_memory_file();
  bool sized = !fresh || fd < 0 || ftruncate(fd, BASE + SPACE) == 0;
  int flags = fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANON;
  void *map = sized ? mmap(NULL, BASE + SPACE, PROT_READ | PROT_WRITE, flags, fd, 0) : MAP_FAILED;
  if (map == MAP_FAILED) {
    if (fresh && fd >= 0) close(fd);
    return false;
  }
  queue->fd = fd;
  queue->map = map;
  if (!fresh) {
    rewind_if_empty(queue);
    return true;
  }
  queue->map->heads[0].written = queue->map->heads[1].written = queue->map->position = BASE;
  if (fd >= 0) lseek(fd, BASE, SEEK_SET);
  return true;
}

size_t queue_room(const struct stdin_queue *queue) {
  size_t pending = queue_pending(queue);
  size_t room = pending < QUEUE_MOST ? QUEUE_MOST - pending : 0;
  uint64_t space = BASE + SPACE - head(queue)->written;
  space = space > RESERVED ? space - RESERVED : 0;
  return room < space ? room : (size_t)space;
}

/* The slot of a writer, made if need be by forgetting the one heard from longest ago. */
static uint32_t slot_of(struct queue_head *edited, uint64_t writer) {
  uint32_t oldest = 0;
  for (uint32_t i = 0; i < edited->count; i++) {
    if (edited->writers[i].writer == writer) return i;
    if (edited->writers[i].used < edited->writers[oldest].used) oldest = i;
  }
  uint32_t slot = edited->count < QUEUE_WRITERS ? edited->count++ : oldest;
  edited->writers[slot].writer = writer;
  edited->writers[slot].next = 0;
  return slot;
}

/* The length of the unfinished line after data; SIZE_MAX if a line in it is longer than line_most without its end. */
static size_t line_after(size_t line, const uint8_t *data, size_t n, size_t line_most) {
  for (size_t i = 0; i < n; i++) {
    if (data[i] == '\n' || data[i] == '\r' || data[i] == 4)
      line = 0;
    else if (++line > line_most)
      return SIZE_MAX;
  }
  return line;
}

enum queue_answer queue_accept(struct stdin_queue *queue, uint64_t writer, uint64_t sequence, const uint8_t *data, size_t n, size_t line_most,
                               uint64_t *next) {
  rewind_if_empty(queue);
  struct queue_head *edited = edit(queue);
  uint32_t slot = slot_of(edited, writer);
  *next = edited->writers[slot].next;
  if (sequence > *next) return QUEUE_GAP;
  uint64_t known = *next - sequence;
  if (known >= n) return QUEUE_TAKEN; /* a retry of something that was taken */
  data += known;
  n -= known;
  /* The whole of it is judged, not the part that fits: half a refused line must not be typed. */
  size_t line = line_most ? line_after((size_t)edited->line, data, n, line_most) : 0;
  if (line == SIZE_MAX) return QUEUE_LONG_LINE;
  size_t room = writer == KEEPER_WRITER ? (size_t)(BASE + SPACE - edited->written) : queue_room(queue);
  if (n > room) {
    n = room;
    line = line_most ? line_after((size_t)edited->line, data, n, line_most) : 0;
  }
  memcpy(data_at(queue, edited->written), data, n);
  edited->written += n;
  edited->line = line;
  edited->writers[slot].next += n;
  edited->writers[slot].used = ++edited->clock;
  *next = edited->writers[slot].next;
  commit(queue);
  return QUEUE_TAKEN;
}

bool queue_has_taken(const struct stdin_queue *queue, uint64_t writer, uint64_t sequence, size_t n) {
  if (!queue->map) return false;
  const struct queue_head *known = head(queue);
  for (uint32_t i = 0; i < known->count; i++)
    if (known->writers[i].writer == writer) return known->writers[i].next >= sequence + n;
  return false;
}

ssize_t queue_feed(struct stdin_queue *queue, int out) {
  size_t n = queue_pending(queue);
  if (n == 0) return 0;
  ssize_t sent;
  if (queue->fd >= 0) {
    sent = sys_feed(out, queue->fd, n);
  } else {
    sent = write(out, data_at(queue, queue->map->position), n);
    if (sent > 0) queue->map->position += (uint64_t)sent;
  }
  rewind_if_empty(queue);
  return sent;
}

void queue_set_closing(struct stdin_queue *queue) {
  edit(queue)->closing = 1;
  commit(queue);
}
bool queue_closing(const struct stdin_queue *queue) { return queue->map && head(queue)->closing; }

void queue_discard(struct stdin_queue *queue) {
  if (queue->map) start_over(queue);
}
