/* Bytes out of the child and into it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "keeper.h"

enum {
  STEPS = 16,                /* chunks per wake-up, so that a flood does not starve the clients */
  CHUNK = 1 << 20,
  PIPE_FULL = 65536,         /* what a pipe holds unless it is widened */
  FLOOD_PIPE = 512 << 10,    /* what it is widened to: fewer wake-ups, and the file is written in larger pieces */
  TERMINAL_MOST = 256 << 10, /* more than the kernel buffers for one terminal: covers all written before the end */
};

#define TERMINAL_LOOK_LEAST_NS 10000000ull
#define TERMINAL_LOOK_MOST_NS 1000000000ull

static bool is_terminal(void) { return keeper.options.mode == MODE_PTY; }

static void end_of_stream(bool *open, struct watch *watch, int *fd, const char *name) {
  *open = false;
  loop_unwatch(watch);
  if (*fd >= 0) close(*fd);
  *fd = -1;
  link_drop(name);
}

/* A terminal needs it, because it cannot be spliced to a file. So does a pipe that was found full: splicing to a file
 * holds the pipe's lock while the file is written, and the child could not fill it meanwhile. */
static bool has_transit(char stream) { return stream == 'o' && keeper.stdio.transit_read >= 0; }

static void transit_open(void) {
  if (child_make_transit(&keeper.stdio) != 0) return;
  link_hold();
  sys_widen_pipe(keeper.stdio.out, FLOOD_PIPE);
  sys_widen_pipe(keeper.stdio.transit_write, FLOOD_PIPE);
}

static void transit_close(void) {
  close(keeper.stdio.transit_read);
  close(keeper.stdio.transit_write);
  keeper.stdio.transit_read = keeper.stdio.transit_write = -1;
}

static void transit_drain(void) {
  while (output_take(&keeper.output, keeper.stdio.transit_read, 'o', CHUNK) > 0) continue;
}

/* From the child to the transit pipe, and on from there; as read(). */
static ssize_t transit_take(void) {
  ssize_t n = sys_move(keeper.stdio.out, keeper.stdio.transit_write, NULL, FLOOD_PIPE);
  if (n < 0 && errno == EINVAL) {
    char bytes[4096];
    n = read(keeper.stdio.out, bytes, sizeof bytes);
    if (n > 0) n = write(keeper.stdio.transit_write, bytes, (size_t)n);
  }
  if (n > 0) transit_drain();
  return n;
}

/* Takes what is there, at most `most` bytes. False at the end of the stream. */
static bool take(int fd, char stream, uint64_t most) {
  uint64_t taken = 0;
  for (int step = 0; step < STEPS || most < UINT64_MAX; step++) {
    bool transit = has_transit(stream);
    ssize_t n = transit ? transit_take() : output_take(&keeper.output, fd, stream, CHUNK);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    if (n == 0) return false;
    taken += (uint64_t)n;
    if (!transit && stream == 'o' && n >= PIPE_FULL && !keeper.output.plain_copy) transit_open();
    if (taken >= most) break;
  }
  return true;
}

static void after_output(uint64_t before) {
  if (keeper.output.history.end == before) return;
  limits_activity();
  limits_output();
  clients_pump();
}

static void hang_up_terminal(void) {
  loop_cancel(&keeper.terminal_timer);
  end_of_stream(&keeper.out_open, &keeper.out_watch, &keeper.stdio.out, "out,in,transit_read,transit_write");
  keeper.stdio.in = -1;
  transit_close();
  queue_discard(&keeper.queue);
}

static void end_of_pipe(void) {
  bool transit = has_transit('o');
  end_of_stream(&keeper.out_open, &keeper.out_watch, &keeper.stdio.out, transit ? "out,transit_read,transit_write" : "out");
  if (transit) transit_close();
}

static void out_ready(void *context, unsigned events);

static void watch_terminal_again(void *context) {
  (void)context;
  if (!keeper.out_open) return;
  loop_watch(&keeper.out_watch, keeper.stdio.out, LOOP_READ, out_ready, NULL);
  capture_feed();
}

/* Nobody has the terminal open. While the child lives it may open it again, and closing our end would kill it with a HUP: many
 * programs close their descriptors one by one on the way to their exit. Until then a look now and then: the kernel would report the
 * hang-up without end. */
static void terminal_left(void) {
  if (keeper.has_status || keeper.state == STATE_ENDED) {
    hang_up_terminal();
    return;
  }
  loop_unwatch(&keeper.out_watch);
  keeper.terminal_pause_ns = keeper.terminal_pause_ns ? keeper.terminal_pause_ns * 2 : TERMINAL_LOOK_LEAST_NS;
  if (keeper.terminal_pause_ns > TERMINAL_LOOK_MOST_NS) keeper.terminal_pause_ns = TERMINAL_LOOK_MOST_NS;
  loop_timer(&keeper.terminal_timer, sys_monotonic_ns() + keeper.terminal_pause_ns, watch_terminal_again, NULL);
}

