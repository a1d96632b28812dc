import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { served } from "./served.ts";

test("an agent's request about a file reveals nothing about it: no size, no hash, not whether or why it cannot be read", async () => {
  const on = await served();
  try {
    const token = await on.token({ agent: "coder" });
    const secret = "-----BEGIN PRIVATE KEY-----\nhunter2\n";
    writeFileSync(join(on.project, "there.sh"), secret);
    symlinkSync(join(on.project, "nowhere"), join(on.project, "link.sh"));
    mkdirSync(join(on.project, "folder.sh"));
    const hash = createHash("sha256").update(secret).digest("hex");
    const told = [];
    for (const name of ["there.sh", "gone.sh", "link.sh", "folder.sh"]) {
      const call = { tool: "shell", args: { command: `bash ${name}` } };
      const checked = await on.ask("POST", "/v1/calls/check", { token, body: call });
      const submitted = await on.ask("POST", "/v1/calls", { token, body: { ...call, callId: name } });
      const again = await on.ask("GET", `/v1/calls/${submitted.body.id}`, { token });
      const text = [checked, submitted, again].map((one) => one.text).join("\n");
      expect(checked.body.effect).not.toHaveProperty("facts");
      expect(text).not.toContain(hash);
      expect(text).not.toContain("nowhere");
      expect(text).not.toMatch(new RegExp(`\\b${secret.length}\\b`));
      const { effect, decision } = checked.body;
      told.push(
        [effect.understood, ...effect.notes, ...decision.because, ...submitted.body.decision.because]
          .join("\n")
          .replaceAll(name, "NAME"),
      );
    }
    // An existing file, a missing one, a dangling link and a folder give the same answer.
    expect(new Set(told).size).toBe(1);
    // In the record, the hash of a file is made with the gate's key, so a reader cannot guess the content.
    const person = await on.signIn();
    const record = (await on.ask("GET", "/v1/ledger?limit=50", { cookie: person })).text;
    expect(record).not.toContain(hash);
  } finally {
    await on.remove();
  }
});
