/* Confinement of a child (CONTRACT.md §9): what it may write, what it cannot see. The keeper itself is never confined. */
#ifndef HOLDFAST_CONFINE_H
#define HOLDFAST_CONFINE_H

#include "sys.h"

enum { CONFINE_PATHS_MOST = 256 };

struct confinement {
  bool wanted;
  int home; /* is hidden too, wherever it is; -1: there is none */
  struct confined_path *paths; /* owned, with their strings */
  size_t count;
};

/* False: not an absolute path without `.`, `..` and doubled slashes, the root itself, too many, or no memory. */
bool confinement_add(struct confinement *confinement, const char *path, unsigned kinds);
void confinement_free(struct confinement *confinement);

enum confine_step { CONFINE_LANDLOCK, CONFINE_NAMESPACE, CONFINE_MOUNT, CONFINE_SECCOMP };
/* Both in the child, before its exec, in this order; between them it enters its working directory. 0 or errno, with *step. */
int confine_view(struct confinement *confinement, bool has_terminal, enum confine_step *step);
int confine_rights(const struct confinement *confinement, bool has_terminal, enum confine_step *step);

/* `keeper confine`: can children be confined here? */
int confine_main(int argc, char **argv);

#endif
