// A receiver of webhooks on loopback whose answers a test chooses, one after the other.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface ReceivedCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (response: ServerResponse) => void;

export interface WebhookReceiver {
  readonly url: string;
  readonly calls: ReceivedCall[];
  /** For the next calls; after the last one: 204. */
  answerWith(...answers: Answer[]): void;
}

export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(code, headers).end();
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = [];
  const answers: Answer[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      calls.push({ headers: request.headers, body });
      (answers.shift() ?? status(204))(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/hook`,
    calls,
    answerWith: (...next) => answers.push(...next),
  };
}
