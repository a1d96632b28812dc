import { readSettings } from "../../config/environment.ts";
import { boxChecks } from "../doctor/box.ts";
import { channelChecks } from "../doctor/channels.ts";
import type { Finding } from "../doctor/finding.ts";
import { hostChecks } from "../doctor/hosts.ts";
import { closedCheck, decisionChecks, ledgerCheck, serverChecks, storeChecks } from "../doctor/live.ts";
import { loginChecks, mcpChecks } from "../doctor/mcp.ts";
import { recordedIn } from "../doctor/recorded.ts";
import { rightsChecks } from "../doctor/rights.ts";
import { fileChecks, overrideChecks, peopleChecks, policyChecks, runnerChecks } from "../doctor/still.ts";
import { POLICY_OPTION, withDatabase } from "../gate/database.ts";
import type { CommandInput, CommandSpec } from "../spec.ts";
import { namesServer, type Out } from "../terminal/io.ts";
import { progress } from "../terminal/progress.ts";
import { wrap } from "../terminal/table.ts";

export const doctor: CommandSpec = {
  name: "doctor",
  summary: "check that the gate works, and report everything that could let calls through unchecked",
  options: [POLICY_OPTION],
  examples: ["leeway doctor", "leeway doctor --json"],
  exits: [0, 1, 2],
  act: async (given) => {
    const findings = namesServer(given.io)
      ? await (await import("../doctor/server.ts")).namedServerChecks(given)
      : await localChecks(given);
    const bad = findings.filter((finding) => finding.state === "bad").length;
    given.out.answer({ ok: bad === 0, findings }, () => doctorText(given.out, findings, bad));
    return bad === 0 ? 0 : 1;
  },
};

/** The gate of this machine's database. */
async function localChecks(given: CommandInput): Promise<Finding[]> {
  const settings = readSettings(given.io.env);
  const rights = await rightsChecks(settings.db);
  // Without a right nothing else can be checked.
  if (rights.some(({ state }) => state === "bad"))
    return [...fileChecks(settings), ...rights, ...overrideChecks(given.io.env)];
  return withDatabase(given, async (deps) => {
    const bar = progress(given.io, "verifying");
    try {
      const closed = await closedCheck(deps);
      // The gate is closed, so only checks that do not need its state are made.
      if (closed !== undefined)
        return [
          ...fileChecks(settings),
          closed,
          await ledgerCheck(deps, { onProgress: bar.at }),
          ...overrideChecks(given.io.env),
        ];
      return [
        ...fileChecks(settings),
        ...rights,
        ...(await storeChecks(deps, { onProgress: bar.at })),
        ...(await policyChecks(deps)),
        ...(await decisionChecks(deps)),
        ...(await peopleChecks(deps)),
        ...(await serverChecks(settings)),
        ...(await runnerChecks(settings)),
        ...(await channelChecks(given.io, deps)),
        ...(await hostChecks(given, { ...settings, recorded: recordedIn(deps) })),
        ...mcpChecks(given.io),
        ...loginChecks(deps),
        ...(await boxChecks(deps, given.io.env)),
        ...overrideChecks(given.io.env),
      ];
    } finally {
      bar.end();
    }
  });
}

function doctorText(out: Out, findings: readonly Finding[], bad: number): string {
  const { green, yellow, red, dim, bold } = out.colours;
  const marks = { ok: green("✓"), warn: yellow("!"), bad: red("✗") };
  const lines = findings.flatMap(({ state, what, says, hint }) => [
    `${marks[state]} ${bold(what.padEnd(10))} ${wrap(says, out.width - 13).replaceAll("\n", `\n${" ".repeat(13)}`)}`,
    ...(hint === undefined ? [] : [dim(wrap(`hint: ${hint}`, out.width, " ".repeat(13)))]),
  ]);
  const broken = bad === 1 ? "1 problem keeps the gate from working." : `${bad} problems keep the gate from working.`;
  return [...lines, "", bad === 0 ? "The gate works." : broken].join("\n");
}
