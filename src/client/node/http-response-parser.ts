// Reads HTTP/1.1 answers from bytes that arrive in any portions. Small on purpose: node:http costs a command line 40 ms.
import { HoldfastError } from "../../protocol/errors.ts";
import { ByteQueue } from "../byte-queue.ts";

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const lineFeed = 10;
const mostLineBytes = 65_536;
const mostHeaderBytes = 262_144;
// A list of 10,000 processes is near 20 MB.
const mostBodyBytes = 256 * 1024 * 1024;

type Step =
  | { readonly at: "status" | "headers" | "chunk size" | "chunk end" | "trailers" | "until close" }
  | { readonly at: "body" | "chunk"; readonly bytes: number };

/** For one answer. After status 101 what follows is not HTTP: see `rest`. */
export class HttpResponseParser {
  readonly #queue = new ByteQueue();
  readonly #parts: Uint8Array[] = [];
  readonly #decoder = new TextDecoder("latin1");
  #step: Step = { at: "status" };
  #status = 0;
  #headers: Record<string, string> = {};
  #headerBytes = 0;
  #bodyBytes = 0;
  #searched = 0;

  /** The answer, once it is complete. @throws HoldfastError INTERNAL for what is not HTTP */
  push(chunk: Uint8Array): HttpResponse | undefined {
    this.#queue.push(chunk);
    for (;;) {
      const before = this.#step;
      const isComplete = this.#advance();
      if (isComplete) return this.#response();
      if (this.#step === before) return undefined;
    }
  }

  /** The connection was closed: an answer without a length is complete by that, any other one is cut off. */
  end(): HttpResponse | undefined {
    return this.#step.at === "until close" ? this.#response() : undefined;
  }

  /** Has any byte of the answer come? */
  get hasBegun(): boolean {
    return this.#status > 0 || this.#queue.length > 0;
  }

  /** What came after the answer. */
  rest(): Uint8Array {
    return this.#queue.take(this.#queue.length);
  }

  /** One step. True when the answer is complete; the step is the same object as before when bytes are missing. */
  #advance(): boolean {
    const step = this.#step;
    switch (step.at) {
      case "body":
        if (this.#queue.length < step.bytes) return false;
        this.#keep(step.bytes);
        return true;
      case "chunk":
        if (this.#queue.length < step.bytes) return false;
        this.#keep(step.bytes);
        this.#step = { at: "chunk end" };
        return false;
      case "until close":
        this.#keep(this.#queue.length);
        return false;
      default: {
        const line = this.#line();
        return line === undefined ? false : this.#takeLine(step.at, line);
      }
    }
  }

  #takeLine(at: "status" | "headers" | "chunk size" | "chunk end" | "trailers", line: string): boolean {
    if (at === "status") this.#takeStatus(line);
    else if (at === "headers" && line !== "") this.#takeHeader(line);
    else if (at === "headers") return this.#afterHeaders();
    else if (at === "chunk size") this.#takeChunkSize(line);
    else if (at === "chunk end" && line !== "") throw notHttp("a chunk is longer than its size");
    else if (at === "chunk end") this.#step = { at: "chunk size" };
    else if (line === "") return true;
    else this.#step = { at: "trailers" };
    return false;
  }

  #takeStatus(line: string): void {
    const status = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(line)?.[1];
    if (status === undefined) throw notHttp(`an answer begins with "${line.slice(0, 80)}"`);
    this.#status = Number(status);
    this.#headers = {};
    this.#step = { at: "headers" };
  }

  #takeHeader(line: string): void {
    const colon = line.indexOf(":");
    if (colon < 1) throw notHttp(`a header is "${line.slice(0, 80)}"`);
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const known = this.#headers[name];
    this.#headers[name] = known === undefined ? value : `${known}, ${value}`;
    this.#headerBytes += line.length;
    if (this.#headerBytes > mostHeaderBytes) throw notHttp("the headers are too long");
    this.#step = { at: "headers" };
  }

  #afterHeaders(): boolean {
    const status = this.#status;
    if (status === 101 || status === 204 || status === 304) return true;
    const length = this.#headers["content-length"];
    if (status < 200) this.#step = { at: "status" };
    else if (/\bchunked$/i.test(this.#headers["transfer-encoding"] ?? "")) this.#step = { at: "chunk size" };
    else if (length === undefined) this.#step = { at: "until close" };
    else if (!/^\d{1,15}$/.test(length)) throw notHttp(`content-length is "${length}"`);
    else this.#step = { at: "body", bytes: this.#allowed(Number(length)) };
    return false;
  }

  #takeChunkSize(line: string): void {
    const size = /^([0-9a-f]{1,12})\s*(?:;.*)?$/i.exec(line)?.[1];
    if (size === undefined) throw notHttp(`a chunk has the size "${line.slice(0, 80)}"`);
    const bytes = Number.parseInt(size, 16);
    this.#step = bytes === 0 ? { at: "trailers" } : { at: "chunk", bytes: this.#allowed(bytes) };
  }

  #allowed(bytes: number): number {
    if (this.#bodyBytes + bytes > mostBodyBytes) throw notHttp("the body is too long");
    return bytes;
  }

  #keep(bytes: number): void {
    if (bytes === 0) return;
    this.#parts.push(this.#queue.take(this.#allowed(bytes)));
    this.#bodyBytes += bytes;
  }

  /** A line without its end, or undefined while its end has not come. */
  #line(): string | undefined {
    const end = this.#queue.indexOf(lineFeed, this.#searched);
    if (end < 0) {
      // What was searched is not searched again: else a header that trickles in costs the square of its length.
      this.#searched = this.#queue.length;
      if (this.#searched > mostLineBytes) throw notHttp("a line is too long");
      return undefined;
    }
    this.#searched = 0;
    const line = this.#decoder.decode(this.#queue.take(end + 1));
    return line.slice(0, line.endsWith("\r\n") ? -2 : -1);
  }

  #response(): HttpResponse {
    const [only = new Uint8Array()] = this.#parts;
    return {
      status: this.#status,
      headers: this.#headers,
      body: this.#parts.length < 2 ? only : Buffer.concat(this.#parts),
    };
  }
}

function notHttp(what: string): HoldfastError {
  return new HoldfastError("INTERNAL", `the daemon's answer cannot be read: ${what}`);
}
