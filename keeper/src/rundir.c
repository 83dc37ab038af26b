#define _GNU_SOURCE
#include "rundir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text.h"
#include "version.h"

bool rundir_valid_id(const char *id, size_t n) {
  if (n < 1 || n > ID_MOST || id[0] == '-') return false;
  for (size_t i = 0; i < n; i++) {
    char c = id[i];
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!plain) return false;
  }
  return true;
}

static int make_file(int dir, const char *name) { return openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600); }

int rundir_prepare(int runs, const char *name, struct rundir *out) {
  *out = (struct rundir)RUNDIR_NONE;
  if (mkdirat(runs, name, 0700) != 0) return errno;
  snprintf(out->name, sizeof out->name, "%s", name);
  int error = 0;
  if ((out->dir = openat(runs, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0 ||
      (out->lock = make_file(out->dir, "keeper")) < 0 || flock(out->lock, LOCK_EX | LOCK_NB) != 0 ||
      (out->spec = make_file(out->dir, "spec")) < 0 ||
      (out->log = make_file(out->dir, "0000000000000000.log")) < 0 ||
      (out->index = make_file(out->dir, "0000000000000000.idx")) < 0 ||
      (out->exit = make_file(out->dir, "exit.tmp")) < 0)
    error = errno;
  else if (!sys_reserve(out->exit, EXIT_RESERVED))
    error = errno ? errno : ENOSPC;
  else
    error = rundir_listen(out);
  if (error) {
    rundir_close(out);
    rundir_remove(runs, name);
  }
  return error;
}

int rundir_claim(int runs, struct rundir *run, const char *id) {
  if (sys_rename_noreplace(runs, run->name, id) != 0) return errno;
  snprintf(run->name, sizeof run->name, "%s", id);
  return 0;
}

void rundir_close(struct rundir *run) {
  int *fds[] = {&run->dir, &run->lock, &run->spec, &run->log, &run->index, &run->exit, &run->listener};
  for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
    if (*fds[i] >= 0) close(*fds[i]);
    *fds[i] = -1;
  }
}

static void empty_directory(int runs, const char *name) {
  int fd = openat(runs, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
  if (!dir) {
    if (fd >= 0) close(fd);
    return;
  }
  struct dirent *entry;
  while ((entry = readdir(dir)))
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) unlinkat(fd, entry->d_name, 0);
  closedir(dir);
}

void rundir_remove(int runs, const char *name) {
  /* A client may put its `abandoned` in while the directory is being emptied. */
  for (int tries = 0; tries < 3; tries++) {
    empty_directory(runs, name);
    if (unlinkat(runs, name, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY) return;
  }
}

int rundir_open(int runs, const char *name, struct rundir *out) {
  *out = (struct rundir)RUNDIR_NONE;
  out->dir = openat(runs, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (out->dir < 0) return errno;
  snprintf(out->name, sizeof out->name, "%s", name);
  out->lock = openat(out->dir, "keeper", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  out->exit = openat(out->dir, "exit.tmp", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  return 0;
}

bool rundir_lock(struct rundir *run, int wait_ms) {
  if (run->lock < 0) return false;
  for (int waited = 0;; waited++) {
    if (flock(run->lock, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK || waited >= wait_ms) return false;
    usleep(1000);
  }
}

int rundir_listen(struct rundir *run) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  sys_socket_path(run->dir, "sock", address.sun_path, sizeof address.sun_path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return errno;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, O_NONBLOCK);
  unlinkat(run->dir, "sock", 0);
  /* The directory is 0700, so nobody can come in between bind and chmod. */
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || fchmodat(run->dir, "sock", 0600, 0) != 0 ||
      listen(fd, 64) != 0) {
    int error = errno;
    close(fd);
    return error;
  }
  if (run->listener >= 0) close(run->listener);
  run->listener = fd;
  return 0;
}

bool rundir_socket_present(const struct rundir *run) {
  struct stat st;
  return fstatat(run->dir, "sock", &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISSOCK(st.st_mode);
}

void rundir_write_keeper(const struct rundir *run, uint64_t output_end, const struct buffer *more) {
  struct buffer text = {0};
  struct process_info self = {0};
  char boot[40];
  sys_boot_id(boot);
  sys_process_info(getpid(), &self);
  text_add_string(&text, "contract", CONTRACT_TEXT);
  text_add_number(&text, "pid", (uint64_t)getpid());
  text_add_number(&text, "start", self.start);
  text_add_string(&text, "boot", boot);
  text_add_string(&text, "build", BUILD_HASH);
  text_add_number(&text, "end", output_end);
  buffer_add(&text, buffer_head(more), buffer_size(more));
  char record[KEEPER_RECORD];
  memset(record, ' ', sizeof record);
  memcpy(record, buffer_head(&text), buffer_size(&text) < sizeof record ? buffer_size(&text) : sizeof record - 1);
  record[sizeof record - 1] = '\n';
  ssize_t written = pwrite(run->lock, record, sizeof record, 0);
  (void)written; /* for people and recovery; the lock itself is the proof of life */
  buffer_free(&text);
}

bool rundir_read(int dir, const char *name, size_t most, struct buffer *out) {
  int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  bool fits = false;
  for (;;) {
    if (buffer_size(out) > most || !buffer_reserve(out, 4096)) break;
    ssize_t n = read(fd, out->data + out->length, 4096);
    if (n < 0) break;
    if (n == 0) {
      fits = true;
      break;
    }
    out->length += (size_t)n;
  }
  close(fd);
  if (!fits) buffer_free(out);
  return fits;
}

uint64_t rundir_recorded_end(int dir) {
  struct buffer record = {0};
  uint64_t end = rundir_read(dir, "keeper", KEEPER_RECORD, &record) ? text_find_number(buffer_head(&record), buffer_size(&record), "end", 0) : 0;
  buffer_free(&record);
  return end;
}

void exit_from_wait_status(struct exit_record *record, int wait_status) {
  if (WIFEXITED(wait_status)) {
    record->kind = EXIT_EXITED;
    record->code = WEXITSTATUS(wait_status);
    return;
  }
  record->kind = EXIT_SIGNALED;
  record->signal = WTERMSIG(wait_status);
  record->core = WCOREDUMP(wait_status) ? 1 : 0;
}

void exit_format(const struct exit_record *record, struct buffer *out) {
  static const char *const kinds[] = {"exited", "signaled", "spawn_failed", "lost"};
  text_add_string(out, "contract", CONTRACT_TEXT);
  text_add_string(out, "kind", kinds[record->kind]);
  if (record->kind == EXIT_EXITED) text_add_number(out, "code", (uint64_t)record->code);
  if (record->kind == EXIT_SIGNALED) {
    text_add_number(out, "signal", (uint64_t)record->signal);
    text_add_number(out, "core", (uint64_t)record->core);
  }
  if (record->kind == EXIT_SPAWN_FAILED) {
    text_add_string(out, "stage", stage_names[record->stage]);
    text_add_number(out, "errno", (uint64_t)record->error_number);
  }
  if (record->kind == EXIT_LOST) text_add_number(out, "last_seen", record->last_seen_ms);
  text_add_string(out, "stop_reason", reason_names[record->reason]);
  if (record->stop_by[0]) text_add_string(out, "stop_by", record->stop_by);
  text_add_number(out, "ended_at", record->ended_at_ms);
  text_add_number(out, "duration_us", record->duration_us);
  if (record->has_usage) {
    text_add_number(out, "user_us", record->user_us);
    text_add_number(out, "system_us", record->system_us);
    text_add_number(out, "max_rss_kib", record->max_rss_kib);
  }
  text_add_number(out, "output_bytes", record->output_bytes);
  text_add_number(out, "gap_bytes", record->gap_bytes);
  text_add_number(out, "descendants", record->descendants);
  char sum[16];
  snprintf(sum, sizeof sum, "%08x", text_sum(buffer_head(out), buffer_size(out)));
  text_add_string(out, "sum", sum);
}

/* An earlier try got as far as the rename. */
static bool is_file(int dir, const char *name, int fd) {
  struct stat named, open_one;
  return fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(fd, &open_one) == 0 && named.st_ino == open_one.st_ino &&
         named.st_dev == open_one.st_dev;
}

bool rundir_write_exit(const struct rundir *run, const struct exit_record *record, struct buffer *text) {
  exit_format(record, text);
  size_t n = buffer_size(text);
  if (text->failed || run->exit < 0 || pwrite(run->exit, buffer_head(text), n, 0) != (ssize_t)n) return false;
  if (ftruncate(run->exit, (off_t)n) != 0) return false;
  return renameat(run->dir, "exit.tmp", run->dir, "exit") == 0 || is_file(run->dir, "exit", run->exit);
}

/* After the rename: on ext4, xfs and btrfs this makes data and name durable in one flush. */
bool rundir_flush_exit(const struct rundir *run) {
  int fd = openat(run->dir, "exit", O_RDONLY | O_CLOEXEC | O_NOFOLLOW); /* by its name: an earlier keeper may have written it */
  /* Whoever was told may have removed the run by now: then there is nothing to keep, and nothing to stay for. */
  if (fd < 0) return errno == ENOENT;
  bool flushed = sys_flush(fd);
  close(fd);
  return flushed;
}

bool rundir_read_exit(int dir, struct buffer *text) {
  if (!rundir_read(dir, "exit", EXIT_RESERVED, text)) return false;
  char sum[16], expected[16];
  size_t n = buffer_size(text);
  const uint8_t *at = n > 13 ? buffer_head(text) + n - 13 : NULL; /* "sum " + 8 digits + newline */
  if (at && at[-1] == '\n' && at[12] == '\n' && memcmp(at, "sum ", 4) == 0) {
    snprintf(expected, sizeof expected, "%08x", text_sum(buffer_head(text), n - 13));
    memcpy(sum, at + 4, 8);
    sum[8] = 0;
    if (strcmp(sum, expected) == 0) return true;
  }
  buffer_free(text);
  return false;
}
