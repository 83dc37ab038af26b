#define _GNU_SOURCE
#include "credentials.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "check.h"
#include "sys.h"

/* What `keeper peer FD` prints, and its exit code. */
static int ask(int fd, char *out, size_t size) {
  char number[16], mode[] = "peer", name[] = "keeper";
  char *argv[] = {name, mode, number, NULL};
  int pair[2], kept = dup(1);
  snprintf(number, sizeof number, "%d", fd);
  if (kept < 0 || pipe(pair) != 0 || fflush(stdout) != 0) abort();
  dup2(pair[1], 1);
  int code = credentials_main(3, argv);
  dup2(kept, 1);
  close(kept), close(pair[1]);
  ssize_t n = read(pair[0], out, size - 1);
  close(pair[0]);
  out[n > 0 ? n : 0] = 0;
  return code;
}

static void self_is_told(void) {
  int pair[2];
  char text[80], wanted[80];
  struct process_info info;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || !sys_process_info(getpid(), &info)) abort();
  CHECK_EQUAL(ask(pair[0], text, sizeof text), 0);
  snprintf(wanted, sizeof wanted, "%d %u %u %llu\n", (int)getpid(), (unsigned)getuid(), (unsigned)getgid(), (unsigned long long)info.start);
  CHECK(strcmp(text, wanted) == 0);
  close(pair[0]), close(pair[1]);
}

/* The pair is made by a child that ends; its parent has a copy of one end. */
static void one_that_ended_is_no_answer(bool reaped) {
  int channel[2], got = -1;
  char text[80], byte;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, channel) != 0) abort();
  pid_t child = fork();
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  if (child == 0) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) _exit(1);
    control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), pair, sizeof(int));
    byte = 0;
    _exit(sendmsg(channel[1], &message, 0) == 1 ? 0 : 1);
  }
  CHECK_EQUAL(recvmsg(channel[0], &message, 0), 1);
  memcpy(&got, CMSG_DATA(&control.header), sizeof got);
  siginfo_t info;
  CHECK_EQUAL(waitid(P_PID, (id_t)child, &info, WEXITED | (reaped ? 0 : WNOWAIT)), 0);
  CHECK_EQUAL(ask(got, text, sizeof text), 1);
  CHECK(text[0] == 0);
  if (!reaped) waitpid(child, NULL, 0);
  close(got), close(channel[0]), close(channel[1]);
}
static void a_zombie_has_ended(void) { one_that_ended_is_no_answer(false); }
static void a_reaped_one_has_ended(void) { one_that_ended_is_no_answer(true); }

static void what_is_no_socket_is_refused(void) {
  char text[80];
  int null = open("/dev/null", O_RDONLY);
  int kept = dup(2);
  dup2(null, 2); /* its complaint is not the test's */
  CHECK_EQUAL(ask(null, text, sizeof text), 69);
  CHECK_EQUAL(ask(999, text, sizeof text), 69);
  dup2(kept, 2);
  close(kept), close(null);
  CHECK(text[0] == 0);
}

int main(void) {
  check_begin();
  RUN(self_is_told);
  RUN(a_zombie_has_ended);
  RUN(a_reaped_one_has_ended);
  RUN(what_is_no_socket_is_refused);
  return check_end("credentials");
}
