// A configuration value as one would type it.
import { safeText } from "./safe-text.ts";

export function valueText(value: unknown): string {
  return safeText(typeof value === "string" ? value : (JSON.stringify(value) ?? "null"));
}
