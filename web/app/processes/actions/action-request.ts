// What a person has asked to do and still has to confirm or fill in. One at a time for the whole page; ActionDialogs shows it.
import type { ListedProcess } from "#protocol/control.ts";
import { createStore } from "~/util/store.ts";

export type ActionRequest =
  | { readonly kind: "stop" | "remove"; readonly processes: readonly ListedProcess[] }
  | { readonly kind: "signal"; readonly process: ListedProcess; readonly signal: string }
  | { readonly kind: "restart" | "rename" | "close-stdin" | "paste"; readonly process: ListedProcess };

export const actionRequest = createStore<ActionRequest | undefined>(undefined);

export function askFor(request: ActionRequest): void {
  actionRequest.set(request);
}

export function closeRequest(): void {
  actionRequest.set(undefined);
}
