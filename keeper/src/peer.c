#define _GNU_SOURCE
#include "peer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sys.h"

#ifdef MSG_CMSG_CLOEXEC
#define RECEIVE_FLAGS MSG_CMSG_CLOEXEC
#else
#define RECEIVE_FLAGS 0 /* macOS: descriptors come without close-on-exec */
#endif
#define SLOW_NS 10000000000ull /* a frame begun must be complete within this */
enum {
  READ_STEP = 16384,
  TURNS = 16, /* reads per wake-up: one that sends without pause must not keep the others waiting */
};

static void too_slow(void *context) { peer_close(context); }

/* Closing is always deferred to here, so that no callback frees the peer it was called for. */
static void release(struct peer *peer) {
  loop_unwatch(&peer->watch);
  if (peer->out_fd != peer->fd) loop_unwatch(&peer->out_watch);
  loop_cancel(&peer->slow);
  if (peer->on_close) peer->on_close(peer);
  close(peer->fd);
  if (peer->out_fd != peer->fd) close(peer->out_fd);
  for (size_t i = 0; i < peer->fd_count; i++) close(peer->fds[i]);
  buffer_free(&peer->in);
  buffer_free(&peer->out);
  free(peer);
}

static void closed_later(void *context) { release(context); }

void peer_close(struct peer *peer) {
  if (peer->closed) return;
  peer->closed = true;
  loop_unwatch(&peer->watch);
  if (peer->out_fd != peer->fd) loop_unwatch(&peer->out_watch);
  loop_timer(&peer->slow, 1, closed_later, peer);
}

static ssize_t receive(struct peer *peer) {
  struct iovec part = {peer->in.data + peer->in.length, peer->in.capacity - peer->in.length};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * PEER_FDS)];
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t n = recvmsg(peer->fd, &message, RECEIVE_FLAGS);
  if (n < 0 && errno == ENOTSOCK) return read(peer->fd, part.iov_base, part.iov_len);
  if (n < 0) return n;
  for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
    if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (at->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
      int fd;
      memcpy(&fd, CMSG_DATA(at) + i * sizeof fd, sizeof fd);
      if (!RECEIVE_FLAGS) fcntl(fd, F_SETFD, FD_CLOEXEC);
      if (peer->fd_count < PEER_FDS)
        peer->fds[peer->fd_count++] = fd;
      else
        close(fd);
    }
  }
  return n;
}

static void deliver(struct peer *peer) {
  struct frame frame;
  size_t used;
  enum frame_result result = FRAME_PARTIAL;
  while (!peer->closed && buffer_size(&peer->in) &&
         (result = frame_parse(buffer_head(&peer->in), buffer_size(&peer->in), peer->starts_allowed, &frame, &used)) == FRAME_READY) {
    loop_cancel(&peer->slow); /* the time allowed is that of one frame: a client that never pauses has always begun the next */
    peer->on_frame(peer, &frame);
    buffer_consume(&peer->in, used);
  }
  if (peer->closed) return;
  if (result == FRAME_BAD) {
    peer_close(peer);
    return;
  }
  if (buffer_size(&peer->in) == 0)
    loop_cancel(&peer->slow);
  else if (peer->slow.due_ns == 0)
    loop_timer(&peer->slow, sys_monotonic_ns() + SLOW_NS, too_slow, peer);
}

static void became_writable(struct peer *peer) {
  peer_flush(peer);
  if (!peer->closed && buffer_size(&peer->out) == 0 && peer->on_drained) peer->on_drained(peer);
}

/* Reads and delivers; once, or (`all`) until nothing is left: a message with descriptors always ends a read. */
static void read_frames(struct peer *peer, bool all) {
  for (int turn = 0; !peer->closed && (all || turn < TURNS); turn++) {
    if (!buffer_reserve(&peer->in, READ_STEP)) {
      peer_close(peer);
      return;
    }
    ssize_t n = receive(peer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) {
      peer_close(peer);
      return;
    }
    peer->in.length += (size_t)n;
    deliver(peer);
    /* It did not fill the space: probably all there is. */
    if (!all && (size_t)n < READ_STEP) break;
  }
  if (!peer->closed && buffer_size(&peer->in) == 0) buffer_free(&peer->in);
}

static void on_ready(void *context, unsigned events) {
  struct peer *peer = context;
  if (events & LOOP_WRITE) became_writable(peer);
  if (events & (LOOP_READ | LOOP_HUP)) read_frames(peer, false);
}

