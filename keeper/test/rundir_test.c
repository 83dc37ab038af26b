#define _GNU_SOURCE
#include "rundir.h"

#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "check.h"
#include "scratch.h"
#include "text.h"

static int runs;
static struct rundir run;

static void begin(void) {
  runs = scratch_open();
  if (rundir_prepare(runs, ".spare-1-1", &run) != 0) abort();
}

static void end(void) {
  rundir_close(&run);
  scratch_close(runs);
}

static bool exists(int dir, const char *name) {
  struct stat st;
  return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void a_prepared_directory_is_private_locked_and_listening(void) {
  struct stat st;
  begin();
  CHECK(fstat(run.dir, &st) == 0 && (st.st_mode & 0777) == 0700);
  const char *files[] = {"keeper", "spec", "0000000000000000.log", "0000000000000000.idx", "exit.tmp", "sock"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) CHECK(fstatat(run.dir, files[i], &st, 0) == 0 && (st.st_mode & 0777) == 0600);
  struct rundir other;
  CHECK(rundir_open(runs, ".spare-1-1", &other) == 0 && !rundir_lock(&other, 0));
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  sys_socket_path(run.dir, "sock", address.sun_path, sizeof address.sun_path);
  int client = socket(AF_UNIX, SOCK_STREAM, 0);
  CHECK(connect(client, (struct sockaddr *)&address, sizeof address) == 0);
  close(client);
  rundir_close(&run);
  CHECK(rundir_lock(&other, 0)); /* the lock goes with its holder */
  rundir_close(&other);
  end();
}

static void the_space_of_the_exit_record_is_reserved(void) {
  struct stat st;
  begin();
  CHECK(fstat(run.exit, &st) == 0 && st.st_blocks * 512 >= EXIT_RESERVED);
  end();
}

static void a_claim_is_exclusive(void) {
  begin();
  CHECK(rundir_claim(runs, &run, "first") == 0 && strcmp(run.name, "first") == 0 && exists(runs, "first"));
  struct rundir second;
  CHECK(rundir_prepare(runs, ".spare-1-2", &second) == 0);
  CHECK(rundir_claim(runs, &second, "first") == EEXIST);
  CHECK(mkdirat(runs, "fenced", 0700) == 0);
  CHECK(rundir_claim(runs, &second, "fenced") == EEXIST); /* an empty directory is a claim too */
  scratch_write(runs, "file", "", 0);
  CHECK(rundir_claim(runs, &second, "file") == EEXIST);
  CHECK(rundir_claim(runs, &second, "second") == 0);
  rundir_close(&second);
  end();
}

/* Each round: eight processes with a directory of their own, one name, one winner. */
static void of_racing_processes_one_gets_the_id(void) {
  begin();
  for (int round = 0; round < 25; round++) {
    char id[24];
    int gate[2], winners = 0;
    pid_t pids[8];
    snprintf(id, sizeof id, "race-%d", round);
    if (pipe(gate) != 0) abort();
    for (int i = 0; i < 8; i++) {
      pids[i] = fork();
      if (pids[i] != 0) continue;
      char name[32], byte;
      struct rundir mine;
      snprintf(name, sizeof name, ".spare-%d-%d", round, i);
      close(gate[1]);
      bool ready = rundir_prepare(runs, name, &mine) == 0;
      bool gone = read(gate[0], &byte, 1) == 0; /* all start when the parent closes the pipe */
      _exit(ready && gone && rundir_claim(runs, &mine, id) == 0 ? 0 : 1);
    }
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < 8; i++) {
      int status;
      waitpid(pids[i], &status, 0);
      winners += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    CHECK_EQUAL(winners, 1);
  }
  end();
}

static struct exit_record example(void) {
  struct exit_record record = {.reason = REASON_TIMEOUT, .ended_at_ms = 1700000000123, .duration_us = 987654321, .has_usage = true,
                               .user_us = 11, .system_us = 22, .max_rss_kib = 33, .output_bytes = 44, .gap_bytes = 55, .descendants = 66};
  strcpy(record.stop_by, "a person\nwith %");
  return record;
}

static uint64_t number(const struct buffer *text, const char *key) { return text_find_number(buffer_head(text), buffer_size(text), key, 999); }

static void an_exit_record_comes_back_as_it_was_written(void) {
  begin();
  struct buffer written = {0}, back = {0};
  struct exit_record record = example();
  CHECK(!rundir_read_exit(run.dir, &back));
  exit_from_wait_status(&record, 9 | 0x80);
  CHECK(rundir_write_exit(&run, &record, &written));
  CHECK(!exists(run.dir, "exit.tmp"));
  CHECK(rundir_flush_exit(&run));
  CHECK(rundir_read_exit(run.dir, &back));
  CHECK(buffer_size(&back) == buffer_size(&written) && memcmp(buffer_head(&back), buffer_head(&written), buffer_size(&back)) == 0);
  char value[600];
  CHECK(text_find(buffer_head(&back), buffer_size(&back), "kind", value, sizeof value) && strcmp(value, "signaled") == 0);
  CHECK(number(&back, "signal") == 9 && number(&back, "core") == 1 && number(&back, "code") == 999);
  CHECK(text_find(buffer_head(&back), buffer_size(&back), "stop_by", value, sizeof value) && strcmp(value, "a person\nwith %") == 0);
  CHECK(text_find(buffer_head(&back), buffer_size(&back), "stop_reason", value, sizeof value) && strcmp(value, "timeout") == 0);
  CHECK(number(&back, "duration_us") == 987654321 && number(&back, "max_rss_kib") == 33 && number(&back, "descendants") == 66);
  buffer_free(&written);
  CHECK(rundir_write_exit(&run, &record, &written)); /* a second try finds no exit.tmp any more */
  CHECK(unlinkat(run.dir, "exit", 0) == 0 && rundir_flush_exit(&run)); /* removed by whoever was told: a keeper does not stay for it */
  buffer_free(&written);
  buffer_free(&back);
  end();
}

static void every_wait_status_has_its_words(void) {
  for (int code = 0; code < 256; code++) {
    struct exit_record record = {0};
    exit_from_wait_status(&record, code << 8);
    CHECK(record.kind == EXIT_EXITED && record.code == code);
  }
  for (int signal = 1; signal < 65; signal++) {
    struct exit_record record = {0};
    exit_from_wait_status(&record, signal);
    CHECK(record.kind == EXIT_SIGNALED && record.signal == signal && record.core == 0);
  }
}

static void the_longest_record_fits_its_reserved_space(void) {
  struct exit_record record = example();
  memset(record.stop_by, '\n', STOP_BY_MOST);
  record.stop_by[STOP_BY_MOST] = 0;
  record.kind = EXIT_LOST;
  record.last_seen_ms = record.ended_at_ms = record.duration_us = record.user_us = record.system_us = UINT64_MAX;
  record.output_bytes = record.gap_bytes = record.max_rss_kib = record.descendants = UINT64_MAX;
  struct buffer text = {0};
  exit_format(&record, &text);
  CHECK(buffer_size(&text) < EXIT_RESERVED);
  buffer_free(&text);
}

/* Cut anywhere, or with any one byte changed: it does not exist. */
static void a_torn_or_damaged_record_does_not_exist(void) {
  begin();
  struct buffer text = {0}, back = {0};
  struct exit_record record = example();
  exit_format(&record, &text);
  uint8_t *bytes = buffer_head(&text);
  size_t n = buffer_size(&text);
  scratch_write(run.dir, "exit", bytes, n);
  CHECK(rundir_read_exit(run.dir, &back));
  buffer_free(&back);
  for (size_t cut = 0; cut < n; cut++) {
    scratch_write(run.dir, "exit", bytes, cut);
    CHECK(!rundir_read_exit(run.dir, &back));
  }
  for (size_t i = 0; i < n; i++) {
    bytes[i] ^= 1;
    scratch_write(run.dir, "exit", bytes, n);
    CHECK(!rundir_read_exit(run.dir, &back) && back.data == NULL);
    bytes[i] ^= 1;
  }
  buffer_free(&text);
  end();
}

static void odd_things_in_the_place_of_a_file_are_no_file(void) {
  begin();
  struct buffer text = {0};
  CHECK(!rundir_read(run.dir, "absent", 100, &text));
  CHECK(mkdirat(run.dir, "directory", 0700) == 0 && !rundir_read(run.dir, "directory", 100, &text));
  CHECK(unlinkat(run.dir, "directory", AT_REMOVEDIR) == 0);
  CHECK(symlinkat("/etc/passwd", run.dir, "link") == 0 && !rundir_read(run.dir, "link", 1 << 20, &text));
  CHECK(mkfifoat(run.dir, "fifo", 0600) == 0);
  rundir_read(run.dir, "fifo", 100, &text); /* must return */
  buffer_free(&text);
  char big[20000] = {0};
  scratch_write(run.dir, "big", big, sizeof big);
  CHECK(!rundir_read(run.dir, "big", 1000, &text) && text.data == NULL);
  end();
}

static void the_keeper_record_says_who_keeps_and_has_one_size(void) {
  begin();
  struct buffer more = {0}, text = {0};
  for (int i = 0; i < 100; i++) text_add_string(&more, "spared", "12345:1234567890");
  rundir_write_keeper(&run, 77, &more);
  CHECK(rundir_read(run.dir, "keeper", KEEPER_RECORD, &text) && buffer_size(&text) == KEEPER_RECORD);
  CHECK(number(&text, "pid") == (uint64_t)getpid() && number(&text, "end") == 77);
  struct process_info self;
  CHECK(sys_process_info(getpid(), &self) && number(&text, "start") == self.start);
  buffer_free(&more);
  buffer_free(&text);
  end();
}

static void a_removed_socket_is_bound_again(void) {
  begin();
  CHECK(rundir_socket_present(&run));
  CHECK(unlinkat(run.dir, "sock", 0) == 0 && !rundir_socket_present(&run));
  CHECK(rundir_listen(&run) == 0 && rundir_socket_present(&run));
  end();
}

static void a_removed_run_leaves_nothing(void) {
  begin();
  rundir_remove(runs, run.name);
  CHECK(!exists(runs, ".spare-1-1"));
  end();
}

static void who_holds_a_lock_is_seen_without_taking_it(void) {
  begin();
  struct lock_table *locks = sys_locks_read(runs);
  CHECK(locks && sys_locks_held(locks, run.dir, "keeper") && !sys_locks_held(locks, run.dir, "spec"));
  CHECK(!sys_locks_held(locks, run.dir, "absent"));
  sys_locks_free(locks);
  CHECK(flock(run.lock, LOCK_UN) == 0);
  locks = sys_locks_read(runs);
  CHECK(locks && !sys_locks_held(locks, run.dir, "keeper"));
  sys_locks_free(locks);
  end();
}

int main(void) {
  check_begin();
  RUN(a_prepared_directory_is_private_locked_and_listening);
  RUN(the_space_of_the_exit_record_is_reserved);
  RUN(a_claim_is_exclusive);
  RUN(of_racing_processes_one_gets_the_id);
  RUN(an_exit_record_comes_back_as_it_was_written);
  RUN(every_wait_status_has_its_words);
  RUN(the_longest_record_fits_its_reserved_space);
  RUN(a_torn_or_damaged_record_does_not_exist);
  RUN(odd_things_in_the_place_of_a_file_are_no_file);
  RUN(the_keeper_record_says_who_keeps_and_has_one_size);
  RUN(a_removed_socket_is_bound_again);
  RUN(a_removed_run_leaves_nothing);
  RUN(who_holds_a_lock_is_seen_without_taking_it);
  return check_end("rundir");
}
