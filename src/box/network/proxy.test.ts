import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { makeProxy } from "./proxy.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A server that speaks TLS for `localhost`, with a certificate made for this test. */
async function tlsServer(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "leeway-tls-"));
  closing.push(() => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, "key"), join(folder, "cert")];
  const made = spawnSync("openssl", [
    ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost -keyout".split(
      " ",
    ),
    ...[key, "-out", cert],
  ]);
  expect(made.status).toBe(0);
  return listening(
    createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (inner) => inner.end("hello")),
  );
}

/** What comes back through a tunnel, with this name in the greeting. */
async function through(proxy: number, target: string, servername: string): Promise<string> {
  const inner = connect(proxy, "127.0.0.1");
  inner.write(`CONNECT ${target} HTTP/1.1\r\n\r\n`);
  const [answer] = (await once(inner, "data")) as [Buffer];
  if (!answer.toString().includes(" 200 ")) return answer.toString().split("\r\n")[0] ?? "";
  const outer = connectTls({ socket: inner, servername, rejectUnauthorized: false });
  return new Promise((resolve) => {
    outer.on("data", (bytes) => resolve(bytes.toString())).on("error", () => resolve("cut off"));
    inner.on("close", () => resolve("cut off"));
  });
}

test("a tunnel leads to a listed host under its own name, and nowhere else", async () => {
  const port = await tlsServer();
  const proxy = makeProxy(["localhost"]);
  closing.push(proxy.close);
  const own = await listening(proxy.server);
  expect(await through(own, `localhost:${port}`, "localhost")).toBe("hello");
  expect(await through(own, `localhost:${port}`, "evil.test")).toBe("cut off");
  expect(await through(own, `127.0.0.1:${port}`, "localhost")).toBe("HTTP/1.1 403 Forbidden");
  expect([...proxy.refused]).toEqual(["evil.test", "127.0.0.1"]);
});

test("a listed host without an address is no refusal of the walls, and the program is told what is wrong", async () => {
  const proxy = makeProxy(["nowhere.invalid"]);
  closing.push(proxy.close);
  const own = await listening(proxy.server);
  expect(await through(own, "nowhere.invalid:443", "nowhere.invalid")).toBe("HTTP/1.1 502 Bad Gateway");
  const plain = connect(own, "127.0.0.1");
  plain.write("GET http://nowhere.invalid/ HTTP/1.1\r\nHost: nowhere.invalid\r\n\r\n");
  expect(await text(plain)).toMatch(/^HTTP\/1\.1 502 [\s\S]*no address is known for this host/);
  expect([...proxy.refused]).toEqual([]);
});
