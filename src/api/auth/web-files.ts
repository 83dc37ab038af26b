// The dashboard's own files, as Vite built them, and its front page for every address of a page.
import { existsSync } from "node:fs";
import { join } from "node:path";
import staticFiles from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFoundError } from "../create-app.ts";
import { htmlType, renderPage } from "./page.ts";

const yearMs = 31_536_000_000;
const open = { config: { isPublic: true } } as const;
/** What is for programs, or a file: an answer that looks like a page would mislead whoever asked. */
const noPage = /^\/(?:v1|mcp|auth|assets|healthz|openapi\.json)(?:[/?]|$)|^[^?]*\.[a-z0-9]{1,11}(?:\?|$)/i;

export async function addWebFiles(app: FastifyInstance, directory: string): Promise<void> {
  await app.register(staticFiles, {
    root: directory,
    serve: false,
    preCompressed: true,
    cacheControl: false,
  });
  // Vite puts a digest of the content into these names: what has one never changes.
  app.get<{ Params: { "*": string } }>("/assets/*", open, (request, reply) =>
    sendFile(reply, `assets/${request.params["*"]}`, `public, max-age=${yearMs / 1_000}, immutable`),
  );
  app.get<{ Params: { file: string } }>(
    "/:file(^[\\w-]+\\.(?:svg|png|ico|webmanifest)$)",
    open,
    (request, reply) => sendFile(reply, request.params.file, "no-cache"),
  );
}

/** Where no route is: the front page for people, which finds its own way from the address; for programs an error. */
export function answerPages(app: FastifyInstance, directory: string): void {
  app.setNotFoundHandler((request, reply) => {
    if (!isPage(request)) throw notFoundError(request.method, request.url);
    if (existsSync(join(directory, "index.html"))) return sendFile(reply, "index.html", "no-cache");
    return reply.code(503).type(htmlType).send(notBuilt);
  });
}

function isPage({ method, url, identity }: FastifyRequest): boolean {
  return (method === "GET" || method === "HEAD") && identity !== null && !noPage.test(url);
}

function sendFile(reply: FastifyReply, path: string, caching: string): FastifyReply {
  reply.raw.setHeader("cache-control", caching);
  return reply.sendFile(path);
}

const notBuilt = renderPage({
  title: "The dashboard is not built",
  body: `<p>The daemon runs, and you are signed in; only the pages are missing.</p>
<p class="muted">In a checkout, run <code>npm run build</code>, then load this page again.</p>`,
});
