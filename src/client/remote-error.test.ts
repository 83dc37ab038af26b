import { expect, test } from "vitest";
import { errorFromAnswer, errorFromBody } from "./remote-error.ts";

test("an error of the registry comes back as itself", () => {
  const body = {
    code: "OUTPUT_TRIMMED",
    message: "gone",
    hint: "Read on.",
    details: { firstOffset: 7 },
    requestId: "r",
  };
  const error = errorFromAnswer(410, JSON.stringify({ error: body }));
  expect(error).toMatchObject({ code: "OUTPUT_TRIMMED", message: "gone", hint: "Read on." });
  expect(error.details).toEqual({ firstOffset: 7, requestId: "r" });
});

test("a code of a newer daemon is INTERNAL here, with the code in the details", () => {
  const error = errorFromBody({ code: "MOON_IN_THE_WAY", message: "dark", hint: "Wait." });
  expect(error).toMatchObject({
    code: "INTERNAL",
    message: "dark",
    hint: "Wait.",
    details: { code: "MOON_IN_THE_WAY" },
  });
  expect(errorFromBody({ code: "toString", message: "x" })).toMatchObject({ code: "INTERNAL" });
});

test("an answer that is no error of ours still says what it was", () => {
  for (const text of ["<html>", "null", "[]", '{"error":"text"}', ""]) {
    expect(errorFromAnswer(502, text)).toMatchObject({
      code: "INTERNAL",
      details: { status: 502, body: text },
    });
  }
});
