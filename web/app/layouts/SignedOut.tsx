// Shown once and for good when the daemon no longer knows this browser: it asks nothing again by itself, so it cannot loop.
export function SignedOut({ next }: { next: string }) {
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-md rounded-lg border border-line bg-surface p-6">
        <h1 className="text-lg font-semibold">You are signed out</h1>
        <p className="mt-2 text-muted">
          The daemon does not know this browser any more. Your processes are not affected.
        </p>
        <p className="mt-3 text-muted">
          Run <code className="rounded bg-sunken px-1 font-mono">holdfast open</code> on the machine of the
          daemon, or
        </p>
        <a
          className="mt-4 inline-flex h-9 items-center rounded-md bg-accent px-3 font-medium text-on-accent"
          href={`/login?next=${encodeURIComponent(next)}`}
        >
          Sign in
        </a>
      </div>
    </main>
  );
}
