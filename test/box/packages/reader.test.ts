import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text as allText } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { makeReader } from "../../../src/box/packages/reader.ts";
import { LIMITS } from "../../../src/box/packages/upstream.ts";
import type { PackageKind } from "../../../src/core/box.ts";
import { type Answer, openRegistry } from "./registry.ts";

// What a program in a box can say to a registry: which package it wants, and nothing else.

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const AT = "http://127.0.0.1:9/";

async function opened(
  kind: PackageKind,
  answers: { [path: string]: Answer | "hangs" } | ((origin: string) => { [path: string]: Answer | "hangs" }),
  { base = "/", limits = LIMITS } = {},
) {
  const registry = await openRegistry(typeof answers === "function" ? answers : () => answers);
  const reader = makeReader({ kind, from: `${registry.origin}${base}` }, AT, { limits });
  await new Promise<void>((resolve) => reader.server.listen(0, "127.0.0.1", resolve));
  ends.push(registry.end, reader.close);
  const { port } = reader.server.address() as AddressInfo;
  const ask = (path: string, how: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const { method = "GET", headers = {}, body } = how;
      request({ host: "127.0.0.1", port, path, method, headers })
        .on("response", (got) => {
          allText(got).then((text) => resolve({ status: got.statusCode ?? 0, text }), reject);
        })
        .on("error", reject)
        .end(body);
    });
  return { ...registry, reader, port, ask, urls: () => registry.asked.map(({ method, url }) => `${method} ${url}`) };
}

test("only the path of a request reaches the registry: no header, no credential, no body", async () => {
  const on = await opened("npm", { "/@a%2fb": { body: "{}" } });
  const headers = {
    accept: "application/vnd.npm.install-v1+json; q=1.0, secret",
    authorization: "Bearer secret",
    cookie: "secret",
    "user-agent": "secret",
    referer: "secret",
    "npm-session": "secret",
    "if-none-match": "secret",
  };
  expect(await on.ask("/@a%2fb", { headers })).toEqual({ status: 200, text: "{}" });
  expect(on.asked).toEqual([
    {
      method: "GET",
      url: "/@a%2fb",
      headers: {
        accept: "application/vnd.npm.install-v1+json, application/json;q=0.8",
        "accept-encoding": "gzip",
        "user-agent": "leeway-package-reader",
        host: on.origin.slice("http://".length),
        connection: "keep-alive",
      },
      body: "",
    },
  ]);
});

const LONG = "a".repeat(200);

test.each<[PackageKind, string[]]>([
  [
    "npm",
    [
      "/-/npm/v1/security/audits",
      "/-/v1/search",
      "/-/user/org.couchdb.user:a",
      "/_session",
      "/a/-/a.zip",
      "/a/1.0.0",
      `/${LONG}`,
      `/a/-/a-1${LONG}.tgz`,
      "/a/-/other-1.0.0.tgz",
      "/a?write=true",
      "/a/../b",
      "/..%2fb",
      "/a/b/c",
      "//other.example/a",
      "/a%00b",
      "/%61",
    ],
  ],
  [
    "pypi",
    [
      "/simple/",
      "/legacy/",
      `/simple/${LONG}/`,
      "/simple/a/b/",
      "/files/0/packages/never-offered.whl",
      "/files/9/a.whl",
    ],
  ],
  [
    "go",
    [
      "/a.example/b/@v/v1.0.0.exe",
      "/a.example/@v/../x",
      "/sumdb/other.example/latest",
      `/${LONG}/@v/list`,
      "/a.example/b?go-get=1",
    ],
  ],
  ["crates", ["/api/v1/crates/new", "/se/rd/other", `/aa/aa/${LONG}`, "/me", "/dl/a/../download", "/config.json?x=1"]],
])("a path that the protocol of %s does not have is refused, and the registry is not asked", async (kind, paths) => {
  const on = await opened(kind, {});
  const answers = await Promise.all(paths.map((path) => on.ask(path)));
  expect(answers.map(({ status }, i) => `${paths[i]} ${status}`)).toEqual(paths.map((path) => `${path} 403`));
  expect(on.urls()).toEqual([]);
  expect([...on.reader.refused]).toEqual([on.origin.slice("http://".length)]);
});

