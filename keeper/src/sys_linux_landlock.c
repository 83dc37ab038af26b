/* Linux: what a confined child may still do. It holds for everything it starts, through every exec, and cannot be undone. */
#ifdef __linux__
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys.h"

/* linux/landlock.h of Debian 12 ends at ABI 2; the numbers are the same on every processor. */
enum { CALL_CREATE_RULESET = 444, CALL_ADD_RULE = 445, CALL_RESTRICT_SELF = 446, ASK_VERSION = 1, RULE_PATH_BENEATH = 1 };
/* The first that also keeps signals and abstract sockets inside: Linux 6.12. One promise, the same everywhere. */
enum { ABI_NEEDED = 6 };

enum {
  WRITE_FILE = 1 << 1,
  REMOVE_DIR = 1 << 4,
  REMOVE_FILE = 1 << 5,
  MAKE_CHAR = 1 << 6,
  MAKE_DIR = 1 << 7,
  MAKE_REG = 1 << 8,
  MAKE_SOCK = 1 << 9,
  MAKE_FIFO = 1 << 10,
  MAKE_BLOCK = 1 << 11,
  MAKE_SYM = 1 << 12,
  REFER = 1 << 13,
  TRUNCATE = 1 << 14,
  IOCTL_DEVICE = 1 << 15,
};
enum {
  IN_FILE = WRITE_FILE | TRUNCATE | IOCTL_DEVICE,
  IN_DIRECTORY = IN_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO | MAKE_SYM | REFER,
  HANDLED = IN_DIRECTORY | MAKE_CHAR | MAKE_BLOCK,
};
enum { SCOPE_ABSTRACT_SOCKETS = 1 << 0, SCOPE_SIGNALS = 1 << 1 };

struct ruleset {
  uint64_t files, network, scoped;
};
struct path_rule {
  uint64_t allowed;
  int32_t fd;
} __attribute__((packed));

int sys_landlock_missing(void) {
  long version = syscall(CALL_CREATE_RULESET, NULL, 0, ASK_VERSION);
  if (version < 0) return errno; /* ENOSYS: not in this kernel; EOPNOTSUPP: switched off when it was booted */
  return version < ABI_NEEDED ? ENOSYS : 0;
}

static int allow(int ruleset, int fd) {
  struct stat st;
  if (fstat(fd, &st) != 0) return errno;
  struct path_rule rule = {.allowed = S_ISDIR(st.st_mode) ? IN_DIRECTORY : IN_FILE, .fd = fd};
  return syscall(CALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
}

int sys_landlock_restrict(const struct confined_path *paths, size_t count, int terminal) {
  struct ruleset attributes = {.files = HANDLED, .scoped = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS};
  int ruleset = (int)syscall(CALL_CREATE_RULESET, &attributes, sizeof attributes, 0);
  if (ruleset < 0) return errno;
  int error = terminal >= 0 ? allow(ruleset, terminal) : 0;
  for (size_t i = 0; i < count && !error; i++)
    if (paths[i].kinds & CONFINED_WRITE) error = allow(ruleset, paths[i].fd);
  if (!error && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) error = errno;
  if (!error && syscall(CALL_RESTRICT_SELF, ruleset, 0) != 0) error = errno;
  close(ruleset);
  return error;
}

/* Of root's: files, users, low ports. Nothing that reaches the kernel, devices, other mounts or what passes on the network. */
static bool keeps_capability(int capability) {
  enum { CHOWN, DAC_OVERRIDE, FOWNER = 3, FSETID, KILL, SETGID, SETUID, SETPCAP, NET_BIND_SERVICE = 10, SYS_CHROOT = 18, AUDIT_WRITE = 29 };
  static const uint64_t kept = 1u << CHOWN | 1u << DAC_OVERRIDE | 1u << FOWNER | 1u << FSETID | 1u << KILL | 1u << SETGID | 1u << SETUID |
                               1u << SETPCAP | 1u << NET_BIND_SERVICE | 1u << SYS_CHROOT | 1u << AUDIT_WRITE;
  return capability < 64 && (kept >> capability & 1);
}

struct capability_header {
  uint32_t version;
  int32_t pid;
};
struct capability_words {
  uint32_t effective, permitted, inheritable;
};

int sys_drop_capabilities(void) {
  for (int capability = 0;; capability++) {
    int held = prctl(PR_CAPBSET_READ, capability, 0, 0, 0);
    if (held < 0) break; /* no such: that was the last */
    if (held && !keeps_capability(capability) && prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) return errno;
  }
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) return errno;
  /* The exec of root gives what is inheritable or still in the bounding set. */
  struct capability_header header = {.version = 0x20080522};
  struct capability_words words[2];
  if (syscall(SYS_capget, &header, words) != 0) return errno;
  words[0].inheritable = words[1].inheritable = 0;
  return syscall(SYS_capset, &header, words) == 0 ? 0 : errno;
}

/* struct sock_filter and struct sock_fprog of linux/filter.h. */
struct filter_step {
  uint16_t code;
  uint8_t if_true, if_false;
  uint32_t value;
};
struct filter {
  uint16_t length;
  const struct filter_step *steps;
};
#if defined(__x86_64__)
enum { NATIVE_PRLIMIT = 302, OTHER_ARCH = 0x40000003, OTHER_PRLIMIT = 340 }; /* other: programs of 32 bits */
#elif defined(__aarch64__)
enum { NATIVE_PRLIMIT = 261, OTHER_ARCH = 0x40000028, OTHER_PRLIMIT = 369 };
#else
#error "the numbers of prlimit64 on this processor"
#endif
enum { LOAD = 0x20, IF_EQUAL = 0x15, AND = 0x54, RETURN = 0x06, ALLOW = 0x7fff0000, REFUSE = 0x00050000 };
enum { AT_NUMBER = 0, AT_ARCH = 4, AT_PID = 16, AT_NEW_LIMIT = 32 };

/* Landlock lets no signal out, but a limit of processor time or open files ends a process of the same user as surely. */
int sys_forbid_foreign_limits(void) {
  static const struct filter_step steps[] = {
      {LOAD, 0, 0, AT_ARCH},
      {IF_EQUAL, 3, 0, OTHER_ARCH},
      {LOAD, 0, 0, AT_NUMBER},
      {AND, 0, 0, 0xbfffffff}, /* x32 marks its numbers by a bit */
      {IF_EQUAL, 2, 8, NATIVE_PRLIMIT},
      {LOAD, 0, 0, AT_NUMBER},
      {IF_EQUAL, 0, 6, OTHER_PRLIMIT},
      {LOAD, 0, 0, AT_PID},
      {IF_EQUAL, 4, 0, 0}, /* its own */
      {LOAD, 0, 0, AT_NEW_LIMIT},
      {IF_EQUAL, 0, 3, 0},
      {LOAD, 0, 0, AT_NEW_LIMIT + 4},
      {IF_EQUAL, 0, 1, 0}, /* only asks */
      {RETURN, 0, 0, ALLOW},
      {RETURN, 0, 0, REFUSE | EPERM},
  };
  struct filter filter = {.length = sizeof steps / sizeof *steps, .steps = steps};
  return prctl(PR_SET_SECCOMP, 2 /* a filter */, &filter, 0, 0) == 0 ? 0 : errno;
}
#endif
