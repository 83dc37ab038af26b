// The stream of a subscription over HTTP, with tasks in it: server-sent events are read one by one and written as what they become.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

type Outbound = (message: JSONRPCMessage) => Promise<JSONRPCMessage[]>;

/** As it is, unless it is a stream. */
export function withTasks(response: Response, outbound: Outbound): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null) return response;
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(rewriting(outbound)), { status, headers });
}

function rewriting(outbound: Outbound): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: async (chunk, controller) => {
      const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events)
        for (const told of await rewritten(event, outbound))
          controller.enqueue(encoder.encode(`${told}\n\n`));
    },
  });
}

/** A comment, which keeps the stream alive, stays one. */
async function rewritten(event: string, outbound: Outbound): Promise<string[]> {
  const data = /^data: (.*)$/m.exec(event)?.[1];
  if (data === undefined) return [event];
  const messages = await outbound(JSON.parse(data) as JSONRPCMessage); // written by the SDK, on one line
  return messages.map((message) => `event: message\ndata: ${JSON.stringify(message)}`);
}
