#define _GNU_SOURCE
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sys.h"

bool members_add(struct members *members, struct member member) {
  if (members->count == members->capacity) {
    size_t capacity = members->capacity ? members->capacity * 2 : 16;
    struct member *grown = realloc(members->items, capacity * sizeof *grown);
    if (!grown) return false;
    members->items = grown;
    members->capacity = capacity;
  }
  members->items[members->count++] = member;
  return true;
}

void members_free(struct members *members) {
  free(members->items);
  *members = (struct members){0};
}

static int compare_members(const void *a, const void *b) {
  const struct member *left = a, *right = b;
  return left->pid < right->pid ? -1 : left->pid > right->pid;
}

bool members_have(const struct members *members, struct member member) {
  for (size_t i = 0; i < members->count; i++)
    if (members->items[i].pid == member.pid && members->items[i].start == member.start) return true;
  return false;
}

static void sort_unique(struct members *members) {
  if (members->count < 2) return;
  qsort(members->items, members->count, sizeof *members->items, compare_members);
  size_t kept = 1;
  for (size_t i = 1; i < members->count; i++)
    if (members->items[i].pid != members->items[kept - 1].pid) members->items[kept++] = members->items[i];
  members->count = kept;
}

struct walk {
  const struct tree *tree;
  struct members *found;
  bool leader_proven;
  struct members ended; /* zombies seen */
  bool ended_meanwhile; /* one of them was not seen as such before */
};

enum { DEPTH_MOST = 256 }; /* of parents looked at: a listing that changes meanwhile must not keep us */

/* It or an ancestor: what a spared daemon starts still carries the run in its environment. */
static bool is_spared(const struct tree *tree, const struct process_info *info) {
  if (info->pid == getpid()) return true;
  struct process_info at = *info;
  for (int depth = 0; tree->spared_count && depth < DEPTH_MOST; depth++) {
    for (size_t i = 0; i < tree->spared_count; i++)
      if (tree->spared[i].pid == at.pid && tree->spared[i].start == at.start) return true;
    if (at.parent <= 1 || !sys_process_info(at.parent, &at)) break;
  }
  return false;
}

/* Adds a living process that is not spared; zombies have nothing left to signal. */
static void add_living(struct walk *walk, const struct process_info *info) {
  struct member member = {info->pid, info->start};
  if (info->state == 'Z' || info->state == 'X') {
    if (members_have(&walk->ended, member)) return;
    walk->ended_meanwhile = members_add(&walk->ended, member);
  } else if (!is_spared(walk->tree, info)) {
    members_add(walk->found, member);
  }
}

static void visit_child(void *context, pid_t pid) {
  struct walk *walk = context;
  struct process_info info;
  if (sys_process_info(pid, &info)) add_living(walk, &info);
}

/* Everything below what was found so far; the list grows while it is walked. */
static void add_descendants(struct walk *walk, size_t from) {
  for (size_t i = from; i < walk->found->count; i++) sys_each_child(walk->found->items[i].pid, visit_child, walk);
}

/* A session or group number proves something only while its leader is the child itself: numbers are reused. */
static void visit_any(void *context, pid_t pid) {
  struct walk *walk = context;
  const struct tree *tree = walk->tree;
  struct process_info info;
  if (!sys_process_info(pid, &info)) return;
  bool is_child = pid == tree->child.pid && info.start == tree->child.start;
  bool in_group = walk->leader_proven && (info.session == tree->child.pid || info.group == tree->child.pid);
  if (is_child || in_group || sys_process_has_run(pid, tree->id, tree->run_dir)) add_living(walk, &info);
}

static void add_from_cgroup(struct walk *walk) {
  sys_each_listed(walk->tree->cgroup, "cgroup.procs", visit_child, walk);
}

static void look(struct walk *walk) {
  const struct tree *tree = walk->tree;
  walk->ended_meanwhile = false;
  if (tree->is_ancestor) {
    sys_each_child(getpid(), visit_child, walk);
  } else {
    struct process_info leader;
    walk->leader_proven = sys_process_info(tree->child.pid, &leader) && leader.start == tree->child.start;
    sys_each_process(visit_any, walk);
  }
  if (tree->cgroup >= 0) add_from_cgroup(walk);
  sort_unique(walk->found);
  add_descendants(walk, 0);
  sort_unique(walk->found);
}

