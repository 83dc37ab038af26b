#define _GNU_SOURCE
#include "stdin_queue.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

#include "check.h"

static struct stdin_queue queue;
static int child[2]; /* stands for the child's stdin */

static void open_all(void) {
  queue = (struct stdin_queue){.fd = -1};
  if (!queue_open(&queue, -1) || pipe(child) != 0) abort();
  fcntl(child[0], F_SETFL, O_NONBLOCK);
  fcntl(child[1], F_SETFL, O_NONBLOCK);
}

static void close_all(void) {
  queue_close(&queue);
  close(child[0]);
  close(child[1]);
}

static uint64_t accept_text(uint64_t writer, uint64_t sequence, const char *text) {
  uint64_t next = 0;
  CHECK(queue_accept(&queue, writer, sequence, (const uint8_t *)text, strlen(text), 0, &next) == QUEUE_TAKEN);
  return next;
}

/* Everything queued so far, as the child reads it. */
static void expect_given(const char *wanted) {
  char seen[256] = "";
  while (queue_pending(&queue))
    if (queue_feed(&queue, child[1]) <= 0) break;
  ssize_t n = read(child[0], seen, sizeof seen - 1);
  if (n < 0) n = 0;
  seen[n] = 0;
  CHECK(strcmp(seen, wanted) == 0);
}

static void a_retry_is_typed_once_and_its_new_part_is_added(void) {
  open_all();
  CHECK_EQUAL(accept_text(7, 0, "hello "), 6);
  CHECK_EQUAL(accept_text(7, 0, "hello "), 6);
  CHECK_EQUAL(accept_text(7, 3, "lo world"), 11);
  CHECK_EQUAL(accept_text(7, 2, "x"), 11);
  expect_given("hello world");
  CHECK_EQUAL(accept_text(7, 0, "hello world"), 11); /* also after the child has had it */
  expect_given("");
  CHECK(queue_has_taken(&queue, 7, 0, 11) && queue_has_taken(&queue, 7, 5, 6));
  CHECK(!queue_has_taken(&queue, 7, 5, 7) && !queue_has_taken(&queue, 8, 0, 1));
  close_all();
}

static void writers_count_for_themselves(void) {
  open_all();
  CHECK_EQUAL(accept_text(1, 0, "a"), 1);
  CHECK_EQUAL(accept_text(2, 0, "b"), 1);
  CHECK_EQUAL(accept_text(1, 1, "c"), 2);
  expect_given("abc");
  close_all();
}

static void a_gap_is_refused_and_changes_nothing(void) {
  open_all();
  uint64_t next;
  CHECK(queue_accept(&queue, 9, 5, (const uint8_t *)"late", 4, 0, &next) == QUEUE_GAP && next == 0);
  CHECK_EQUAL(accept_text(9, 0, "ab"), 2);
  CHECK(queue_accept(&queue, 9, 3, (const uint8_t *)"late", 4, 0, &next) == QUEUE_GAP && next == 2);
  expect_given("ab");
  close_all();
}

static void what_does_not_fit_is_taken_in_part_and_goes_on_later(void) {
  static uint8_t block[QUEUE_MOST + 100];
  open_all();
  uint64_t next;
  memset(block, 'x', sizeof block);
  CHECK(queue_accept(&queue, 3, 0, block, sizeof block, 0, &next) == QUEUE_TAKEN && next == QUEUE_MOST);
  CHECK_EQUAL(queue_room(&queue), 0);
  CHECK(queue_accept(&queue, 3, next, block, 100, 0, &next) == QUEUE_TAKEN && next == QUEUE_MOST);
  while (queue_pending(&queue)) {
    CHECK(queue_feed(&queue, child[1]) > 0);
    while (read(child[0], block, sizeof block) > 0) continue;
  }
  CHECK(queue_accept(&queue, 3, next, block, 100, 0, &next) == QUEUE_TAKEN && next == QUEUE_MOST + 100);
  close_all();
}

static uint8_t byte_at(uint64_t offset) { return (uint8_t)(offset * 31 >> 3); }

