#define _GNU_SOURCE
#include "peer.h"

#include <fcntl.h>
#include <sys/socket.h>

#include "check.h"
#include "moved_clock.h"
#include "sys.h"

static int pair[2]; /* [0] is the peer's, [1] the test's */
static struct peer *peer;
static int frames, closings, drained;
static uint64_t last_value;
static char heard[64];

static void on_frame(struct peer *of, const struct frame *frame) {
  CHECK(of == peer);
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  last_value = frame->length >= 8 ? cursor_u64(&cursor) : frame->length;
  if (frames < 60) heard[frames] = (char)('a' + frame->request % 26);
  frames++;
  if (frame->type == FRAME_PING) frame_ok(&of->out, frame->request, 0), peer_flush(of);
  if (frame->type == FRAME_BYE) peer_close(of);
}
static void on_close(struct peer *of) {
  CHECK(of == peer);
  closings++;
}
static void on_drained(struct peer *of) {
  (void)of;
  drained++;
}
static void no_signal(int signal) { (void)signal; }

static void begin(void) {
  frames = closings = drained = 0;
  memset(heard, 0, sizeof heard);
  if (!loop_open(no_signal) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) abort();
  fcntl(pair[1], F_SETFL, O_NONBLOCK);
  peer = peer_open(pair[0], on_frame, on_close, NULL);
  if (!peer) abort();
  peer->on_drained = on_drained;
}

/* Runs the loop until nothing happens any more; a timer of the test's own keeps it from waiting. */
static void idle(void *context) { (void)context; }
static void settle(void) {
  struct timer timer = {0};
  for (int i = 0; i < 6; i++) {
    loop_timer(&timer, 1, idle, NULL);
    loop_run_once();
  }
  loop_cancel(&timer);
}

static void end(void) {
  close(pair[1]);
  settle();
  CHECK_EQUAL(closings, 1);
}

static void send_bytes(const void *data, size_t n) { CHECK(write(pair[1], data, n) == (ssize_t)n); }

static void frames_split_at_every_byte_arrive_whole_and_in_order(void) {
  struct buffer out = {0};
  frame_ok(&out, 0, 10);
  frame_ok(&out, 1, 11);
  frame_end(&out, frame_begin(&out, FRAME_STATE, 2));
  for (size_t cut = 0; cut <= buffer_size(&out); cut++) {
    begin();
    send_bytes(buffer_head(&out), cut);
    settle();
    send_bytes(buffer_head(&out) + cut, buffer_size(&out) - cut);
    settle();
    CHECK(frames == 3 && strcmp(heard, "abc") == 0);
    end();
  }
  begin();
  for (size_t i = 0; i < buffer_size(&out); i++) { /* and one byte at a time */
    send_bytes(buffer_head(&out) + i, 1);
    settle();
  }
  CHECK(frames == 3 && strcmp(heard, "abc") == 0);
  CHECK(peer->in.data == NULL); /* an idle connection holds no memory */
  end();
  buffer_free(&out);
}

static void a_bad_length_costs_the_connection_and_what_came_before_counts(void) {
  struct buffer out = {0};
  begin();
  frame_ok(&out, 0, 1);
  buffer_add_u32(&out, 3);
  frame_ok(&out, 1, 2);
  send_bytes(buffer_head(&out), buffer_size(&out));
  settle();
  CHECK(frames == 1 && closings == 1);
  char byte;
  CHECK(read(pair[1], &byte, 1) == 0 || errno == ECONNRESET);
  buffer_free(&out);
  end();
}

static void a_frame_not_complete_after_ten_seconds_costs_the_connection(void) {
  struct buffer out = {0};
  frame_ok(&out, 0, 1);
  begin();
  send_bytes(buffer_head(&out), buffer_size(&out) - 1);
  settle();
  clock_moved_ns += 9000000000ull;
  settle();
  CHECK_EQUAL(closings, 0);
  clock_moved_ns += 1500000000ull;
  settle();
  CHECK_EQUAL(closings, 1);
  end();
  begin();
  clock_moved_ns += 60000000000ull; /* silence between frames is no offence */
  settle();
  CHECK_EQUAL(closings, 0);
  end();
  buffer_free(&out);
}

/* The next frame has always begun when one ends: each has its own ten seconds. */
static void a_client_that_never_pauses_is_not_too_slow(void) {
  struct buffer out = {0};
  frame_ok(&out, 0, 1);
  size_t n = buffer_size(&out);
  begin();
  send_bytes(buffer_head(&out), n - 1);
  for (int i = 0; i < 5; i++) {
    settle();
    clock_moved_ns += 6000000000ull;
    send_bytes(buffer_head(&out) + n - 1, 1);
    send_bytes(buffer_head(&out), n - 1);
  }
  settle();
  CHECK(closings == 0 && frames == 5);
  end();
  buffer_free(&out);
}