void tree_collect(const struct tree *tree, struct members *out) {
  *out = (struct members){0};
  struct walk walk = {.tree = tree, .found = out};
  if (tree->child_ended) members_add(&walk.ended, tree->child);
  /* One that was listed alive and is a zombie now may have left a child after the list was read: empty is only what is empty
   * with no such end in between. */
  do look(&walk);
  while (out->count == 0 && walk.ended_meanwhile);
  members_free(&walk.ended);
}

bool member_signal(struct member member, int signal) {
  int pidfd = sys_pidfd_open(member.pid);
  if (pidfd < 0 && errno != ENOSYS) return false;
  /* The pidfd pins whoever has the number now; the start time tells whether that is still the one we mean. */
  struct process_info info;
  bool sent = sys_process_info(member.pid, &info) && info.start == member.start && sys_pidfd_signal(pidfd, member.pid, signal) == 0;
  if (pidfd >= 0) close(pidfd);
  return sent;
}

size_t tree_signal(const struct tree *tree, const struct members *members, int signal) {
  (void)tree;
  size_t reached = 0;
  for (size_t i = 0; i < members->count; i++) reached += member_signal(members->items[i], signal);
  return reached;
}

void tree_kill_cgroup(const struct tree *tree) {
  int fd = tree->cgroup >= 0 ? openat(tree->cgroup, "cgroup.kill", O_WRONLY | O_CLOEXEC) : -1;
  if (fd < 0) return;
  ssize_t written = write(fd, "1", 1);
  (void)written; /* the walk over the tree does the same one by one */
  close(fd);
}

uint64_t tree_resident_bytes(const struct tree *tree) {
  struct members members;
  uint64_t total = 0;
  tree_collect(tree, &members);
  for (size_t i = 0; i < members.count; i++) total += sys_resident_bytes(members.items[i].pid);
  members_free(&members);
  return total;
}

/* Out of the cgroup too, or cgroup.kill would not know that it is spared. */
static void leave_cgroup(const struct tree *tree, pid_t pid) {
  int fd = tree->cgroup >= 0 ? openat(tree->cgroup, "../cgroup.procs", O_WRONLY | O_CLOEXEC) : -1;
  if (fd < 0) return;
  char text[16];
  int n = snprintf(text, sizeof text, "%d", (int)pid);
  ssize_t written = write(fd, text, (size_t)n);
  (void)written; /* it may have gone meanwhile */
  close(fd);
}

static void forget_gone(struct tree *tree) {
  size_t kept = 0;
  struct process_info info;
  for (size_t i = 0; i < tree->spared_count; i++)
    if (sys_process_info(tree->spared[i].pid, &info) && info.start == tree->spared[i].start) tree->spared[kept++] = tree->spared[i];
  tree->spared_count = kept;
}

bool tree_spare(struct tree *tree, pid_t pid) {
  struct process_info info;
  if (tree->spared_count == SPARED_MOST) forget_gone(tree);
  if (tree->spared_count == SPARED_MOST || !sys_process_info(pid, &info)) return false;
  struct members below = {0};
  struct walk walk = {.tree = tree, .found = &below};
  sys_each_child(pid, visit_child, &walk);
  add_descendants(&walk, 0);
  leave_cgroup(tree, pid);
  for (size_t i = 0; i < below.count; i++) leave_cgroup(tree, below.items[i].pid);
  members_free(&below);
  members_free(&walk.ended);
  tree->spared[tree->spared_count++] = (struct member){pid, info.start};
  return true;
}

void tree_spare_recorded(struct tree *tree, const char *text) {
  int pid;
  unsigned long long start;
  if (sscanf(text, "%d:%llu", &pid, &start) != 2 || tree->spared_count == SPARED_MOST) return;
  tree->spared[tree->spared_count++] = (struct member){pid, start};
}
