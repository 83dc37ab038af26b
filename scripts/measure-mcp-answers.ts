// How large the answers of the MCP tools are: a real runtime in a home of its own, one typical call of each kind.
import { setTimeout as delay } from "node:timers/promises";
import { agentTools, type AgentTools, type Client, type ToolAnswer } from "../src/sdk/index.ts";
import { tokensOfAnswer } from "../src/mcp/answer/tool-answer.ts";

export interface Measured {
  readonly what: string;
  readonly tokens: number;
}

/** Durations differ from run to run by a digit or two. */
function rounded({ text, structured, isError }: ToolAnswer): number {
  return Math.max(10, Math.round(tokensOfAnswer({ text, structured, isError }) / 10) * 10);
}

async function untilScreen(tools: AgentTools, id: string, text: string): Promise<ToolAnswer> {
  for (;;) {
    const told = await tools.run("process", { action: "screen", id });
    if (told.text.includes(text)) return told;
    await delay(50);
  }
}

async function untilNotice(tools: AgentTools): Promise<ToolAnswer> {
  for (;;) {
    const told = await tools.run("notifications", {});
    if (told.text !== "Nothing new.") return told;
    await delay(50);
  }
}

/** What the home is configured with: one command needs a person, and nobody is waited for. */
export const measuredConfig = JSON.stringify({
  policy: { profiles: { default: { rules: [{ name: "files", decision: "ask", command: "touch ..." }] } } },
  mcp: { approvalWaitMs: 0 },
});

const flood = 'i=0; while [ $i -lt 30000 ]; do echo "line $i of a long log"; i=$((i+1)); done';

export async function measureAnswers(client: Client): Promise<Measured[]> {
  const tools = agentTools(client, { session: "measured", start: { cwd: "/" } });
  const measured: Measured[] = [];
  const note = (what: string, told: ToolAnswer): ToolAnswer => {
    measured.push({ what, tokens: rounded(told) });
    return told;
  };
  const run = async (what: string, tool: string, input: Record<string, unknown>): Promise<ToolAnswer> =>
    note(what, await tools.run(tool, input));
  await run("`terminal`: a command without output", "terminal", { command: "true" });
  await run("`terminal`: ten lines of output", "terminal", {
    command: "seq 1 10 | sed 's/^/a line of output /'",
  });
  await run("`terminal`: 800 kB of output", "terminal", { command: flood, name: "flood" });
  await run("`terminal`: outlives its time", "terminal", {
    command: "echo up; exec sleep 60",
    timeout: 1,
    name: "server",
  });
  await run("`terminal`: in the background", "terminal", { command: "cat", background: true, name: "cat" });
  await run("`terminal`: cannot be started", "terminal", { command: "true", workdir: "/no/such/place" });
  await run("`process` list: five processes", "process", { action: "list" });
  await run("`process` poll: nothing new", "process", { action: "poll", id: "cat" });
  await run("`process` submit: one line and its echo", "process", {
    action: "submit",
    id: "cat",
    data: "hello",
  });
  await run("`process` log: the last 200 lines", "process", { action: "log", id: "flood" });
  await run("`process` search: 20 matches with context", "process", {
    action: "search",
    id: "flood",
    pattern: "77",
  });
  await run("`process` wait: not yet", "process", { action: "wait", id: "cat", timeout: 0.5 });
  await run("`process` kill", "process", { action: "kill", id: "cat" });
  await tools.run("terminal", { command: "seq 1 500 | less", pty: true, background: true, name: "pager" });
  note("`process` screen: 120 × 30, full", await untilScreen(tools, "pager", "29"));
  await run("`process`: an unknown action", "process", { action: "dance" });
  await run("`notifications`: nothing new", "notifications", {});
  await tools.run("terminal", { command: "sleep 0.6; echo done; exit 1", background: true, name: "job" });
  note("`notifications`: one end", await untilNotice(tools));
  await run("`terminal`: a person must allow it", "terminal", { command: "touch file" });
  await run("`terminal`: for another session", "terminal", { command: "true", session: "another" });
  return measured;
}

export function sizesTable(measured: readonly Measured[]): string {
  const rows = measured.map(({ what, tokens }) => `| ${what} | ${tokens.toLocaleString("en-US")} |`);
  return ["| answer | tokens |", "|---|---|", ...rows].join("\n");
}
