// The least web terminal there can be: node-pty behind ws, xterm in a page. No history, no sign-in, no second viewer.
// Run by the machine's own Node: its add-on is built for that one.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * What of the peers is used; they are not installed where types are checked.
 * @typedef {{ onData(listener: (data: Buffer) => void): void, onExit(listener: () => void): void, write(text: string): void, kill(): void }} Shell
 * @typedef {{ send(data: Buffer): void, close(): void, on(event: string, listener: (data: Buffer) => void): void }} Socket
 */

const [peers = "", port = ""] = process.argv.slice(2);
const require = createRequire(join(peers, "package.json"));
const pty = /** @type {{ spawn(file: string, words: string[], options: object): Shell }} */ (
  require("node-pty")
);
const { WebSocketServer } =
  /** @type {{ WebSocketServer: new (options: object) => { on(event: string, listener: typeof serve): void } }} */ (
    require("ws")
  );

/** @type {Record<string, [string, () => string | Buffer]>} */
const files = {
  "/": ["text/html", () => readFileSync(join(import.meta.dirname, "bare.html"))],
  "/xterm.mjs": ["text/javascript", () => readPeer("@xterm/xterm/lib/xterm.mjs")],
  "/fit.mjs": ["text/javascript", () => readPeer("@xterm/addon-fit/lib/addon-fit.mjs")],
  "/xterm.css": ["text/css", () => readPeer("@xterm/xterm/css/xterm.css")],
};

/** @param {string} path */
function readPeer(path) {
  return readFileSync(join(peers, "node_modules", path));
}

const server = createServer((request, response) => {
  const [path = ""] = (request.url ?? "").split("?");
  const [type, read] = files[path] ?? [];
  if (read === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": type }).end(read());
});

/** @param {Socket} socket @param {import("node:http").IncomingMessage} request */
function serve(socket, request) {
  const query = new URL(request.url ?? "", "http://bench").searchParams;
  const shell = pty.spawn("bash", ["--norc"], {
    cols: Number(query.get("columns")),
    rows: Number(query.get("rows")),
    encoding: null,
    env: { ...process.env, PS1: "$ ", TERM: "xterm-256color" },
  });
  shell.onData((data) => socket.send(data));
  shell.onExit(() => socket.close());
  socket.on("message", (data) => shell.write(data.toString()));
  socket.on("close", () => shell.kill());
}

new WebSocketServer({ server }).on("connection", serve);
server.listen(Number(port), "127.0.0.1", () => console.log("listening"));
