// Command lines about notices, jobs, barriers, sessions and delegations that must be refused.

/** By the word of the command: command lines, and the code each must give. */
export type InvalidCases = Readonly<Record<string, readonly (readonly [code: string, ...args: string[]])[]>>;

export const noticeCases: InvalidCases = {
  "notifications list": [
    ["INVALID_ARGUMENT", "notifications", "list", "surplus"],
    ["INVALID_ARGUMENT", "notifications", "dance"],
    ["INVALID_ARGUMENT", "notifications", "list", "--kind", "process.danced"],
    ["INVALID_ARGUMENT", "notifications", "list", "--after", "-1"],
    ["INVALID_ARGUMENT", "notifications", "list", "--limit", "0"],
    ["PROCESS_NOT_FOUND", "notifications", "--process", "p_none"],
  ],
  "notifications get": [
    ["INVALID_ARGUMENT", "notifications", "show"],
    ["INVALID_ARGUMENT", "notifications", "show", "p_none"],
    ["NOTICE_NOT_FOUND", "notifications", "show", "n_22222222222222222222"],
  ],
  "notifications follow": [
    ["INVALID_ARGUMENT", "notifications", "follow", "surplus"],
    ["INVALID_ARGUMENT", "notifications", "follow", "--after", "now"],
    ["INVALID_ARGUMENT", "notifications", "follow", "--kind", "process.danced"],
    ["PROCESS_NOT_FOUND", "notifications", "follow", "--process", "p_none"],
  ],
  "notifications claim": [
    ["INVALID_ARGUMENT", "notifications", "claim"],
    ["INVALID_ARGUMENT", "notifications", "claim", "--consumer", "c", "--limit", "101"],
    ["INVALID_ARGUMENT", "notifications", "claim", "--consumer", "c", "--lease", "soon"],
    ["INVALID_ARGUMENT", "notifications", "claim", "--consumer", "c", "--wait", "1d"],
  ],
  "notifications acknowledge": [
    ["INVALID_ARGUMENT", "notifications", "ack"],
    ["INVALID_ARGUMENT", "notifications", "ack", "all"],
  ],
  "notifications release": [
    ["INVALID_ARGUMENT", "notifications", "release", "n_22222222222222222222"],
    ["INVALID_ARGUMENT", "notifications", "release", "--consumer", "c"],
  ],
  "notifications replay": [
    ["INVALID_ARGUMENT", "notifications", "replay"],
    ["NOTICE_NOT_FOUND", "notifications", "replay", "n_22222222222222222222"],
  ],
  "notifications dead": [["INVALID_ARGUMENT", "notifications", "dead", "surplus"]],
  "job run": [
    ["INVALID_ARGUMENT", "job", "run"],
    ["INVALID_ARGUMENT", "job", "run", "--timeout", "0", "--", "true"],
    ["INVALID_ARGUMENT", "job", "run", "--notify", "never", "--", "true"],
    ["INVALID_ARGUMENT", "job", "run", "--progress", "1ms", "--", "true"],
    ["INVALID_ARGUMENT", "job", "run", "--env", "novalue", "--", "true"],
  ],
  "job get": [
    ["INVALID_ARGUMENT", "job", "show"],
    ["PROCESS_NOT_FOUND", "job", "show", "p_none"],
  ],
  "job list": [["INVALID_ARGUMENT", "job", "list", "--limit", "0"]],
  "job result": [
    ["INVALID_ARGUMENT", "job", "result"],
    ["PROCESS_NOT_FOUND", "job", "result", "p_none"],
  ],
  "barrier set": [
    ["INVALID_ARGUMENT", "barrier", "set"],
    ["INVALID_ARGUMENT", "barrier", "set", "s"],
    ["INVALID_ARGUMENT", "barrier", "set", "s", "--pid", "1", "--until", "2030-01-01"],
    ["INVALID_ARGUMENT", "barrier", "set", "s", "--until", "later"],
    ["INVALID_ARGUMENT", "barrier", "set", "s", "--pid", "me"],
    ["INVALID_ARGUMENT", "barrier", "set", "s", "--pid", "4194304"],
    ["PROCESS_NOT_FOUND", "barrier", "set", "s", "--process", "p_none"],
  ],
  "barrier get": [["INVALID_ARGUMENT", "barrier", "get"]],
  "barrier clear": [["INVALID_ARGUMENT", "barrier", "clear"]],
  "session busy": [
    ["INVALID_ARGUMENT", "session", "busy", "s"],
    ["INVALID_ARGUMENT", "session", "busy", "s", "--by", "me", "--lease", "2d"],
  ],
  "session idle": [["INVALID_ARGUMENT", "session", "idle"]],
  "session attend": [["INVALID_ARGUMENT", "session", "attend"]],
  "delegation start": [
    ["INVALID_ARGUMENT", "delegation", "start"],
    ["INVALID_ARGUMENT", "delegation", "start", ""],
    ["INVALID_ARGUMENT", "delegation", "start", "goal", "--pid", "4194304"],
  ],
  "delegation progress": [
    ["INVALID_ARGUMENT", "delegation", "progress"],
    ["INVALID_ARGUMENT", "delegation", "progress", "d_222222222222"],
    ["INVALID_ARGUMENT", "delegation", "progress", "d_222222222222", "--status", "dancing"],
    ["DELEGATION_NOT_FOUND", "delegation", "progress", "d_222222222222", "--summary", "fine"],
  ],
  "delegation finish": [
    ["INVALID_ARGUMENT", "delegation", "finish", "p_none"],
    ["INVALID_ARGUMENT", "delegation", "finish", "d_222222222222", "--items"],
    ["DELEGATION_NOT_FOUND", "delegation", "finish", "d_222222222222"],
  ],
  "delegation cancel": [["DELEGATION_NOT_FOUND", "delegation", "cancel", "d_222222222222"]],
  "delegation list": [["INVALID_ARGUMENT", "delegation", "list", "--limit", "0"]],
};
