#define _GNU_SOURCE
#include "tree.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "check.h"
#include "sys.h"

static struct tree tree;
static int report[2]; /* children write their pids here */

static void begin(void) {
  sys_become_subreaper();
  tree = (struct tree){.id = "test", .run_dir = -1, .is_ancestor = true, .cgroup = -1};
  if (pipe(report) != 0) abort();
}

static void end(void) {
  close(report[0]);
  close(report[1]);
  while (waitpid(-1, NULL, 0) > 0) continue;
}

static _Noreturn void stay(void) {
  pid_t pid = getpid();
  if (write(report[1], &pid, sizeof pid) != sizeof pid) _exit(1);
  for (;;) pause();
}

static pid_t reported(void) {
  pid_t pid = 0;
  CHECK(read(report[0], &pid, sizeof pid) == sizeof pid);
  return pid;
}

static struct member member_of(pid_t pid) {
  struct process_info info = {0};
  CHECK(sys_process_info(pid, &info) && info.pid == pid && info.start > 0);
  return (struct member){pid, info.start};
}

static size_t count(void) {
  struct members members;
  tree_collect(&tree, &members);
  size_t found = members.count;
  members_free(&members);
  return found;
}

static void kill_all(void) {
  struct members members;
  while (tree_collect(&tree, &members), members.count) {
    tree_signal(&tree, &members, SIGKILL);
    members_free(&members);
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
  }
  members_free(&members);
}

static void children_grandchildren_and_orphans_are_of_the_tree(void) {
  begin();
  if (fork() == 0) {
    if (fork() == 0) {
      setsid();
      pid_t between = getpid();
      if (fork() != 0) _exit(0);
      while (getppid() == between) usleep(100); /* until it is an orphan in a session of its own */
      stay();
    }
    stay();
  }
  pid_t first = reported(), second = reported();
  struct members members;
  tree_collect(&tree, &members);
  CHECK(members_have(&members, member_of(first)) && members_have(&members, member_of(second)));
  CHECK_EQUAL(members.count, 2);
  members_free(&members);
  kill_all();
  CHECK_EQUAL(count(), 0);
  end();
}

static void a_zombie_is_not_living(void) {
  begin();
  pid_t pid = fork();
  if (pid == 0) _exit(0);
  siginfo_t info;
  CHECK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0);
  struct process_info process = {0};
  CHECK(sys_process_info(pid, &process) && process.state == 'Z');
  CHECK_EQUAL(count(), 0);
  end();
}

static void a_spared_process_and_what_is_below_it_are_left_alone(void) {
  begin();
  if (fork() == 0) {
    if (fork() == 0) stay();
    stay();
  }
  pid_t one = reported(), two = reported();
  struct process_info info = {0};
  CHECK(sys_process_info(one, &info));
  pid_t parent = info.parent == getpid() ? one : two, below = parent == one ? two : one;
  if (fork() == 0) stay();
  pid_t other = reported();
  CHECK(tree_spare(&tree, parent));
  struct members members;
  tree_collect(&tree, &members);
  CHECK(members.count == 1 && members.items[0].pid == other);
  CHECK_EQUAL(tree_signal(&tree, &members, SIGKILL), 1);
  members_free(&members);
  waitpid(other, NULL, 0);
  CHECK_EQUAL(count(), 0);
  CHECK(kill(parent, 0) == 0 && kill(below, 0) == 0);
  kill(below, SIGKILL);
  kill(parent, SIGKILL);
  end();
}

static void a_number_without_its_start_time_is_somebody_else(void) {
  begin();
  pid_t pid = fork();
  if (pid == 0) stay();
  reported();
  struct member member = member_of(pid);
  CHECK(!member_signal((struct member){pid, member.start + 1}, SIGKILL));
  CHECK(!member_signal((struct member){pid, 0}, SIGKILL));
  CHECK(waitpid(pid, NULL, WNOHANG) == 0);
  CHECK(member_signal(member, SIGKILL));
  waitpid(pid, NULL, 0);
  CHECK(!member_signal(member, SIGKILL)); /* reaped: the number is nobody's */
  end();
}

/* A chain of processes, each of which starts the next and leaves: at no moment is there none. It goes on until it was looked at often. */
static _Noreturn void run_chain(int length, const volatile bool *looked_at) {
  for (int i = 0; i < length || !*looked_at; i++) {
    pid_t pid = fork();
    if (pid > 0) _exit(0);
    if (pid < 0) break;
  }
  stay();
}

static void a_tree_that_keeps_forking_is_never_taken_for_empty(void) {
  begin();
  volatile bool *looked_at = mmap(NULL, sizeof *looked_at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (looked_at == MAP_FAILED) abort();
  if (fork() == 0) run_chain(1500, looked_at);
  struct pollfd last = {.fd = report[0], .events = POLLIN};
  for (int looks = 0; poll(&last, 1, 0) == 0; looks++) {
    *looked_at = looks >= 20;
    if (count() > 0) continue;
    CHECK(!"somebody is there");
    break;
  }
  *looked_at = true;
  reported();
  while (count() > 1) usleep(100); /* those before the last are still leaving */
  CHECK_EQUAL(count(), 1);
  kill_all();
  munmap((void *)looked_at, sizeof *looked_at);
  end();
}

static void a_recorded_spared_process_is_spared_again(void) {
  begin();
  pid_t pid = fork();
  if (pid == 0) stay();
  reported();
  char text[48];
  snprintf(text, sizeof text, "%d:%llu", (int)pid, (unsigned long long)member_of(pid).start);
  tree_spare_recorded(&tree, "nonsense");
  tree_spare_recorded(&tree, text);
  CHECK_EQUAL(count(), 0);
  kill(pid, SIGKILL);
  end();
}

static void memory_of_the_tree_is_counted(void) {
  begin();
  if (fork() == 0) {
    size_t n = 8 << 20;
    char *touched = malloc(n);
    if (touched) memset(touched, 1, n);
    stay();
  }
  reported();
  CHECK(tree_resident_bytes(&tree) >= 8 << 20);
  kill_all();
  CHECK_EQUAL(tree_resident_bytes(&tree), 0);
  end();
}

int main(void) {
  check_begin();
  RUN(children_grandchildren_and_orphans_are_of_the_tree);
  RUN(a_zombie_is_not_living);
  RUN(a_spared_process_and_what_is_below_it_are_left_alone);
  RUN(a_number_without_its_start_time_is_somebody_else);
  RUN(a_tree_that_keeps_forking_is_never_taken_for_empty);
  RUN(a_recorded_spared_process_is_spared_again);
  RUN(memory_of_the_tree_is_counted);
  return check_end("tree");
}
