import { expect, test } from "vitest";
import type { Asking } from "../decision.ts";
import { APPROVAL_DEFAULTS, type ApprovalSettings, emptyPolicy, type Policy, type Rule } from "../policy.ts";
import { sha256 } from "../values/hash.ts";
import { compilePolicy } from "./compile.ts";
import { decide } from "./decide.ts";

const AT = { file: "leeway.yaml", line: 1, column: 1 };

const HOUR_MS = 60 * 60 * 1000;

const DEFAULTS: Asking = { ...APPROVAL_DEFAULTS, reviewers: [] };

function file(approvals: Partial<ApprovalSettings>, over: Partial<Policy> = {}): Policy {
  return { ...emptyPolicy("leeway.yaml", sha256("v")), tier: { tier: "ask", at: AT }, approvals, ...over };
}

function asking(files: readonly Policy[], scopes: readonly Policy[] = []): Asking {
  const call = { workspace: "default", agent: "coder", tool: "exec", args: {}, callId: "c", traceId: "t" };
  const part = { class: "process.exec", capability: "process.exec", level: "execute", targets: [] } as const;
  const standing = {
    layers: files.map(compilePolicy),
    scopes: scopes.map(compilePolicy),
    policyVersion: sha256("v"),
    pauses: [],
    pausesFresh: true,
    promotions: [],
    grants: [],
    used: () => 0,
    canAsk: true,
    quarantined: false,
  };
  const effect = { parts: [{ ...part, reversible: true, reach: "host" }], understood: "fully", notes: [] } as const;
  return decide({ ...call, chain: [], claims: {} }, effect, standing, 0).asking;
}

function rule(over: Partial<Rule>): Rule {
  const examples = { match: [], miss: [] };
  const base = { name: "r", match: {}, tier: "ask", because: "care", examples, human: false, firm: false } as const;
  return { ...base, reviewers: [], at: AT, ...over };
}

test("if no file has a setting, the defaults apply", () => {
  expect(asking([file({}), file({})])).toEqual(DEFAULTS);
});

test("a file without a setting has no influence, in any order of the files", () => {
  const loose = { selfReview: true, assurance: "any", expiresMs: 48 * HOUR_MS, permitMs: 2 * HOUR_MS } as const;
  expect(asking([file({}), file(loose)])).toEqual({ ...DEFAULTS, ...loose });
  expect(asking([file(loose), file({})])).toEqual({ ...DEFAULTS, ...loose });
});

test("for each setting, the strictest value of all files applies", () => {
  const a = { quorum: 2, expiresMs: 48 * HOUR_MS, selfReview: true, assurance: "any" } as const;
  const b = { quorum: 1, expiresMs: 36 * HOUR_MS, selfReview: false, assurance: "person", permitMs: 5 } as const;
  const strictest = { ...DEFAULTS, quorum: 2, expiresMs: 36 * HOUR_MS, permitMs: 5 };
  expect(asking([file(a), file(b)])).toEqual(strictest);
  expect(asking([file(b), file(a)])).toEqual(strictest);
});

test("if several files name an escalation, that of the outermost file applies", () => {
  const [outer, inner] = ["leads", "ops"].map((to) => ({ escalate: { afterMs: HOUR_MS, to: [to] } }));
  expect(asking([file(outer ?? {}), file(inner ?? {})])).toEqual({ ...DEFAULTS, ...outer });
  expect(asking([file({}), file(inner ?? {})])).toEqual({ ...DEFAULTS, ...inner });
});

test("a scope in code and an unaccepted file can only make settings stricter, also compared with the defaults", () => {
  const loose = {
    quorum: 1,
    selfReview: true,
    assurance: "any",
    expiresMs: 48 * HOUR_MS,
    permitMs: 9 * HOUR_MS,
  } as const;
  const strict = { quorum: 3, expiresMs: HOUR_MS };
  expect(asking([file({})], [file(loose)])).toEqual(DEFAULTS);
  expect(asking([file({}), file(loose, { beside: true })])).toEqual(DEFAULTS);
  expect(asking([file(loose, { beside: true })])).toEqual(DEFAULTS);
  expect(asking([file({ selfReview: true })], [file({ selfReview: false })])).toEqual(DEFAULTS);
  expect(asking([file({})], [file(strict)])).toEqual({ ...DEFAULTS, ...strict });
  expect(asking([file({}), file(strict, { beside: true })])).toEqual({ ...DEFAULTS, ...strict });
});

test("the quorum and expiry of the deciding rule replace those of its file, and the strictest file still applies", () => {
  const ruled = file({ quorum: 3, expiresMs: HOUR_MS }, { rules: [rule({ quorum: 2, expiresMs: 2 * HOUR_MS })] });
  expect(asking([ruled])).toEqual({ ...DEFAULTS, quorum: 2, expiresMs: 2 * HOUR_MS });
  expect(asking([file({ quorum: 4 }), ruled])).toEqual({ ...DEFAULTS, quorum: 4, expiresMs: 2 * HOUR_MS });
});

test("if several rules decide, the largest quorum, the shortest expiry and a review from each list are needed", () => {
  const first = rule({ name: "a", quorum: 2, expiresMs: 30 * HOUR_MS, reviewers: ["ana"] });
  const second = rule({ name: "b", quorum: 3, expiresMs: 40 * HOUR_MS, reviewers: ["ben"] });
  const both = { quorum: 3, expiresMs: 30 * HOUR_MS, reviewers: [["ana"], ["ben"]] };
  expect(asking([file({}, { rules: [first, second] })])).toEqual({ ...DEFAULTS, ...both });
});
