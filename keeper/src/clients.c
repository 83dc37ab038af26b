/* The clients of a live keeper. */
#define _GNU_SOURCE
#include "clients.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "keeper.h"
#include "outside.h"

#define REFUSED_PATIENCE_NS 1000000000ull
enum { REFUSED_MOST = 16 };
enum { LINE_MOST = 4095 }; /* N_TTY keeps 4,096 bytes of an unfinished line and drops the rest in silence */

static bool no_more_output(void) { return keeper.closed; }

static void reply_error(struct client *client, uint32_t request, enum error_code code, const char *message) {
  frame_error(&client->peer->out, request, code, 0, 0, message);
}
static void reply_ok(struct client *client, uint32_t request, uint64_t value) { frame_ok(&client->peer->out, request, value); }

static void send_state(struct client *client, uint32_t request) {
  size_t mark = frame_begin(&client->peer->out, FRAME_STATE, request);
  keeper_describe(&client->peer->out);
  frame_end(&client->peer->out, mark);
}

static bool terminal_settings(struct termios *settings) {
  return keeper.options.mode == MODE_PTY && keeper.stdio.in >= 0 && tcgetattr(keeper.stdio.in, settings) == 0;
}

/* Why a secret could come to be seen; NULL: it cannot. A pipe shows nothing; a terminal whose settings cannot be read may. */
static const char *why_shown(const struct termios *settings) {
  if (keeper.options.mode != MODE_PTY) return NULL;
  if (!settings || (settings->c_lflag & ECHO)) return "the terminal would show it; nothing was typed";
  /* A shell's own line editor: it turns the echo off to show every key itself, and remembers the line. */
  if (!(settings->c_lflag & ICANON)) return "the program reads single keys and may show them itself; nothing was typed";
  /* When its turn comes the terminal may be set otherwise. */
  if (queue_pending(&keeper.queue)) return "input from before still waits to be read; nothing was typed";
  return NULL;
}

static void handle_write(struct client *client, const struct frame *frame) {
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  uint64_t writer = cursor_u64(&cursor), sequence = cursor_u64(&cursor), next = 0;
  uint8_t flags = cursor_u8(&cursor);
  struct slice data = cursor_rest(&cursor);
  struct termios settings;
  bool terminal = terminal_settings(&settings);
  if (cursor.bad || writer == 0 || data.length > 65536) {
    reply_error(client, frame->request, ERROR_MALFORMED, "WRITE: a writer other than 0 and at most 65536 bytes");
    return;
  }
  if (keeper.stdio.in < 0 || queue_closing(&keeper.queue)) {
    reply_error(client, frame->request, ERROR_STDIN_CLOSED, "stdin is closed");
    return;
  }
  /* What was taken before is not shown by being asked for again: its prompt may be over by now. */
  if ((flags & 1) && !(flags & 2) && !queue_has_taken(&keeper.queue, writer, sequence, data.length)) {
    const char *reason = why_shown(terminal ? &settings : NULL);
    if (reason) {
      reply_error(client, frame->request, ERROR_ECHO_ON, reason);
      return;
    }
  }
  if (!queue_is_open(&keeper.queue)) {
    if (!queue_open(&keeper.queue, -1)) {
      reply_error(client, frame->request, ERROR_SYSTEM, "no memory for stdin");
      return;
    }
    link_hold(); /* before the first byte is accepted, so that no accepted byte is only ours */
  }
  size_t line_most = terminal && (settings.c_lflag & ICANON) ? LINE_MOST : 0;
  enum queue_answer answer = queue_accept(&keeper.queue, writer, sequence, data.data, data.length, line_most, &next);
  if (answer == QUEUE_TAKEN) {
    if (next < sequence + data.length) keeper.stdin_was_full = true;
    reply_ok(client, frame->request, next);
    capture_feed();
  } else if (answer == QUEUE_GAP) {
    frame_error(&client->peer->out, frame->request, ERROR_SEQUENCE_GAP, 0, next, "bytes before these are missing; value is the next expected");
  } else {
    frame_error(&client->peer->out, frame->request, ERROR_LINE_TOO_LONG, 0, LINE_MOST, "the terminal cuts lines longer than this; nothing was typed");
  }
}

static void handle_resize(struct client *client, const struct frame *frame) {
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  uint16_t columns = cursor_u16(&cursor), rows = cursor_u16(&cursor);
  if (cursor.bad || columns == 0 || rows == 0) {
    reply_error(client, frame->request, ERROR_MALFORMED, "RESIZE: columns and rows, at least 1");
    return;
  }
  if (keeper.options.mode != MODE_PTY || keeper.stdio.in < 0) {
    reply_error(client, frame->request, ERROR_NOT_A_TERMINAL, "no terminal");
    return;
  }
  struct winsize size = {.ws_row = rows, .ws_col = columns};
  if (ioctl(keeper.stdio.in, TIOCSWINSZ, &size) != 0) {
    frame_error(&client->peer->out, frame->request, ERROR_SYSTEM, errno, 0, "TIOCSWINSZ");
    return;
  }
  /* Where the child was when the size changed: what it wrote before is in the terminal and must come first. */
  capture_drain();
  keeper.options.columns = columns;
  keeper.options.rows = rows;
  output_mark(&keeper.output, 'r', (uint64_t)columns * 65536 + rows);
  reply_ok(client, frame->request, 0);
  clients_pump();
}

