// Whether the daemon is there and whether this browser is signed in; shown by the shell of the page, once.
import { createStore } from "~/util/store.ts";

/** signed-out is final for this page: nothing is asked again until the person signs in. */
export type Connection = "connecting" | "connected" | "lost" | "signed-out";

export const connection = createStore<Connection>("connecting");

export function setConnection(next: Connection): void {
  if (connection.get() !== "signed-out") connection.set(next);
}
