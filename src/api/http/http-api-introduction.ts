// The part of docs/http-api.md that people write.

export const introduction = `# HTTP API

Generated from \`src/protocol/operations.ts\` by \`node scripts/generate-http-api-doc.ts\`.

The daemon speaks HTTP/1.1 and WebSocket on \`HOME/daemon.sock\`. Whoever may open the file may do everything; its mode
is 0600. By the network it speaks the same behind [a gate](dashboard-access.md), where every verb needs a role. Every verb is one address:

\`\`\`sh
curl --unix-socket ~/.holdfast/daemon.sock http://holdfast/v1/process.start --json '{"command": "make test"}'
curl --unix-socket ~/.holdfast/daemon.sock http://holdfast/v1/process.list --json '{}'
\`\`\`

- A request is \`POST /v1/VERB\` with a JSON object of at most 16 MiB; an empty body is an empty object. Fields nobody
  knows are passed over, so an old client works with a new daemon and a new one with an old daemon.
- An answer has status 200 and a JSON object. The exit of a process is data: a process that fails is not an error.
- \`GET /openapi.json\` is this page for machines (OpenAPI 3.1), \`GET /healthz\` answers \`{"ok":true}\`.
- \`POST /mcp\` is the MCP server over streamable HTTP: [mcp.md](mcp.md).
- A client that goes away ends its wait, and nothing else.

| header | direction | meaning |
|---|---|---|
| holdfast-request-id | both | names the request in answers, errors, logs and stop reasons; yours if it is 1–64 letters, digits, \`_.:-\`, else a new one |
| holdfast-session | request | the session the caller speaks for, percent-encoded UTF-8; it is kept to [what that may touch](sessions.md#what-a-session-may-touch) |
| holdfast-version | answer | the release of the daemon |

## Errors

The status follows from the code; the codes: [errors.md](errors.md).

\`\`\`json
{"error": {"code": "PROCESS_NOT_FOUND", "message": "…", "hint": "…", "details": {}, "requestId": "r_…"}}
\`\`\`

Input that is not valid is INVALID_ARGUMENT with \`details.problems\`, a list of \`{path, message}\`; nothing was done.
A verb the daemon does not have is UNSUPPORTED_OPERATION, any other unknown address NOT_FOUND; both list the verbs in
\`details.operations\`. DAEMON_STOPPING: nothing was done, ask the next daemon.

## Events

\`GET /v1/events?after=CURSOR&output=1\` is a WebSocket with one JSON text per [event](#event).

- \`after\` is the last cursor you have seen: first come all stored events behind it, then live ones. Without it, only
  what comes from now on, and the first message is \`{"kind": "events.begin", "cursor": N}\`: the cursor to come back with
  if nothing else follows. \`output=1\` also tells when output grows.
- \`events.trimmed\` says that events before it are not kept, also because the database was lost: read the list again, then go on.
- A client that reads nothing for 10 s while more than 1 MiB waits for it is closed with code 4008, CLIENT_TOO_SLOW. It
  comes back with its cursor and has missed nothing.
- An error is \`{"kind": "error", "error": {…}}\`; then the socket closes.

## Notices

\`GET /v1/notifications?after=CURSOR&session=KEY&task=ID&profile=NAME&process=ID&kinds=KIND,KIND&recorded=1\` is a WebSocket with
\`{"kind": "notice", "notice": …}\` per message, or, with \`accept: text/event-stream\`, server-sent events: \`id\` is the cursor,
\`event\` is \`notice\`, \`data\` the notice. \`Last-Event-ID\` goes before \`after\`.

- All filters hold. First come those behind the cursor, then each as it comes; without a cursor, only what comes from now on.
- Notices that were seen are left out, and so are recorded ones without \`recorded=1\`.
- Reading settles nothing: [claim and acknowledge](notifications.md#claim-and-acknowledge).
- The WebSocket also has \`{"kind": "settled", "notices": [{"id", "state", "acknowledgedBy"}]}\` when somebody took care of notices, or they are owed again,
  whatever the filters say; not for a session. It is not repeated after a reconnect: the list has what became of them.
- A client of the WebSocket that reads nothing is closed as above; one of the event stream is waited for.

## Live figures

\`GET /v1/usage\` is a WebSocket with one [UsageUpdate](#usageupdate) as JSON text about every two seconds: what each living
process uses, how the machine is, and how the daemon is.

- The first has every row (\`whole\`), later ones those that changed. \`ended\` names processes whose row is the last one.
- Sampled only while somebody listens, in one pass for all processes and all listeners.
- A reader that is behind gets the newest of each row, not a backlog. After a reconnect it begins with every row.
- Null: the system does not tell. Last lines are redacted as in lists.

## Output as a file

\`GET /v1/process.output/file?id=ID&format=asciicast\` is the whole kept output up to where it ends now: \`asciicast\` (version 3, with
its timing), \`raw\` (the bytes) or \`plain\` (as \`process.output\` gives it). What was dropped is a marker in the recording.

## Live output

\`GET /v1/process.output/live?id=ID&from=OFFSET&credit=BYTES&writer=WRITER\` is a WebSocket with the output of one process
as it comes, from an absolute offset (default: the end of output now).

The daemon sends output only against credit: \`credit\` in the address, then more by messages. Without credit it reads
nothing, so a slow client costs only itself.

| from the daemon | |
|---|---|
| binary | u8 1, u8 stream (0 stdout, 1 stderr), u64 offset, f64 time (ms since 1970), bytes; little-endian |
| \`{"kind": "missing", "from": N, "to": N, "why": "dropped" \\| "gap"}\` | these bytes are not kept |
| \`{"kind": "resized", "offset": N, "columns": N, "rows": N}\` | the terminal has another size from here on |
| \`{"kind": "end", "next": N}\` | the process has ended and all was told; the socket closes |
| \`{"kind": "error", "error": {…}}\` | for example OUTPUT_TRIMMED; the socket closes |
| \`{"wrote": N}\` | everything of the writer before this sequence was taken |
| \`{"error": {…}, "sequence": N}\` | input or a resize was refused; the stream goes on |

| from the client | |
|---|---|
| \`{"credit": BYTES}\` | so many more bytes may come |
| binary | u8 2, u64 sequence, bytes: typed into the process; needs \`writer\`, 16 hexadecimal digits of your choice |
| \`{"resize": {"columns": N, "rows": N}}\` | a new size for the terminal |

The sequence counts the writer's own bytes. After a reconnect, send again what was not acknowledged, with the same writer
and sequence: nothing is typed twice.
`;
