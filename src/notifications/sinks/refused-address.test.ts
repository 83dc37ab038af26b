import { expect, test } from "vitest";
import { isInside } from "./refused-address.ts";

test.for([
  "127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "fe80::1",
  "fc00::1",
  "fd12:3456::1",
  "ff02::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:a9fe:a9fe",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "not an address",
  "",
])("%s is inside", (address) => {
  expect(isInside(address)).toBe(true);
});

test.for(["8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.0.1", "2606:4700::1111", "2a00:1450::1"])(
  "%s is outside",
  (address) => {
    expect(isInside(address)).toBe(false);
  },
);
