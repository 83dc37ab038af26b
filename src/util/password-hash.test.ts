import { expect, test } from "vitest";
import { hashPassword, isPassword, isPasswordHash } from "./password-hash.ts";

test("a password is known again by its hash, and no other is", async () => {
  const hash = await hashPassword("grüße, pferd");
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[^$]{22}\$[^$]{43}$/);
  expect(isPasswordHash(hash)).toBe(true);
  expect(await isPassword("grüße, pferd", hash)).toBe(true);
  // The same letters, put together in another way.
  expect(await isPassword("grüße, pferd".normalize("NFD"), hash)).toBe(true);
  expect(await isPassword("grüße, pferde", hash)).toBe(false);
  expect(await isPassword("", hash)).toBe(false);
  expect(await hashPassword("grüße, pferd")).not.toBe(hash);
});

test("what is no hash, or one that costs too little or too much, counts as none", async () => {
  const salt = "A".repeat(22);
  const key = "A".repeat(43);
  const bad = [
    "hunter2",
    "",
    "$2b$12$abcdefghijklmnopqrstuv",
    `$scrypt$ln=4,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=25,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=15,r=8,p=99$${salt}$${key}`,
    `$scrypt$ln=15,r=0,p=1$${salt}$${key}`,
    `$scrypt$ln=15,r=8,p=1$short$${key}`,
    `$scrypt$ln=15,r=8,p=1$${salt}$short`,
  ];
  for (const text of bad) {
    expect(isPasswordHash(text), text).toBe(false);
    expect(await isPassword("hunter2", text)).toBe(false);
  }
  expect(isPasswordHash(`$scrypt$ln=17,r=8,p=1$${salt}$${key}`)).toBe(true);
});
