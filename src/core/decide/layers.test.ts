import { expect, test } from "vitest";
import { emptyPolicy, type Policy } from "../policy.ts";
import { sha256 } from "../values/hash.ts";
import { foundLayers, type LayerFile, type Layers, namedLayers, STANDARD } from "./layers.ts";

const policy = (name: string): Policy => emptyPolicy(name, sha256(name));
const user = policy("user");
const project = policy("project");
const changed = policy("project, changed");
const found = (of: Policy): LayerFile["found"] => ({ ok: true, policy: of });
const broken: LayerFile["found"] = { ok: false, why: "project:1:1: unknown key `tire`" };
const file = (path: string, rest: Pick<LayerFile, "found" | "accepted">): LayerFile => ({ path, ...rest });

const AT = { file: "managed", line: 1, column: 1 };

const shown = ({ layers, ...rest }: Layers) => ({ ...rest, layers: layers.map((layer) => layer.policy) });
const inForce = (...layers: Policy[]) => ({
  layers,
  version: layers.length === 1 ? layers[0]?.version : sha256(layers.map((layer) => layer.version).join("\n")),
});

test("without any file, the preset standard applies", () => {
  expect(shown(foundLayers([]))).toEqual(inForce(STANDARD));
  expect(shown(foundLayers([file("u", { found: undefined, accepted: undefined })]))).toEqual(inForce(STANDARD));
  expect(STANDARD.preset?.name).toBe("standard");
});

test("accepted files are in force, the outermost first", () => {
  const files = [
    file("u", { found: found(user), accepted: user }),
    file("p", { found: found(project), accepted: project }),
  ];
  expect(shown(foundLayers(files))).toEqual(inForce(user, project));
});

test("an unaccepted file is added to the preset and can only make decisions stricter", () => {
  expect(shown(foundLayers([file("p", { found: found(project), accepted: undefined })]))).toEqual(
    inForce(STANDARD, { ...project, beside: true }),
  );
});

test("a changed file is added after all accepted layers, and the accepted text stays in force", () => {
  const files = [
    file("u", { found: found(changed), accepted: user }),
    file("p", { found: found(project), accepted: project }),
  ];
  expect(shown(foundLayers(files))).toEqual(inForce(user, project, { ...changed, beside: true }));
});

test("an unaccepted file cannot say what tools do, who answers, or which assurance is needed", () => {
  const at = { file: "project", line: 1, column: 1 };
  const rule = {
    name: "r",
    match: { class: ["fs.write" as const] },
    tier: "deny" as const,
    because: "b",
    examples: { match: [], miss: [] },
    human: true,
    firm: true,
    quorum: 2,
    at,
  };
  const kept = { ...project, tier: { tier: "ask" as const, at }, rules: [{ ...rule, reviewers: [] }] };
  const planted: Policy = {
    ...kept,
    tools: [{ name: "deploy", class: "none", at }],
    agents: [{ name: "coder", tiers: [], owner: "mallory", reviewers: ["mallory"], at }],
    human: { ...project.human, classes: ["fs.read"], not: ["payments.move"] },
    reviewers: ["mallory"],
    rules: [{ ...rule, reviewers: ["mallory"] }],
    approvals: { quorum: 3, expiresMs: 1, permitMs: 1, selfReview: true, assurance: "any" },
    headless: "suggest",
  };
  expect(shown(foundLayers([file("p", { found: found(planted), accepted: undefined })])).layers).toEqual([
    STANDARD,
    {
      ...kept,
      beside: true,
      agents: [{ name: "coder", tiers: [], reviewers: [], at }],
      human: { ...project.human, classes: ["fs.read"] },
      approvals: { quorum: 3 },
    },
  ]);
  expect(shown(foundLayers([file("p", { found: found(planted), accepted: planted })])).layers).toEqual([planted]);
});

test("if a file is missing or broken, its accepted text stays in force", () => {
  expect(shown(foundLayers([file("p", { found: undefined, accepted: project })]))).toEqual(inForce(project));
  expect(shown(foundLayers([file("p", { found: broken, accepted: project })]))).toEqual(inForce(project));
});

test("a broken file that was never accepted closes the gate, even if other files are accepted", () => {
  const closed = { layers: [], version: sha256("no policy"), noPolicy: "project:1:1: unknown key `tire`" };
  const never = file("p", { found: broken, accepted: undefined });
  expect(shown(foundLayers([never]))).toEqual(closed);
  expect(shown(foundLayers([file("u", { found: found(user), accepted: user }), never]))).toEqual(closed);
});

test("a named file is the only one in force and needs no acceptance; a broken one closes the gate", () => {
  expect(shown(namedLayers(project))).toEqual(inForce(project));
  expect(shown(namedLayers({ why: "no such file" }))).toEqual({
    layers: [],
    version: sha256("no policy"),
    noPolicy: "no such file",
  });
});

test("the organisation's file is the outermost layer beside found and named files, without acceptance", () => {
  const managed = found(policy("managed"));
  const its = { ...policy("managed"), organisation: true } as const;
  const files = [file("p", { found: found(project), accepted: project })];
  expect(shown(foundLayers(files, managed))).toEqual(inForce(its, project));
  expect(shown(namedLayers(project, managed))).toEqual(inForce(its, project));
  expect(shown(foundLayers([], managed))).toEqual(inForce(its, STANDARD));
  const whole = { ...policy("managed"), preset: { name: "conservative", at: AT } } as const;
  expect(shown(foundLayers([], found(whole)))).toEqual(inForce({ ...whole, organisation: true }));
});

test("a broken file of the organisation closes the gate, whatever else is in force", () => {
  const closed = { layers: [], version: sha256("no policy"), noPolicy: "project:1:1: unknown key `tire`" };
  expect(shown(foundLayers([file("p", { found: found(project), accepted: project })], broken))).toEqual(closed);
  expect(shown(namedLayers(project, broken))).toEqual(closed);
});
