#define _GNU_SOURCE
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/epoll.h>
#endif

#include "sys.h"

enum { BATCH = 32 };

static int signal_pipe[2] = {-1, -1};
static void (*signal_handler)(int);
static struct watch signal_watch;
static struct timer *timers;
static uint64_t round_number;
/* The watches of the batch being worked on; loop_unwatch clears its entry so a freed one is never called. */
static struct watch *batch[BATCH];
static unsigned batch_events[BATCH];
static int batch_size;

static void note_signal(int signal) {
  int saved = errno;
  uint8_t byte = (uint8_t)signal;
  ssize_t written = write(signal_pipe[1], &byte, 1);
  (void)written; /* a full pipe already holds a wake-up */
  errno = saved;
}

static void deliver_signals(void *context, unsigned events) {
  (void)context, (void)events;
  uint8_t bytes[64];
  ssize_t n;
  bool seen[128] = {false};
  while ((n = read(signal_pipe[0], bytes, sizeof bytes)) > 0)
    for (ssize_t i = 0; i < n; i++) seen[bytes[i] & 127] = true;
  for (int signal = 1; signal < 128; signal++)
    if (seen[signal]) signal_handler(signal);
}

#ifdef __linux__
static int poller = -1;

static bool poller_open(void) {
  if (poller >= 0) close(poller);
  poller = epoll_create1(EPOLL_CLOEXEC);
  return poller >= 0;
}

static void poller_set(int operation, struct watch *watch) {
  struct epoll_event event = {.events = (watch->events & LOOP_READ ? EPOLLIN : 0u) |
                                        (watch->events & LOOP_WRITE ? EPOLLOUT : 0u),
                              .data.ptr = watch};
  epoll_ctl(poller, operation, watch->fd, &event);
}
static void poller_add(struct watch *watch) { poller_set(EPOLL_CTL_ADD, watch); }
static void poller_change(struct watch *watch) { poller_set(EPOLL_CTL_MOD, watch); }
static void poller_remove(struct watch *watch) { epoll_ctl(poller, EPOLL_CTL_DEL, watch->fd, NULL); }

static void poller_wait(int timeout_ms) {
  struct epoll_event events[BATCH];
  int n = epoll_wait(poller, events, BATCH, timeout_ms);
  batch_size = n > 0 ? n : 0;
  for (int i = 0; i < batch_size; i++) {
    batch[i] = events[i].data.ptr;
    batch_events[i] = (events[i].events & EPOLLIN ? LOOP_READ : 0u) | (events[i].events & EPOLLOUT ? LOOP_WRITE : 0u) |
                      (events[i].events & (EPOLLHUP | EPOLLERR) ? LOOP_HUP : 0u);
  }
}
#else
/* poll(2): a keeper has a handful of descriptors, and macOS has no epoll. */
static struct watch **watched;
static size_t watched_count, watched_capacity;

static bool poller_open(void) {
  watched_count = 0;
  return true;
}
static void poller_add(struct watch *watch) {
  if (watched_count == watched_capacity) {
    size_t capacity = watched_capacity ? watched_capacity * 2 : 16;
    struct watch **grown = realloc(watched, capacity * sizeof *grown);
    if (!grown) return;
    watched = grown;
    watched_capacity = capacity;
  }
  watched[watched_count++] = watch;
}
static void poller_change(struct watch *watch) { (void)watch; }
static void poller_remove(struct watch *watch) {
  for (size_t i = 0; i < watched_count; i++)
    if (watched[i] == watch) watched[i--] = watched[--watched_count];
}
static void poller_wait(int timeout_ms) {
  struct pollfd *fds = calloc(watched_count + 1, sizeof *fds);
  batch_size = 0;
  if (!fds) return;
  for (size_t i = 0; i < watched_count; i++)
    fds[i] = (struct pollfd){.fd = watched[i]->fd, .events = (short)((watched[i]->events & LOOP_READ ? POLLIN : 0) |
                                                                     (watched[i]->events & LOOP_WRITE ? POLLOUT : 0))};
  if (poll(fds, (nfds_t)watched_count, timeout_ms) > 0)
    for (size_t i = 0; i < watched_count && batch_size < BATCH; i++) {
      if (!fds[i].revents) continue;
      batch[batch_size] = watched[i];
      batch_events[batch_size++] = (fds[i].revents & POLLIN ? LOOP_READ : 0u) |
                                   (fds[i].revents & POLLOUT ? LOOP_WRITE : 0u) |
                                   (fds[i].revents & (POLLHUP | POLLERR | POLLNVAL) ? LOOP_HUP : 0u);
    }
  free(fds);
}
#endif

