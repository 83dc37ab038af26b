// Programs that run another program, and where on their command line it stands.

export interface Wrapper {
  /** Short options that take a value, as letters. */
  readonly valued?: string;
  /** Long options whose value is the next word. */
  readonly longValued?: readonly string[];
  /** Words before the program, after the options. */
  readonly skip?: number;
  /** NAME=VALUE may stand before the program. */
  readonly hasAssignments?: boolean;
  /** It adds words of its own behind those it was given. */
  readonly adds?: boolean;
  /** The words are joined and given to a shell. */
  readonly joins?: boolean;
  /** This option's value is given to a shell instead. */
  readonly shellOption?: string;
  /** With one of these options no program is run. */
  readonly onlyLooks?: readonly string[];
  /** As another user, usually root. */
  readonly isPrivileged?: boolean;
  /** Takes its options in any place and runs a shell, unless it is told a user by option and a program. */
  readonly switchesUser?: boolean;
  /** Without a program it runs a shell that reads its commands from its input. */
  readonly shellOptions?: readonly string[];
}

const sudo: Wrapper = {
  valued: "ugCpRTDhUrta",
  longValued: [
    "user",
    "group",
    "close-from",
    "prompt",
    "chroot",
    "command-timeout",
    "chdir",
    "host",
    "other-user",
  ],
  hasAssignments: true,
  isPrivileged: true,
  onlyLooks: ["-l", "--list", "-v", "--validate", "-k", "-K", "-V", "--version", "-h", "--help"],
  shellOptions: ["-i", "--login", "-s", "--shell"],
};
const su: Wrapper = { isPrivileged: true, switchesUser: true };

export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["env", { valued: "uCS", longValued: ["unset", "chdir"], hasAssignments: true, shellOption: "S" }],
  ["sudo", sudo],
  ["doas", { valued: "uCa", isPrivileged: true, shellOptions: ["-s"] }],
  ["pkexec", { longValued: ["user"], isPrivileged: true }],
  ["run0", { longValued: ["user", "group", "unit", "property"], isPrivileged: true }],
  ["su", su],
  ["runuser", { ...su, valued: "ugGsw", longValued: ["user", "group", "shell"] }],
  ["nohup", {}],
  ["setsid", {}],
  ["caffeinate", { valued: "tw" }],
  ["exec", { valued: "a" }],
  ["command", { onlyLooks: ["-v", "-V"] }],
  ["builtin", {}],
  ["time", { valued: "fo", longValued: ["format", "output"] }],
  ["nice", { valued: "n", longValued: ["adjustment"] }],
  ["ionice", { valued: "cnpPu", longValued: ["class", "classdata"] }],
  ["chrt", { valued: "TPD", skip: 1 }],
  ["taskset", { skip: 1 }],
  ["stdbuf", { valued: "ioe", longValued: ["input", "output", "error"] }],
  ["timeout", { valued: "sk", longValued: ["signal", "kill-after"], skip: 1 }],
  ["gtimeout", { valued: "sk", longValued: ["signal", "kill-after"], skip: 1 }],
  ["chroot", { longValued: ["userspec", "groups"], skip: 1, isPrivileged: true }],
  ["unshare", { valued: "SGRw" }],
  ["nsenter", { valued: "tSG", longValued: ["target"], isPrivileged: true }],
  ["strace", { valued: "abeEIoOpPsSuUX" }],
  ["ltrace", { valued: "aeFlnosuwx" }],
  ["flock", { valued: "wE", longValued: ["timeout", "conflict-exit-code"], skip: 1, shellOption: "c" }],
  [
    "systemd-run",
    { valued: "puEtHM", longValued: ["unit", "property", "description", "slice", "uid", "gid"] },
  ],
  ["script", { valued: "ITBOmoE", shellOption: "c" }],
  ["watch", { valued: "nq", longValued: ["interval"], joins: true }],
  ["ssh", { valued: "BbcDEeFIiJLlmOoPpQRSWw", skip: 1, joins: true }],
  [
    "xargs",
    {
      valued: "IELnPsdaR",
      longValued: [
        "max-args",
        "max-procs",
        "delimiter",
        "arg-file",
        "replace",
        "max-chars",
        "max-lines",
        "eof",
      ],
      adds: true,
    },
  ],
  ["parallel", { valued: "jNSIan", longValued: ["jobs", "joblog", "colsep"], adds: true, joins: true }],
  ["busybox", {}],
  ["toybox", {}],
]);

/** They read `-c TEXT` as the shell that is parsed here, or near enough. */
export const posixShells: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "rbash",
  "dash",
  "ash",
  "zsh",
  "ksh",
  "mksh",
]);

/** Shells with a language of their own. */
export const otherShells: ReadonlySet<string> = new Set([
  "fish",
  "csh",
  "tcsh",
  "nu",
  "pwsh",
  "elvish",
  "xonsh",
]);

/** Of the shell itself: they change nothing outside it, so a default of ask or deny is not about them. */
export const harmlessBuiltins: ReadonlySet<string> = new Set(
  ": [ break cd continue declare dirs echo exit export false getopts hash help jobs let local popd printf pushd pwd read readonly return set shift shopt test times true type typeset ulimit umask unalias unset wait alias trap eval source . mapfile readarray".split(
    " ",
  ),
);
