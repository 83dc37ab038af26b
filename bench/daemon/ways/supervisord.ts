// supervisord over its Unix socket. What it can run stands in its configuration; a start names one of them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { benchEnvironment } from "../../keeper/bench-home.ts";
import { idleArgv, shortProgram, type OpenWay } from "./way.ts";

const mostHeld = 1_000;

function configuration(directory: string): string {
  return `[supervisord]
nodaemon=true
logfile=/dev/null
logfile_maxbytes=0
pidfile=${join(directory, "pid")}
childlogdir=${directory}
minfds=8192
[unix_http_server]
file=${join(directory, "sock")}
[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
[program:short]
command=${shortProgram}
autostart=false
autorestart=false
startsecs=0
[program:idle]
command=${idleArgv.join(" ")}
process_name=%(process_num)d
numprocs=${mostHeld}
autostart=false
autorestart=false
startsecs=0
`;
}

type Value = string | boolean;

export const openSupervisord: OpenWay = async ({ directory }) => {
  const file = join(directory, "supervisord.conf");
  const socketPath = join(directory, "sock");
  writeFileSync(file, configuration(directory));
  const server = spawn("/usr/bin/supervisord", ["-c", file], {
    env: benchEnvironment,
    cwd: "/",
    stdio: "ignore",
  });
  const agent = new Agent({ keepAlive: true });
  const call = (method: string, ...parameters: readonly Value[]): Promise<string> =>
    post(socketPath, agent, callText(method, parameters));
  const deadline = performance.now() + 10_000;
  while (!existsSync(socketPath)) {
    if (performance.now() > deadline) throw new Error("supervisord does not listen");
    await delay(10);
  }
  return {
    startToEnd: async () => {
      await call("supervisor.startProcess", "short", false);
      // It tells nobody of an end but its own event listeners, and those not the exit code.
      for (;;) {
        const facts = await call("supervisor.getProcessInfo", "short");
        const state = fieldOf(facts, "statename");
        if (state === "STARTING" || state === "RUNNING") continue;
        if (state === "EXITED" && fieldOf(facts, "exitstatus") === "0") return;
        throw new Error(`an odd end: ${facts}`);
      }
    },
    hold: async (count) => {
      for (let index = 0; index < count; index++)
        await call("supervisor.startProcess", `idle:${index}`, false);
    },
    list: async () => (await call("supervisor.getAllProcessInfo")).split("<name>statename</name>").length - 1,
    ownPids: () => Promise.resolve([server.pid ?? 0]),
    close: async () => {
      agent.destroy();
      server.kill("SIGTERM"); // stops what it runs first
      if (server.exitCode === null) await once(server, "exit");
    },
  };
};

function callText(method: string, parameters: readonly Value[]): string {
  const values = parameters.map((value) =>
    typeof value === "string"
      ? `<param><value><string>${value}</string></value></param>`
      : `<param><value><boolean>${Number(value)}</boolean></value></param>`,
  );
  return `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${values.join("")}</params></methodCall>`;
}

function fieldOf(answer: string, name: string): string | undefined {
  return new RegExp(`<name>${name}</name>\\s*<value><\\w+>([^<]*)<`).exec(answer)?.[1];
}

async function post(socketPath: string, agent: Agent, body: string): Promise<string> {
  const sent = request({
    socketPath,
    agent,
    method: "POST",
    path: "/RPC2",
    headers: { "content-type": "text/xml", "content-length": Buffer.byteLength(body) },
  });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [AsyncIterable<Buffer>];
  let text = "";
  for await (const chunk of answer) text += chunk.toString();
  if (text.includes("<fault>")) throw new Error(`supervisord: ${text}`);
  return text;
}
