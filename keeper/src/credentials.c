/* `keeper peer FD`: who is at the other end of a Unix socket (CONTRACT.md §8). */
#include "credentials.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sys.h"

static bool has_ended(int pidfd) {
  struct pollfd end = {.fd = pidfd, .events = POLLIN};
  return poll(&end, 1, 0) != 0;
}

/* The start time of the process that connected. False: it has ended. The pidfd is taken first and asked last: while that process lives,
 * nobody else has its number. */
static bool start_of_peer(int fd, pid_t pid, uint64_t *start) {
  int pidfd = sys_peer_pidfd(fd);
  if (pidfd < 0 && errno == ESRCH) return false;
  struct process_info info;
  bool lives = sys_process_info(pid, &info) && info.state != 'Z' && info.state != 'X' && (pidfd < 0 || !has_ended(pidfd));
  if (pidfd >= 0) close(pidfd);
  if (lives) *start = info.start;
  return lives;
}

int credentials_main(int argc, char **argv) {
  if (argc != 3) return 64;
  struct socket_peer peer;
  uint64_t start = 0;
  int fd = atoi(argv[2]);
  if (!sys_peer(fd, &peer)) {
    fprintf(stderr, "keeper: descriptor %s: %s\n", argv[2], strerror(errno));
    return 69;
  }
  if (peer.pid > 0 && !start_of_peer(fd, peer.pid, &start)) return 1;
  printf("%d %u %u %llu\n", (int)peer.pid, (unsigned)peer.uid, (unsigned)peer.gid, (unsigned long long)start);
  return fflush(stdout) == 0 ? 0 : 70;
}
