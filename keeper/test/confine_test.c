#define _GNU_SOURCE
#include "confine.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "check.h"
#include "scratch.h"

/* What a confined process found out: one character for each question, in order. */
typedef void (*confined_work)(char *answers);

static char scratch_file[8][128];
static const char *in_scratch(int slot, const char *name) {
  snprintf(scratch_file[slot], sizeof scratch_file[slot], "%s/%s", scratch_path, name);
  return scratch_file[slot];
}

static bool can_confine(void) {
  if (sys_landlock_missing() == 0) return true;
  static bool is_told;
  if (!is_told) printf("confine: this kernel cannot; only its refusal is tried\n");
  is_told = true;
  return false;
}

/* In a process of its own, because there is no way back. prepare, if given, runs before the confinement. */
static void confined(struct confinement *confinement, void (*prepare)(void), confined_work work, char answers[16]) {
  int pair[2];
  memset(answers, 0, 16);
  if (pipe(pair) != 0) abort();
  pid_t pid = fork();
  if (pid == 0) {
    char found[16] = "";
    enum confine_step step;
    if (prepare) prepare();
    if (confine_view(confinement, false, &step) != 0 || confine_rights(confinement, false, &step) != 0)
      snprintf(found, sizeof found, "step %d", step);
    else
      work(found);
    _exit(write(pair[1], found, sizeof found) == sizeof found ? 0 : 1);
  }
  close(pair[1]);
  if (read(pair[0], answers, 16) != 16) snprintf(answers, 16, "no answer");
  close(pair[0]);
  waitpid(pid, NULL, 0);
}

static struct confinement confinement_of(int home) { return (struct confinement){.wanted = true, .home = home}; }

static void paths_without_detours_only(void) {
  const char *bad[] = {"", "/", "a", "/a/", "//a", "/a//b", "/.", "/..", "/a/..", "/a/./b", "/../a"};
  struct confinement confinement = confinement_of(-1);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(!confinement_add(&confinement, bad[i], CONFINED_WRITE));
  CHECK(confinement_add(&confinement, "/a", CONFINED_WRITE) && confinement_add(&confinement, "/...", CONFINED_WRITE));
  CHECK(confinement_add(&confinement, "/.a/..b/c.", CONFINED_HIDE));
  CHECK_EQUAL(confinement.count, 3);
  while (confinement.count < CONFINE_PATHS_MOST) CHECK(confinement_add(&confinement, "/a", CONFINED_WRITE));
  CHECK(!confinement_add(&confinement, "/a", CONFINED_WRITE));
  confinement_free(&confinement);
  CHECK(confinement.paths == NULL && confinement.count == 0);
}

static char can_write(const char *path) {
  int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return errno == EROFS ? 'r' : errno == EACCES ? 'a' : '?';
  close(fd);
  return 'y';
}
static char is_there(const char *path) { return access(path, F_OK) == 0 ? 'y' : 'n'; }

static void look_around(char *answers) {
  char *to = answers;
  *to++ = can_write(in_scratch(0, "mine/new"));
  *to++ = can_write(in_scratch(0, "other/old"));
  *to++ = chmod(in_scratch(0, "other/old"), 0) == 0 ? 'y' : 'n';
  *to++ = truncate(in_scratch(0, "other/old"), 0) == 0 ? 'y' : 'n';
  *to++ = is_there(in_scratch(0, "hidden/secret"));
  *to++ = is_there(in_scratch(0, "hidden/shown"));
  *to++ = can_write(in_scratch(0, "hidden/shown"));
  *to++ = can_write(in_scratch(0, "hidden/own/file"));
  *to++ = can_write(in_scratch(0, "hidden/new"));
  *to++ = can_write("/dev/null");
  *to++ = kill(getppid(), 0) == 0 ? 'y' : 'n';
}

static int make_scratch(void) {
  int dir = scratch_open();
  const char *directories[] = {"mine", "other", "hidden", "hidden/own"};
  for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
    if (mkdirat(dir, directories[i], 0700) != 0) abort();
  scratch_write(dir, "other/old", "old", 3);
  scratch_write(dir, "hidden/secret", "s", 1);
  scratch_write(dir, "hidden/shown", "s", 1);
  return dir;
}

