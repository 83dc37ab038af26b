// fetch() to a Unix socket: the official MCP client speaks HTTP to the daemon through it.
import { request, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";

export function unixFetch(socketPath: string): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    const target = new URL(url);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(
        {
          socketPath,
          method: init.method ?? "GET",
          path: target.pathname + target.search,
          headers: Object.fromEntries(new Headers(init.headers)),
          ...(init.signal ? { signal: init.signal } : {}),
        },
        resolve,
      );
      sent.on("error", reject);
      sent.end(init.body ?? undefined);
    });
    const status = answer.statusCode ?? 0;
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const isEmpty = status === 204 || status === 304;
    const body = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream);
    answer.on("error", () => undefined); // cut off: whoever reads the body hears of it
    return new Response(body, { status, headers });
  };
}