static void out_ready(void *context, unsigned events) {
  (void)context;
  if (is_terminal() && (events & LOOP_WRITE)) capture_feed();
  if (!keeper.out_open || !(events & (LOOP_READ | LOOP_HUP))) return;
  uint64_t before = keeper.output.history.end;
  if (!take(keeper.stdio.out, 'o', UINT64_MAX)) {
    if (is_terminal())
      terminal_left();
    else
      end_of_pipe();
    keeper_consider_leaving();
  }
  after_output(before);
}

static void err_ready(void *context, unsigned events) {
  (void)context, (void)events;
  uint64_t before = keeper.output.history.end;
  if (!take(keeper.stdio.err, 'e', UINT64_MAX)) {
    end_of_stream(&keeper.err_open, &keeper.err_watch, &keeper.stdio.err, "err");
    keeper_consider_leaving();
  }
  after_output(before);
}

void capture_begin(void) {
  if (has_transit('o')) transit_drain(); /* what another keeper had under way */
  keeper.out_open = keeper.stdio.out >= 0;
  keeper.err_open = keeper.stdio.err >= 0;
  if (keeper.out_open) loop_watch(&keeper.out_watch, keeper.stdio.out, LOOP_READ, out_ready, NULL);
  if (keeper.err_open) loop_watch(&keeper.err_watch, keeper.stdio.err, LOOP_READ, err_ready, NULL);
  if (queue_is_open(&keeper.queue)) capture_feed();
}

static uint64_t waiting_in(int fd) {
  int n = 0;
  return ioctl(fd, FIONREAD, &n) == 0 && n > 0 ? (uint64_t)n : 0;
}

/* Everything the child wrote before it ended is in the pipes now, and a grandchild that goes on writing must not hold
 * us here: only what is waiting at this moment is taken. A terminal read flushes the kernel's own queue first. */
void capture_drain(void) {
  uint64_t before = keeper.output.history.end;
  if (keeper.out_open && is_terminal()) {
    if (!take(keeper.stdio.out, 'o', TERMINAL_MOST)) terminal_left();
  } else {
    uint64_t waiting;
    if (keeper.out_open && (waiting = waiting_in(keeper.stdio.out))) take(keeper.stdio.out, 'o', waiting);
    if (keeper.err_open && (waiting = waiting_in(keeper.stdio.err))) take(keeper.stdio.err, 'e', waiting);
  }
  after_output(before);
}

static void in_ready(void *context, unsigned events) {
  (void)context, (void)events;
  capture_feed();
}

static void stdin_gone(void) {
  if (is_terminal() || keeper.stdio.in < 0) return;
  loop_unwatch(&keeper.in_watch);
  close(keeper.stdio.in);
  keeper.stdio.in = -1;
  queue_discard(&keeper.queue);
  link_drop("in");
  clients_state_changed();
}

static void want_writable(bool wanted) {
  if (is_terminal()) {
    loop_change(&keeper.out_watch, LOOP_READ | (wanted ? LOOP_WRITE : 0u));
  } else if (wanted && !keeper.in_watch.ready) {
    loop_watch(&keeper.in_watch, keeper.stdio.in, LOOP_WRITE, in_ready, NULL);
  } else if (!wanted) {
    /* Not left watched with no events: a pipe without a reader would report its error for ever. */
    loop_unwatch(&keeper.in_watch);
  }
}

void capture_feed(void) {
  while (keeper.stdio.in >= 0 && queue_pending(&keeper.queue)) {
    ssize_t n = queue_feed(&keeper.queue, keeper.stdio.in);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) {
      stdin_gone();
      break;
    }
    limits_activity();
  }
  size_t pending = queue_pending(&keeper.queue);
  if (keeper.stdio.in >= 0) want_writable(pending > 0);
  if (keeper.stdin_was_full && queue_room(&keeper.queue) >= QUEUE_MOST / 2) {
    keeper.stdin_was_full = false;
    clients_stdin_room();
  }
  if (pending == 0 && queue_closing(&keeper.queue)) stdin_gone();
}

static void type_end_of_file(void) {
  struct termios settings;
  uint8_t character = 4;
  if (tcgetattr(keeper.stdio.in, &settings) == 0) character = (uint8_t)settings.c_cc[VEOF];
  uint64_t next, ignored;
  /* Through the queue, so that it comes after what was typed before; the keeper is a writer of its own. */
  queue_accept(&keeper.queue, KEEPER_WRITER, 0, &character, 0, 0, &next);
  queue_accept(&keeper.queue, KEEPER_WRITER, next, &character, 1, 0, &ignored);
  capture_feed();
}

void capture_close_stdin(void) {
  if (keeper.stdio.in < 0) return;
  if (!queue_is_open(&keeper.queue)) {
    if (!is_terminal()) {
      stdin_gone();
      return;
    }
    if (!queue_open(&keeper.queue, -1)) return;
    link_hold();
  }
  if (is_terminal()) {
    type_end_of_file();
    return;
  }
  queue_set_closing(&keeper.queue);
  capture_feed();
}

void capture_hangup(void) {
  if (!is_terminal() || keeper.stdio.out < 0) return;
  capture_drain();
  if (keeper.stdio.out >= 0) hang_up_terminal();
}
