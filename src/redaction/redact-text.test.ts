// Texts as they come from terminals and programs, and what is left of them.
import { describe, expect, test } from "vitest";
import { redactText } from "./redact-text.ts";

// Made of parts, so that no scanner takes them for secrets.
const token = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
const mark = "[redacted:github-token]";
const accessKey = "AKIA".padEnd(20, "QRSTUVWX");
// Counts at the start of a word only.
const weakToken = `hf_${"aB3".repeat(12)}`;
const weakMark = "[redacted:huggingface-token]";

describe("a secret is found", () => {
  test.for([
    [
      "in colours",
      `\u001b[31mgh\u001b[1mp_\u001b[0m${token.slice(4)}\u001b[0m!`,
      `\u001b[31m${mark}\u001b[1m\u001b[0m\u001b[0m!`,
    ],
    ["behind a cursor movement", `user\u001b[5C${token}`, `user\u001b[5C${mark}`],
    [
      "broken by a shell at the edge of a terminal",
      `${token.slice(0, 20)} \r${token.slice(20)}`,
      `${mark} \r`,
    ],
    ["with a zero-width space in it", `${token.slice(0, 20)}\u200b${token.slice(20)}`, `${mark}\u200b`],
    ["in a title", `\u001b]0;${token}\u0007$ `, `\u001b]0;${mark}\u0007$ `],
    ["in a title that never ends", `\u001b]0;${token}`, `\u001b]0;${mark}`],
    [
      "in a link",
      `\u001b]8;;https://u:${token}@h/\u001b\\here`,
      `\u001b]8;;https://u:${mark}@h/\u001b\\here`,
    ],
    ["behind a written-out newline", `"a\\n${token}"`, `"a\\n${mark}"`],
    ["behind a written-out colour", `"\\u001b[0m${token}"`, `"\\u001b[0m${mark}"`],
    ["inside a word", `MY_${token}`, `MY_${mark}`],
    ["beside another one", `${token} ${token}`, `${mark} ${mark}`],
    ["right behind another one", `${accessKey}${weakToken}`, `[redacted:aws-access-key]${weakMark}`],
    ["where only an escape begins the word", `user\u001b[5C${weakToken}`, `user\u001b[5C${weakMark}`],
    ["longer than it should be", `${token}${"a".repeat(100_000)} x`, `${mark} x`],
    ["in a path of a web address", `https://h/${token}/x?y=z`, `https://h/${mark}/x?y=z`],
  ])("%s", ([, text, redacted]) => {
    expect(redactText(text ?? "").text).toBe(redacted);
  });
});

describe("headers", () => {
  const value = "abcdef".repeat(4);
  test.for([
    [
      `> Authorization: Bearer ${value}\r\n> Host: h`,
      "> Authorization: Bearer [redacted:authorization]\r\n> Host: h",
    ],
    [
      `curl -H "Authorization: token ${value}" u`,
      'curl -H "Authorization: token [redacted:authorization]" u',
    ],
    [`{"authorization": "Basic ${value}=="}`, '{"authorization": "Basic [redacted:authorization]"}'],
    [
      `"{\\"Authorization\\": \\"Bearer ${value}\\"}"`,
      '"{\\"Authorization\\": \\"Bearer [redacted:authorization]\\"}"',
    ],
    [`authorization: ${value}12`, "authorization: [redacted:authorization]"],
    [`Authorization: Custom ${value}12`, "Authorization: Custom [redacted:authorization]"],
    [
      `Proxy-Authorization: Digest username="u", response="${value}"`,
      "Proxy-Authorization: Digest [redacted:authorization]",
    ],
    [`sent bearer ${value}12 there`, "sent bearer [redacted:authorization] there"],
    [`x-api-key: ${value}`, "x-api-key: [redacted:header]"],
    [`'X-Api-Key': '${value}',`, "'X-Api-Key': '[redacted:header]',"],
    [`Cookie: a=b; sid=${value}; c=d\r\nHost: h`, "Cookie: a=b; sid=[redacted:cookie]\r\nHost: h"],
    [`Set-Cookie: sid=${value}; Path=/; HttpOnly\n`, "Set-Cookie: sid=[redacted:cookie]\n"],
    [`//registry.example/:_authToken=${value}\n`, "//registry.example/:_authToken=[redacted:npm-token]\n"],
    [`machine h login me password ${value}`, "machine h login me password [redacted:netrc-password]"],
  ])("%j", ([text, redacted]) => {
    expect(redactText(text ?? "").text).toBe(redacted);
  });

  test.for([
    'headers: { Authorization: "Bearer " + token }',
    "headers: { authorization: `Bearer ${token}`, cookie: string }",
    'if (request.headers["authorization"] !== expected) return;',
    '"x-api-key": process.env.API_KEY,',
    "'x-api-key': apiKeyFromTheConfiguration2,",
    "Authorization: Bearer <token>\nAuthorization: Bearer YOUR_API_KEY\nAuthorization: Basic ${CREDENTIALS}",
    "authorization: request.headers.authorization",
    "The authorization: see the documentation of bearer tokens.",
    "Cookie: name=<value>\ncookie: { secure: true }\nSet-Cookie: a=b; Path=/",
    "the machine is up, login works and the password is asked for",
  ])("%j stays", (text) => {
    expect(redactText(text)).toEqual({ text, count: 0 });
  });
});

test.for([
  "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  file.txt",
  "commit 90042bf3f0e2d1c4b5a6978812345678deadbeef",
  '"integrity": "sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08AAAAAAAAAAAAAAAAAAAAAA==",',
  "550e8400-e29b-41d4-a716-446655440000",
  `data:image/png;base64,iVBORw0KGgo${"AAAANSUhEUgAAAAUA/+9".repeat(40)}=`,
  `//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz${"LCJzb3VyY2VzIjpb".repeat(200)}`,
  "sk-learn sk-estimator-doc-link-container-1 task-sk-1 hf_hub npm_config_registry=x",
  "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQDZ user@host",
  "proc_0123456789abcdef run-0123456789",
])("%s stays", (text) => {
  expect(redactText(text)).toEqual({ text, count: 0 });
});
