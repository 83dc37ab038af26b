/* Between the files that make a child's view of the file system; nobody else's business. */
#ifndef HOLDFAST_SYS_LINUX_MOUNTS_H
#define HOLDFAST_SYS_LINUX_MOUNTS_H

#include "sys.h"

bool sys_path_within(const char *path, const char *directory);
/* Mounts something empty over what the descriptor is of; is_own: of the child's own, and writable. 0 or errno. */
int sys_cover(int fd, bool is_directory, bool is_own);

/* What is hidden, by its place inside its file system: other mounts of the same may show it too. */
struct mount_alias;
int aliases_note(const struct confined_path *paths, size_t count, struct mount_alias **out);
int aliases_cover(const struct mount_alias *aliases, const struct confined_path *paths, size_t count);
void aliases_free(struct mount_alias *aliases);

#endif
