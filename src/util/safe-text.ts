// Text that came from a process, or from whoever named one, on a terminal of ours. It is hostile: an escape sequence in
// a name could move the cursor, change the title, or show another command than the one that runs.

// Controls, and the marks that turn the reading direction or have no width: what is seen must be what is there.
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\p{Cs}/gu;

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u001b": "\\e" };

/** One line, with every control character shown as an escape. */
export function safeText(text: string): string {
  return text.replaceAll(unsafe, (character) => {
    const code = character.charCodeAt(0);
    const digits = code.toString(16);
    return (
      short[character] ?? (code < 0x100 ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`)
    );
  });
}

/** The same value in JSON whose strings need no trust: JSON itself escapes only the controls below a space. */
export function safeJson(json: string): string {
  return json.replaceAll(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
