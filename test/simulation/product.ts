import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../tidy/sources.ts";

/** The parts of the product that a story needs, loaded from one source tree so that a broken copy can be tried too. */
export type Product = {
  submit: typeof import("../../src/gate/submit.ts").submit;
  review: typeof import("../../src/gate/review.ts").review;
  claim: typeof import("../../src/gate/claim.ts").claim;
  settle: typeof import("../../src/gate/claim.ts").settle;
  cancel: typeof import("../../src/gate/cancel.ts").cancel;
  tick: typeof import("../../src/gate/tick.ts").tick;
  setPause: typeof import("../../src/gate/pause.ts").setPause;
  liftPause: typeof import("../../src/gate/pause.ts").liftPause;
  standingView: typeof import("../../src/gate/standing.ts").standingView;
  memoryStore: typeof import("../../src/store/memory.ts").memoryStore;
  digestOf: typeof import("../../src/core/call.ts").digestOf;
};

const FILES: Record<keyof Product, string> = {
  submit: "gate/submit.ts",
  review: "gate/review.ts",
  claim: "gate/claim.ts",
  settle: "gate/claim.ts",
  cancel: "gate/cancel.ts",
  tick: "gate/tick.ts",
  setPause: "gate/pause.ts",
  liftPause: "gate/pause.ts",
  standingView: "gate/standing.ts",
  memoryStore: "store/memory.ts",
  digestOf: "core/call.ts",
};

export async function loadProduct(source = join(root, "src")): Promise<Product> {
  const loaded = await Promise.all(
    Object.entries(FILES).map(async ([name, file]) => {
      const module = await import(/* @vite-ignore */ pathToFileURL(join(source, file)).href);
      if (module[name] === undefined) throw new Error(`${file} has no ${name}`);
      return [name, module[name]];
    }),
  );
  return Object.fromEntries(loaded) as Product;
}
