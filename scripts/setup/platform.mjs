// The keeper needs POSIX: processes, signals, terminals. Saying so beats failing somewhere inside the build.

export function requirePosix() {
  if (process.platform !== "win32") return;
  console.error(
    "UNSUPPORTED_PLATFORM: Holdfast does not run on Windows. Use Linux, for instance under WSL 2.",
  );
  process.exit(1);
}
