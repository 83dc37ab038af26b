/* From a START request to a running child: cgroup, fork, spec, claim, release. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keeper.h"
#include "text.h"
#include "title.h"

enum { REQUEST_STEP = 4096 };

/* Nothing has the id yet: the spare goes away and only the asker hears of it. */
static _Noreturn void give_up(uint8_t type, const void *payload, size_t n) {
  if (keeper.child.pid > 0) kill(keeper.child.pid, SIGKILL); /* our own, not reaped yet: the number cannot be anybody else's */
  rundir_remove(keeper.runs, keeper.run.name);
  link_relay(type, payload, n);
  link_bye();
  /* Told first: a child that is stuck on a hung mount dies when that gives way, and its cgroup can only go after it. */
  if (keeper.child.pid > 0) waitpid(keeper.child.pid, NULL, 0);
  if (keeper.cgroup_path[0]) rmdir(keeper.cgroup_path);
  _exit(0);
}

static _Noreturn void give_up_at(enum stage stage, int error_number) {
  uint32_t number = (uint32_t)error_number;
  uint8_t told[5] = {(uint8_t)stage, (uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16), (uint8_t)(number >> 24)};
  give_up(FRAME_START_FAILED, told, sizeof told);
}

static _Noreturn void give_up_with(enum error_code code, const char *message) {
  struct buffer frame = {0};
  frame_error(&frame, 0, code, 0, 0, message);
  give_up(FRAME_ERROR, buffer_head(&frame) + FRAME_HEADER, buffer_size(&frame) - FRAME_HEADER);
}

