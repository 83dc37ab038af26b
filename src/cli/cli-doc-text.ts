// The parts of docs/cli.md that no table knows.

export const introduction = `# Command line

Generated from \`src/cli\` and \`src/protocol\` by \`node scripts/generate-cli-doc.ts\`.

\`HOLDFAST_HOME\` selects the home (default \`~/.holdfast\`). Commands that need the daemon start it when none runs; it
stays, and so do the processes when it goes. A process is named by its id, by the first 4 or more characters of it (with
or without \`p_\`), or by its name.

- **Durations** are written like \`90s\`, \`5m\`, \`1h30m\`, \`250ms\`; a bare number is seconds. **Sizes** like \`64k\`, \`16MiB\`, \`2G\`.
- **--json** prints one line of JSON when standard output is no terminal. Fields are only ever added. Errors are then
  one line on standard error: \`{"error":{"code","message","hint","details"}}\`.
- **Errors** go to standard error as \`holdfast: MESSAGE [CODE]\` with the next step on the line after; the exit code
  follows from the code: [errors](errors.md).
- **Colours** and cut columns appear on a terminal only; \`NO_COLOR\` switches colours off. Control characters in names,
  commands and last lines are shown as escapes.
- A start from the command line sends its environment, directory, umask and niceness, and \`HOLDFAST_SESSION\` and
  \`HOLDFAST_TASK\` as the owner.
`;

/** What --json prints where it is not the operation's answer as it is. */
export const jsonTexts: Readonly<Record<string, string>> = {
  run: "with `-d` one [process object](#the-process-object) as it started, with `created` and `notes` besides; without `-d` the process object after its end, instead of its output.",
  ps: "an array of [process objects](#the-process-object); with `-l` each also has `cpuMs`, `memoryBytes` and `lastLine`.",
  show: "one [process object](#the-process-object), with the fields that are listed there for `show`.",
  logs: 'one object per line: `{"kind":"data","offset","at","stream","text"}` (`base64` instead of `text` with `--raw`; escapes are left in), `{"kind":"missing","from","to","why"}`, `{"kind":"resized","offset","columns","rows"}`, and at last `{"kind":"end","next"}`: go on with `--since-offset NEXT`.',
  "terminal list":
    "an array of objects: `key`, `process` (a [process object](#the-process-object)), `viewers`.",
  "view list":
    "an array of viewers: `process`, `id`, `name`, `since`, `columns`, `rows`, `keyboard` (this one types).",
  "watch list":
    "an array of watches: `id`, `processId`, `spec`, `state`, `createdAt`, `hits`, `lastHitAt`, `lastHitOffset`, `scannedTo` (offset up to which its output was looked at), `pushOff`.",
  "notifications list":
    "an array of notices: `id`, `cursor`, `kind`, `at`, `state` (`recorded`, `pending`, `seen`, `acknowledged`), `processId`, `owner`, `observed`, `attempts`, `acknowledgedBy`, `data` (depends on the kind), `process` (null when it is no longer kept), `text`.",
  "notifications show": "one notice, as in the array of `notifications list`.",
  "notifications follow": "one notice per line, as in the array of `notifications list`.",
  "notifications claim": "an array of notices, as `notifications list`.",
  "notifications ack":
    "an array of objects: `id`, `outcome` (`done`, `already`: settled before, `lost`: another consumer has it, `not_found`).",
  "notifications release": "as `notifications ack`.",
  "job run": "one [process object](#the-process-object) as it started, with `created` and `notes` besides.",
  "job list": "an array of [process objects](#the-process-object).",
  "job show": "one [process object](#the-process-object), with the fields that are listed there for `show`.",
  "delegation list":
    "an array of delegations: `id`, `state` (`running`, `finished`, `cancelled`, `lost`), `goal`, `context`, `toolsets`, `role`, `model`, `owner`, `items`, `error`, `startedAt`, `updatedAt`, `finishedAt`.",
  export: "one object: `id`, `format`, `file`, `bytes`; needs `--output`.",
  init: "an array of objects, one for each file: `agent`, `file`, `state` (`missing`, `current`, `different`, `invalid`), `action` (`written`, `replaced`, `removed`, `unchanged`, `planned`, `refused`), `backup` (null when there was no file), `error` (null, or `code`, `message`, `hint`).",
  attach: "nothing is shown or typed; prints the [process object](#the-process-object) when it has ended.",
  "daemon install":
    "one object: `action` (`written`, `replaced`, `unchanged`), `previous` (`missing`, `current`, `outdated`, `changed`, `foreign`), `manager`, `scope`, `name`, `file`, `home`, `managerRunning`, `started`.",
  "daemon uninstall": "one object: `action` (`removed`, `missing`), `file`, `name`, `managerRunning`.",
  "daemon logs":
    "the lines as they are in the [log](daemon.md#logs), one object each: `level`, `time`, `pid`, `msg`, and what the entry is about.",
  "daemon start": "as `daemon status`.",
  "daemon stop": "one object: `stopped` (false when none ran), `pid`, `killed` (it had to be).",
  "daemon restart":
    "one object: `before` (null when none ran) and `after`, each with `pid` and `version`, `after` with `running`; `how` (`started`, `replaced`, `replaced by another`, `brought back`, `started anew`), `supervisor`.",
  "daemon idle":
    "one object: `idle`, `sources` (`name`, and `count`, which is null where it could not be told).",
  "daemon status":
    "one object: `state` (`starting`, `running`, `degraded`, `draining`; `stopped` or `failed` when none runs: then `pid` and the counts are null and `version` is that of the command line; `stale`, `foreign`, `unknown`: [who runs this home](daemon.md#who-runs-this-home)), `pid`, `version`, `home`, `startedAt`, `running`, `processes`, `launcherPid`, `problems`, `supervisor`, `listeners`, `since`, `answers`, `owner` (with `liveness`), `record`, `runtime` (the two files), `reason`, `advice`.",
};

