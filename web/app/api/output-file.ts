// The whole kept output of a process as a file.
import { HoldfastError } from "#protocol/errors.ts";
import { readCast, type Cast } from "~/replay/cast.ts";

export type OutputFormat = "raw" | "plain" | "asciicast";

export function outputFile(id: string, format: OutputFormat): string {
  return `/v1/process.output/file?${new URLSearchParams({ id, format }).toString()}`;
}

export async function fetchCast(id: string, signal: AbortSignal): Promise<Cast> {
  const answer = await fetch(outputFile(id, "asciicast"), { signal });
  if (answer.ok) return readCast(await answer.text());
  const { error } = (await answer.json()) as { error?: { message?: string } }; // every refusal has this form
  throw new HoldfastError("INTERNAL", error?.message ?? `the daemon answered with ${answer.status}`);
}
