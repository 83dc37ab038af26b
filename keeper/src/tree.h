/* Which processes belong to a run, and signalling them with proof (CONTRACT.md §7). */
#ifndef HOLDFAST_TREE_H
#define HOLDFAST_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SPARED_MOST = 64 };

struct member {
  pid_t pid;
  uint64_t start;
};

struct members {
  struct member *items;
  size_t count, capacity;
};

struct tree {
  const char *id;
  int run_dir;      /* what HOLDFAST_RUN of its members names */
  struct member child;
  bool child_ended; /* its status is known: that it is a zombie is no news */
  bool is_ancestor; /* this keeper forked the child: its descendants are the tree */
  int cgroup;       /* directory of the run's own cgroup, -1 = none */
  struct member spared[SPARED_MOST];
  size_t spared_count;
};

/* Living members, sorted by pid. The caller frees with members_free. */
void tree_collect(const struct tree *tree, struct members *out);
void members_free(struct members *members);
bool members_have(const struct members *members, struct member member);
bool members_add(struct members *members, struct member member);

/* Signals one process if it still is the one meant. */
bool member_signal(struct member member, int signal);
size_t tree_signal(const struct tree *tree, const struct members *members, int signal);
/* Kills at one stroke what is in the cgroup; a no-op without one. */
void tree_kill_cgroup(const struct tree *tree);
uint64_t tree_resident_bytes(const struct tree *tree);
/* From now on pid and its descendants are not of the tree. */
bool tree_spare(struct tree *tree, pid_t pid);
/* The same for one that an earlier keeper spared, as its record has it: PID:START. */
void tree_spare_recorded(struct tree *tree, const char *text);

#endif
