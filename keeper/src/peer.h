/* A buffered, non-blocking frame connection. Knows frames, not what they mean. */
#ifndef HOLDFAST_PEER_H
#define HOLDFAST_PEER_H

#include "frame.h"
#include "loop.h"

#include <sys/types.h>

enum { PEER_FDS = 8, PEER_UNREAD_MOST = 1 << 20 };

struct peer {
  int fd, out_fd; /* the same, but for attach on stdio */
  struct watch watch, out_watch;
  struct buffer in, out;
  int fds[PEER_FDS]; /* descriptors received and not yet taken */
  size_t fd_count;
  struct timer slow;
  bool starts_allowed, closed;
  pid_t pid; /* of the other side; 0 = not known */
  void (*on_frame)(struct peer *peer, const struct frame *frame);
  void (*on_close)(struct peer *peer); /* the peer frees itself after this returns */
  void (*on_drained)(struct peer *peer); /* writable again and nothing unsent */
  void *context;
};

/* Takes over fd. NULL: another user's process, or no memory (fd is then closed). */
struct peer *peer_open(int fd, void (*on_frame)(struct peer *, const struct frame *), void (*on_close)(struct peer *), void *context);
/* A peer that reads one descriptor and writes another. */
struct peer *peer_open_pair(int in, int out, void (*on_frame)(struct peer *, const struct frame *), void (*on_close)(struct peer *), void *context);
/* Sends what is in peer->out; call after adding frames to it. */
void peer_flush(struct peer *peer);
/* on_drained will be called from the loop: for work that goes on in turns. */
void peer_ask_writable(struct peer *peer);
/* Sends one frame with descriptors, after everything before it. False: the connection is gone. */
bool peer_send_fds(struct peer *peer, struct buffer *frame, const int *fds, size_t count);
void peer_hello(struct peer *peer, const char *id, uint32_t keeper_pid);
/* Delivers what has arrived, now: the other side is known to be gone. */
void peer_read_now(struct peer *peer);
void peer_close(struct peer *peer);
int peer_take_fd(struct peer *peer);

#endif