export const chapters = `
## What run executes

\`holdfast run [--] PROGRAM ARGUMENT…\` executes the program with these arguments; no shell reads them. Options of the
program need no \`--\` before them once its name has come: \`holdfast run ls -l\`. A single argument with white space in
it, \`holdfast run 'make && make test'\`, is a command line for your shell (\`$SHELL\` if that is bash, zsh, sh, dash, ksh or
mksh, else bash, else sh), unless a file has exactly that name.

At a terminal (standard input and output both) the process gets a terminal of its own, of the same size, and every key is
for it. **Ctrl-\\\\ d** leaves it running; \`holdfast attach\` comes back. Ctrl-\\\\ twice sends one Ctrl-\\\\. Anywhere else it
gets pipes: standard output and error stay apart, and standard input is passed on and closed at its end. A command in
the background of a shell (\`&\`) leaves the terminal's input alone.

SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 are passed on: to the whole tree of a process with pipes, and as its
terminal would for one with a terminal. When nobody reads standard output any more the tree gets SIGPIPE. \`kill -9\` of \`holdfast run\` leaves
the process running. Output that comes faster than it is taken, by more than is kept (64 MiB), is dropped and told: the
process never waits for whoever looks on.

## Exit codes

| code | of | means |
|---|---|---|
| the process's | run, attach | it exited with this code |
| 128 + N | run, attach | signal N ended it, also after \`--timeout\` |
| 125 | run, attach | it is lost: nobody knows how it ended |
| 126 | run | it was found and could not be executed, or its directory could not be entered |
| 127 | run | it was not found |
| 141 | any | nobody reads standard output any more |
| 1 | active, doctor | the answer is no; there is a problem |
| 6 | wait | the process ended before it was so |
| 8 | wait | not within \`--timeout\` |
| 2-8, 70 | any | an error: [errors](errors.md) |

\`wait\` itself ends with 0 when what was waited for is so, whatever the exit code of the process is.
`;