static void receive(uint64_t *received) {
  uint8_t seen[8192];
  for (ssize_t n; (n = read(child[0], seen, sizeof seen)) > 0;)
    for (ssize_t i = 0; i < n; i++, ++*received)
      if (seen[i] != byte_at(*received)) CHECK(!"the same byte");
}

/* Never empty, so the linear room runs out: then nothing is taken until the child has had all of it. */
static void a_queue_that_is_never_empty_waits_at_the_end_of_its_room_and_begins_anew(void) {
  uint8_t block[4096];
  open_all();
  fcntl(child[1], F_SETPIPE_SZ, 4096); /* the child takes a page at a time */
  uint64_t next = 0, sent = 0, received = 0;
  int out_of_room = 0;
  for (int round = 0; round < 800; round++) {
    for (int twice = 0; twice < (queue_pending(&queue) < 3 * sizeof block ? 2 : 1); twice++) {
      for (size_t i = 0; i < sizeof block; i++) block[i] = byte_at(sent + i);
      CHECK(queue_accept(&queue, 3, sent, block, sizeof block, 0, &next) == QUEUE_TAKEN && next >= sent);
      sent = next;
    }
    if (queue_room(&queue) == 0 && queue_pending(&queue) < QUEUE_MOST) out_of_room++;
    CHECK(queue_feed(&queue, child[1]) > 0);
    receive(&received);
  }
  while (queue_pending(&queue)) {
    CHECK(queue_feed(&queue, child[1]) > 0);
    receive(&received);
  }
  CHECK(out_of_room > 0 && sent > 2 << 20);
  CHECK_EQUAL(received, sent);
  close_all();
}

static void a_line_too_long_for_a_terminal_is_refused_whole(void) {
  static uint8_t line[5000];
  open_all();
  uint64_t next;
  memset(line, 'l', sizeof line);
  CHECK(queue_accept(&queue, 1, 0, line, 4096, 4095, &next) == QUEUE_LONG_LINE);
  CHECK_EQUAL(queue_pending(&queue), 0);
  CHECK(queue_accept(&queue, 1, 0, line, 4000, 4095, &next) == QUEUE_TAKEN);
  CHECK(queue_accept(&queue, 1, 4000, line, 96, 4095, &next) == QUEUE_LONG_LINE); /* what was typed before counts */
  line[95] = '\n';
  CHECK(queue_accept(&queue, 1, 4000, line, 96, 4095, &next) == QUEUE_TAKEN && next == 4096);
  line[4095] = '\r';
  CHECK(queue_accept(&queue, 1, 4096, line + 96, 4000, 4095, &next) == QUEUE_TAKEN);
  close_all();
}

static void the_last_sixty_four_writers_are_remembered(void) {
  open_all();
  for (uint64_t writer = 1; writer <= QUEUE_WRITERS; writer++) accept_text(writer, 0, "x");
  CHECK_EQUAL(accept_text(1, 1, "y"), 2); /* heard from last */
  accept_text(1000, 0, "z");              /* pushes out writer 2 */
  uint64_t next;
  CHECK(queue_accept(&queue, 2, 1, (const uint8_t *)"w", 1, 0, &next) == QUEUE_GAP && next == 0);
  CHECK(queue_accept(&queue, 1, 2, (const uint8_t *)"w", 1, 0, &next) == QUEUE_TAKEN && next == 3);
  CHECK(queue_accept(&queue, 3, 1, (const uint8_t *)"w", 1, 0, &next) == QUEUE_TAKEN && next == 2);
  close_all();
}

static void closing_and_discarding(void) {
  open_all();
  accept_text(1, 0, "secret");
  CHECK(!queue_closing(&queue));
  queue_set_closing(&queue);
  CHECK(queue_closing(&queue) && queue_pending(&queue) == 6);
  queue_discard(&queue);
  CHECK_EQUAL(queue_pending(&queue), 0);
  char page[16384];
  ssize_t n = queue.fd >= 0 ? pread(queue.fd, page, sizeof page, 0) : 0;
  if (queue.fd >= 0) CHECK(n == (ssize_t)sizeof page && memmem(page, sizeof page, "secret", 6) == NULL);
  close_all();
}

