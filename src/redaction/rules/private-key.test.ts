import { describe, expect, test } from "vitest";
import { redactText } from "../redact-text.ts";
import { StreamRedactor } from "../stream-redactor.ts";

const mark = "[redacted:private-key]";
// Words apart, so that no scanner takes this file for a key.
const [begin, end] = ["BEGIN", "END"].map((edge) => `-----${edge} RSA PRIVATE KEY-----`) as [string, string];
const line = "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF0qJDr7Ch8Ab1rTgGJHOwNnC7Vxk";
const body = `${line}\n${line}\n${line.slice(0, 20)}==`;
const key = `${begin}\n${body}\n${end}`;

describe("a private key", () => {
  test.for([
    [`a\n${key}\nb`, `a\n${mark}\nb`],
    [key, mark],
    [key.replaceAll("\n", "\r\n"), mark],
    [`{"private_key":"${key.replaceAll("\n", "\\n")}\\n","a":1}`, `{"private_key":"${mark}\\n","a":1}`],
    [`KEY="${key.replaceAll("\n", " ")}"`, `KEY="${mark}"`],
    [`${begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n${body}\n${end}`, mark],
    [`x ${begin}${line}${line}${end} y`, `x ${mark} y`],
    [key.replaceAll("\n", "\n    "), mark],
    [
      key
        .split("\n")
        .map((one, index) => `${String(index + 1).padStart(6)}\t${one}`)
        .join("\n"),
      `     1\t${mark}`,
    ],
    [
      key
        .split("\n")
        .map((one) => `\u001b[36m${one}\u001b[0m`)
        .join("\n"),
      expect.stringContaining(mark),
    ],
    [
      `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n${body}\nPrivate-MAC: 00ff00ff\n`,
      expect.stringMatching(/ssh-rsa\n\[redacted:private-key\]\n$/),
    ],
  ])("%j is hidden", ([text, redacted]) => {
    expect(redactText(text as string).text).toEqual(redacted);
    expect(redactText(text as string).text).not.toContain("MIIEpAIB");
  });

  test.for([
    [`${begin}\n${line}\n${line}`, mark],
    [`${begin}\n${line}\n${line}\nordinary text follows\n`, `${mark}\nordinary text follows\n`],
    [`${begin}\n${line}\n$ ls\n`, `${mark}\n$ ls\n`],
    [`${begin}\n${line.slice(0, 12)}`, mark],
  ])("without its end, %j is hidden as far as it looks like one", ([text, redacted]) => {
    expect(redactText(text ?? "").text).toBe(redacted);
  });

  test("that never ends stays hidden for as long as it comes, and is told once", () => {
    const stream = new StreamRedactor();
    let output = stream.push(`${begin}\n`);
    for (let count = 0; count < 5_000; count++) output += stream.push(`${line}\n`);
    expect(output + stream.end()).toBe(`${mark}\n`);
    expect(stream.count).toBe(1);
  });
});

describe("what is no private key stays", () => {
  test.for([
    `const begin = "${begin}";\nconst other = 5;`,
    `if (text.includes("${begin}")) {`,
    `\`${begin}\\n\${body}\\n${end}\``,
    `${begin}\n...\n${end}`,
    `${begin}\n<your key>\n`,
    `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`,
    `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`,
    body,
  ])("%j", (text) => {
    expect(redactText(text)).toEqual({ text, count: 0 });
  });
});