static void what_may_be_written_and_seen(void) {
  if (!can_confine()) return;
  int dir = make_scratch();
  char answers[16];
  struct confinement confinement = confinement_of(-1);
  CHECK(confinement_add(&confinement, in_scratch(0, "mine"), CONFINED_WRITE));
  CHECK(confinement_add(&confinement, in_scratch(0, "not-there"), CONFINED_WRITE));
  CHECK(confinement_add(&confinement, in_scratch(0, "hidden"), CONFINED_HIDE));
  CHECK(confinement_add(&confinement, in_scratch(0, "hidden/shown"), CONFINED_SHOW));
  CHECK(confinement_add(&confinement, in_scratch(0, "hidden/own"), CONFINED_WRITE));
  CHECK(confinement_add(&confinement, "/dev/null", CONFINED_WRITE));
  confined(&confinement, NULL, look_around, answers);
  /* A new file in the hidden directory: EROFS, before Landlock is asked. */
  CHECK(strcmp(answers, "yrnnnyryryn") == 0 || !printf("%s\n", answers));
  struct stat st;
  CHECK(fstatat(dir, "other/old", &st, 0) == 0 && st.st_size == 3 && (st.st_mode & 0777) == 0600);
  CHECK(faccessat(dir, "mine/new", F_OK, 0) == 0 && faccessat(dir, "hidden/own/file", F_OK, 0) == 0);
  confinement_free(&confinement);
  scratch_close(dir);
}

static void look_at_own(char *answers) {
  answers[0] = is_there(in_scratch(0, "hidden/secret"));
  answers[1] = can_write(in_scratch(0, "hidden/new"));
}

static void written_and_hidden_is_an_empty_one_of_its_own(void) {
  if (!can_confine()) return;
  int dir = make_scratch();
  char answers[16];
  struct confinement confinement = confinement_of(-1);
  CHECK(confinement_add(&confinement, in_scratch(0, "hidden"), CONFINED_WRITE));
  CHECK(confinement_add(&confinement, in_scratch(0, "hidden"), CONFINED_HIDE));
  CHECK(confinement_add(&confinement, in_scratch(0, "hidden/own"), CONFINED_HIDE)); /* gone with what it lies in */
  confined(&confinement, NULL, look_at_own, answers);
  CHECK(strcmp(answers, "ny") == 0 || !printf("%s\n", answers));
  CHECK(faccessat(dir, "hidden/new", F_OK, 0) != 0);
  confinement_free(&confinement);
  scratch_close(dir);
}

static void look_at_nested(char *answers) {
  answers[0] = can_write(in_scratch(0, "hidden/new"));
  answers[1] = is_there(in_scratch(0, "hidden/own/deep"));
  answers[2] = can_write(in_scratch(0, "hidden/own/new"));
  answers[3] = rename(in_scratch(0, "hidden/own"), in_scratch(1, "hidden/away")) == 0 ? 'y' : 'n';
  answers[4] = is_there(in_scratch(0, "mine/a/b/file"));
  answers[5] = is_there(in_scratch(0, "mine/a/b/c"));
  answers[6] = is_there(in_scratch(0, "mine/a/other"));
}

/* Hidden inside what may be written; and shown inside hidden inside hidden, around which is an own one. */
static void the_innermost_decides(void) {
  if (!can_confine()) return;
  int dir = make_scratch();
  char answers[16];
  scratch_write(dir, "hidden/own/deep", "d", 1);
  CHECK(mkdirat(dir, "mine/a", 0700) == 0 && mkdirat(dir, "mine/a/b", 0700) == 0 && mkdirat(dir, "mine/a/b/c", 0700) == 0);
  scratch_write(dir, "mine/a/b/file", "f", 1);
  scratch_write(dir, "mine/a/other", "o", 1);
  struct confinement confinement = confinement_of(-1);
  CHECK(confinement_add(&confinement, in_scratch(0, "hidden"), CONFINED_WRITE));
  CHECK(confinement_add(&confinement, in_scratch(0, "hidden/own"), CONFINED_HIDE));
  CHECK(confinement_add(&confinement, in_scratch(0, "mine"), CONFINED_WRITE | CONFINED_HIDE));
  CHECK(confinement_add(&confinement, in_scratch(0, "mine/a"), CONFINED_HIDE));
  CHECK(confinement_add(&confinement, in_scratch(0, "mine/a/b"), CONFINED_HIDE));
  CHECK(confinement_add(&confinement, in_scratch(0, "mine/a/b/file"), CONFINED_SHOW));
  confined(&confinement, NULL, look_at_nested, answers);
  CHECK(strcmp(answers, "ynrnynn") == 0 || !printf("%s\n", answers));
  confinement_free(&confinement);
  scratch_close(dir);
}

static void write_through_link(char *answers) { answers[0] = can_write(in_scratch(0, "other/new")); }

static void a_link_leads_to_nothing_writable(void) {
  if (!can_confine()) return;
  int dir = make_scratch();
  char answers[16];
  struct confinement confinement = confinement_of(-1);
  CHECK(symlinkat("other", dir, "link") == 0);
  CHECK(confinement_add(&confinement, in_scratch(0, "link"), CONFINED_WRITE));
  confined(&confinement, NULL, write_through_link, answers);
  CHECK(strcmp(answers, "r") == 0 || !printf("%s\n", answers));
  confinement_free(&confinement);
  scratch_close(dir);
}

