import { expect, test } from "vitest";
import { HoldfastError } from "../protocol/errors.ts";
import { Problems } from "./problems.ts";

test("problems stay until they have passed; those of a source are as the source is", () => {
  const problems = new Problems();
  let failures = ["not watched"];
  problems.from(() => failures);
  problems.add(new HoldfastError("STORE_FULL", "full"));
  problems.add(new HoldfastError("STORE_CORRUPT", "set aside"));
  expect(problems.current).toEqual(["full", "set aside", "not watched"]);
  problems.pass("STORE_FULL", "STORE_READ_ONLY");
  failures = [];
  expect(problems.current).toEqual(["set aside"]);
});
