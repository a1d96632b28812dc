import { expect, test } from "vitest";
import { browserOf } from "./forms.ts";
import { exchanged, statusOf } from "./raw.ts";
import { PASSPHRASE, served } from "./served.ts";

const BANNER = "Passphrases and tokens are sent over the network without encryption";
const WARNING = "passphrases and tokens are sent over the network without encryption";

test("a server that others reach without TLS warns in its log and warns admins on every page, and nobody else", async () => {
  const on = await served({ host: "0.0.0.0" });
  try {
    expect([on.warned, on.warnings]).toEqual(Array(2).fill([expect.stringContaining(WARNING)]));
    const [ana, ben] = [await browserOf(on, "ana"), await browserOf(on, "ben")];
    for (const path of ["/", "/people", "/settings"]) {
      const seen = [(await ana.look(path)).html, (await ben.look(path)).html].map((html) => html.includes(BANNER));
      expect([path, seen]).toEqual([path, [true, false]]);
    }
  } finally {
    await on.remove();
  }
});

test("on loopback, or behind an address with TLS, there is no warning", async () => {
  for (const given of [{}, { host: "0.0.0.0", url: "https://leeway.example.com" }]) {
    const on = await served(given);
    expect([on.warned, on.warnings]).toEqual([[], []]);
    await on.remove();
  }
});

test("with TLS, the sign-in cookie is sent only over TLS, and no other cookie is accepted", async () => {
  const on = await served({ url: "https://leeway.example.com" });
  try {
    const form = new URLSearchParams({ name: "ana", passphrase: PASSPHRASE }).toString();
    const sent = (lines: readonly string[]) => exchanged(on.port, lines.join("\r\n"));
    const head = ["Host: leeway.example.com", "Connection: close"];
    const posted = await sent([
      "POST /sign-in HTTP/1.1",
      ...head,
      "Origin: https://leeway.example.com",
      "Content-Type: application/x-www-form-urlencoded",
      `Content-Length: ${form.length}`,
      "",
      form,
    ]);
    const [, text = ""] =
      /set-cookie: __Host-leeway=([^;]+); Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure\r\n/i.exec(posted) ?? [];
    expect(text).not.toBe("");
    const statusWith = async (cookie: string) =>
      statusOf(await sent(["GET /v1/me HTTP/1.1", ...head, `Cookie: ${cookie}`, "", ""]));
    expect(await statusWith(`__Host-leeway=${text}`)).toBe(200);
    expect([await statusWith(`leeway-${on.port}=${text}`), await statusWith(`leeway=${text}`)]).toEqual([401, 401]);
  } finally {
    await on.remove();
  }
});
