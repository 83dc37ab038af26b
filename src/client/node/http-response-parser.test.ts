import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HttpResponseParser, type HttpResponse } from "./http-response-parser.ts";

const withLength = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\nx-a:  2 \r\n\r\nhello";
const chunked =
  "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n" +
  "3\r\nhel\r\n2;name=value\r\nlo\r\n0\r\nTrailer: x\r\n\r\n";
const continued = `HTTP/1.1 100 Continue\r\nx-b: 9\r\n\r\n${withLength}`;

function parse(parts: readonly Uint8Array[]): {
  response: HttpResponse | undefined;
  parser: HttpResponseParser;
} {
  const parser = new HttpResponseParser();
  let response: HttpResponse | undefined;
  for (const part of parts) {
    expect(response).toBeUndefined();
    response = parser.push(part);
  }
  return { response, parser };
}

describe.each([
  ["with a length", withLength, 200, { "content-length": "5", "x-a": "1, 2" }],
  ["in chunks", chunked, 404, { "transfer-encoding": "chunked" }],
  ["after a 100", continued, 200, { "content-length": "5", "x-a": "1, 2" }],
])("an answer %s", (_name, text, status, headers) => {
  const bytes = Buffer.from(text);

  test("is the same, split at every byte", () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      const parts = [bytes.subarray(0, at), bytes.subarray(at)].filter((part) => part.length > 0);
      const { response } = parse(parts);
      expect(response, `split at ${at}`).toMatchObject({ status, headers });
      expect(Buffer.from(response?.body ?? []).toString()).toBe("hello");
    }
  });

  test("is the same, split anywhere into any number of parts", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 })), (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const parts = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        const { response } = parse(parts);
        expect(response).toMatchObject({ status, headers });
        expect(Buffer.from(response?.body ?? []).toString()).toBe("hello");
      }),
    );
  });

  test("is not complete without its last byte, and is cut off by the end of the connection", () => {
    const { response, parser } = parse([bytes.subarray(0, -1)]);
    expect(response).toBeUndefined();
    expect(parser.end()).toBeUndefined();
    expect(parser.hasBegun).toBe(true);
  });
});

test("an answer without a length is as long as the connection", () => {
  const { response, parser } = parse([Buffer.from("HTTP/1.0 200 OK\r\n\r\nhel"), Buffer.from("lo")]);
  expect(response).toBeUndefined();
  expect(Buffer.from(parser.end()?.body ?? []).toString()).toBe("hello");
});

test("what follows an upgrade is left for the other protocol", () => {
  const { response, parser } = parse([
    Buffer.from("HTTP/1.1 101 Switching\r\nupgrade: websocket\r\n\r\nrest"),
  ]);
  expect(response).toMatchObject({ status: 101, body: new Uint8Array() });
  expect(Buffer.from(parser.rest()).toString()).toBe("rest");
});

test("204 has no body", () => {
  expect(parse([Buffer.from("HTTP/1.1 204 No Content\r\n\r\n")]).response).toMatchObject({ status: 204 });
});

test.each([
  ["another protocol", "SSH-2.0-OpenSSH\r\n"],
  ["a header without a colon", "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n"],
  ["a length that is no number", "HTTP/1.1 200 OK\r\ncontent-length: 5x\r\n\r\n"],
  ["a negative length", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n"],
  ["a length nobody can hold", "HTTP/1.1 200 OK\r\ncontent-length: 999999999999\r\n\r\n"],
  ["a chunk without a size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n"],
  ["a chunk longer than its size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n"],
  ["a line without an end", "HTTP/1.1 200 " + "x".repeat(70_000)],
  ["headers without an end", "HTTP/1.1 200 OK\r\n" + "a: bcdefghijklmnopqrstuvwxyz\r\n".repeat(12_000)],
])("%s is refused", (_name, text) => {
  expect(() => new HttpResponseParser().push(Buffer.from(text))).toThrow(
    expect.objectContaining({ code: "INTERNAL" }),
  );
});
