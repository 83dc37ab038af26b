// What a model is told about the server as a whole.
export const instructions = [
  "Holdfast runs commands and keeps them: a process, its output and its exit code survive restarts of you, of this server and of its daemon.",
  "Use `terminal` for every command. Nothing hangs: what takes longer than its timeout goes on, and you get its id for `process`.",
  "After a restart, or when you come back, call `notifications`, then `process` with action list.",
].join("\n");
