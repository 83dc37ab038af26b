// Invalid input for every verb: a coded error with its exit code and the next step, and nothing was started.
import { expect, test } from "vitest";
import { commandWords } from "../../src/cli/command-table.ts";
import { openCliHome, sharedCliHome, type CliHome } from "../support/cli-home.ts";
import { noticeCases, type InvalidCases } from "../support/invalid-notice-commands.ts";

/** By the word of the command: command lines, and the code each must give. */
const cases: InvalidCases = {
  ...noticeCases,
  start: [
    ["INVALID_ARGUMENT", "run"],
    ["INVALID_ARGUMENT", "run", "--"],
    ["INVALID_ARGUMENT", "run", ""],
    ["INVALID_ARGUMENT", "run", "--no-such-option", "--", "true"],
    ["INVALID_ARGUMENT", "run", "--timeout", "soon", "--", "true"],
    ["INVALID_ARGUMENT", "run", "--timeout", "0", "--", "true"],
    ["INVALID_ARGUMENT", "run", "--env", "novalue", "--", "true"],
    ["INVALID_ARGUMENT", "run", "--label", "=x", "--", "true"],
    ["INVALID_ARGUMENT", "run", "--memory", "much", "--", "true"],
    ["INVALID_ARGUMENT", "run", "--lifetime", "eternal", "--", "true"],
    ["INVALID_ARGUMENT", "run", "-d", "--name", "not a name", "--", "true"],
    ["INVALID_ARGUMENT", "run", "-d", "--watch-regex", "(a)\\1", "--", "true"],
    ["INVALID_ARGUMENT", "run", "-d", "--progress", "0", "--", "true"],
    ["INVALID_ARGUMENT", "run", "--env-policy", "everything", "--", "true"],
    ["INVALID_ARGUMENT", "run", "--pass-env", "A=B", "--", "true"],
    ["INVALID_ARGUMENT", "run", "-d", "--notify=never", "--", "true"],
    ["INVALID_ARGUMENT", "run", "--shell-session", "s", "--", "echo", "two words"],
  ],
  list: [
    ["INVALID_ARGUMENT", "ps", "--state", "asleep"],
    ["INVALID_ARGUMENT", "ps", "--limit", "-1"],
    ["INVALID_ARGUMENT", "ps", "surplus"],
  ],
  get: [
    ["INVALID_ARGUMENT", "show"],
    ["PROCESS_NOT_FOUND", "show", "p_none"],
  ],
  tree: [
    ["INVALID_ARGUMENT", "tree"],
    ["PROCESS_NOT_FOUND", "tree", "p_none"],
    ["INVALID_ARGUMENT", "tree", "p_none", "surplus"],
  ],
  output: [
    ["INVALID_ARGUMENT", "logs"],
    ["PROCESS_NOT_FOUND", "logs", "p_none"],
    ["PROCESS_NOT_FOUND", "logs", "p_none", "--tail", "3"],
    ["INVALID_ARGUMENT", "logs", "p_none", "--tail", "0"],
    ["INVALID_ARGUMENT", "logs", "p_none", "--tail", "1", "--since-offset", "1"],
    ["INVALID_ARGUMENT", "logs", "p_none", "--stream", "stdin"],
  ],
  wait: [
    ["INVALID_ARGUMENT", "wait"],
    ["PROCESS_NOT_FOUND", "wait", "p_none"],
    ["INVALID_ARGUMENT", "wait", "p_none", "--for", "luck"],
    ["INVALID_ARGUMENT", "wait", "p_none", "--timeout", "0"],
    ["INVALID_ARGUMENT", "wait", "p_none", "--timeout", "-5s"],
  ],
  write: [
    ["INVALID_ARGUMENT", "send"],
    ["INVALID_ARGUMENT", "send", "p_none"],
    ["INVALID_ARGUMENT", "send", "p_none", "text", "--secret"],
    ["PROCESS_NOT_FOUND", "send", "p_none", "text"],
    ["PROCESS_NOT_FOUND", "send", "p_none", "--eof"],
  ],
  export: [
    ["INVALID_ARGUMENT", "export"],
    ["INVALID_ARGUMENT", "export", "p_none", "--format", "gif"],
    ["PROCESS_NOT_FOUND", "export", "p_none"],
  ],
  attach: [
    ["INVALID_ARGUMENT", "attach"],
    ["PROCESS_NOT_FOUND", "attach", "p_none"],
  ],
  stop: [
    ["INVALID_ARGUMENT", "stop"],
    ["INVALID_ARGUMENT", "stop", "p_none", "--all"],
    ["INVALID_ARGUMENT", "stop", "--all", "--grace", "x"],
    ["PROCESS_NOT_FOUND", "stop", "p_none"],
  ],
  signal: [
    ["INVALID_ARGUMENT", "signal", "p_none"],
    ["INVALID_ARGUMENT", "signal", "p_none", "SIGNOTHING"],
    ["PROCESS_NOT_FOUND", "signal", "p_none", "HUP"],
    ["INVALID_ARGUMENT", "signal", "p_none", "HUP", "--target", "world"],
  ],
  "close-stdin": [
    ["INVALID_ARGUMENT", "close-stdin"],
    ["PROCESS_NOT_FOUND", "close-stdin", "p_none"],
  ],
  resize: [
    ["INVALID_ARGUMENT", "resize", "p_none", "80"],
    ["INVALID_ARGUMENT", "resize", "p_none", "wide", "24"],
    ["PROCESS_NOT_FOUND", "resize", "p_none", "80", "24"],
  ],
  share: [
    ["INVALID_ARGUMENT", "share"],
    ["INVALID_ARGUMENT", "share", "p_none", "--right", "all"],
    ["INVALID_ARGUMENT", "share", "p_none", "--session", ""],
    ["PROCESS_NOT_FOUND", "share", "p_none", "--session", "s"],
  ],
  "cursor get": [
    ["INVALID_ARGUMENT", "cursor", "get"],
    ["INVALID_ARGUMENT", "cursor", "get", "p_none"],
    ["PROCESS_NOT_FOUND", "cursor", "get", "p_none", "--session", "s"],
  ],
  "cursor set": [
    ["INVALID_ARGUMENT", "cursor", "set", "p_none"],
    ["INVALID_ARGUMENT", "cursor", "set", "p_none", "-1", "--session", "s"],
    ["INVALID_ARGUMENT", "cursor", "set", "p_none", "soon", "--session", "s"],
    ["PROCESS_NOT_FOUND", "cursor", "set", "p_none", "7", "--session", "s"],
  ],
  rename: [
    ["INVALID_ARGUMENT", "rename", "p_none"],
    ["INVALID_ARGUMENT", "rename", "p_none", "a", "--clear"],
    ["INVALID_ARGUMENT", "rename", "p_none", "not a name"],
    ["PROCESS_NOT_FOUND", "rename", "p_none", "name"],
  ],
  remove: [
    ["INVALID_ARGUMENT", "rm"],
    ["PROCESS_NOT_FOUND", "rm", "p_none"],
  ],
  screen: [
    ["INVALID_ARGUMENT", "screen"],
    ["PROCESS_NOT_FOUND", "screen", "p_none"],
  ],
  "terminal open": [
    ["INVALID_ARGUMENT", "terminal", "open", "--key", ""],
    ["NOT_A_DIRECTORY", "terminal", "open", "--key", "k", "--cwd", "/nowhere/at/all"],
  ],
  "terminal list": [["INVALID_ARGUMENT", "terminal", "list", "surplus"]],
  "view list": [["PROCESS_NOT_FOUND", "view", "list", "p_none"]],
  "view close": [
    ["INVALID_ARGUMENT", "view", "close"],
    ["PROCESS_NOT_FOUND", "view", "close", "p_none"],
  ],
  "watch add": [
    ["INVALID_ARGUMENT", "watch", "add"],
    ["INVALID_ARGUMENT", "watch", "add", "p_none"],
    ["INVALID_ARGUMENT", "watch", "add", "p_none", "--text", "a", "--regex", "b"],
    ["INVALID_ARGUMENT", "watch", "add", "p_none", "--port", "80", "--stream", "stdout"],
    ["INVALID_ARGUMENT", "watch", "add", "p_none", "--exit", "256"],
    ["INVALID_ARGUMENT", "watch", "add", "p_none", "--text", "a", "--from", "there"],
    ["PROCESS_NOT_FOUND", "watch", "add", "p_none", "--text", "a"],
  ],
  "watch list": [
    ["INVALID_ARGUMENT", "watch", "list"],
    ["PROCESS_NOT_FOUND", "watch", "list", "p_none"],
  ],
  "watch remove": [
    ["INVALID_ARGUMENT", "watch", "remove"],
    ["INVALID_ARGUMENT", "watch", "remove", "p_none"],
  ],
  "watch hits": [
    ["INVALID_ARGUMENT", "watch", "hits"],
    ["INVALID_ARGUMENT", "watch", "hits", "w_23456789bcdf", "--limit", "0"],
    ["WATCH_NOT_FOUND", "watch", "hits", "w_23456789bcdf"],
  ],
  active: [["INVALID_ARGUMENT", "active", "--younger-than", "0"]],
  interrupt: [["INVALID_ARGUMENT", "interrupt"]],
  gc: [["INVALID_ARGUMENT", "gc", "surplus"]],
  doctor: [["INVALID_ARGUMENT", "doctor", "surplus"]],
  "config get": [
    ["INVALID_ARGUMENT", "config", "get"],
    ["CONFIG_KEY_UNKNOWN", "config", "get", "no.such"],
  ],
  "config set": [
    ["INVALID_ARGUMENT", "config", "set", "stop.graceMs"],
    ["INVALID_ARGUMENT", "config", "set", "stop.graceMs", "1", "--unset"],
    ["CONFIG_KEY_UNKNOWN", "config", "set", "no.such", "1"],
    ["CONFIG_INVALID", "config", "set", "stop.graceMs", "soon"],
  ],
  "config list": [["INVALID_ARGUMENT", "config", "list", "surplus"]],
  "config explain": [["CONFIG_KEY_UNKNOWN", "config", "explain", "no.such"]],
  "config check": [["INVALID_ARGUMENT", "config", "check", "surplus"]],
  "daemon start": [["INVALID_ARGUMENT", "daemon", "start", "surplus"]],
  "daemon stop": [
    ["INVALID_ARGUMENT", "daemon", "stop", "surplus"],
    ["INVALID_ARGUMENT", "daemon", "stop", "--drain", "soon"],
  ],
  "daemon restart": [
    ["INVALID_ARGUMENT", "daemon", "restart", "surplus"],
    ["INVALID_ARGUMENT", "daemon", "restart", "--drain", "-1s"],
  ],
  "daemon idle": [["INVALID_ARGUMENT", "daemon", "idle", "surplus"]],
  "daemon status": [["INVALID_ARGUMENT", "daemon", "status", "surplus"]],
  "daemon install": [
    ["INVALID_ARGUMENT", "daemon", "install", "surplus"],
    ["INVALID_ARGUMENT", "daemon", "install", "--user", "root"],
    ["INVALID_ARGUMENT", "daemon", "install", "--system", "--user", "no such user"],
    ["INVALID_ARGUMENT", "daemon", "install", "--manager", "cron"],
    ["INVALID_ARGUMENT", "daemon", "install", "--manager", "launchd", "--system"],
  ],
  "daemon uninstall": [
    ["INVALID_ARGUMENT", "daemon", "uninstall", "surplus"],
    ["INVALID_ARGUMENT", "daemon", "uninstall", "--user", "root"],
  ],
  "daemon logs": [
    ["INVALID_ARGUMENT", "daemon", "logs", "--level", "loud"],
    ["INVALID_ARGUMENT", "daemon", "logs", "--tail", "0"],
    ["INVALID_ARGUMENT", "daemon", "logs", "surplus"],
  ],
  "daemon run": [
    ["INVALID_ARGUMENT", "daemon", "run", "surplus"],
    ["INVALID_ARGUMENT", "daemon", "run", "--replace", "--drain", "soon"],
  ],
  "lock acquire": [
    ["INVALID_ARGUMENT", "lock", "acquire"],
    ["INVALID_ARGUMENT", "lock", "acquire", "s"],
    ["INVALID_ARGUMENT", "lock", "acquire", "s", ""],
    ["INVALID_ARGUMENT", "lock", "acquire", "not/plain", "i"],
    ["INVALID_ARGUMENT", "lock", "acquire", "s", "i", "surplus"],
    ["INVALID_ARGUMENT", "lock", "acquire", "s", "i", "--wait", "soon"],
    ["INVALID_ARGUMENT", "lock", "acquire", "s", "i", "--wait", "25h"],
    ["INVALID_ARGUMENT", "lock", "acquire", "s", "i", "--meta", "novalue"],
    ["INVALID_ARGUMENT", "lock", "acquire", "s", "i", "--pid", "0"],
    ["INVALID_ARGUMENT", "lock", "acquire", "s", "i", "--identity-env", "HOME"],
    ["INVALID_ARGUMENT", "lock", "acquire", "s", "--identity-env", "NO_SUCH_VARIABLE"],
    ["LOCK_OWNER_REFUSED", "lock", "acquire", "s", "i", "--pid", "4194304"],
  ],
  "lock release": [
    ["INVALID_ARGUMENT", "lock", "release"],
    ["INVALID_ARGUMENT", "lock", "release", "s"],
    ["INVALID_ARGUMENT", "lock", "release", "s", "i", "--all"],
    ["INVALID_ARGUMENT", "lock", "release", "--all", "--pid", "me"],
    ["LOCK_NOT_OWNED", "lock", "release", "s", "i"],
  ],
  "lock list": [["INVALID_ARGUMENT", "lock", "list", "s", "surplus"]],
  "lock run": [
    ["INVALID_ARGUMENT", "lock", "run"],
    ["INVALID_ARGUMENT", "lock", "run", "s", "i"],
    ["INVALID_ARGUMENT", "lock", "run", "s", "i", "--"],
    ["INVALID_ARGUMENT", "lock", "run", "s p", "i", "--", "true"],
    ["INVALID_ARGUMENT", "lock", "run", "s", "--identity-env", "NO_SUCH_VARIABLE", "--", "true"],
  ],
  "session list": [["INVALID_ARGUMENT", "sessions", "list", "--no-such-option"]],
  "session get": [
    ["INVALID_ARGUMENT", "sessions", "show"],
    ["SESSION_NOT_FOUND", "sessions", "show", "nobody"],
  ],
  "session end": [
    ["INVALID_ARGUMENT", "sessions", "end", "s", "--grace", "soon"],
    ["SESSION_NOT_FOUND", "sessions", "end", "nobody"],
  ],
  "policy check": [["INVALID_ARGUMENT", "policy", "check"]],
  "policy list": [["INVALID_ARGUMENT", "policy", "list", "--profile", ""]],
  "policy lift": [["INVALID_ARGUMENT", "policy", "lift", "s", "--for", "0"]],
  "policy restore": [["INVALID_ARGUMENT", "policy", "restore"]],
  "approval list": [["INVALID_ARGUMENT", "approvals", "list", "--limit", "0"]],
  "approval answer": [
    ["INVALID_ARGUMENT", "approvals", "answer", "a_222222222222"],
    ["INVALID_ARGUMENT", "approvals", "answer", "a_222222222222", "maybe"],
    ["INVALID_ARGUMENT", "approvals", "answer", "none", "once"],
    ["APPROVAL_NOT_FOUND", "approvals", "answer", "a_222222222222", "once"],
  ],
  "audit list": [["INVALID_ARGUMENT", "audit", "--decision", "maybe"]],
  open: [
    ["INVALID_ARGUMENT", "open", "surplus"],
    ["INVALID_ARGUMENT", "open", "--role", "admin"],
  ],
  "token create": [
    ["INVALID_ARGUMENT", "token", "create"],
    ["INVALID_ARGUMENT", "token", "create", "not a name"],
    ["INVALID_ARGUMENT", "token", "create", "a", "--role", "root"],
    ["INVALID_ARGUMENT", "token", "create", "a", "--for", "soon"],
    ["INVALID_ARGUMENT", "token", "create", "a", "--for", "1d", "--forever"],
    ["INVALID_ARGUMENT", "token", "create", "a", "--key", "my-own-key"],
  ],
  "token list": [["INVALID_ARGUMENT", "token", "list", "surplus"]],
  "token revoke": [
    ["INVALID_ARGUMENT", "token", "revoke"],
    ["TOKEN_NOT_FOUND", "token", "revoke", "nobody"],
  ],
  "password hash": [
    ["INVALID_ARGUMENT", "password", "hash", "hunter2"],
    ["INVALID_ARGUMENT", "password", "hash"],
  ],
  search: [
    ["INVALID_ARGUMENT", "search"],
    ["INVALID_ARGUMENT", "search", "p_none"],
    ["PROCESS_NOT_FOUND", "search", "p_none", "x"],
    ["INVALID_ARGUMENT", "search", "p_none", "x", "--context", "21"],
    ["INVALID_ARGUMENT", "search", "p_none", "x", "--limit", "0"],
    ["INVALID_ARGUMENT", "search", "p_none", "x", "--stream", "stdin"],
  ],
  mcp: [
    ["INVALID_ARGUMENT", "mcp", "surplus"],
    ["INVALID_ARGUMENT", "mcp", "--no-such-option"],
  ],
  "acp-terminal": [
    ["INVALID_ARGUMENT", "acp-terminal"],
    ["INVALID_ARGUMENT", "acp-terminal", "--"],
    ["INVALID_ARGUMENT", "acp-terminal", "--no-such-option", "--", "true"],
  ],
  init: [
    ["INVALID_ARGUMENT", "init", "surplus"],
    ["INVALID_ARGUMENT", "init", "--agent", "nobody"],
    ["INVALID_ARGUMENT", "init", "--remove", "--replace"],
    ["INVALID_ARGUMENT", "init", "--project", "--agent", "zed"],
  ],
  completion: [
    ["INVALID_ARGUMENT", "completion"],
    ["INVALID_ARGUMENT", "completion", "powershell"],
  ],
};

