import fc from "fast-check";
import { anyCase, checkFaithful, SHUT_FOLDERS } from "./faithful.ts";

// Checks a chosen case and random ones as the user who starts this.

const [, , seed = "", runs = "", operator = ""] = process.argv;
let changes = await checkFaithful(operator, SHUT_FOLDERS);
const property = fc.asyncProperty(anyCase, async (one) => {
  changes += await checkFaithful(operator, one);
});
await fc.assert(property, { seed: Number(seed), numRuns: Number(runs), endOnFailure: true });
process.stdout.write(String(changes));