static size_t signal_foreground(int signal) {
  pid_t group = keeper.options.mode == MODE_PTY && keeper.stdio.in >= 0 ? tcgetpgrp(keeper.stdio.in) : 0;
  /* Group 1 or 0 would mean everybody. The kernel gives the group of our own terminal, so it is of our session. */
  return group > 1 && kill(-group, signal) == 0 ? 1 : 0;
}

static void handle_signal(struct client *client, const struct frame *frame) {
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  uint32_t number = cursor_u32(&cursor);
  uint8_t target = cursor_u8(&cursor);
  if (cursor.bad || number < 1 || number >= NSIG || target > 2) {
    reply_error(client, frame->request, ERROR_MALFORMED, "SIGNAL: a signal number and a target 0-2");
    return;
  }
  size_t reached = 0;
  if (target == 0 && keeper.state != STATE_ENDED) reached = member_signal(keeper.tree.child, (int)number);
  if (target == 1) reached = signal_foreground((int)number);
  if (target == 2) {
    struct members members;
    tree_collect(&keeper.tree, &members);
    reached = tree_signal(&keeper.tree, &members, (int)number);
    members_free(&members);
  }
  if (reached == 0 && keeper.state == STATE_ENDED)
    reply_error(client, frame->request, ERROR_ENDED, "it has ended");
  else
    reply_ok(client, frame->request, reached);
}

