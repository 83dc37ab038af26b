// What a listener is called. Apart from its schema: the command line and the web app load no zod.

/** For people. */
export function listenerText({
  host = "localhost",
  port,
}: {
  host?: string | undefined;
  port: number;
}): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
