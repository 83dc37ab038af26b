/* The files of one run directory (CONTRACT.md §2), except output. */
#ifndef HOLDFAST_RUNDIR_H
#define HOLDFAST_RUNDIR_H

#include "bytes.h"
#include "frame.h"
#include "sys.h"

enum { ID_MOST = 64, KEEPER_RECORD = 1024, EXIT_RESERVED = 4096, STOP_BY_MOST = 512 };

/* Descriptors of a run directory. -1 = not open. */
struct rundir {
  int dir, lock, spec, log, index, exit, listener;
  char name[80]; /* entry in the runs folder: a spare's name, then the id */
};
#define RUNDIR_NONE {.dir = -1, .lock = -1, .spec = -1, .log = -1, .index = -1, .exit = -1, .listener = -1}

bool rundir_valid_id(const char *id, size_t n);
/* Makes a directory ahead of need: files, lock, listening socket. Returns 0 or errno. */
int rundir_prepare(int runs, const char *name, struct rundir *out);
/* Gives the directory its id; the exclusive step. Returns 0 or errno (EEXIST: somebody has that id). */
int rundir_claim(int runs, struct rundir *run, const char *id);
void rundir_close(struct rundir *run);
/* Deletes the entry and all its files. */
void rundir_remove(int runs, const char *name);
/* Opens an existing run; takes nothing. Returns 0 or errno. */
int rundir_open(int runs, const char *name, struct rundir *out);
/* Waits up to wait_ms for the lock: a dying keeper's child may hold it for an instant before its exec. */
bool rundir_lock(struct rundir *run, int wait_ms);
/* (Re)binds and listens on `sock`. Returns 0 or errno. */
int rundir_listen(struct rundir *run);
bool rundir_socket_present(const struct rundir *run);
/* `more` = further lines of the record. */
void rundir_write_keeper(const struct rundir *run, uint64_t output_end, const struct buffer *more);

/* How far the output went by the keeper's own record, which is ahead of the files where the disk was full; 0 if there is none. */
uint64_t rundir_recorded_end(int dir);

/* A file's whole content; false if absent. The caller frees. */
bool rundir_read(int dir, const char *name, size_t most, struct buffer *out);

struct exit_record {
  enum { EXIT_EXITED, EXIT_SIGNALED, EXIT_SPAWN_FAILED, EXIT_LOST } kind;
  int code, signal, core;
  enum stage stage;
  int error_number;
  uint64_t last_seen_ms;
  enum stop_reason reason;
  char stop_by[STOP_BY_MOST + 1];
  uint64_t ended_at_ms, duration_us;
  bool has_usage;
  uint64_t user_us, system_us, max_rss_kib;
  uint64_t output_bytes, gap_bytes, descendants;
};

/* Sets kind, code or signal and core from a wait status. */
void exit_from_wait_status(struct exit_record *record, int wait_status);
void exit_format(const struct exit_record *record, struct buffer *out);
/* Writes and renames; on return the record can be told: no killed process takes it away. False: it could not be stored. */
bool rundir_write_exit(const struct rundir *run, const struct exit_record *record, struct buffer *text);
/* From then on a power cut does not, either. True also for a run that was removed since. */
bool rundir_flush_exit(const struct rundir *run);
/* The text of a valid exit record; false if there is none. The caller frees. */
bool rundir_read_exit(int dir, struct buffer *text);

#endif
