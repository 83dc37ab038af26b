import { expect, test } from "vitest";
import { desktopCommand, desktopEnvironment } from "./desktop-command.ts";

test("every system has its program, and title and text are its last arguments", () => {
  expect(desktopCommand("linux")).toEqual(["notify-send", "--app-name=Holdfast", "--"]);
  expect(desktopCommand("darwin").filter((word) => word !== "-e")).toEqual([
    "osascript",
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
  ]);
});

test("the bus of the desktop is where the environment says, or else where it is by default, if it is there", () => {
  const told = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/elsewhere", XDG_RUNTIME_DIR: "/run/user/7" };
  expect(desktopEnvironment(told, () => true)).toEqual(told);
  const untold = { HOME: "/h", XDG_RUNTIME_DIR: "/run/user/7" };
  expect(desktopEnvironment(untold, (path) => path === "/run/user/7/bus")).toEqual({
    ...untold,
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/7/bus",
  });
  expect(desktopEnvironment(untold, () => false)).toEqual(untold);
  const user = `/run/user/${process.getuid?.()}`;
  expect(desktopEnvironment({}, () => true)).toEqual({
    XDG_RUNTIME_DIR: user,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${user}/bus`,
  });
});
