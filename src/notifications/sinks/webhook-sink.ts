// A webhook by the Standard Webhooks specification: each notice is one signed POST with an id that stays the same over all attempts.
import { readFile } from "node:fs/promises";
import { Webhook } from "standardwebhooks";
import type { NoticeWithText } from "../../protocol/notices.ts";
import { post } from "./post.ts";
import { parseRetryAfter } from "./retry-after.ts";
import type { DeliveryOutcome, Sink } from "./sink.ts";
import { AddressRefused } from "./pinned-lookup.ts";

export interface WebhookOptions {
  readonly name: string;
  readonly url: string;
  /** Each holds one secret (whsec_…); while a secret is rotated there are two, and every POST is signed with both. */
  readonly secretFiles: readonly string[];
  readonly query: Sink["query"];
  readonly timeoutMs: number;
  readonly scheduleMs: readonly number[];
  readonly allowHosts: readonly string[];
  /** Does the receiver's answer settle the notice for everybody? */
  readonly acknowledge: boolean;
}

const parallel = 8;

export function webhookSink(options: WebhookOptions): Sink {
  const url = new URL(options.url);
  return {
    name: options.name,
    query: options.query,
    scheduleMs: options.scheduleMs,
    by: "notice",
    parallel,
    gatherMs: 0,
    acknowledges: () => options.acknowledge,
    deliver: async (notices, signal) => {
      const [notice] = notices;
      if (notice === undefined) return { kind: "delivered" };
      try {
        return await deliverOne(options, url, notice, signal);
      } catch (error) {
        if (error instanceof AddressRefused) return { kind: "dead", error: error.message };
        return { kind: "retry", error: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

async function deliverOne(
  options: WebhookOptions,
  url: URL,
  notice: NoticeWithText,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const body = JSON.stringify({ type: notice.kind, timestamp: notice.at, data: notice });
  const at = new Date();
  const answer = await post({
    url,
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "Holdfast",
      "webhook-id": notice.id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": await signatures(options.secretFiles, notice.id, at, body),
    },
    timeoutMs: options.timeoutMs,
    allowHosts: options.allowHosts,
    signal,
  });
  return outcomeOf(answer.status, parseRetryAfter(answer.retryAfter, Date.now()));
}

/** Read anew each time, so that a rotated secret needs no restart. */
async function signatures(files: readonly string[], id: string, at: Date, body: string): Promise<string> {
  const secrets = await Promise.all(files.map(async (file) => (await readFile(file, "utf8")).trim()));
  return secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" ");
}

function outcomeOf(status: number, afterMs: number | undefined): DeliveryOutcome {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 410)
    return { kind: "disable", error: "the receiver answered 410: it wants nothing any more" };
  const error =
    status >= 300 && status < 400
      ? `the receiver answered ${status}: redirects are not followed`
      : `the receiver answered ${status}`;
  return { kind: "retry", error, ...(afterMs === undefined ? {} : { afterMs }) };
}
