/* A run that nobody keeps and of which nobody holds anything: its status cannot be known any more. What is left of its tree is found
 * and stopped, and the record says `lost`. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diagnostics.h"
#include "keeper.h"
#include "text.h"

enum { GRACE_MS = 2000, STEP_MS = 10 };

/* A daemon that left the tree is no remnant of it. */
static void read_spared(int dir, struct tree *tree) {
  struct buffer text = {0};
  if (!rundir_read(dir, "keeper", KEEPER_RECORD, &text)) return;
  struct cursor cursor = cursor_of(buffer_head(&text), buffer_size(&text));
  struct text_line line;
  char scratch[KEEPER_RECORD];
  while (text_next(&cursor, &line, scratch, sizeof scratch))
    if (strcmp(line.key, "spared") == 0) tree_spare_recorded(tree, line.value);
  buffer_free(&text);
}

/* Blocking: this process does nothing else. */
static uint64_t stop_remnants(const struct spec *spec, const char *id, int dir) {
  struct tree tree = {.id = id, .run_dir = dir, .child = spec->child, .cgroup = -1};
  read_spared(dir, &tree);
  if (spec->cgroup_path[0]) tree.cgroup = open(spec->cgroup_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  uint64_t found = 0;
  struct members living, asked = {0};
  for (int waited = 0;; waited += STEP_MS) {
    tree_collect(&tree, &living);
    if (living.count == 0) break;
    if (living.count > found) found = living.count;
    for (size_t i = 0; i < living.count; i++) {
      if (waited >= GRACE_MS) {
        member_signal(living.items[i], SIGKILL);
      } else if (!members_have(&asked, living.items[i])) {
        members_add(&asked, living.items[i]);
        if (spec->options.mode == MODE_PTY) member_signal(living.items[i], SIGHUP);
        member_signal(living.items[i], SIGTERM);
        member_signal(living.items[i], SIGCONT);
      }
    }
    members_free(&living);
    usleep(STEP_MS * 1000);
  }
  members_free(&living);
  members_free(&asked);
  if (tree.cgroup >= 0) close(tree.cgroup);
  if (spec->cgroup_path[0]) rmdir(spec->cgroup_path);
  return found;
}

#ifdef __APPLE__
#define MODIFIED st_mtimespec
#else
#define MODIFIED st_mtim
#endif

static uint64_t modified_ms(int dir, const char *name) {
  struct stat st;
  if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0) return 0;
  return (uint64_t)st.MODIFIED.tv_sec * 1000 + (uint64_t)st.MODIFIED.tv_nsec / 1000000;
}

/* The newest sign of life: the last write to any file of the run. */
static uint64_t last_seen_ms(int dir, const struct history *history) {
  char name[32];
  uint64_t newest = modified_ms(dir, "keeper");
  if (history->count) {
    segment_name(name, history->segments[history->count - 1].start, "log");
    uint64_t output = modified_ms(dir, name);
    if (output > newest) newest = output;
  }
  return newest;
}

_Noreturn void lost_finish(int home, int runs, const char *id, bool never_ran) {
  (void)home;
  struct rundir run;
  struct buffer text = {0};
  /* Exit code 1: somebody has it after all; the launcher looks again. */
  if (rundir_open(runs, id, &run) != 0 || !rundir_lock(&run, 50)) _exit(1);
  if (rundir_read_exit(run.dir, &text)) _exit(0);
  struct spec spec;
  struct history history;
  bool readable = spec_read(run.dir, &spec);
  history_scan(&history, run.dir);
  struct exit_record record = {.kind = never_ran ? EXIT_SPAWN_FAILED : EXIT_LOST, .stage = STAGE_KEEPER, .error_number = ECANCELED};
  record.last_seen_ms = last_seen_ms(run.dir, &history);
  if (readable && spec.this_boot) record.descendants = stop_remnants(&spec, id, run.dir);
  record.ended_at_ms = record.last_seen_ms;
  record.duration_us = readable && record.last_seen_ms > spec.started_at_ms ? (record.last_seen_ms - spec.started_at_ms) * 1000 : 0;
  uint64_t known_end = rundir_recorded_end(run.dir);
  uint64_t open_gap = known_end > history.end ? known_end - history.end : 0;
  record.output_bytes = history.end + open_gap;
  record.gap_bytes = history.gaps + open_gap;
  if (run.exit < 0) run.exit = openat(run.dir, "exit.tmp", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (!rundir_write_exit(&run, &record, &text) || !rundir_flush_exit(&run)) {
    diagnose("%s: cannot record its loss: %s", id, strerror(errno));
    _exit(73);
  }
  unlinkat(run.dir, "sock", 0);
  _exit(0);
}