void loop_hold_signals(bool held) {
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, SIGCHLD);
  sigaddset(&ours, SIGTERM);
  sigaddset(&ours, SIGUSR1);
  sigprocmask(held ? SIG_BLOCK : SIG_UNBLOCK, &ours, NULL);
}

bool loop_open(void (*on_signal)(int)) {
  timers = NULL;
  batch_size = 0;
  signal_handler = on_signal;
  for (int i = 0; i < 2; i++)
    if (signal_pipe[i] >= 0) close(signal_pipe[i]);
  if (sys_pipe(signal_pipe) != 0 || !poller_open()) return false;
  for (int i = 0; i < 2; i++) fcntl(signal_pipe[i], F_SETFL, O_NONBLOCK);
  loop_watch(&signal_watch, signal_pipe[0], LOOP_READ, deliver_signals, NULL);
  struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  sigaction(SIGCHLD, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  /* Held back by a keeper that re-executed itself. */
  loop_hold_signals(false);
  return true;
}

void loop_watch(struct watch *watch, int fd, unsigned events, void (*ready)(void *, unsigned), void *context) {
  *watch = (struct watch){fd, events, ready, context};
  poller_add(watch);
}

void loop_change(struct watch *watch, unsigned events) {
  if (watch->events == events || !watch->ready) return;
  watch->events = events;
  poller_change(watch);
}

void loop_unwatch(struct watch *watch) {
  if (!watch->ready) return;
  poller_remove(watch);
  for (int i = 0; i < batch_size; i++)
    if (batch[i] == watch) batch[i] = NULL;
  watch->ready = NULL;
}

void loop_timer(struct timer *timer, uint64_t due_ns, void (*fire)(void *), void *context) {
  loop_cancel(timer);
  *timer = (struct timer){due_ns ? due_ns : 1, fire, context, timers, round_number};
  timers = timer;
}

void loop_cancel(struct timer *timer) {
  for (struct timer **at = &timers; *at; at = &(*at)->next) {
    if (*at != timer) continue;
    *at = timer->next;
    break;
  }
  timer->due_ns = 0;
}

static int time_to_first(void) {
  uint64_t first = UINT64_MAX;
  for (struct timer *timer = timers; timer; timer = timer->next)
    if (timer->due_ns < first) first = timer->due_ns;
  if (first == UINT64_MAX) return -1;
  uint64_t now = sys_monotonic_ns();
  if (first <= now) return 0;
  uint64_t wait_ms = (first - now + 999999) / 1000000;
  return wait_ms > 3600000 ? 3600000 : (int)wait_ms;
}

static void fire_due(void) {
  uint64_t now = sys_monotonic_ns();
  uint64_t before = round_number++;
  for (bool fired = true; fired;) {
    fired = false;
    for (struct timer *timer = timers; timer; timer = timer->next) {
      /* One that was set by another's firing waits: descriptors come in between. */
      if (timer->due_ns > now || timer->armed_in > before) continue;
      loop_cancel(timer);
      timer->fire(timer->context);
      fired = true; /* the list may have changed under us: look again from the start */
      break;
    }
  }
}

void loop_run_once(void) {
  poller_wait(time_to_first());
  for (int i = 0; i < batch_size; i++)
    if (batch[i]) batch[i]->ready(batch[i]->context, batch_events[i]);
  batch_size = 0;
  if (timers) fire_due();
}
