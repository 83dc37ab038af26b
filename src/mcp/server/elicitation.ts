// The client's form for the person at it (elicitation), in both eras: a request of ours while the call waits, or a result that asks, after
// which the call is made again.
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { quoteWord } from "../../protocol/quoted-text.ts";
import type { Operations } from "../../protocol/operations.ts";
import { questionOf, readSaid, type PersonDoor, type Said } from "../approvals/person-door.ts";
import { clientNameOf, record } from "./client-facts.ts";

/** The longest a person may take; the call gives up before. */
const mostAskMs = 60_000;

/** A client that declares no mode has forms; one may have addresses only. */
function hasForms(capabilities: unknown): boolean {
  const { elicitation } = record(capabilities);
  if (elicitation === undefined) return false;
  const modes = record(elicitation);
  return "form" in modes || !("url" in modes);
}

function viaOf(mcp: McpServer, context: ServerContext): string {
  const name = quoteWord(clientNameOf(mcp, context) ?? "an unnamed client", 60);
  // It stands in the record and in terminals.
  return `form in ${name.replaceAll(/[^\x20-\x7e]/g, "?")}`;
}

function saidIn({ mcpReq }: ServerContext): Said | undefined {
  const responses = mcpReq.inputResponses;
  for (const key of Object.keys(responses ?? {})) {
    const view = inputResponse(responses, key);
    if (view.kind === "elicit") return readSaid(key, view);
  }
  return undefined;
}

export interface DoorOptions {
  readonly isModern: boolean;
  readonly operations: Operations;
}

/** Undefined: this client has no form. */
export function personDoor(
  mcp: McpServer,
  context: ServerContext,
  { isModern, operations }: DoorOptions,
): PersonDoor | undefined {
  const via = viaOf(mcp, context);
  const { envelope } = context.mcpReq;
  if (isModern) {
    if (!hasForms(record(envelope)[CLIENT_CAPABILITIES_META_KEY])) return undefined;
    return { via, said: saidIn(context), ask: undefined, operations };
  }
  if (!hasForms(mcp.server.getClientCapabilities())) return undefined;
  return {
    via,
    said: undefined,
    ask: async (approval, signal) => {
      const result = await context.mcpReq.elicitInput(questionOf(approval), { signal, timeout: mostAskMs });
      return readSaid(approval.id, result);
    },
    operations,
  };
}
