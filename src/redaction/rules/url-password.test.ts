import { expect, test } from "vitest";
import { redactText } from "../redact-text.ts";

const mark = "[redacted:url-password]";

test.for([
  ["https://user:hunter2@host.example/path?q=1#f", `https://user:${mark}@host.example/path?q=1#f`],
  ["postgres://me:p%40ss:w0rd!@db:5432/app", `postgres://me:${mark}@db:5432/app`],
  ["redis://:secret@localhost:6379/0", `redis://:${mark}@localhost:6379/0`],
  ["mongodb+srv://u:p@ss@cluster.example", `mongodb+srv://u:${mark}@cluster.example`],
  ['{"url":"https:\\/\\/u:pass1\\/\\/"}', '{"url":"https:\\/\\/u:pass1\\/\\/"}'],
  ['"https:\\/\\/u:pass1@h\\/x"', `"https:\\/\\/u:${mark}@h\\/x"`],
  [
    "git clone https://x:y@h/r.git and ssh://a:b@c",
    `git clone https://x:${mark}@h/r.git and ssh://a:${mark}@c`,
  ],
  ["http://[::1]:80/ http://u:p@[::1]:80/", `http://[::1]:80/ http://u:${mark}@[::1]:80/`],
])("%s", ([text, redacted]) => {
  expect(redactText(text ?? "").text).toBe(redacted);
});

test.for([
  "https://host.example:8080/a@b?user:password@x",
  "https://user@host.example/path",
  "https://host.example/?redirect=a:b@c",
  "http://localhost:3000 me@example.com",
  "ssh://git@host:22/x.git",
  "docker-image://alpine:3.20@sha256:0123456789abcdef",
  "https://${USER}:${PASSWORD}@host https://$USER:$PASSWORD@host",
  "https://<user>:<password>@host https://{user}:{password}@host",
  "`${scheme}://${user}:${password}@${host}`",
  "'%s://%s:%s@%s' % parts",
  "https://user:***@host https://user:xxxx@host",
  "/^(https?):\\/\\/([^:]+):([^@]+)@/",
  "node:internal://x npm:@scope/name@1.0.0",
])("%s stays", (text) => {
  expect(redactText(text)).toEqual({ text, count: 0 });
});

test("a token as the user is hidden as a token", () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  expect(redactText(`https://${token}:x-oauth-basic@github.com/a/b`).text).toBe(
    `https://[redacted:github-token]:${mark}@github.com/a/b`,
  );
  expect(redactText(`https://${token}@github.com/a/b`).text).toBe(
    "https://[redacted:github-token]@github.com/a/b",
  );
});
