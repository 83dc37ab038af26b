/* What the launcher holds so that a keeper's death costs nothing: descriptors, and the wait status of orphaned children. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diagnostics.h"
#include "launcher.h"
#include "text.h"

#define RETRY_NS 100000000ull
enum { SUCCESSIONS_MOST = 64 }; /* a run whose keepers die this often is being killed on purpose or hits a bug */

static void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static void close_held(struct held_fds *held) {
  for (size_t i = 0; i < 8; i++) close_fd(held_at(held, i));
}

struct holding *holding_by_id(const char *id) {
  for (struct holding *at = launcher.holdings; at; at = at->next)
    if (!at->bye && strcmp(at->id, id) == 0) return at; /* one that took its leave only waits for its process to go */
  return NULL;
}

static void link_frame(struct peer *peer, const struct frame *frame) { holding_frame(peer->context, peer, frame); }

struct holding *holding_new(const char *id, pid_t keeper_pid, int link) {
  struct holding *holding = calloc(1, sizeof *holding);
  if (!holding) return NULL;
  memcpy(holding->id, id, strnlen(id, ID_MOST));
  holding->keeper = keeper_pid;
  holding->fds = (struct held_fds)HELD_NONE;
  if (link >= 0) holding->link = peer_open_pair(link, link, link_frame, holdings_link_closed, holding);
  holding->next = launcher.holdings;
  launcher.holdings = holding;
  launcher.held_count++;
  return holding;
}

static void holding_free(struct holding *holding) {
  for (struct holding **at = &launcher.holdings; *at; at = &(*at)->next) {
    if (*at != holding) continue;
    *at = holding->next;
    break;
  }
  launcher.held_count--;
  loop_cancel(&holding->retry);
  close_held(&holding->fds);
  if (holding->link) {
    holding->link->context = NULL;
    peer_close(holding->link);
  }
  free(holding);
}

static void send_status(struct holding *holding) {
  struct buffer *out = &holding->link->out;
  const struct rusage *usage = &holding->status.usage;
  size_t mark = frame_begin(out, FRAME_CHILD_STATUS, 0);
  buffer_add_u32(out, (uint32_t)holding->status.wait_status);
  buffer_add_u64(out, (uint64_t)usage->ru_utime.tv_sec * 1000000u + (uint64_t)usage->ru_utime.tv_usec);
  buffer_add_u64(out, (uint64_t)usage->ru_stime.tv_sec * 1000000u + (uint64_t)usage->ru_stime.tv_usec);
  buffer_add_u64(out, (uint64_t)usage->ru_maxrss);
  frame_end(out, mark);
  peer_flush(holding->link);
}

/* Descriptors named in `fds`, in the order they came. */
static void take_fds(struct holding *holding, struct peer *peer, char *names) {
  struct held_fds fresh = HELD_NONE;
  for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
    int *slot = held_slot(&fresh, name);
    int fd = peer_take_fd(peer);
    if (slot)
      *slot = fd;
    else if (fd >= 0)
      close(fd);
  }
  close_held(&holding->fds);
  holding->fds = fresh;
}

static void hold(struct holding *holding, struct peer *peer, const struct frame *frame) {
  char names[128] = "";
  holding->child = (pid_t)text_find_number(frame->payload, frame->length, "pid", 0);
  holding->child_start = text_find_number(frame->payload, frame->length, "start", 0);
  holding->keeper = (pid_t)text_find_number(frame->payload, frame->length, "keeper_pid", 0);
  text_find(frame->payload, frame->length, "fds", names, sizeof names);
  take_fds(holding, peer, names);
  holding->held = true;
  if (holding->has_status && holding->link) send_status(holding);
}

/* A keeper that registers over the socket: its launcher was replaced, or it is a successor of one that did. */
void holdings_hold(struct peer *peer, const struct frame *frame) {
  char id[ID_MOST + 1];
  if (!text_find(frame->payload, frame->length, "id", id, sizeof id) || !rundir_valid_id(id, strlen(id))) {
    peer_close(peer);
    return;
  }
  struct holding *holding = holding_by_id(id);
  if (!holding) holding = holding_new(id, 0, -1);
  if (!holding) return;
  if (holding->link && holding->link != peer) {
    holding->link->context = NULL;
    peer_close(holding->link);
  }
  holding->link = peer;
  holding->started = true; /* whoever asked did so of another launcher */
  peer->context = holding;
  peer->on_frame = link_frame;
  peer->on_close = holdings_link_closed;
  hold(holding, peer, frame);
}

static void relay(struct holding *holding, const struct frame *frame) {
  if (!holding->client) return;
  struct buffer *out = &holding->client->out;
  size_t mark = frame_begin(out, frame->type, holding->request);
  buffer_add(out, frame->payload, frame->length);
  frame_end(out, mark);
  peer_flush(holding->client);
}