static void look_for_home(char *answers) {
  answers[0] = is_there(in_scratch(0, "moved/secret"));
  answers[1] = is_there(in_scratch(0, "moved"));
}

/* Also when somebody gave it another name: it is known by its descriptor. */
static void the_home_is_hidden_wherever_it_is(void) {
  if (!can_confine()) return;
  int dir = make_scratch();
  char answers[16];
  int home = openat(dir, "hidden", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct confinement confinement = confinement_of(home);
  CHECK(renameat(dir, "hidden", dir, "moved") == 0 && mkdirat(dir, "hidden", 0700) == 0);
  confined(&confinement, NULL, look_for_home, answers);
  CHECK(strcmp(answers, "ny") == 0 || !printf("%s\n", answers));
  close(home);
  confinement_free(&confinement);
  scratch_close(dir);
}

static void something_hidden_that_is_not_there_fails(void) {
  if (!can_confine()) return;
  int dir = make_scratch();
  char answers[16];
  struct confinement confinement = confinement_of(-1);
  CHECK(confinement_add(&confinement, in_scratch(0, "gone"), CONFINED_HIDE));
  confined(&confinement, NULL, look_at_own, answers);
  CHECK(strcmp(answers, "step 2") == 0 || !printf("%s\n", answers));
  confinement_free(&confinement);
  scratch_close(dir);
}

static void bind_elsewhere(void) {
  if (unshare(CLONE_NEWNS) != 0 && (sys_own_mounts() != 0)) _exit(1);
  mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
  if (mount(scratch_path, in_scratch(0, "mine"), NULL, MS_BIND, NULL) != 0) _exit(1);
  if (mount(in_scratch(0, "hidden/own"), in_scratch(1, "other"), NULL, MS_BIND, NULL) != 0) _exit(1);
}

static void look_by_other_ways(char *answers) {
  answers[0] = is_there(in_scratch(0, "mine/other"));
  answers[1] = is_there(in_scratch(0, "mine/hidden/secret"));
  answers[2] = is_there(in_scratch(0, "other/deep"));
  answers[3] = is_there(in_scratch(0, "hidden/secret"));
}

static void another_mount_shows_nothing_hidden(void) {
  if (!can_confine()) return;
  int dir = make_scratch();
  char answers[16];
  scratch_write(dir, "hidden/own/deep", "d", 1);
  struct confinement confinement = confinement_of(-1);
  CHECK(confinement_add(&confinement, in_scratch(0, "hidden"), CONFINED_HIDE));
  confined(&confinement, bind_elsewhere, look_by_other_ways, answers);
  CHECK(strcmp(answers, "ynnn") == 0 || !printf("%s\n", answers));
  confinement_free(&confinement);
  scratch_close(dir);
}

static void set_limits(char *answers) {
  struct rlimit limit;
  answers[0] = prlimit(0, RLIMIT_NOFILE, NULL, &limit) == 0 && prlimit(0, RLIMIT_NOFILE, &limit, NULL) == 0 ? 'y' : 'n';
  answers[1] = prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit) == 0 ? 'y' : 'n';
  answers[2] = prlimit(getppid(), RLIMIT_NOFILE, &limit, NULL) == 0 ? 'y' : 'n';
  answers[3] = prlimit(getppid(), RLIMIT_NOFILE, &limit, &limit) == 0 ? 'y' : 'n';
}

static void limits_for_itself_only(void) {
  if (!can_confine()) return;
  char answers[16];
  struct confinement confinement = confinement_of(-1);
  confined(&confinement, NULL, set_limits, answers);
  CHECK(strcmp(answers, "yynn") == 0 || !printf("%s\n", answers));
  confinement_free(&confinement);
}

/* qemu-user has no Landlock: there the answer is the one of an old kernel. */
static void where_it_cannot_be_had_nothing_is_changed(void) {
  if (can_confine()) return;
  enum confine_step step = CONFINE_SECCOMP;
  struct confinement confinement = confinement_of(-1);
  CHECK_EQUAL(confine_view(&confinement, false, &step), ENOSYS);
  CHECK_EQUAL(step, CONFINE_LANDLOCK);
}

int main(void) {
  check_begin();
  RUN(paths_without_detours_only);
  RUN(what_may_be_written_and_seen);
  RUN(written_and_hidden_is_an_empty_one_of_its_own);
  RUN(the_innermost_decides);
  RUN(a_link_leads_to_nothing_writable);
  RUN(the_home_is_hidden_wherever_it_is);
  RUN(something_hidden_that_is_not_there_fails);
  RUN(another_mount_shows_nothing_hidden);
  RUN(limits_for_itself_only);
  RUN(where_it_cannot_be_had_nothing_is_changed);
  return check_end("confine");
}
