// Links in the output of a process. It is hostile: only web addresses open, only when a person says so, and the page they
// open learns nothing of this one.
import { createStore } from "~/util/store.ts";

/** The address a person is being asked about. */
export const askedLink = createStore<string | undefined>(undefined);

const mostCharacters = 2_000;

/** The address as it will be opened; undefined for one that is not opened at all. */
export function safeAddress(text: string): string | undefined {
  if (text.length > mostCharacters) return undefined;
  try {
    const address = new URL(text);
    return address.protocol === "http:" || address.protocol === "https:" ? address.href : undefined;
  } catch {
    return undefined; // not an address
  }
}

export function askLink(text: string): void {
  askedLink.set(safeAddress(text));
}

export function openAskedLink(): void {
  const address = askedLink.get();
  askedLink.set(undefined);
  if (address !== undefined) window.open(address, "_blank", "noopener,noreferrer");
}
