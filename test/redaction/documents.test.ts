// The page names every kind that a mark can tell, and no other.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { headerFormats } from "../../src/redaction/rules/header-formats.ts";
import { tokenFormats } from "../../src/redaction/rules/token-formats.ts";
import { repository } from "../architecture/source-files.ts";

test("docs/redaction.md names every kind", () => {
  const page = readFileSync(join(repository, "docs/redaction.md"), "utf8");
  const kinds = new Set([...tokenFormats, ...headerFormats].map(({ kind }) => kind));
  for (const kind of ["environment", "url-password", "private-key", "cut"]) kinds.add(kind);
  const named = page.matchAll(/`([a-z0-9]+(?:-[a-z0-9]+)*)`/g).map(([, name]) => name ?? "");
  const listed = new Set([...named].filter((name) => kinds.has(name) || /-(?:token|key|secret)$/.test(name)));
  // Names of headers, which are no kinds.
  for (const header of ["x-api-key", "private-token", "x-vault-token"]) listed.delete(header);
  expect([...listed].toSorted()).toEqual([...kinds].toSorted());
  expect(kinds.size).toBeGreaterThan(100);
});
