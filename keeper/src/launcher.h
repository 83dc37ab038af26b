/* The resident launcher: state shared by launcher.c (life, requests) and holdings.c (what it holds for keepers). */
#ifndef HOLDFAST_LAUNCHER_H
#define HOLDFAST_LAUNCHER_H

#include "keeper.h"
#include "peer.h"

/* Low descriptor numbers are fixed, so that a forked keeper keeps exactly these and closes the rest in one call. */
enum {
  FD_HOME = 3,
  FD_RUNS = 4,
  FD_OOM = 5,
  FD_CGROUP = 6,
  FD_RUN_DIR = 7,
  FD_LOCK = 8,
  FD_SPEC = 9,
  FD_LOG = 10,
  FD_INDEX = 11,
  FD_EXIT = 12,
  FD_LISTENER = 13,
  FD_LINK = 14,
  FD_HELD = 15, /* … 22: a successor's inheritance */
  FD_DYNAMIC = 24,
};

/* One run as the launcher knows it: its keeper, copies of its descriptors, who asked for it. */
struct holding {
  struct holding *next;
  char id[ID_MOST + 1];
  pid_t keeper, child;
  uint64_t child_start;
  struct held_fds fds;
  struct peer *link;
  struct peer *client; /* who waits for STARTED or ENDED; NULL: nobody */
  uint32_t request;
  bool held;    /* HOLD has come: the child may run */
  bool started; /* STARTED or START_FAILED was relayed */
  bool bye;
  bool has_status;
  struct child_status status;
  unsigned successions;
  struct timer retry;
};

struct launcher {
  int listener;
  bool has_cgroup;
  char cgroup_path[512];
  struct holding *holdings;
  size_t held_count;
};
extern struct launcher launcher;

int launcher_main(int argc, char **argv);
/* Forks; in the child all of the launcher's descriptors but the fixed ones are gone. As fork(). */
pid_t launcher_fork(void);

/* holdings.c */
struct holding *holding_new(const char *id, pid_t keeper_pid, int link);
struct holding *holding_by_id(const char *id);
void holding_frame(struct holding *holding, struct peer *peer, const struct frame *frame);
void holdings_hold(struct peer *peer, const struct frame *frame);
void holdings_forget_peer(struct peer *peer);
void holdings_link_closed(struct peer *peer);
/* A child of the launcher has ended and is not reaped yet. True if it was a keeper or a kept child. */
bool holdings_child_ended(pid_t pid, const struct child_status *status);

/* recover.c */
void recover_request(struct peer *peer, const struct frame *frame);
/* A keeper died before it had a child: ends its run, if it had got as far as the claim. */
void recover_never_ran(const char *id, pid_t keeper_pid);
bool recover_child_ended(pid_t pid, const struct child_status *status);
void recover_forget_peer(struct peer *peer);
/* Tells every live keeper of this home that there is a (new) launcher; removes what dead launchers prepared. */
/* Asks whoever this record names, if that one still lives, to bind its socket again and to register with the launcher. */
void recover_call(int dir, const char *record);
void recover_call_keepers(void);

/* spares.c */
struct spare {
  pid_t keeper;
  int link;
  char name[64]; /* of its directory */
};
/* A keeper that has the START frame: a spare one, or one forked for it. */
struct failure spares_start(const struct frame *frame, struct spare *out);
void spares_refill_soon(void);
/* The launcher has just told of a start: there is nothing for it to do while the child runs. */
void spares_refill_now(void);
size_t spares_count(void);
bool spares_child_ended(pid_t pid);

#endif
