// One POST that follows nobody: no redirect, a time limit over all of it, and no more of the answer than its head.
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { pinHost } from "./pinned-lookup.ts";

export interface PostOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly allowHosts: readonly string[];
  readonly signal: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** @throws AddressRefused, or what the network says */
export async function post(options: PostOptions): Promise<PostAnswer> {
  const { url, headers, body } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  // A name server that does not answer counts in the time limit, and holds nobody up who wants to go.
  const { lookup } = await Promise.race([
    pinHost(url.hostname, options.allowHosts),
    failure(options, signal),
  ]);
  const { promise, resolve, reject } = Promise.withResolvers<PostAnswer>();
  const send = url.protocol === "https:" ? requestSecure : requestPlain;
  const sent = send(
    url,
    {
      method: "POST",
      lookup,
      signal,
      // One connection for one notice: what was pinned for this one is not used for another.
      agent: false,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
    },
    (answer) => {
      resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers["retry-after"] });
      answer.destroy(); // the body is nobody's business, and may be endless
    },
  );
  sent.once("error", (error) => reject(signal.aborted ? reasonOf(options) : error));
  sent.end(body);
  return await promise;
}

function failure(options: PostOptions, signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(reasonOf(options)), { once: true });
  promise.catch(() => undefined); // after the look-up nobody waits for it
  return promise;
}

function reasonOf({ signal, timeoutMs }: PostOptions): Error {
  return new Error(signal.aborted ? "it was cut off" : `no answer within ${timeoutMs} ms`);
}
