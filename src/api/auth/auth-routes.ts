// Signing in and out, and what a page asks of the gate. What is decided is decided in src/access; here is HTTP.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  cookieHeader,
  cookiePlace,
  nextPath,
  readCookie,
  type Access,
  type Identity,
  type SignedIn,
  type Visit,
} from "../../access/index.ts";
import { accessPath, type Me } from "../../protocol/access.ts";
import { errorRegistry, HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import { jsonType } from "../http/operation-routes.ts";
import { enterScript, enterScriptPath, renderEnterPage } from "./enter-page.ts";
import type { OpenStreams } from "./open-streams.ts";
import { htmlType, pageStyle, pageStylePath } from "./page.ts";
import { renderSignInPage } from "./sign-in-page.ts";

const open = { config: { isPublic: true } } as const;
// A name, a password and an address; nobody has proven anything yet.
const openBodyLimitBytes = 16 * 1024;
const flowLifeMs = 600_000;

export async function addAuthRoutes(
  app: FastifyInstance,
  { access, streams }: { readonly access: Access; readonly streams: OpenStreams },
): Promise<void> {
  addPages(app, access);
  addLinkRoute(app, access);
  await app.register((scope, _options, done) => {
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, body, parsed) => parsed(null, Object.fromEntries(new URLSearchParams(body as string))), // parseAs makes it a string
    );
    addPasswordRoute(scope, access);
    done();
  });
  addOidcRoutes(app, access);
  app.get(accessPath.me, (request, reply) =>
    reply.type(jsonType).send(JSON.stringify(meOf(identityOf(request)))),
  );
  app.post(accessPath.ticket, (request, reply) =>
    reply.type(jsonType).send(JSON.stringify(access.issueTicket(identityOf(request)))),
  );
  app.post(accessPath.logout, async (request, reply) => {
    const visit = visitOf(request);
    // This answer is still to come.
    streams.forget(reply.raw);
    await access.signOut(identityOf(request), visit);
    reply.header("set-cookie", cookieHeader("session", cookiePlace(visit), undefined));
    return await reply.type(jsonType).send("{}");
  });
}

function addPages(app: FastifyInstance, access: Access): void {
  app.get(accessPath.login, open, async (request, reply) => {
    const { next } = queryOf(request);
    const isSignedIn = await access.identify(visitOf(request)).then(
      () => true,
      () => false,
    );
    if (isSignedIn) return await reply.redirect(nextPath(next), 302);
    return await reply.type(htmlType).send(renderSignInPage({ config: access.config, next: nextPath(next) }));
  });
  app.get("/enter", open, (_request, reply) => reply.type(htmlType).send(renderEnterPage()));
  app.get(enterScriptPath, open, (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").send(enterScript),
  );
  app.get(pageStylePath, open, (_request, reply) => reply.type("text/css; charset=utf-8").send(pageStyle));
}

const linkSchema = z.object({ token: z.string().max(256) });

function addLinkRoute(app: FastifyInstance, access: Access): void {
  app.post("/auth/exchange", { ...open, bodyLimit: openBodyLimitBytes }, async (request, reply) => {
    const given = linkSchema.safeParse(request.body);
    if (!given.success) throw new HoldfastError("INVALID_ARGUMENT", "token: the secret of a link is missing");
    const visit = visitOf(request);
    giveCookie(reply, visit, await access.signInByLink(visit, given.data.token));
    return await reply.type(jsonType).send(JSON.stringify({ next: "/" }));
  });
}

const passwordSchema = z.object({
  name: z.string().max(256),
  password: z.string().max(1_024),
  next: z.string().optional(),
});

function addPasswordRoute(app: FastifyInstance, access: Access): void {
  app.post("/auth/password", { ...open, bodyLimit: openBodyLimitBytes }, async (request, reply) => {
    const visit = visitOf(request);
    const given = passwordSchema.safeParse(request.body);
    const { name, password, next } = given.success ? given.data : { name: "", password: "", next: "/" };
    try {
      giveCookie(reply, visit, await access.signInByPassword(visit, name, password));
      return await reply.redirect(nextPath(next), 303);
    } catch (error) {
      return await tellFailure(request, reply, { error, access, next: nextPath(next) });
    }
  });
}

function addOidcRoutes(app: FastifyInstance, access: Access): void {
  app.get<{ Params: { provider: string } }>("/auth/oidc/:provider", open, async (request, reply) => {
    const next = nextPath(queryOf(request)["next"]);
    const visit = visitOf(request);
    try {
      const { address, flow } = await access.beginOidc(visit, request.params.provider, next);
      const cookie = { secret: flow.secret, lifeMs: flowLifeMs };
      reply.header("set-cookie", cookieHeader("flow", cookiePlace(visit), cookie));
      return await reply.redirect(address, 302);
    } catch (error) {
      return await tellFailure(request, reply, { error, access, next });
    }
  });
  app.get<{ Params: { provider: string } }>("/auth/oidc/:provider/callback", open, async (request, reply) => {
    const visit = visitOf(request);
    const flow = readCookie(request.headers, "flow", cookiePlace(visit)) ?? "";
    reply.header("set-cookie", cookieHeader("flow", cookiePlace(visit), undefined));
    const search = request.url.slice(request.url.indexOf("?") + 1);
    try {
      const signedIn = await access.completeOidc(visit, request.params.provider, {
        flow,
        search: `?${search}`,
      });
      giveCookie(reply, visit, signedIn);
      return await reply.redirect(signedIn.next, 302);
    } catch (error) {
      return await tellFailure(request, reply, { error, access, next: "/" });
    }
  });
}

/** To a person as the sign-in page again; to a program as an error. */
async function tellFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, access, next }: { readonly error: unknown; readonly access: Access; readonly next: string },
): Promise<FastifyReply> {
  if (isHoldfastError(error, "TOO_MANY_ATTEMPTS")) {
    const { retryAfterMs } = error.details;
    reply.header("retry-after", Math.ceil(Number(retryAfterMs) / 1_000));
  }
  if (!isHoldfastError(error) || !(request.headers.accept ?? "").includes("text/html")) throw error;
  const page = renderSignInPage({ config: access.config, next, problem: error.message });
  return await reply.code(errorRegistry[error.code].httpStatus).type(htmlType).send(page);
}

function giveCookie(reply: FastifyReply, visit: Visit, { secret, lifeMs }: SignedIn): void {
  reply.header("set-cookie", cookieHeader("session", cookiePlace(visit), { secret, lifeMs }));
}

function meOf({ who, expiresAt }: Identity): Me {
  const { name, role, via } = who;
  return {
    name,
    role,
    provider: via,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
}

function queryOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  return request.query as Record<string, unknown>; // as Fastify parses it
}

/** The gate's hook has set both, or the request did not come so far. */
function visitOf({ visit }: FastifyRequest): Visit {
  if (visit === null) throw new HoldfastError("INTERNAL", "a request has not passed the gate");
  return visit;
}

function identityOf({ identity }: FastifyRequest): Identity {
  if (identity === null) throw new HoldfastError("UNAUTHENTICATED", "Nobody is signed in.");
  return identity;
}
