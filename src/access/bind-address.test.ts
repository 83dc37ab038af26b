import { createServer, connect, type AddressInfo } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { AddressRanges } from "./address-ranges.ts";
import { resolveBind } from "./bind-address.ts";
import { peerUid } from "./peer-user.ts";

test.each([
  ["127.0.0.1", "127.0.0.1", true],
  ["127.8.9.1", "127.8.9.1", true],
  ["::1", "::1", true],
  ["::ffff:127.0.0.1", "::ffff:127.0.0.1", true],
  // As the system's resolver reads them.
  ["127.1", "127.0.0.1", true],
  ["0", "0.0.0.0", false],
  ["0.0.0.0", "0.0.0.0", false],
  ["::", "::", false],
  ["::ffff:10.0.0.1", "::ffff:10.0.0.1", false],
  ["192.168.1.5", "192.168.1.5", false],
  ["fe80::1", "fe80::1", false],
])("%s is %s; loopback: %s", async (bind, address, isLoopback) => {
  expect(await resolveBind(bind)).toEqual({ address, isLoopback });
});

test("localhost is loopback, whichever of its addresses comes first", async () => {
  expect(await resolveBind("localhost")).toMatchObject({ isLoopback: true });
});

test("a name nobody knows is told", async () => {
  await expect(resolveBind("no-such-host.invalid")).rejects.toMatchObject({ code: "DASHBOARD_UNAVAILABLE" });
});

test("ranges hold what they say, in both families", () => {
  const ranges = new AddressRanges(["10.0.0.0/8", "192.168.1.5", "fd00::/8"]);
  const inside = ["10.255.0.1", "::ffff:10.1.1.1", "192.168.1.5", "fd12::1"];
  expect(inside.map((address) => ranges.has(address))).toEqual([true, true, true, true]);
  expect(["11.0.0.1", "192.168.1.6", "fe80::1", "", "x"].map((address) => ranges.has(address))).not.toContain(
    true,
  );
});

test.each(["127.0.0.1", "::1"])("the kernel tells whose connection from %s it is", async (host) => {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const accepted = once(server, "connection");
  const client = connect(port, host);
  const [socket] = (await accepted) as [ReturnType<typeof connect>];
  const { remoteAddress = "", remotePort = 0 } = socket;
  expect(peerUid({ remoteAddress, remotePort, localPort: port })).toBe(process.getuid?.());
  expect(peerUid({ remoteAddress, remotePort: port, localPort: remotePort })).toBe(process.getuid?.());
  expect(peerUid({ remoteAddress, remotePort: 1, localPort: port })).toBeUndefined();
  client.destroy();
  socket.destroy();
  server.close();
});