test("publishing and every other method are refused, also with a body on a method that reads", async () => {
  const on = await opened("npm", { "/a": { body: "{}" } });
  const methods = ["PUT", "POST", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];
  const answers = await Promise.all(methods.map((method) => on.ask("/a", { method, body: "the project" })));
  answers.push(await on.ask("/a", { method: "GET", body: "the project", headers: { "content-length": "11" } }));
  answers.push(await on.ask("/a", { method: "GET", body: "x", headers: { "transfer-encoding": "chunked" } }));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(403));
  expect(on.urls()).toEqual([]);
});

test("another host cannot be named: not in the request line, not by a tunnel, not by an upgrade", async () => {
  const on = await opened("npm", { "/a": { body: "{}" } });
  const other = await openRegistry(() => ({ "/a": { body: "{}" } }));
  ends.push(other.end);
  expect((await on.ask(`${other.origin}/a`)).status).toBe(403);
  const { host } = new URL(other.origin);
  const said = (line: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(on.port, "127.0.0.1", () => socket.write(line));
      let text = "";
      socket.on("data", (bytes) => (text += bytes)).on("close", () => resolve(text.split("\r\n")[0] ?? ""));
    });
  expect(await said(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toBe("");
  const upgrade = "GET /-/a HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";
  expect(await said(upgrade)).toBe("HTTP/1.1 403 Forbidden");
  expect((await on.ask("/a", { headers: { host } })).status).toBe(200);
  expect({ named: other.asked, own: on.urls() }).toEqual({ named: [], own: ["GET /a"] });
});

test("a redirection is not followed, wherever it leads", async () => {
  const other = await openRegistry(() => ({ "/a": { body: "{}" } }));
  ends.push(other.end);
  const to = (location: string): Answer => ({ status: 302, headers: { location }, body: "" });
  const on = await opened("npm", { "/a": to(`${other.origin}/a`), "/b": to("/c"), "/c": { body: "{}" } });
  expect([(await on.ask("/a")).status, (await on.ask("/b")).status]).toEqual([502, 502]);
  expect({ other: other.asked, own: on.urls() }).toEqual({ other: [], own: ["GET /a", "GET /b"] });
});

test("an answer that is too large, unpacks to too much, is packed in an unknown way or never comes is an error", async () => {
  const limits = { documentBytes: 10_000, archiveBytes: 20_000, idleMs: 300, wholeMs: 2_000 };
  const bomb = gzipSync(Buffer.alloc(5_000_000));
  const on = await opened(
    "npm",
    {
      "/large": { body: " ".repeat(10_001) },
      "/bomb": { body: bomb, headers: { "content-encoding": "gzip" } },
      "/brotli": { body: "x", headers: { "content-encoding": "br" } },
      "/broken": { body: "x", headers: { "content-encoding": "gzip" } },
      "/hangs": "hangs",
      "/a/-/a-2.0.0.tgz": { body: " ".repeat(20_001) },
      "/a/-/a-3.0.0.tgz": { body: bomb, headers: { "content-encoding": "gzip" } },
      "/a/-/a-1.0.0.tgz": { body: " ".repeat(20_000) },
    },
    { limits },
  );
  expect(bomb.length).toBeLessThan(limits.documentBytes);
  const wrong = ["/large", "/bomb", "/brotli", "/broken", "/hangs", "/a/-/a-2.0.0.tgz", "/a/-/a-3.0.0.tgz"];
  for (const path of wrong) expect(`${path} ${(await on.ask(path)).status}`).toBe(`${path} 502`);
  expect((await on.ask("/a/-/a-1.0.0.tgz")).text.length).toBe(20_000);
});

test("after many names that do not exist nothing is asked any more: little can be told by names", async () => {
  const on = await opened("npm", { "/real": { body: "{}" } });
  for (let i = 0; i < 200; i++) expect((await on.ask(`/told-${i}`)).status).toBe(404);
  expect([(await on.ask("/told-200")).status, (await on.ask("/real")).status]).toEqual([403, 403]);
  expect(on.asked.length).toBe(200);
});

test("names asked for at the same time count before the registry answers, and so does every answer but the package", async () => {
  const told = Array.from({ length: 1000 }, (_, i) => `/told-${i}`);
  const forbidden = Object.fromEntries(told.map((path) => [path, { status: 403, body: "" }]));
  for (const answers of [{}, forbidden]) {
    const on = await opened("npm", answers);
    const statuses = await Promise.all(told.map(async (path) => (await on.ask(path)).status));
    expect({ asked: on.asked.length, answered: statuses.length }).toEqual({ asked: 200, answered: 1000 });
  }
});

test("packages that exist do not count, however many are asked for", async () => {
  const paths = Array.from({ length: 300 }, (_, i) => `/real-${i}`);
  const on = await opened("npm", Object.fromEntries(paths.map((path) => [path, { body: "{}" }])));
  for (const path of paths) expect((await on.ask(path)).status).toBe(200);
});

test("links of a Python index lead to the reader, those to other hosts lead nowhere, and only offered files are given", async () => {
  const page = (origin: string) =>
    `<a href="../../packages/a-1.whl#sha256=00">a</a><a href="${origin}/packages/a-2.tar.gz">b</a>` +
    `<a href="https://other.example/a-3.whl">c</a><a href='https://other.example/a-4.whl'>d</a>`;
  const files = (origin: string) =>
    JSON.stringify({
      name: "a",
      files: [{ filename: "a-1.whl", url: "/packages/a-1.whl" }, { url: `${origin}.example/a` }],
    });
  const on = await opened(
    "pypi",
    (origin) => ({
      "/simple/a/": { type: "text/html", body: page(origin) },
      "/simple/b/": { type: "application/vnd.pypi.simple.v1+json", body: files(origin) },
      "/simple/c/": { type: "text/html", body: `<base href="https://other.example/">${page(origin)}` },
      "/packages/a-1.whl": { body: "wheel" },
      "/packages/a-1.whl.metadata": { body: "metadata" },
      "/packages/secret.whl": { body: "secret" },
    }),
    { base: "/simple/" },
  );
  expect((await on.ask("/files/0/packages/a-1.whl")).status).toBe(403);
  expect((await on.ask("/simple/a/")).text).toBe(
    `<a href="${AT}files/0/packages/a-1.whl#sha256=00">a</a><a href="${AT}files/0/packages/a-2.tar.gz">b</a>` +
      `<a href="">c</a><a href="">d</a>`,
  );
  expect(JSON.parse((await on.ask("/simple/b/")).text)).toEqual({
    name: "a",
    files: [{ filename: "a-1.whl", url: `${AT}files/0/packages/a-1.whl` }],
  });
  expect((await on.ask("/simple/c/")).status).toBe(502);
  expect((await on.ask("/files/0/packages/a-1.whl")).text).toBe("wheel");
  expect((await on.ask("/files/0/packages/a-1.whl.metadata")).text).toBe("metadata");
  expect((await on.ask("/files/0/packages/secret.whl")).status).toBe(403);
});

test("archives of crates come from the host of the index, and from no other that it names", async () => {
  const good = await opened("crates", (origin) => ({
    "/config.json": {
      body: JSON.stringify({ dl: `${origin}/crates/{crate}-{version}.crate`, api: "https://a.example" }),
    },
    "/se/rd/serde": { body: "{}" },
    "/crates/serde-1.0.0.crate": { body: "crate" },
  }));
  expect((await good.ask("/config.json")).text).toBe(`{"dl":"${AT}dl"}`);
  expect((await good.ask("/se/rd/serde")).text).toBe("{}");
  expect((await good.ask("/dl/serde/1.0.0/download")).text).toBe("crate");
  const bad = await opened("crates", {
    "/config.json": { body: JSON.stringify({ dl: "https://other.example/crates" }) },
  });
  expect((await bad.ask("/dl/serde/1.0.0/download")).status).toBe(403);
});

test("the paths that Go asks its proxy and its checksum database for are passed on", async () => {
  const paths = [
    "/github.com/!burnt!sushi/toml/@v/list",
    "/github.com/!burnt!sushi/toml/@v/v1.4.0.info",
    "/github.com/!burnt!sushi/toml/@v/v1.4.0.mod",
    "/github.com/!burnt!sushi/toml/@v/v1.4.0.zip",
    "/golang.org/x/net/@latest",
    "/gopkg.in/yaml.v3/@v/v3.0.1.mod",
    "/example.com/a/@v/v2.0.0+incompatible.info",
    "/sumdb/sum.golang.org/supported",
    "/sumdb/sum.golang.org/latest",
    "/sumdb/sum.golang.org/lookup/golang.org/x/net@v0.1.0",
    "/sumdb/sum.golang.org/tile/8/0/x001/234",
    "/sumdb/sum.golang.org/tile/8/1/123.p/45",
    "/sumdb/sum.golang.org/tile/8/data/x001/234",
  ];
  const on = await opened("go", Object.fromEntries(paths.map((path) => [path, { body: path }])));
  for (const path of paths) expect(await on.ask(path)).toEqual({ status: 200, text: path });
  expect(on.urls()).toEqual(paths.map((path) => `GET ${path}`));
});
