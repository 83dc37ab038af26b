// Doing it, and saying what came of it. Changes of processes themselves come back as events.
import type { InputPart, ListedProcess } from "#protocol/control.ts";
import { client } from "~/api/client.ts";
import { queryClient } from "~/api/query-client.ts";
import { showError, showToast } from "~/ui/toasts.tsx";
import { titleOf } from "~/processes/process-text.ts";
import { copyToClipboard } from "~/util/clipboard.ts";

/** Runs it; an error becomes a message with its code and what to do next. */
async function attempt(failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    showError(failure, error);
  }
}

function countText(count: number): string {
  return count === 1 ? "1 process" : `${count} processes`;
}

export function stopProcesses(processes: readonly ListedProcess[]): Promise<void> {
  return attempt("Not stopped", async () => {
    const ids = processes.filter(({ state }) => state !== "ended").map(({ id }) => id);
    const { results, stopped } = await client.process.stop({ ids });
    const failed = results.find(({ outcome }) => outcome === "failed" || outcome === "still_running");
    if (failed?.error !== undefined) showToast(refusal("Not all were stopped", failed.error));
    else if (failed !== undefined) showToast({ tone: "warn", title: "Not all have ended yet" });
    else showToast({ tone: "good", title: `${countText(stopped)} stopped` });
  });
}

export function removeProcesses(processes: readonly ListedProcess[]): Promise<void> {
  return attempt("Not removed", async () => {
    const ids = processes.filter(({ state }) => state === "ended").map(({ id }) => id);
    const { results } = await client.process.remove({ ids });
    const failed = results.find(({ error }) => error !== undefined);
    if (failed?.error !== undefined) showToast(refusal("Not all were removed", failed.error));
    else showToast({ tone: "good", title: `${countText(results.length)} removed` });
  });
}

function refusal(title: string, error: { message: string; hint: string; code: string }) {
  return { tone: "bad" as const, title, text: `${error.message} ${error.hint} (${error.code})` };
}

export function signalProcess({ id }: ListedProcess, signal: string): Promise<void> {
  return attempt(`${signal} was not sent`, async () => {
    const { reached } = await client.process.signal({ id, signal });
    showToast({ tone: "info", title: `${signal} sent to ${countText(reached)}` });
  });
}

export function renameProcess({ id }: ListedProcess, name: string | null): Promise<void> {
  return attempt("Not renamed", async () => {
    await client.process.rename({ id, name });
  });
}

/** True when it was typed. */
export async function writeTo({ id }: ListedProcess, parts: InputPart[]): Promise<boolean> {
  let isWritten = false;
  await attempt("Not sent", async () => {
    await client.process.write({ id, parts });
    isWritten = true;
  });
  return isWritten;
}

export function closeStdin(process: ListedProcess): Promise<void> {
  return attempt("Not closed", async () => {
    await client.process.closeStdin({ id: process.id });
    // No event tells it.
    void queryClient.invalidateQueries({ queryKey: ["process", process.id] });
    showToast({ tone: "info", title: `The input of ${titleOf(process)} is closed` });
  });
}

export function copyText(text: string, what: string): Promise<void> {
  return attempt("Not copied", async () => {
    await copyToClipboard(text);
    showToast({ tone: "info", title: `${what} copied` });
  });
}
