/* The keeper's connection to its launcher: what it holds for us, what it relays, what it tells. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "keeper.h"
#include "peer.h"
#include "text.h"

#define RETRY_NS 50000000ull /* a new launcher's queue of connections may be full for a moment */

static void on_frame(struct peer *peer, const struct frame *frame) {
  (void)peer;
  if (frame->type != FRAME_CHILD_STATUS) return;
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  struct child_status status = {.wait_status = (int)cursor_u32(&cursor), .has_usage = true};
  uint64_t user = cursor_u64(&cursor), system = cursor_u64(&cursor);
  status.usage.ru_utime = (struct timeval){(time_t)(user / 1000000), (suseconds_t)(user % 1000000)};
  status.usage.ru_stime = (struct timeval){(time_t)(system / 1000000), (suseconds_t)(system % 1000000)};
  status.usage.ru_maxrss = (long)cursor_u64(&cursor);
  if (!cursor.bad) keeper_child_ended(&status);
}

static void on_close(struct peer *peer) {
  if (keeper.link != peer) return;
  keeper.link = NULL;
  keeper.launcher_reaps = false;
  link_ensure();
  successor_watch_child();
}

void link_begin(int fd) {
  keeper.link = fd >= 0 ? peer_open_pair(fd, fd, on_frame, on_close, NULL) : NULL;
}

static void retry(void *context) {
  (void)context;
  link_ensure();
}

/* Finds the launcher of this home if we have none. A new one first listens and then calls its keepers (SIGUSR1), so no keeper is missed. */
void link_ensure(void) {
  if (keeper.link || keeper.leaving) return;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  sys_socket_path(keeper.home, "launcher.sock", address.sun_path, sizeof address.sun_path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, O_NONBLOCK);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    if (errno == EAGAIN) loop_timer(&keeper.link_timer, sys_monotonic_ns() + RETRY_NS, retry, NULL);
    close(fd);
    return;
  }
  link_begin(fd);
  if (!keeper.link) return;
  peer_hello(keeper.link, NULL, 0);
  peer_flush(keeper.link);
  link_hold();
}

const char *const held_names[8] = {"out", "err", "in", "transit_read", "transit_write", "queue", "pidfd", "status"};

int *held_at(struct held_fds *held, size_t i) {
  int *slots[] = {&held->out, &held->err, &held->in, &held->transit_read, &held->transit_write, &held->queue, &held->pidfd, &held->status};
  return slots[i];
}

int *held_slot(struct held_fds *held, const char *name) {
  for (size_t i = 0; i < 8; i++)
    if (strcmp(held_names[i], name) == 0) return held_at(held, i);
  return NULL;
}

void link_hold(void) {
  if (!keeper.link) return;
  struct held_fds held = {keeper.stdio.out,
                          keeper.stdio.err,
                          keeper.options.mode == MODE_PTY ? -1 : keeper.stdio.in,
                          keeper.stdio.transit_read,
                          keeper.stdio.transit_write,
                          keeper.queue.fd,
                          keeper.child.pidfd,
                          keeper.child.status};
  struct buffer frame = {0};
  char names[128] = "";
  int fds[PEER_FDS];
  size_t count = 0;
  for (size_t i = 0; i < 8; i++) {
    int fd = *held_at(&held, i);
    if (fd < 0) continue;
    if (count) strcat(names, ",");
    strcat(names, held_names[i]);
    fds[count++] = fd;
  }
  size_t mark = frame_begin(&frame, FRAME_HOLD, keeper.start_request);
  text_add_string(&frame, "id", keeper.id);
  text_add_number(&frame, "pid", (uint64_t)keeper.child.pid);
  text_add_number(&frame, "start", keeper.child.start);
  text_add_number(&frame, "keeper_pid", (uint64_t)getpid());
  text_add_string(&frame, "fds", names);
  frame_end(&frame, mark);
  peer_send_fds(keeper.link, &frame, fds, count);
  buffer_free(&frame);
}

void link_relay(uint8_t type, const void *payload, size_t n) {
  if (!keeper.link) return;
  size_t mark = frame_begin(&keeper.link->out, type, keeper.start_request);
  buffer_add(&keeper.link->out, payload, n);
  frame_end(&keeper.link->out, mark);
  peer_flush(keeper.link);
}

void link_drop(const char *names) { link_relay(FRAME_DROP, names, strlen(names)); }
void link_bye(void) { link_relay(FRAME_BYE, NULL, 0); }