static void make_cgroup(const struct keeper_job *job, const char *id) {
  char name[ID_MOST + 40];
  if (job->cgroup_parent < 0) return;
  snprintf(name, sizeof name, "holdfast-%s-%d", id, (int)getpid());
  if (mkdirat(job->cgroup_parent, name, 0755) != 0) return; /* without one, the walk over the tree does the work */
  keeper.tree.cgroup = openat(job->cgroup_parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  snprintf(keeper.cgroup_path, sizeof keeper.cgroup_path, "%.400s/%s", job->cgroup_parent_path, name);
}

static int write_spec(const struct start_request *request) {
  struct buffer text = {0};
  char boot[40];
  sys_boot_id(boot);
  buffer_add(&text, request->option_text.data, request->option_text.length);
  text_add_string(&text, "contract", CONTRACT_TEXT);
  text_add_string(&text, "id", request->id);
  for (char **at = request->argv; *at; at++) text_add_string(&text, "arg", *at);
  for (char **at = request->env; *at; at++) text_add(&text, "env", *at, strcspn(*at, "="));
  text_add_number(&text, "child_pid", (uint64_t)keeper.child.pid);
  text_add_number(&text, "child_start", keeper.child.start);
  text_add_string(&text, "boot", boot);
  text_add_number(&text, "pid_namespace", sys_pid_namespace());
  text_add_number(&text, "started_at", keeper.started_at_ms);
  text_add_number(&text, "started_boottime_us", keeper.started_boottime_us);
  text_add_number(&text, "started_monotonic_us", keeper.started_monotonic_us);
  if (keeper.cgroup_path[0]) text_add_string(&text, "cgroup_path", keeper.cgroup_path);
  text_add_number(&text, "launcher_pid", (uint64_t)getppid());
  size_t n = buffer_size(&text);
  ssize_t written = write(keeper.run.spec, buffer_head(&text), n);
  int error = text.failed ? ENOMEM : written == (ssize_t)n ? 0 : written < 0 ? errno : ENOSPC;
  buffer_free(&text);
  close(keeper.run.spec);
  keeper.run.spec = -1;
  return error;
}

static void deadline_passed(void *context) {
  (void)context;
  keeper_child_status_ready(NULL, 0); /* it may have got through in this very moment */
  if (keeper.child.status < 0) return;
  /* A directory on a hung mount, most likely: the child is stuck before its exec and will not come back as a program. */
  give_up_at(STAGE_DEADLINE, ETIMEDOUT);
}

static void adopt_job(const struct keeper_job *job) {
  keeper.home = job->home;
  keeper.runs = job->runs;
  keeper.run = job->run;
  keeper.oom_counter = job->oom_counter;
  keeper.child = (struct child){.pidfd = -1, .go = -1, .status = -1};
}

static void begin(const struct start_request *request) {
  output_open(&keeper.output, &keeper.run, keeper.options.head_limit, keeper.options.tail_limit, keeper.started_boottime_us);
  keeper.output.on_full = keeper_write_record;
  int error = rundir_claim(keeper.runs, &keeper.run, request->id);
  if (error == EEXIST || error == ENOTEMPTY) give_up_with(ERROR_CLAIMED, "a run with this id exists");
  if (error) give_up_at(STAGE_CLAIM, error);
  if (sys_monotonic_ns() >= keeper.deadline_ns) give_up_at(STAGE_DEADLINE, ETIMEDOUT);
  link_ensure(); /* the launcher may have been replaced since the fork, and its successor cannot have seen an unclaimed run */
  link_hold();
  loop_watch(&keeper.status_watch, keeper.child.status, LOOP_READ, keeper_child_status_ready, NULL);
  loop_timer(&keeper.deadline_timer, keeper.deadline_ns, deadline_passed, NULL);
  child_release(&keeper.child);
  capture_begin();
  clients_begin();
  limits_begin();
}

/* A spare's life until it is needed. Its launcher's end is its own, and the directory's. */
static void await_request(int link, struct frame *out) {
  static struct buffer bytes; /* what `out` points into */
  size_t used;
  enum frame_result result;
  while ((result = frame_parse(buffer_head(&bytes), buffer_size(&bytes), true, out, &used)) == FRAME_PARTIAL) {
    ssize_t n = buffer_reserve(&bytes, REQUEST_STEP) ? read(link, bytes.data + bytes.length, REQUEST_STEP) : 0;
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    bytes.length += (size_t)n;
  }
  if (result == FRAME_READY) return;
  rundir_remove(keeper.runs, keeper.run.name);
  _exit(0);
}

_Noreturn void keeper_start(const struct keeper_job *job, const struct frame *frame) {
  struct frame awaited;
  title_keeper(job->run.name); /* a spare must not pass for a second launcher */
  adopt_job(job);
  setsid();
  sys_become_subreaper();
  loop_open(keeper_on_signal);
  keeper_write_record();
  if (!frame) {
    await_request(job->link, &awaited);
    frame = &awaited;
  }
  keeper.start_request = frame->request;
  link_begin(job->link);
  struct start_request request;
  const char *why = "malformed";
  if (!request_parse(&request, frame->payload, frame->length, &why)) give_up_with(ERROR_MALFORMED, why);
  request.options.confinement.home = keeper.home;
  keeper.options = request.options;
  keeper.deadline_ns = request.deadline_ns;
  memcpy(keeper.id, request.id, sizeof keeper.id);
  title_keeper(keeper.id);
  if (request.options.use_cgroup) make_cgroup(job, request.id);
  keeper.oom_before = sys_oom_counter_read(keeper.oom_counter);
  keeper.started_at_ms = sys_wall_ms();
  keeper.started_boottime_us = sys_boottime_us();
  keeper.started_monotonic_us = sys_monotonic_ns() / 1000;
  struct failure failure = child_fork(&request, keeper.tree.cgroup, &keeper.stdio, &keeper.child);
  if (failure.stage) give_up_at(failure.stage, failure.error_number);
  keeper.tree.id = keeper.id;
  keeper.tree.run_dir = keeper.run.dir;
  keeper.tree.child = (struct member){keeper.child.pid, keeper.child.start};
  keeper.tree.is_ancestor = true;
  int error = write_spec(&request);
  if (error) give_up_at(STAGE_RUNDIR, error);
  begin(&request);
  confinement_free(&keeper.options.confinement); /* only the child needs it */
  strings_free(request.argv);
  strings_free(request.env);
  keeper_loop();
}
