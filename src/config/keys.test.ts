import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { configKeySchema } from "../protocol/daemon.ts";
import { configTable, describeKeys, findKey, reservedVariables, variableOf } from "./keys.ts";
import { nearestName } from "./nearest-name.ts";
import { key } from "./key.ts";

const facts = { description: "Anything.", unit: null, needsRestart: false };
const word = fc.stringMatching(/^[a-z]{1,8}$/);
const segment = fc
  .tuple(word, fc.array(word, { maxLength: 3 }))
  .map(([first, rest]) => first + rest.map((next) => next.charAt(0).toUpperCase() + next.slice(1)).join(""));
const name = fc.array(segment, { minLength: 1, maxLength: 4 }).map((path) => path.join("."));

describe("variableOf", () => {
  test("writes the path in capitals", () => {
    expect(variableOf("output.tailBytes")).toBe("HOLDFAST_OUTPUT_TAIL_BYTES");
    expect(variableOf("profile")).toBe("HOLDFAST_PROFILE");
  });

  test("keeps every word of a name, in order", () => {
    fc.assert(
      fc.property(name, (any) => {
        const words = any.split(/\.|(?=[A-Z])/).map((one) => one.toLowerCase());
        expect(variableOf(any)).toMatch(/^HOLDFAST(_[A-Z]+)+$/);
        expect(variableOf(any).toLowerCase().split("_").slice(1)).toEqual(words);
      }),
    );
  });

  test("leads back to the key in any schema, or the schema is refused", () => {
    fc.assert(
      fc.property(fc.uniqueArray(segment, { minLength: 1, maxLength: 8 }), segment, (names, group) => {
        const keys = Object.fromEntries(names.map((one) => [one, key(z.string().default(""), facts)]));
        const schema = z.strictObject({ [group]: z.strictObject(keys).prefault({}) });
        const variables = names.map((one) => variableOf(`${group}.${one}`));
        expect(new Set(variables).size).toBe(names.length);
        const table = describeKeys(schema);
        for (const [index, variable] of variables.entries()) {
          expect(table.byVariable.get(variable)?.name).toBe(`${group}.${names[index]}`);
        }
      }),
    );
  });
});

describe("describeKeys", () => {
  test("gives every key of ours its facts", () => {
    expect(configTable.keys.size).toBeGreaterThanOrEqual(20);
    for (const one of configTable.keys.values()) {
      expect(configKeySchema.safeParse(one.name).success).toBe(true);
      expect(one.description).toMatch(/^[A-Z].*\.$/);
      expect(one.schema.safeParse(one.default).success).toBe(true);
      expect(typeof one.needsRestart).toBe("boolean");
      expect(configTable.byVariable.get(one.variable)).toBe(one);
      expect(reservedVariables.has(one.variable)).toBe(false);
    }
  });

  test("gives every number a unit, and a time or a size also in its name", () => {
    const keys = [...configTable.keys.values()];
    const counted = keys.filter((one) => typeof one.default === "number");
    expect(counted.filter(({ unit }) => unit === null)).toEqual([]);
    const ending = (unit: string) => keys.filter((one) => one.unit === unit).map(({ name: told }) => told);
    expect(ending("milliseconds").filter((told) => !told.endsWith("Ms"))).toEqual([]);
    expect(ending("bytes").filter((told) => !told.endsWith("Bytes"))).toEqual([]);
  });

  test("refuses a key without facts, a reserved variable, and one variable for two keys", () => {
    const text = z.string().default("");
    const refused = (shape: z.core.$ZodLooseShape, message: RegExp) =>
      expect(() => describeKeys(z.strictObject(shape))).toThrow(message);
    refused({ bare: text }, /bare has no description/);
    refused({ home: key(z.string().default(""), facts) }, /HOLDFAST_HOME/);
    const tail = z.strictObject({ bytes: key(z.string().default(""), facts) }).prefault({});
    refused({ tail, tailBytes: key(z.string().default(""), facts) }, /variable of tail\.bytes/);
  });
});

describe("findKey", () => {
  const told = (asked: string): unknown => {
    try {
      return findKey(configTable, asked);
    } catch (error) {
      return error;
    }
  };

  test("names what was perhaps meant", () => {
    expect(findKey(configTable, "log.level").variable).toBe("HOLDFAST_LOG_LEVEL");
    expect(told("log.levle")).toMatchObject({
      code: "CONFIG_KEY_UNKNOWN",
      message: "log.levle: there is no such key; perhaps log.level is meant",
      details: { key: "log.levle", nearest: "log.level" },
    });
    expect(told("zebra")).toMatchObject({
      message: "zebra: there is no such key",
      details: { nearest: null },
    });
    expect(told("output")).toMatchObject({
      message: "output: this is a group of keys: output.headBytes, output.tailBytes",
    });
    expect(told("constructor")).toMatchObject({ code: "CONFIG_KEY_UNKNOWN" });
  });
});

test("nearestName takes the nearest, whatever the case, and the last part for the whole", () => {
  const known = ["output.headBytes", "output.tailBytes", "stop.graceMs"];
  expect(nearestName("output.TailByte", known)).toBe("output.tailBytes");
  expect(nearestName("graceMs", known)).toBe("stop.graceMs");
  expect(nearestName("stop.grace", known)).toBe("stop.graceMs");
  expect(nearestName("nothing.like.it", known)).toBeUndefined();
  expect(nearestName("x", [])).toBeUndefined();
});
