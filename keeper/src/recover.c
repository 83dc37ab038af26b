/* Runs that nobody keeps, and keepers whose launcher was replaced. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher.h"
#include "text.h"

/* A process of ours that ends a lost run, and who waits for it. */
struct finisher {
  struct finisher *next;
  pid_t pid;
  char id[ID_MOST + 1];
  struct peer *peer;
  uint32_t request;
};
static struct finisher *finishers;

enum { HAS_KEEPER = 1, HAS_ENDED = 2 };

static const struct finisher *finisher_of(const char *id) {
  for (const struct finisher *at = finishers; at; at = at->next)
    if (strcmp(at->id, id) == 0) return at;
  return NULL;
}

/* Whoever asks while one is at work waits for the same. */
static bool begin_finish(const char *id, bool never_ran, struct peer *peer, uint32_t request) {
  struct finisher *finisher = calloc(1, sizeof *finisher);
  if (!finisher) return false;
  const struct finisher *at_work = finisher_of(id);
  finisher->pid = at_work ? at_work->pid : launcher_fork();
  if (finisher->pid == 0) lost_finish(FD_HOME, FD_RUNS, id, never_ran);
  if (finisher->pid < 0) {
    free(finisher);
    return false;
  }
  memcpy(finisher->id, id, strnlen(id, ID_MOST));
  finisher->peer = peer;
  finisher->request = request;
  finisher->next = finishers;
  finishers = finisher;
  return true;
}

void recover_never_ran(const char *id, pid_t keeper_pid) {
  struct buffer text = {0};
  int dir = openat(FD_RUNS, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  /* The id may belong to another run, whose child did run. */
  bool its_own = dir >= 0 && rundir_read(dir, "keeper", KEEPER_RECORD, &text) &&
                 text_find_number(buffer_head(&text), buffer_size(&text), "pid", 0) == (uint64_t)keeper_pid;
  buffer_free(&text);
  if (dir >= 0) close(dir);
  if (its_own) begin_finish(id, true, NULL, 0);
}

void recover_call(int dir, const char *record) {
  struct buffer text = {0};
  if (!rundir_read(dir, record, KEEPER_RECORD, &text)) return;
  struct member owner = {(pid_t)text_find_number(buffer_head(&text), buffer_size(&text), "pid", 0),
                                 text_find_number(buffer_head(&text), buffer_size(&text), "start", 0)};
  char boot[40], present[40];
  text_find(buffer_head(&text), buffer_size(&text), "boot", boot, sizeof boot);
  sys_boot_id(present);
  if (owner.pid > 1 && strcmp(boot, present) == 0) member_signal(owner, SIGUSR1);
  buffer_free(&text);
}

static bool is_ended(int dir) {
  struct buffer text = {0};
  bool ended = rundir_read_exit(dir, &text);
  buffer_free(&text);
  return ended;
}

void recover_request(struct peer *peer, const struct frame *frame) {
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  struct slice slice = cursor_bytes(&cursor);
  char id[ID_MOST + 1] = "";
  if (cursor.bad || !rundir_valid_id((const char *)slice.data, slice.length)) {
    frame_error(&peer->out, frame->request, ERROR_MALFORMED, 0, 0, "RECOVER: an id");
    return;
  }
  memcpy(id, slice.data, slice.length);
  int dir = openat(FD_RUNS, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (holding_by_id(id)) {
    /* Somebody could not reach it: its socket file may have been removed. */
    if (dir >= 0 && faccessat(dir, "sock", F_OK, 0) != 0) recover_call(dir, "keeper");
    if (dir >= 0) close(dir);
    frame_ok(&peer->out, frame->request, HAS_KEEPER);
    return;
  }
  /* A directory without a record was made by somebody to forbid the start: no run ever had it. */
  if (dir < 0 || faccessat(dir, "keeper", F_OK, 0) != 0) {
    frame_error(&peer->out, frame->request, ERROR_NOT_FOUND, errno, 0, "no such run");
    if (dir >= 0) close(dir);
    return;
  }
  struct lock_table *locks = sys_locks_read(FD_RUNS);
  bool kept = locks && sys_locks_held(locks, dir, "keeper");
  sys_locks_free(locks);
  if (kept && !finisher_of(id)) {
    recover_call(dir, "keeper");
    frame_ok(&peer->out, frame->request, HAS_KEEPER);
  } else if (is_ended(dir)) {
    frame_ok(&peer->out, frame->request, HAS_ENDED);
  } else if (!begin_finish(id, false, peer, frame->request)) {
    frame_error(&peer->out, frame->request, ERROR_SYSTEM, errno, 0, "no process to end it");
  }
  close(dir);
}

static void finished(const struct finisher *finisher, int code) {
  if (!finisher->peer) return;
  struct buffer *out = &finisher->peer->out;
  if (code == 0)
    frame_ok(out, finisher->request, HAS_ENDED);
  else if (code == 1)
    frame_ok(out, finisher->request, HAS_KEEPER);
  else
    frame_error(out, finisher->request, ERROR_SYSTEM, EIO, 0, "its end could not be recorded");
  peer_flush(finisher->peer);
}

bool recover_child_ended(pid_t pid, const struct child_status *status) {
  int code = WIFEXITED(status->wait_status) ? WEXITSTATUS(status->wait_status) : 70;
  bool found = false;
  for (struct finisher **at = &finishers; *at;) {
    struct finisher *finisher = *at;
    if (finisher->pid != pid) {
      at = &finisher->next;
      continue;
    }
    *at = finisher->next;
    finished(finisher, code);
    free(finisher);
    found = true;
  }
  return found;
}

void recover_forget_peer(struct peer *peer) {
  for (struct finisher *at = finishers; at; at = at->next)
    if (at->peer == peer) at->peer = NULL;
}

/* A spare whose lock is held belongs to a keeper that is just starting. The lock itself is tried, since a table may miss one. */
static bool nobody_has(int dir) {
  int lock = openat(dir, "keeper", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  bool free_of_locks = lock < 0 || flock(lock, LOCK_EX | LOCK_NB) == 0;
  if (lock >= 0) close(lock);
  return free_of_locks;
}

void recover_call_keepers(void) {
  int fd = openat(FD_RUNS, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
  struct lock_table *locks = sys_locks_read(FD_RUNS);
  struct dirent *entry;
  while (list && locks && (entry = readdir(list))) {
    bool spare = strncmp(entry->d_name, ".spare-", 7) == 0;
    if (!spare && !rundir_valid_id(entry->d_name, strlen(entry->d_name))) continue;
    int dir = openat(FD_RUNS, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) continue;
    if (spare && nobody_has(dir)) rundir_remove(FD_RUNS, entry->d_name);
    if (!spare && sys_locks_held(locks, dir, "keeper")) recover_call(dir, "keeper");
    close(dir);
  }
  if (list) closedir(list);
  sys_locks_free(locks);
}
