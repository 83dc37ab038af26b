// The MCP server inside the daemon: its operations are the runtime's own. Loaded with the first request: most homes never have one.
import type { McpHttp } from "../mcp/index.ts";
import type { Runtime } from "../operations/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { newRequestId } from "../protocol/ids.ts";
import type { Caller } from "../protocol/operations.ts";

export interface McpParts {
  readonly runtime: Runtime;
  readonly version: string;
  readonly report: (message: string, cause: unknown) => void;
}

export interface OpenMcp {
  readonly fetch: McpHttp["fetch"];
  close(): Promise<void>;
}

export function openMcp(parts: McpParts): OpenMcp {
  let loaded: Promise<McpHttp> | undefined;
  return {
    fetch: async (request, answered, client) => {
      loaded ??= load(parts);
      const http = await loaded;
      return await http.fetch(request, answered, client);
    },
    close: async () => {
      const http = await loaded;
      await http?.close();
    },
  };
}

function callerFor(session: string): Caller {
  return { session, requestId: newRequestId() };
}

async function load({ runtime, version, report }: McpParts): Promise<McpHttp> {
  const { createHttpHandler } = await import("../mcp/index.ts");
  return createHttpHandler({
    operations: (session, answered) => ({
      call: (name, input, { signal } = {}) => runtime.call(name, input, callerFor(session), signal, answered),
    }),
    personal: (connection) => ({
      call: (name, input, { signal } = {}) => {
        // Without one a caller passes for the program the daemon runs in.
        if (connection === undefined) throw new HoldfastError("PERSON_REQUIRED", "Nobody knows who asks.");
        return runtime.call(name, input, { requestId: newRequestId(), connection }, signal);
      },
    }),
    events: (session, signal) => runtime.events({ caller: callerFor(session), output: true, signal }),
    notices: (session, signal) => runtime.notices({ caller: callerFor(session), after: 0, signal }),
    startDefaults: {},
    version,
    report,
  });
}
