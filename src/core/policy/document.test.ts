import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { policySchema } from "./document.ts";

const file = fileURLToPath(new URL("../../../schema/policy.json", import.meta.url));

test("schema/policy.json says what the parser reads (LEEWAY_WRITE=1 writes it anew)", () => {
  if (process.env.LEEWAY_WRITE === "1") writeFileSync(file, `${JSON.stringify(policySchema, undefined, 2)}\n`);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(policySchema);
});
