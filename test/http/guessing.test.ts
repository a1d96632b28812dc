import { readdirSync, readFileSync } from "node:fs";
import { type RequestOptions, request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkPassphrase } from "../../src/gate/people/people.ts";
import { systemClock } from "../../src/system.ts";
import { realPassphrases } from "../passphrases.ts";
import { cookieOf } from "./cast.ts";
import { PASSPHRASE, type Served, served } from "./served.ts";

realPassphrases();

// A client that guesses must wait. A client elsewhere, or one that is already signed in, does not wait because of others' guesses.

let on: Served;
beforeAll(async () => {
  // A wait that has begun is not over before the next guess, however slow the machine is.
  const nowMs = Date.now();
  on = await served({ clock: { nowMs: () => nowMs, sleep: systemClock.sleep } });
});
afterAll(() => on.remove());

type Guess = { name: string; passphrase?: string; at?: string; cookie?: string };
type Ended = "in" | "wrong" | "locked";

/** Everything from 127.0.0.1 to 127.255.255.254 is this machine, so requests can come from many addresses. */
async function tried({ name, passphrase = "wrong horse", at = "127.0.0.1", cookie }: Guess): Promise<Ended> {
  const headers = {
    host: `127.0.0.1:${on.port}`,
    origin: on.url,
    "content-type": "application/x-www-form-urlencoded",
    ...(cookie === undefined ? {} : { cookie }),
  };
  const given = { host: "127.0.0.1", port: on.port, localAddress: at, headers };
  const body = new URLSearchParams({ name, passphrase }).toString();
  const { leads } = await sent({ ...given, path: "/sign-in", method: "POST" }, body);
  if (!leads.startsWith("/shown/")) return "in";
  const { text } = await sent({ ...given, path: leads, method: "GET" });
  return text.includes("Too many wrong passphrases") ? "locked" : "wrong";
}

function sent(given: RequestOptions, body?: string): Promise<{ leads: string; text: string }> {
  return new Promise((resolve, reject) => {
    const sending = request(given, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.on("end", () => resolve({ leads: answer.headers.location ?? "", text }));
    });
    sending.on("error", reject).end(body);
  });
}

async function inTurn(guesses: readonly Guess[]): Promise<Ended[]> {
  const ended: Ended[] = [];
  for (const guess of guesses) ended.push(await tried(guess));
  return ended;
}

test("guessing at a name costs waiting time, whether or not the name exists, and a correct passphrase from another address is accepted", async () => {
  const at = "127.0.0.2";
  const four = (name: string) => inTurn(Array(4).fill({ name, at }));
  const waits: Ended[] = ["wrong", "wrong", "wrong", "locked"];
  expect([await four("ana"), await four("nobody-here")]).toEqual([waits, waits]);
  expect(await tried({ name: "ana", passphrase: PASSPHRASE, at })).toBe("locked");
  expect(await tried({ name: "ana", passphrase: PASSPHRASE })).toBe("in");
});

test("a signed-in person can prove their identity again, however often others guess at their name from the same address", async () => {
  const cookie = await cookieOf(on, "ben");
  expect(await inTurn(Array(4).fill({ name: "ben" }))).toEqual(["wrong", "wrong", "wrong", "locked"]);
  expect(await tried({ name: "ben", passphrase: PASSPHRASE })).toBe("locked");
  expect(await tried({ name: "ben", passphrase: PASSPHRASE, cookie })).toBe("in");
  // The cookie alone does not allow free guesses.
  expect((await inTurn(Array(4).fill({ name: "ben", cookie }))).at(-1)).toBe("locked");
});

test("wrong passphrases at the server do not lock a person out of the command line", async () => {
  await inTurn(Array(4).fill({ name: "cleo", at: "127.0.0.3" }));
  expect((await checkPassphrase(on.deps, "cleo", PASSPHRASE, { to: "look" })).ok).toBe(true);
});

test("invented names are not stored, and many attempts with them are answered in turn", async () => {
  const names = Array.from({ length: 12 }, (_, n) => `made-up-by-a-stranger-${n}`);
  const ended = await Promise.all(names.map((name) => tried({ name, at: "127.0.0.4" })));
  expect(new Set(ended)).not.toContain("in");
  const files = readdirSync(on.state).filter((file) => file.startsWith("leeway.db"));
  const bytes = files.map((file) => readFileSync(join(on.state, file), "latin1")).join("");
  expect(bytes.includes("made-up-by-a-stranger")).toBe(false);
});

test("eight right passphrases at once are all right, and of eight wrong ones at once three are looked at", async () => {
  const eight = (guess: Guess) => Promise.all(Array.from({ length: 8 }, () => tried(guess)));
  const at = "127.0.7.7";
  expect(await eight({ name: "ana", passphrase: PASSPHRASE, at })).toEqual(Array(8).fill("in"));
  const wrong = await eight({ name: "ana", at });
  expect(wrong.sort()).toEqual([...Array(5).fill("locked"), ...Array(3).fill("wrong")]);
  expect(await tried({ name: "ana", passphrase: PASSPHRASE, at })).toBe("locked");
});
