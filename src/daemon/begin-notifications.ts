// Notifications as the daemon puts them together: the outbox that verbs use, and what pushes by itself.
import type { ConfigStore } from "../config/index.ts";
import { DeadLetters, Notifier, Outbox, type NotificationContext } from "../notifications/index.ts";
import type { BusySources, Runtime } from "../operations/index.ts";
import type { ProcessContext } from "../processes/index.ts";
import { newRequestId } from "../protocol/ids.ts";
import type { Redactor } from "../redaction/index.ts";

export function openNotifications(processes: ProcessContext, redactor: Redactor): NotificationContext {
  const { store } = processes;
  return {
    processes,
    outbox: new Outbox({ store }),
    deadLetters: new DeadLetters(store),
    redact: (text) => redactor.line(text),
  };
}

export interface NotifierParts {
  readonly notifications: NotificationContext;
  readonly runtime: Runtime;
  readonly config: ConfigStore;
  readonly environment: NodeJS.ProcessEnv;
  readonly busy: BusySources;
}

/** Returns how to end it. */
export function beginNotifier({
  notifications,
  runtime,
  config,
  environment,
  busy,
}: NotifierParts): () => Promise<void> {
  const notifier = new Notifier({
    notifications,
    config,
    environment,
    start: (input) =>
      runtime.call("process.start", input, { requestId: newRequestId(), isConfiguration: true }),
  });
  busy.add({ name: "deliveries", count: () => notifier.busyCount, holdsDrain: true });
  return () => notifier.close();
}
