/* The event loop of launcher and keeper: descriptors, timers, signals. One per process. */
#ifndef HOLDFAST_LOOP_H
#define HOLDFAST_LOOP_H

#include <stdbool.h>
#include <stdint.h>

enum { LOOP_READ = 1, LOOP_WRITE = 2, LOOP_HUP = 4 };

struct watch {
  int fd;
  unsigned events;
  void (*ready)(void *context, unsigned events);
  void *context;
};

struct timer {
  uint64_t due_ns; /* 0 = not set; CLOCK_MONOTONIC */
  void (*fire)(void *context);
  void *context;
  struct timer *next;
  uint64_t armed_in; /* the round it was set in: it fires in a later one */
};

/* Must be called again after fork: the child shares no loop with its parent. Also installs the handlers of SIGCHLD, SIGTERM, SIGUSR1. */
bool loop_open(void (*on_signal)(int signal));
/* Over an exec: without a handler the signals of the loop would end the process. loop_open lets them through again. */
void loop_hold_signals(bool held);
void loop_watch(struct watch *watch, int fd, unsigned events, void (*ready)(void *, unsigned), void *context);
void loop_change(struct watch *watch, unsigned events);
/* Safe inside any callback, also for other watches; does not close the descriptor. */
void loop_unwatch(struct watch *watch);
void loop_timer(struct timer *timer, uint64_t due_ns, void (*fire)(void *), void *context);
void loop_cancel(struct timer *timer);
void loop_run_once(void);

#endif
