// A finished delegation in one self-contained block: items by index, each with its mark.
import { quoteLines, quoteWord } from "./quoted.ts";

export function delegationText(
  data: Readonly<Record<string, unknown>>,
  redact: (text: string) => string,
): string {
  const goal = quoteWord(redact(String(data["goal"] ?? "")), 500);
  return [
    `Delegation ${String(data["id"] ?? "")} finished: ${goal}`,
    quoteLines(redact(String(data["report"] ?? ""))),
  ].join("\n");
}