static void handle_stop(struct client *client, const struct frame *frame) {
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  uint32_t grace_ms = cursor_u32(&cursor);
  uint8_t flags = cursor_u8(&cursor), reason = cursor_u8(&cursor);
  struct slice by = cursor_rest(&cursor);
  if (cursor.bad || reason >= REASON_COUNT || client->stop_count == STOPS_MOST) {
    reply_error(client, frame->request, ERROR_MALFORMED, "STOP: grace, flags, reason; and at most 16 waiting");
    return;
  }
  char who[STOP_BY_MOST + 1] = "";
  memcpy(who, by.data, by.length < STOP_BY_MOST ? by.length : STOP_BY_MOST);
  if (flags & 2) { /* a start that its client gave up: never listed, even if the client is gone by now */
    int marker = openat(keeper.run.dir, "abandoned", O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (marker >= 0) close(marker);
  }
  client->stop_requests[client->stop_count++] = frame->request;
  struct members living = {0};
  if (keeper.state == STATE_ENDED) tree_collect(&keeper.tree, &living);
  if (keeper.state == STATE_ENDED && living.count == 0 && !keeper.stop.active)
    clients_stopped(0, 0);
  else
    stop_begin(grace_ms, flags & 1, (enum stop_reason)reason, who);
  members_free(&living);
}

static void handle_other(struct client *client, const struct frame *frame) {
  switch (frame->type) {
    case FRAME_CLOSE_STDIN:
      capture_close_stdin();
      reply_ok(client, frame->request, 0);
      break;
    case FRAME_HANGUP:
      if (keeper.options.mode != MODE_PTY) {
        reply_error(client, frame->request, ERROR_NOT_A_TERMINAL, "no terminal");
        break;
      }
      capture_hangup();
      reply_ok(client, frame->request, 0);
      break;
    case FRAME_SPARE:
      reply_ok(client, frame->request, tree_spare(&keeper.tree, client->peer->pid) ? (uint64_t)client->peer->pid : 0);
      keeper_write_record();
      break;
    case FRAME_OUTSIDE:
      outside_start(&client->peer->out, frame);
      break;
    case FRAME_REEXEC: {
      char path[4096] = "";
      memcpy(path, frame->payload, frame->length < sizeof path - 1 ? frame->length : 0);
      if (path[0] != '/' || access(path, X_OK) != 0) {
        frame_error(&client->peer->out, frame->request, ERROR_SYSTEM, errno, 0, "cannot run that binary");
        break;
      }
      reply_ok(client, frame->request, 0);
      peer_flush(client->peer);
      keeper_reexec(path);
      break;
    }
    default:
      /* A pushed type of a newer peer has request 0 and wants no answer. */
      if (frame->request) reply_error(client, frame->request, ERROR_UNSUPPORTED, "unknown request");
  }
}

static void on_frame(struct peer *peer, const struct frame *frame) {
  struct client *client = peer->context;
  if (client_common_frame(client, frame, &keeper.output.history, no_more_output())) {
    /* The credit that let the last one catch up: nothing else would wake an ended keeper. */
    if (keeper.state == STATE_ENDED && !keeper.leaving && clients_all_served()) keeper_consider_leaving();
    return;
  }
  switch (frame->type) {
    case FRAME_ASK_STATE:
      send_state(client, frame->request);
      break;
    case FRAME_WRITE:
      handle_write(client, frame);
      break;
    case FRAME_RESIZE:
      handle_resize(client, frame);
      break;
    case FRAME_SIGNAL:
      handle_signal(client, frame);
      break;
    case FRAME_STOP:
      handle_stop(client, frame);
      break;
    default:
      handle_other(client, frame);
  }
  peer_flush(peer);
}

static void on_close(struct peer *peer) {
  struct client *client = peer->context;
  for (struct client **at = &keeper.clients; *at; at = &(*at)->next) {
    if (*at != client) continue;
    *at = client->next;
    keeper.client_count--;
    break;
  }
  reader_close(&client->reader);
  free(client);
  if (keeper.state == STATE_ENDED) keeper_consider_leaving();
}

static void on_drained(struct peer *peer) {
  struct client *client = peer->context;
  if (client->subscribed) client_pump(client, &keeper.output.history, no_more_output());
  if (keeper.state == STATE_ENDED && !keeper.leaving) keeper_consider_leaving();
}

/* One client too many: told so, and closed only when it has said HELLO. Closed before that, its own write would fail first, and it
 * would never read why. */
static size_t refused_count;

static void refused_frame(struct peer *peer, const struct frame *frame) {
  (void)frame;
  peer_close(peer);
}

static void refused_silent(void *context) { peer_close(context); }

static void refused_closed(struct peer *peer) {
  loop_cancel(peer->context);
  free(peer->context);
  refused_count--;
}

static void refuse(int fd) {
  struct timer *patience = refused_count < REFUSED_MOST ? calloc(1, sizeof *patience) : NULL;
  struct peer *peer = peer_open(fd, refused_frame, patience ? refused_closed : NULL, patience);
  if (!peer) {
    free(patience);
    return;
  }
  frame_error(&peer->out, 0, ERROR_TOO_MANY_CLIENTS, 0, CLIENTS_MOST, "too many clients");
  peer_flush(peer);
  if (!patience) {
    peer_close(peer);
    return;
  }
  refused_count++;
  loop_timer(patience, sys_monotonic_ns() + REFUSED_PATIENCE_NS, refused_silent, peer);
}

static void accept_ready(void *context, unsigned events) {
  (void)context, (void)events;
  int fd = accept(keeper.run.listener, NULL, NULL);
  if (fd < 0) return;
  if (keeper.client_count >= CLIENTS_MOST) {
    refuse(fd);
    return;
  }
  struct client *client = calloc(1, sizeof *client);
  struct peer *peer = client ? peer_open(fd, on_frame, on_close, client) : NULL;
  if (!peer) {
    free(client);
    return;
  }
  client->peer = peer;
  client->next = keeper.clients;
  client->reader.log = client->reader.index = -1;
  peer->on_drained = on_drained;
  keeper.clients = client;
  keeper.client_count++;
  peer_hello(peer, keeper.id, (uint32_t)getpid());
  send_state(client, 0);
  peer_flush(peer);
}

void clients_begin(void) {
  loop_unwatch(&keeper.listen_watch);
  if (keeper.run.listener >= 0) loop_watch(&keeper.listen_watch, keeper.run.listener, LOOP_READ, accept_ready, NULL);
}

void clients_pump(void) {
  for (struct client *client = keeper.clients, *next; client; client = next) {
    next = client->next;
    client_pump(client, &keeper.output.history, no_more_output());
  }
}

void clients_state_changed(void) {
  for (struct client *client = keeper.clients; client; client = client->next) {
    send_state(client, 0);
    peer_flush(client->peer);
  }
}

void clients_stdin_room(void) {
  for (struct client *client = keeper.clients; client; client = client->next) {
    frame_end(&client->peer->out, frame_begin(&client->peer->out, FRAME_STDIN_ROOM, 0));
    peer_flush(client->peer);
  }
}

static void send_stopped(struct buffer *out, uint32_t request, uint8_t outcome, uint32_t left) {
  const struct members *killed = &keeper.stop.killed;
  size_t listed = killed->count < 64 ? killed->count : 64;
  size_t mark = frame_begin(out, FRAME_STOPPED, request);
  buffer_add_u8(out, outcome);
  buffer_add_u32(out, (uint32_t)killed->count);
  buffer_add_u32(out, left);
  buffer_add_u32(out, (uint32_t)listed);
  for (size_t i = 0; i < listed; i++) buffer_add_u32(out, (uint32_t)killed->items[i].pid);
  frame_end(out, mark);
}

void clients_stopped(uint8_t outcome, uint32_t left) {
  for (struct client *client = keeper.clients; client; client = client->next) {
    for (size_t i = 0; i < client->stop_count; i++) send_stopped(&client->peer->out, client->stop_requests[i], outcome, left);
    if (client->stop_count) peer_flush(client->peer);
    client->stop_count = 0;
  }
}

bool clients_all_served(void) {
  for (struct client *client = keeper.clients; client; client = client->next)
    if (buffer_size(&client->peer->out) || (client->subscribed && client->reader.at < keeper.output.history.end)) return false;
  return true;
}