const exitCodes: Readonly<Record<string, number>> = {
  SESSION_NOT_FOUND: 5,
  INVALID_ARGUMENT: 2,
  CONFIG_INVALID: 2,
  NOT_A_DIRECTORY: 2,
  CONFIG_KEY_UNKNOWN: 5,
  PROCESS_NOT_FOUND: 5,
  WATCH_NOT_FOUND: 5,
  NOTICE_NOT_FOUND: 5,
  DELEGATION_NOT_FOUND: 5,
  APPROVAL_NOT_FOUND: 5,
  TOKEN_NOT_FOUND: 5,
  LOCK_OWNER_REFUSED: 4,
  LOCK_NOT_OWNED: 6,
};

async function expectRefusal(cli: CliHome, code: string, args: readonly string[]): Promise<void> {
  const answer = await cli.run(args);
  const about = `${args.join(" ")}\n${answer.stderr}`;
  expect(answer, about).toMatchObject({ code: exitCodes[code], stdout: "" });
  expect(answer.stderr, about).toMatch(/^holdfast: .* \[[A-Z_]+\]\n.+\n$/s);
  expect(answer.stderr, about).toContain(`[${code}]`);
}

test("every command has its cases", () => {
  expect(Object.keys(cases).toSorted()).toEqual(commandWords.toSorted());
});

