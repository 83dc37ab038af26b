// GET /v1/process.output/file?id=…&format=asciicast|raw|plain: the whole kept output as a file to keep.
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Runtime } from "../../operations/runtime.ts";
import { asciicastType } from "../../protocol/asciicast.ts";
import { exportFormats, exportOutput, type ExportFormat } from "../../protocol/export-output.ts";
import { processReferenceSchema } from "../../protocol/ids.ts";
import { readQuery } from "../ws/query.ts";
import { callerOf } from "./caller.ts";

const querySchema = z.object({ id: processReferenceSchema, format: z.enum(exportFormats) });

// Never a type that a browser would show as a page: the output is hostile.
const files: Readonly<Record<ExportFormat, { readonly type: string; readonly ending: string }>> = {
  asciicast: { type: asciicastType, ending: "cast" },
  raw: { type: "application/octet-stream", ending: "log" },
  plain: { type: "text/plain; charset=utf-8", ending: "txt" },
};
const pageBytes = 1024 * 1024;

export function addOutputFileRoute(app: FastifyInstance, { runtime }: { readonly runtime: Runtime }): void {
  app.get("/v1/process.output/file", async (request, reply) => {
    const { id: reference, format } = readQuery(querySchema, request.query);
    const caller = callerOf(request);
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const process = await runtime.call("process.get", { id: reference }, caller, gone.signal);
    const { id } = process;
    const content = exportOutput(
      {
        process,
        live: (from) => runtime.liveOutput({ caller, id, from, signal: gone.signal }),
        page: (from) =>
          runtime.call("process.output", { id, from, limitBytes: pageBytes }, caller, gone.signal),
      },
      format,
    );
    const { type, ending } = files[format];
    void reply.type(type).header("content-disposition", `attachment; filename="${id}.${ending}"`);
    return reply.send(Readable.from(content, { objectMode: false }));
  });
}
