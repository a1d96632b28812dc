import { beforeAll, describe, expect, test } from "vitest";
import type { HostDriver } from "./drive.ts";
import { type Facts, type Observed, observe } from "./observe.ts";
import { pageSays } from "./page.ts";

// What every host must do. Only what the host itself makes impossible may differ, and each difference is named where the
// host's suite is started.

const TIERS = {
  auto: "runs",
  notify: "runs",
  suggest: "not run",
  shadow: "not run",
  "ask: approved": "runs",
  "ask: rejected": "not run",
  "ask: arguments changed": "runs changed",
  "ask: no answer": "not run",
  "ask: server restarted, then approved": "runs",
  "ask: approved later, agent started again": "runs",
  "ask: no server": "not run",
  deny: "not run",
  "needs a human": "not run",
};

const TOOLS = {
  read: "gated",
  write: "gated",
  shell: "gated",
  "MCP tool": "gated",
  "sub-agent": "gated, under its own name",
  result: "recorded",
  "session end": "recorded",
};

const FAULTS = {
  "hook killed": "not run",
  "hook missing": "not run",
  "host's limit passed": "not run",
};

export type Exceptions = { tiers?: Facts; tools?: Facts; faults?: Facts };

export function hostSuite(driver: HostDriver, except: Exceptions): void {
  describe(driver.name, () => {
    let observed: Observed;
    beforeAll(async () => {
      observed = await observe(driver);
    });

    test("a call of every tier runs or does not run as the policy and the people say", () => {
      expect(observed.tiers).toEqual({ ...TIERS, ...except.tiers });
    });

    test("tools of every kind are gated, and how they ended is recorded", () => {
      expect(observed.tools).toEqual({ ...TOOLS, ...except.tools });
    });

    test("a hook that is killed, missing or too slow lets no call run, if the host can be told so", () => {
      expect(observed.faults).toEqual({ ...FAULTS, ...except.faults });
    });

    test("the model is told of each call that was not run why, and what to do instead", () => {
      const { told } = observed;
      expect(told.deny).toMatch(/deny files are not wanted.*Do not retry/s);
      expect(told.suggest).toMatch(/LEEWAY_SUGGESTED/);
      expect(told.rejected).toMatch(/not today/);
      expect(told.late).toMatch(/The reviewers were asked|LEEWAY_PENDING/);
    });

    test("docs/hosts.md says what was seen", () => {
      const { tiers, tools, faults } = observed;
      pageSays(driver, { tiers, tools, faults });
    });
  });
}
