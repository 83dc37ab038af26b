// Pushes of a task's state (`taskIds` of subscriptions/listen, notifications/tasks). The SDK's listen stream knows resources only and drops
// the rest of a filter, so on its way in a task becomes an address of ours, and what is told of that becomes the task on its way out.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { Operations } from "../../protocol/operations.ts";
import { clientOf, declaresTasksIn, record } from "./client-facts.ts";
import { taskId, taskUri } from "./resources.ts";
import { taskOf } from "./tasks.ts";

const mostTasks = 100;
const acknowledged = "notifications/subscriptions/acknowledged";

export interface Listened {
  readonly message: JSONRPCMessage;
  readonly session: string;
}

interface Listen {
  readonly id: string | number;
  readonly params: Readonly<Record<string, unknown>>;
}

function listenIn(message: unknown): Listen | undefined {
  const { id, method, params } = record(message);
  if (method !== "subscriptions/listen" || (typeof id !== "string" && typeof id !== "number"))
    return undefined;
  return { id, params: record(params) };
}

export class TaskPushes {
  readonly #sessionOf: (clientName: string | undefined) => string;
  readonly #operationsOf: (session: string) => Operations;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    sessionOf: (clientName: string | undefined) => string,
    operationsOf: (session: string) => Operations,
  ) {
    this.#sessionOf = sessionOf;
    this.#operationsOf = operationsOf;
  }

  /** Whose subscription it is, and the request as the SDK understands it; undefined: it is none. */
  async inbound(message: unknown): Promise<Listened | undefined> {
    const listen = listenIn(message);
    if (listen === undefined) return undefined;
    const { params, id } = listen;
    const session = this.#sessionOf(clientOf(params["_meta"]));
    const filter = record(params["notifications"]);
    const { taskIds, resourceSubscriptions } = filter;
    const subscribed = Array.isArray(resourceSubscriptions) ? (resourceSubscriptions as unknown[]) : [];
    // Addresses of tasks are ours alone to make.
    const resources = subscribed.filter((uri) => taskId(uri) === undefined);
    const asked = Array.isArray(taskIds) && declaresTasksIn(params["_meta"]) ? (taskIds as unknown[]) : [];
    const tasks = await this.#known(session, asked);
    const { taskIds: _taskIds, ...others } = filter;
    const notifications = {
      ...others,
      ...(resourceSubscriptions === undefined && tasks.length === 0
        ? {}
        : { resourceSubscriptions: [...resources, ...tasks.map(taskUri)] }),
    };
    return {
      session,
      message: { jsonrpc: "2.0", id, method: "subscriptions/listen", params: { ...params, notifications } },
    };
  }

  /** As it goes out, in the order in which it came; undefined: nobody is to be told. */
  outbound(message: JSONRPCMessage, session: string): Promise<JSONRPCMessage[]> {
    const made = this.#turn.then(() => this.#told(message, session));
    this.#turn = made.catch(() => undefined); // its own caller hears of it
    return made;
  }

  async #told(message: JSONRPCMessage, session: string): Promise<JSONRPCMessage[]> {
    if (!("method" in message)) return [message];
    const params = record(message.params);
    const { _meta: meta } = params;
    if (message.method === acknowledged) {
      const { honoured, tasks } = honouredIn(params["notifications"]);
      const first = { ...message, params: { _meta: meta, notifications: honoured } } as JSONRPCMessage;
      // What is now comes first: a task may have ended before anybody listened.
      return [first, ...(await Promise.all(tasks.map((id) => this.#stateOf(id, session, meta)))).flat()];
    }
    const id = message.method === "notifications/resources/updated" ? taskId(params["uri"]) : undefined;
    return id === undefined ? [message] : await this.#stateOf(id, session, meta);
  }

  async #stateOf(id: string, session: string, meta: unknown): Promise<JSONRPCMessage[]> {
    try {
      const process = await this.#operationsOf(session).call("process.get", { id });
      return [
        {
          jsonrpc: "2.0",
          method: "notifications/tasks",
          params: { ...taskOf(process), _meta: record(meta) },
        },
      ];
    } catch (error) {
      if (isHoldfastError(error)) return []; // removed, or the daemon is away: asked for again, it says so
      throw error;
    }
  }

  /** Those that this session may see, by their whole id. */
  async #known(session: string, asked: readonly unknown[]): Promise<string[]> {
    const ids = asked.filter((id) => typeof id === "string").slice(0, mostTasks);
    const found = await Promise.all(
      ids.map(async (id) => {
        try {
          return (await this.#operationsOf(session).call("process.get", { id })).id;
        } catch (error) {
          if (isHoldfastError(error)) return undefined;
          throw error;
        }
      }),
    );
    return ids.filter((id, index) => found[index] === id);
  }
}

function honouredIn(notifications: unknown): { honoured: Record<string, unknown>; tasks: string[] } {
  const { resourceSubscriptions = [], ...others } = record(notifications);
  const uris = resourceSubscriptions as readonly string[]; // made by the SDK, of texts
  const tasks = uris.flatMap((uri) => taskId(uri) ?? []);
  const resources = uris.filter((uri) => taskId(uri) === undefined);
  const honoured = {
    ...others,
    ...(resources.length === 0 ? {} : { resourceSubscriptions: resources }),
    ...(tasks.length === 0 ? {} : { taskIds: tasks }),
  };
  return { honoured, tasks };
}