const shared = sharedCliHome();

test.for(Object.keys(cases))("%s", async (word) => {
  const cli = shared;
  for (const [code, ...args] of cases[word] ?? []) await expectRefusal(cli, code, args);
  expect(await cli.run(["ps", "-a", "-q", "--no-start"])).toMatchObject({ code: 0, stdout: "" });
});

test("a verb nobody knows, and a group without one", async () => {
  const cli = openCliHome();
  const unknown = await cli.run(["pss"]);
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toBe(
    "holdfast: unknown command 'pss' (Did you mean ps?) [INVALID_ARGUMENT]\nSee `holdfast --help`.\n",
  );
  expect(await cli.run(["config"])).toMatchObject({ code: 2, stdout: "" });
  expect(await cli.run(["daemon", "dance"])).toMatchObject({ code: 2, stdout: "" });
});

test("with --json the error is one line of JSON on standard error", async () => {
  const cli = openCliHome();
  const answer = await cli.run(["show", "p_none", "--json"]);
  expect(answer).toMatchObject({ code: 5, stdout: "" });
  expect(JSON.parse(answer.stderr)).toEqual({
    error: {
      code: "PROCESS_NOT_FOUND",
      message: expect.stringContaining("p_none") as string,
      hint: expect.any(String) as string,
      details: expect.any(Object) as object,
    },
  });
  const misspelt = await cli.run(["ps", "--json", "--sate", "ended"]);
  expect(JSON.parse(misspelt.stderr)).toMatchObject({ error: { code: "INVALID_ARGUMENT" } });
});

test("a name in use is a conflict; --ensure takes the process that has it, --replace stops it", async () => {
  const cli = openCliHome();
  const first = await cli.background("--name", "one", "--", "sleep", "60");
  const taken = await cli.run(["run", "-d", "--name", "one", "--", "sleep", "61"]);
  expect(taken).toMatchObject({ code: 6, stdout: "" });
  expect(taken.stderr).toContain("[NAME_IN_USE]");
  const same = await cli.run(["run", "-d", "--name", "one", "--ensure", "--", "sleep", "60"]);
  expect(same).toMatchObject({ code: 0, stdout: `${first}\n` });
  expect(await cli.run(["run", "-d", "--name", "one", "--replace", "--", "sleep", "61"])).toMatchObject({
    code: 0,
  });
  expect((await cli.run(["ps", "-q"])).stdout.trim().split("\n")).toHaveLength(1);
});
