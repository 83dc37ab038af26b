/* Which mode of the one binary is wanted (CONTRACT.md, first table). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "attach.h"
#include "confine.h"
#include "credentials.h"
#include "frame.h"
#include "gate.h"
#include "keeper.h"
#include "launcher.h"
#include "scan.h"
#include "title.h"
#include "version.h"

static int lock_main(int argc, char **argv) {
  if (argc != 3) return 64;
  if (flock(atoi(argv[2]), LOCK_EX | LOCK_NB) == 0) return 0;
  if (errno == EWOULDBLOCK) return 1;
  fprintf(stderr, "keeper: descriptor %s: %s\n", argv[2], strerror(errno));
  return 70;
}

static int version_main(int argc, char **argv) {
  (void)argc, (void)argv;
  printf("keeper %s %s\n", CONTRACT_TEXT, BUILD_HASH);
  return 0;
}

static int resume_main(int argc, char **argv) { reexec_resume(argc, argv); }

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int, char **);
  } modes[] = {
      {"launcher", launcher_main}, {"attach", attach_main}, {"scan", scan_main},       {"lock", lock_main},
      {"peer", credentials_main},  {"gate", gate_main},     {"version", version_main}, {"resume", resume_main},
      {"confine", confine_main},
  };
  title_remember(argc, argv);
  for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
    if (strcmp(argv[1], modes[i].name) == 0) return modes[i].run(argc, argv);
  fprintf(stderr, "usage: keeper launcher HOME | attach RUN_DIR | scan RUNS_DIR | lock FD | peer FD | gate FD NOFILE PROGRAM [ARG...] | confine | version\n");
  return 64;
}
