#include "loop.h"

#include <fcntl.h>

#include "check.h"
#include "moved_clock.h"
#include "sys.h"

static char order[64];
static struct timer timers[3];
static struct watch watches[3];
static int pipes[3][2];
static int signals_seen[65];

static void note(void *context) { strcat(order, context); }
static void on_signal(int signal) { signals_seen[signal]++; }

static void begin(void) {
  order[0] = 0;
  memset(timers, 0, sizeof timers);
  memset(watches, 0, sizeof watches);
  memset(signals_seen, 0, sizeof signals_seen);
  if (!loop_open(on_signal)) abort();
  for (int i = 0; i < 3; i++)
    if (pipe(pipes[i]) != 0) abort();
}

static void end(void) {
  for (int i = 0; i < 3; i++) {
    loop_unwatch(&watches[i]);
    loop_cancel(&timers[i]);
    close(pipes[i][0]);
    close(pipes[i][1]);
  }
}

static void timers_fire_when_due_and_not_after_they_were_cancelled(void) {
  begin();
  uint64_t now = sys_monotonic_ns();
  loop_timer(&timers[0], now + 3600000000000ull, note, "late");
  loop_timer(&timers[1], 1, note, "now");
  loop_timer(&timers[2], 1, note, "never");
  loop_cancel(&timers[2]);
  loop_run_once();
  CHECK(strcmp(order, "now") == 0 && timers[1].due_ns == 0 && timers[0].due_ns > 0);
  clock_moved_ns += 3600000000000ull;
  loop_run_once();
  CHECK(strcmp(order, "nowlate") == 0);
  end();
}

static int rounds;
static void again(void *context) {
  strcat(order, "t");
  if (++rounds < 3) loop_timer(context, 1, again, context);
}
static void readable(void *context, unsigned events) {
  (void)events;
  char byte;
  CHECK(read(*(int *)context, &byte, 1) == 1);
  strcat(order, "r");
}

static void a_timer_that_sets_itself_lets_descriptors_in_between(void) {
  begin();
  rounds = 0;
  CHECK(write(pipes[0][1], "abc", 3) == 3);
  loop_watch(&watches[0], pipes[0][0], LOOP_READ, readable, &pipes[0][0]);
  loop_timer(&timers[0], 1, again, &timers[0]);
  for (int i = 0; i < 3; i++) loop_run_once();
  CHECK(strcmp(order, "rtrtrt") == 0);
  end();
}

static void unwatch_others(void *context, unsigned events) {
  (void)events;
  strcat(order, "u");
  for (int i = 0; i < 3; i++)
    if (&watches[i] != context) loop_unwatch(&watches[i]);
  loop_unwatch(context);
}

static void a_watch_taken_away_by_another_s_callback_is_not_called(void) {
  begin();
  for (int i = 0; i < 3; i++) {
    CHECK(write(pipes[i][1], "x", 1) == 1);
    loop_watch(&watches[i], pipes[i][0], LOOP_READ, unwatch_others, &watches[i]);
  }
  loop_timer(&timers[0], 1, note, ".");
  loop_run_once();
  CHECK(strcmp(order, "u.") == 0);
  end();
}

static void free_itself(void *context) {
  strcat(order, "f");
  free(context);
}

static void a_timer_may_free_itself(void) {
  begin();
  struct timer *timer = calloc(1, sizeof *timer);
  loop_timer(timer, 1, free_itself, timer);
  loop_timer(&timers[0], 1, note, "n");
  loop_run_once();
  CHECK(strlen(order) == 2);
  end();
}

static void signals_arrive_through_the_loop_and_once(void) {
  begin();
  for (int i = 0; i < 5; i++) raise(SIGUSR1);
  raise(SIGCHLD);
  CHECK_EQUAL(signals_seen[SIGUSR1], 0);
  loop_run_once();
  CHECK_EQUAL(signals_seen[SIGUSR1], 1);
  CHECK_EQUAL(signals_seen[SIGCHLD], 1);
  end();
}

static void events_follow_what_is_wanted(void) {
  begin();
  fcntl(pipes[0][1], F_SETFL, O_NONBLOCK);
  loop_watch(&watches[0], pipes[0][1], 0, unwatch_others, &watches[0]);
  loop_timer(&timers[0], 1, note, ".");
  loop_run_once();
  CHECK(strcmp(order, ".") == 0); /* writable, but nobody asked */
  loop_change(&watches[0], LOOP_WRITE);
  loop_run_once();
  CHECK(strcmp(order, ".u") == 0);
  end();
}

int main(void) {
  check_begin();
  RUN(timers_fire_when_due_and_not_after_they_were_cancelled);
  RUN(a_timer_that_sets_itself_lets_descriptors_in_between);
  RUN(a_watch_taken_away_by_another_s_callback_is_not_called);
  RUN(a_timer_may_free_itself);
  RUN(signals_arrive_through_the_loop_and_once);
  RUN(events_follow_what_is_wanted);
  return check_end("loop");
}