void peer_read_now(struct peer *peer) {
  read_frames(peer, true);
}

static void on_out_ready(void *context, unsigned events) {
  struct peer *peer = context;
  if (events & LOOP_HUP)
    peer_close(peer);
  else
    became_writable(peer);
}

struct peer *peer_open_pair(int in, int out, void (*on_frame)(struct peer *, const struct frame *), void (*on_close)(struct peer *), void *context) {
  struct peer *peer = calloc(1, sizeof *peer);
  if (!peer) {
    close(in);
    if (out != in) close(out);
    return NULL;
  }
  peer->fd = in;
  peer->out_fd = out;
  peer->on_frame = on_frame;
  peer->on_close = on_close;
  peer->context = context;
  fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
  if (out != in) fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
  loop_watch(&peer->watch, in, LOOP_READ, on_ready, peer);
  if (out != in) loop_watch(&peer->out_watch, out, 0, on_out_ready, peer);
  return peer;
}

struct peer *peer_open(int fd, void (*on_frame)(struct peer *, const struct frame *), void (*on_close)(struct peer *), void *context) {
  struct socket_peer other;
  if (!sys_peer(fd, &other) || other.uid != geteuid()) {
    close(fd);
    return NULL;
  }
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  struct peer *peer = peer_open_pair(fd, fd, on_frame, on_close, context);
  if (peer) peer->pid = other.pid;
  return peer;
}

static void want_writable(struct peer *peer, bool wanted) {
  if (peer->out_fd == peer->fd)
    loop_change(&peer->watch, LOOP_READ | (wanted ? LOOP_WRITE : 0u));
  else
    loop_change(&peer->out_watch, wanted ? LOOP_WRITE : 0u);
}

void peer_flush(struct peer *peer) {
  if (peer->closed) return;
  if (peer->out.failed) {
    peer_close(peer);
    return;
  }
  while (buffer_size(&peer->out)) {
    ssize_t n = write(peer->out_fd, buffer_head(&peer->out), buffer_size(&peer->out));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {
      if (buffer_size(&peer->out) > PEER_UNREAD_MOST)
        peer_close(peer);
      else
        want_writable(peer, true);
      return;
    }
    if (n < 0) { /* gone, but what it sent before it went still counts: the end comes when that is read */
      buffer_free(&peer->out);
      if (peer->out_fd != peer->fd) peer_close(peer);
      return;
    }
    buffer_consume(&peer->out, (size_t)n);
  }
  want_writable(peer, false);
}

void peer_ask_writable(struct peer *peer) {
  if (!peer->closed) want_writable(peer, true);
}

bool peer_send_fds(struct peer *peer, struct buffer *frame, const int *fds, size_t count) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * PEER_FDS)];
  } control = {0};
  struct iovec part = {buffer_head(frame), buffer_size(frame)};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (count) {
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
    struct cmsghdr *header = &control.header; /* = CMSG_FIRSTHDR(&message) */
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * count);
    memcpy(CMSG_DATA(header), fds, sizeof(int) * count);
  }
  size_t size = buffer_size(frame);
  /* Small and rare (a start, the first write): waiting for room keeps descriptors and bytes in one message. */
  for (int tries = 0; tries < 50 && !peer->closed; tries++) {
    peer_flush(peer);
    if (buffer_size(&peer->out) == 0) {
      ssize_t n = sendmsg(peer->out_fd, &message, 0);
      if (n == (ssize_t)size) return true;
      if (n >= 0 || (errno != EAGAIN && errno != EINTR)) break;
    }
    struct pollfd writable = {.fd = peer->out_fd, .events = POLLOUT};
    poll(&writable, 1, 20);
  }
  peer_close(peer);
  return false;
}

void peer_hello(struct peer *peer, const char *id, uint32_t keeper_pid) {
  size_t mark = frame_begin(&peer->out, FRAME_HELLO, 0);
  buffer_add_u16(&peer->out, CONTRACT_MAJOR);
  buffer_add_u16(&peer->out, CONTRACT_MINOR);
  if (id) {
    buffer_add_bytes(&peer->out, id, strlen(id));
    buffer_add_u32(&peer->out, keeper_pid);
  }
  frame_end(&peer->out, mark);
}

int peer_take_fd(struct peer *peer) {
  if (peer->fd_count == 0) return -1;
  int fd = peer->fds[0];
  memmove(peer->fds, peer->fds + 1, --peer->fd_count * sizeof(int));
  return fd;
}