void holding_frame(struct holding *holding, struct peer *peer, const struct frame *frame) {
  if (!holding) return;
  switch (frame->type) {
    case FRAME_HOLD:
      hold(holding, peer, frame);
      break;
    case FRAME_DROP: {
      char names[128] = "";
      memcpy(names, frame->payload, frame->length < sizeof names ? frame->length : 0);
      for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
        int *slot = held_slot(&holding->fds, name);
        if (slot) close_fd(slot);
      }
      break;
    }
    case FRAME_STARTED:
    case FRAME_START_FAILED:
    case FRAME_ERROR:
      /* A successor says it again if its predecessor fell around that moment. */
      if (!holding->started) relay(holding, frame);
      holding->started = true;
      if (frame->type == FRAME_STARTED) spares_refill_now();
      break;
    case FRAME_ENDED:
      relay(holding, frame);
      holding->client = NULL;
      break;
    case FRAME_BYE:
      holding->bye = true;
      /* Not our child if another launcher forked it: then nobody will tell us of its exit. Freed when the connection is. */
      if (peer->pid) peer_close(peer);
      break;
    default:
      break;
  }
}

void holdings_forget_peer(struct peer *peer) {
  for (struct holding *at = launcher.holdings; at; at = at->next)
    if (at->client == peer) at->client = NULL;
}

static _Noreturn void run_successor(const struct holding *holding, int link) {
  struct takeover takeover = {.home = FD_HOME, .runs = FD_RUNS, .link = FD_LINK, .oom_counter = FD_OOM, .held = HELD_NONE};
  char id[ID_MOST + 1];
  memcpy(id, holding->id, sizeof id);
  takeover.id = id;
  takeover.status = holding->has_status ? &holding->status : NULL;
  keeper.start_request = holding->request;
  struct held_fds held = holding->fds;
  sys_place(link, FD_LINK);
  for (int i = 0; i < 8; i++) {
    int fd = *held_at(&held, (size_t)i);
    close(FD_HELD + i);
    if (fd < 0) continue;
    sys_place(fd, FD_HELD + i);
    *held_at(&takeover.held, (size_t)i) = FD_HELD + i;
  }
  for (int fd = FD_RUN_DIR; fd <= FD_LISTENER; fd++) close(fd);
  sys_close_from(FD_DYNAMIC);
  successor_run(&takeover);
}

static void drop_link(struct holding *holding) {
  if (!holding->link) return;
  holding->link->context = NULL;
  peer_close(holding->link);
  holding->link = NULL;
}

static void succeed(void *context) {
  struct holding *holding = context;
  int link[2];
  drop_link(holding);
  if (++holding->successions > SUCCESSIONS_MOST) {
    diagnose("%s: no successor after %u", holding->id, holding->successions);
    holding_free(holding);
    return;
  }
  holding->keeper = -1;
  if (sys_socket_pair(link) == 0) {
    holding->link = peer_open_pair(link[0], link[0], link_frame, holdings_link_closed, holding);
    holding->keeper = fork();
    if (holding->keeper == 0) run_successor(holding, link[1]);
    close(link[1]);
  }
  if (holding->keeper > 0) {
    diagnose("%s: keeper died, %d goes on", holding->id, (int)holding->keeper);
    return;
  }
  /* Out of processes or descriptors: what is held stays held meanwhile. */
  drop_link(holding);
  loop_timer(&holding->retry, sys_monotonic_ns() + RETRY_NS, succeed, holding);
}

static void keeper_died(struct holding *holding) {
  /* What it said last is still in the socket. */
  if (holding->link) peer_read_now(holding->link);
  if (holding->bye) {
    holding_free(holding);
    return;
  }
  if (holding->held) {
    succeed(holding);
    return;
  }
  /* It never told us of a child, so none was released to its exec. */
  if (!holding->started && holding->client) {
    uint8_t told[5] = {STAGE_KEEPER, ECANCELED};
    struct frame frame = {.type = FRAME_START_FAILED, .payload = told, .length = sizeof told};
    relay(holding, &frame);
  }
  recover_never_ran(holding->id, holding->keeper);
  holding_free(holding);
}

/* A keeper that another launcher forked is not our child: the end of its connection is all we hear of its death. */
void holdings_link_closed(struct peer *peer) {
  struct holding *holding = peer->context;
  holdings_forget_peer(peer); /* the same connection may have asked for something before it registered */
  recover_forget_peer(peer);
  if (!holding || holding->link != peer) return;
  holding->link = NULL;
  if (peer->pid) keeper_died(holding);
}

bool holdings_child_ended(pid_t pid, const struct child_status *status) {
  for (struct holding *at = launcher.holdings; at; at = at->next) {
    if (at->keeper != pid) continue;
    keeper_died(at);
    return true;
  }
  /* A kept child's number may long be somebody else's: its keeper reaped it and only descendants are left. */
  struct process_info info;
  for (struct holding *at = launcher.holdings; at; at = at->next) {
    if (at->child != pid || at->has_status || !sys_process_info(pid, &info) || info.start != at->child_start) continue;
    at->has_status = true;
    at->status = *status;
    if (at->link) send_status(at);
    return true;
  }
  return false;
}