/* Another mapping of the same memory file, as a successor has it. */
static void a_successor_goes_on_where_the_other_stopped(void) {
  open_all();
  if (queue.fd >= 0) {
    accept_text(5, 0, "first second");
    struct stdin_queue heir;
    CHECK(queue_open(&heir, fcntl(queue.fd, F_DUPFD_CLOEXEC, 0)));
    CHECK_EQUAL(queue_pending(&heir), 12);
    CHECK(queue_feed(&queue, child[1]) == 12); /* the file position is shared */
    CHECK_EQUAL(queue_pending(&heir), 0);
    uint64_t next;
    CHECK(queue_accept(&heir, 5, 0, (const uint8_t *)"first second third", 18, 0, &next) == QUEUE_TAKEN && next == 18);
    CHECK(queue_feed(&heir, child[1]) == 6);
    char all[64];
    ssize_t n = read(child[0], all, sizeof all);
    CHECK(n == 18 && memcmp(all, "first second third", 18) == 0);
    queue_close(&heir);
  }
  close_all();
}

/* A keeper that accepts and feeds numbered lines, from the middle of one if that is where the writer stands. */
static _Noreturn void type_lines(uint64_t next) {
  for (;;) {
    char text[9];
    snprintf(text, sizeof text, "%07u\n", (unsigned)(next / 8));
    queue_accept(&queue, 1, next, (const uint8_t *)text + next % 8, 8 - next % 8, 0, &next);
    queue_feed(&queue, child[1]);
  }
}

static void read_lines(unsigned *wanted) {
  static char line[16];
  static size_t have;
  char seen[8192];
  for (ssize_t n; (n = read(child[0], seen, sizeof seen)) > 0;)
    for (ssize_t i = 0; i < n && check_good; i++) {
      line[have++] = seen[i];
      if (have < 8) continue;
      line[have] = 0;
      have = 0;
      CHECK(line[7] == '\n');
      CHECK_EQUAL(atoi(line), *wanted);
      ++*wanted;
    }
}

static uint64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* What the writer is told by whoever keeps the queue next. */
static uint64_t ask_heir(void) {
  struct stdin_queue heir;
  uint64_t next = 0;
  CHECK(queue_open(&heir, fcntl(queue.fd, F_DUPFD_CLOEXEC, 0)));
  CHECK(queue_accept(&heir, 1, 0, (const uint8_t *)"", 0, 0, &next) == QUEUE_TAKEN);
  queue_close(&heir);
  return next;
}

static void a_keeper_killed_at_any_moment_loses_and_repeats_nothing(void) {
  open_all();
  unsigned wanted = 0, random = 12345;
  for (int round = 0; queue.fd >= 0 && round < 100 && check_good; round++) {
    uint64_t next = ask_heir();
    random = random * 1103515245 + 12345;
    uint64_t until = now_us() + 500 + random / 65536 % 3000;
    /* Every fourth is killed by the clock alone, be it before its first line; the others have typed something by
       then, however slow the machine is. */
    unsigned at_least = round % 4 == 0 ? wanted : wanted + 20;
    pid_t pid = fork();
    if (pid == 0) type_lines(next);
    while (check_good && (now_us() < until || wanted < at_least)) read_lines(&wanted);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
  }
  do read_lines(&wanted);
  while (queue_pending(&queue) && queue_feed(&queue, child[1]) > 0);
  if (queue.fd >= 0) {
    read_lines(&wanted);
    CHECK_EQUAL(wanted, ask_heir() / 8);
  }
  close_all();
}

int main(void) {
  check_begin();
  RUN(a_retry_is_typed_once_and_its_new_part_is_added);
  RUN(writers_count_for_themselves);
  RUN(a_gap_is_refused_and_changes_nothing);
  RUN(what_does_not_fit_is_taken_in_part_and_goes_on_later);
  RUN(a_queue_that_is_never_empty_waits_at_the_end_of_its_room_and_begins_anew);
  RUN(a_line_too_long_for_a_terminal_is_refused_whole);
  RUN(the_last_sixty_four_writers_are_remembered);
  RUN(closing_and_discarding);
  RUN(a_successor_goes_on_where_the_other_stopped);
  RUN(a_keeper_killed_at_any_moment_loses_and_repeats_nothing);
  return check_end("stdin_queue");
}
