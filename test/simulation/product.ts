import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../tidy/sources.ts";

/** The parts of the product that a simulated run needs, loaded from one source tree so that a broken copy can be tried too. */
export type Product = {
  submit: typeof import("../../src/gate/calls/submit.ts").submit;
  review: typeof import("../../src/gate/approvals/review.ts").review;
  claim: typeof import("../../src/gate/calls/claim.ts").claim;
  settle: typeof import("../../src/gate/calls/claim.ts").settle;
  cancel: typeof import("../../src/gate/approvals/cancel.ts").cancel;
  reply: typeof import("../../src/gate/approvals/triage.ts").reply;
  handOver: typeof import("../../src/gate/approvals/triage.ts").handOver;
  snooze: typeof import("../../src/gate/approvals/triage.ts").snooze;
  tick: typeof import("../../src/gate/time/tick.ts").tick;
  addPerson: typeof import("../../src/gate/people/people.ts").addPerson;
  removePerson: typeof import("../../src/gate/people/people.ts").removePerson;
  setPause: typeof import("../../src/gate/standing/pause.ts").setPause;
  liftPause: typeof import("../../src/gate/standing/pause.ts").liftPause;
  standingView: typeof import("../../src/gate/standing/standing.ts").standingView;
  memoryStore: typeof import("../../src/store/memory.ts").memoryStore;
  digestOf: typeof import("../../src/core/call.ts").digestOf;
};

const FILES: Record<keyof Product, string> = {
  submit: "gate/calls/submit",
  review: "gate/approvals/review",
  claim: "gate/calls/claim",
  settle: "gate/calls/claim",
  cancel: "gate/approvals/cancel",
  reply: "gate/approvals/triage",
  handOver: "gate/approvals/triage",
  snooze: "gate/approvals/triage",
  tick: "gate/time/tick",
  addPerson: "gate/people/people",
  removePerson: "gate/people/people",
  setPause: "gate/standing/pause",
  liftPause: "gate/standing/pause",
  standingView: "gate/standing/standing",
  memoryStore: "store/memory",
  digestOf: "core/call",
};

/** From the sources, or from a folder with their compiled form. */
export async function loadProduct(folder?: string): Promise<Product> {
  const fileOf = (name: string) =>
    folder === undefined ? join(root, "src", `${name}.ts`) : join(folder, `${name}.js`);
  const loaded = await Promise.all(
    Object.entries(FILES).map(async ([name, file]) => {
      const module = await import(/* @vite-ignore */ pathToFileURL(fileOf(file)).href);
      if (module[name] === undefined) throw new Error(`${file} has no ${name}`);
      return [name, module[name]];
    }),
  );
  return Object.fromEntries(loaded) as Product;
}