static void a_client_that_does_not_read_its_answers_loses_the_connection_at_a_mebibyte(void) {
  begin();
  struct buffer out = {0};
  size_t mark = frame_begin(&out, FRAME_PING, 1);
  frame_end(&out, mark);
  size_t most = 0;
  for (int i = 0; i < 2000000 && !peer->closed; i++) {
    on_frame(peer, &(struct frame){.type = FRAME_PING, .request = 1, .payload = (const uint8_t *)"", .length = 0});
    if (!peer->closed && buffer_size(&peer->out) > most) most = buffer_size(&peer->out);
  }
  CHECK(peer->closed && most > PEER_UNREAD_MOST - 100 && most <= PEER_UNREAD_MOST);
  settle();
  CHECK_EQUAL(closings, 1);
  buffer_free(&out);
  end();
}

static void closing_inside_a_frame_is_safe_and_nothing_after_it_is_heard(void) {
  struct buffer out = {0};
  begin();
  frame_ok(&out, 0, 1);
  frame_end(&out, frame_begin(&out, FRAME_BYE, 1));
  frame_ok(&out, 2, 1);
  send_bytes(buffer_head(&out), buffer_size(&out));
  settle();
  CHECK(frames == 2 && closings == 1);
  buffer_free(&out);
  end();
}

static void a_big_start_needs_permission(void) {
  for (int allowed = 0; allowed < 2; allowed++) {
    struct buffer out = {0};
    begin();
    peer->starts_allowed = allowed;
    size_t mark = frame_begin(&out, FRAME_START, 4);
    for (int i = 0; i < 300000; i++) buffer_add_u8(&out, (uint8_t)i);
    frame_end(&out, mark);
    while (buffer_size(&out) && !closings) {
      ssize_t n = write(pair[1], buffer_head(&out), buffer_size(&out));
      if (n < 0 && errno == EPIPE) break;
      if (n > 0) buffer_consume(&out, (size_t)n);
      settle();
    }
    settle();
    CHECK(allowed ? frames == 1 && closings == 0 : frames == 0 && closings == 1);
    buffer_free(&out);
    end();
  }
}

static void a_message_with_descriptors_comes_after_everything_before_it(void) {
  begin();
  int sent[3];
  for (int i = 0; i < 3; i++) sent[i] = open("/dev/null", O_RDWR | O_CLOEXEC);
  static char filler[100000];
  buffer_add(&peer->out, filler, sizeof filler); /* more than one write takes at once is possible, and fine */
  struct buffer frame = {0};
  frame_ok(&frame, 5, 6);
  CHECK(peer_send_fds(peer, &frame, sent, 3));
  CHECK_EQUAL(buffer_size(&peer->out), 0);
  struct peer *other = peer_open_pair(fcntl(pair[1], F_DUPFD_CLOEXEC, 0), fcntl(pair[1], F_DUPFD_CLOEXEC, 0), NULL, NULL, NULL);
  static char got[200000];
  size_t have = 0;
  for (ssize_t n; have < sizeof filler && (n = read(pair[1], got + have, sizeof filler - have)) > 0;) have += (size_t)n;
  CHECK_EQUAL(have, sizeof filler);
  other->on_frame = on_frame;
  struct peer *kept = peer;
  peer = other;
  peer_read_now(other);
  peer = kept;
  CHECK(frames == 1 && last_value == 6 && other->fd_count == 3);
  int taken = peer_take_fd(other);
  CHECK(taken >= 0 && (fcntl(taken, F_GETFD) & FD_CLOEXEC) && other->fd_count == 2);
  close(taken);
  peer_close(other);
  for (int i = 0; i < 3; i++) close(sent[i]);
  buffer_free(&frame);
  end();
}

static void memory_that_ran_out_while_answering_costs_the_connection(void) {
  begin();
  peer->out.failed = true;
  peer_flush(peer);
  settle();
  CHECK_EQUAL(closings, 1);
  end();
}

static void work_goes_on_when_the_other_side_reads_again(void) {
  begin();
  static char block[400000];
  buffer_add(&peer->out, block, sizeof block);
  peer_flush(peer);
  CHECK(buffer_size(&peer->out) > 0);
  for (int i = 0; i < 1000 && !drained; i++) {
    while (read(pair[1], block, sizeof block) > 0) continue;
    settle();
  }
  CHECK(drained > 0 && buffer_size(&peer->out) == 0);
  end();
}

int main(void) {
  check_begin();
  RUN(frames_split_at_every_byte_arrive_whole_and_in_order);
  RUN(a_bad_length_costs_the_connection_and_what_came_before_counts);
  RUN(a_frame_not_complete_after_ten_seconds_costs_the_connection);
  RUN(a_client_that_never_pauses_is_not_too_slow);
  RUN(a_client_that_does_not_read_its_answers_loses_the_connection_at_a_mebibyte);
  RUN(closing_inside_a_frame_is_safe_and_nothing_after_it_is_heard);
  RUN(a_big_start_needs_permission);
  RUN(a_message_with_descriptors_comes_after_everything_before_it);
  RUN(memory_that_ran_out_while_answering_costs_the_connection);
  RUN(work_goes_on_when_the_other_side_reads_again);
  return check_end("peer");
}
