/* The state of one keeper, shared by the files that each handle one part of it. */
#ifndef HOLDFAST_KEEPER_H
#define HOLDFAST_KEEPER_H

#include "child.h"
#include "loop.h"
#include "output.h"
#include "stdin_queue.h"
#include "tree.h"

enum state { STATE_STARTING, STATE_RUNNING, STATE_ENDED };

struct peer; /* a buffered connection, peer.h */
struct client;

struct stopping {
  bool active, killing, no_kill;
  uint64_t kill_at_ns;
  uint64_t pause_ns;     /* until the next look; grows */
  struct members asked;  /* who has had its TERM */
  struct members killed; /* who had to be killed */
  struct timer timer;
};

struct keeper {
  int home, runs; /* directories */
  char id[ID_MOST + 1];
  struct rundir run;
  struct options options;
  enum state state;
  uint64_t deadline_ns;
  uint32_t start_request; /* of the launcher's client; repeated in STARTED and ENDED */

  struct child child;
  struct stdio stdio;
  struct watch out_watch, err_watch, in_watch, status_watch, pidfd_watch, listen_watch;
  bool out_open, err_open;
  struct output output;
  struct stdin_queue queue;
  bool stdin_was_full;
  struct tree tree;
  char cgroup_path[512];
  struct stopping stop;

  bool launcher_reaps;     /* a successor whose child belongs to the launcher */
  bool has_status;         /* told by the launcher or the kernel */
  struct child_status status;
  uint64_t started_monotonic_us, started_boottime_us, started_at_ms;
  uint64_t last_activity_ns;
  int oom_counter;
  uint64_t oom_before;
  enum stop_reason reason;
  char stop_by[STOP_BY_MOST + 1];
  struct exit_record exit;
  struct buffer exit_text;
  struct timer wall_timer, idle_timer, memory_timer, deadline_timer, leave_timer, link_timer, terminal_timer;
  uint64_t terminal_pause_ns; /* until the next look at a terminal that nobody has open */
  uint64_t ended_ns;
  bool exit_stored;  /* in its place */
  bool exit_flushed; /* and on the disk */

  struct peer *link; /* to the launcher, NULL while there is none */
  struct client *clients;
  size_t client_count;
  bool closed; /* no more output can come */
  bool leaving;
};

extern struct keeper keeper;

/* start.c and keeper.c: the life of a run */
struct keeper_job {
  int home, runs, link, oom_counter;
  struct rundir run;
  int cgroup_parent;
  char cgroup_parent_path[512];
};
/* frame: the START request; NULL: it comes over the link, some time, if the launcher lives to send it. */
_Noreturn void keeper_start(const struct keeper_job *job, const struct frame *frame);
_Noreturn void keeper_loop(void);
void keeper_child_ended(const struct child_status *status);
void keeper_child_lost(void);
/* To whoever asked for the start, through the launcher. */
void keeper_tell_started(void);
void keeper_tell_start_failed(struct failure failure);
void keeper_child_status_ready(void *context, unsigned events);
void keeper_on_signal(int signal);
void keeper_consider_leaving(void);
const char *keeper_state_name(void);
/* The text of STATE. */
void keeper_describe(struct buffer *out);
void keeper_bind_again(void);
/* Identity, and what a successor must know. */
void keeper_write_record(void);

/* successor.c: going on after another keeper, or after a re-exec */
struct held_fds {
  int out, err, in, transit_read, transit_write, queue, pidfd, status;
};
extern const char *const held_names[8];
/* In the order of held_names. */
int *held_at(struct held_fds *held, size_t i);
/* NULL: no such name. */
int *held_slot(struct held_fds *held, const char *name);
#define HELD_NONE {-1, -1, -1, -1, -1, -1, -1, -1}
struct takeover {
  int home, runs, link, oom_counter;
  const char *id;
  struct held_fds held;
  bool same_process;   /* re-exec: run directory still open and locked */
  bool is_ancestor;    /* of the child: no successor is, nor is one that re-executed */
  bool launcher_reaps; /* re-exec: as in the keeper before */
  struct rundir run;   /* only then */
  const struct child_status *status; /* if the launcher has reaped the child already */
};
_Noreturn void successor_run(struct takeover *takeover);
/* The launcher is gone or does not reap this child: learn its end from the kernel. */
void successor_watch_child(void);
/* reexec.c: the same keeper in a newer binary, same pid, descriptors kept. Does not return if it succeeds. */
void keeper_reexec(const char *path);
_Noreturn void reexec_resume(int argc, char **argv);
/* lost.c: ends a run that nobody keeps. never_ran: its child cannot have reached exec. Runs in a process of its own. */
_Noreturn void lost_finish(int home, int runs, const char *id, bool never_ran);

/* spec.c: what a successor needs of `spec` */
struct spec {
  struct options options;
  struct member child;
  uint64_t started_at_ms, started_boottime_us, started_monotonic_us;
  bool this_boot;
  char cgroup_path[512];
};
bool spec_read(int dir, struct spec *out);

/* capture.c: bytes out of the child and into it */
void capture_begin(void);
void capture_drain(void);
void capture_close_stdin(void);
void capture_feed(void);
void capture_hangup(void);

/* stop.c */
void stop_begin(uint32_t grace_ms, bool no_kill, enum stop_reason reason, const char *by);
void stop_look_again(void);

/* limits.c */
void limits_begin(void);
void limits_activity(void);
void limits_output(void);
void limits_end(void);

/* clients.c */
void clients_begin(void);
void clients_pump(void);
void clients_state_changed(void);
void clients_stopped(uint8_t outcome, uint32_t left);
void clients_stdin_room(void);
bool clients_all_served(void);

/* link.c: the launcher's side of this keeper */
void link_begin(int fd);
void link_hold(void);
void link_drop(const char *names);
void link_relay(uint8_t type, const void *payload, size_t n);
void link_bye(void);
void link_ensure(void);

#endif
