import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openWebSocket, type WebSocketOptions } from "../../src/channels/web-socket.ts";
import { until } from "./suite.ts";
import { acceptWebSockets, type Peer, serverFrame } from "./web-socket-server.ts";

type Given = { accept?: () => 101 | 403; silentMs?: number; more?: Partial<WebSocketOptions> };

async function serving({ accept = () => 101 as const }: Given = {}) {
  const server = createServer((_, response) => void response.writeHead(404).end());
  const peers = acceptWebSockets(server, accept, () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const peer of peers) peer.break();
    server.closeAllConnections();
    server.close();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/link?ticket=1`, peers };
}

async function connected(given: Given = {}) {
  const { url, peers } = await serving(given);
  const heard: string[] = [];
  const { silentMs, more } = given;
  const link = await openWebSocket({
    url,
    nearby: true,
    onText: (text) => heard.push(text),
    ...(silentMs === undefined ? {} : { silentMs }),
    ...more,
  });
  const peer = await until(
    () => peers[0],
    (one) => one !== undefined,
  );
  return { link, heard, peer: peer as Peer };
}

test("texts of every length go both ways, each frame of the client with a mask", async () => {
  const { link, heard, peer } = await connected();
  const texts = ["", "a", "b".repeat(125), "c".repeat(126), "d".repeat(65_535), "e".repeat(65_536), "问题 ✓"];
  for (const text of texts) {
    link.send(text);
    peer.send(text);
  }
  await until(
    () => [peer.texts.length, heard.length],
    ([a, b]) => a === texts.length && b === texts.length,
  );
  expect([peer.texts, heard, peer.faults, peer.path]).toEqual([texts, texts, [], "/link?ticket=1"]);
});

test("a text in several frames, in pieces of any size, with a ping between, is one text", async () => {
  const { heard, peer } = await connected();
  const bytes = Buffer.concat([
    serverFrame(1, Buffer.from("问").subarray(0, 2), { isLast: false }),
    serverFrame(9, "still there?"),
    serverFrame(0, Buffer.concat([Buffer.from("问").subarray(2), Buffer.from("and ")]), { isLast: false }),
    serverFrame(0, "more"),
  ]);
  for (const byte of bytes) {
    peer.raw(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(
    () => heard,
    (all) => all.length > 0,
  );
  expect([heard, peer.pongs]).toEqual([["问and more"], ["still there?"]]);
});

test("what a server must not send ends the connection and says why", async () => {
  const masked = Buffer.from([0x81, 0x81, 1, 2, 3, 4, 5]);
  const wrong: [Buffer, string][] = [
    [masked, "the service sent a malformed frame"],
    [Buffer.from([0xc1, 0x00]), "the service sent a malformed frame"],
    [serverFrame(2, "bytes"), "the service sent a frame of an unknown kind (2)"],
    [serverFrame(0, "no start"), "the service mixed up two texts"],
    [serverFrame(9, "x".repeat(126)), "a control frame is too long"],
    [serverFrame(1, Buffer.from([0xff, 0xfe])), "a text is not UTF-8"],
    [Buffer.from([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0]), "a text is too long"],
  ];
  for (const [bytes, why] of wrong) {
    const { link, peer, heard } = await connected();
    peer.raw(bytes);
    expect([await link.ended, heard]).toEqual([why, []]);
  }
});

test("a goodbye of the server is answered, and its reason is told", async () => {
  const { link, peer } = await connected();
  peer.close(1012);
  expect(await link.ended).toBe("the service closed the connection (1012)");
  link.send("too late");
  expect(peer.faults).toEqual([]);
});

test("a goodbye of the client ends the connection", async () => {
  const { link, peer } = await connected();
  link.close();
  expect(await link.ended).toBe("closed here");
  expect(peer.faults).toEqual([]);
});

test("a server that says nothing more is noticed, and one that answers pings is not", async () => {
  const alive = await connected({ silentMs: 300 });
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect([alive.peer.isOpen(), alive.peer.pings > 2]).toEqual([true, true]);
  const half = createServer();
  half.on("upgrade", (request, socket) => {
    // Opens the connection, and then lets it hang.
    acceptOnly(request.headers["sec-websocket-key"] ?? "", (head) => socket.write(head));
  });
  await new Promise<void>((resolve) => half.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void half.close());
  const url = `ws://127.0.0.1:${(half.address() as AddressInfo).port}/`;
  const link = await openWebSocket({ url, nearby: true, onText: () => undefined, silentMs: 300 });
  expect(await link.ended).toBe("the service is silent");
});

test("a server that does not open the connection, or answers as another, is told from one that does", async () => {
  const refusing = await serving({ accept: () => 403 });
  const open = (url: string, nearby = true) => openWebSocket({ url, nearby, onText: () => undefined });
  await expect(open(refusing.url)).rejects.toMatchObject({
    kind: "down",
    message: "the connection did not open: the service answered 403",
  });
  const forged = createServer();
  forged.on("upgrade", (_, socket) => acceptOnly("another key", (head) => socket.write(head)));
  await new Promise<void>((resolve) => forged.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void forged.close());
  await expect(open(`ws://127.0.0.1:${(forged.address() as AddressInfo).port}/`)).rejects.toMatchObject({
    message: "the connection did not open: the service does not speak WebSocket",
  });
});

test("an address on this machine, or one without encryption, is refused unless the policy names it", async () => {
  const open = (url: string) => openWebSocket({ url, nearby: false, onText: () => undefined });
  await expect(open("wss://127.0.0.1:1/")).rejects.toMatchObject({ kind: "refused" });
  await expect(open("ws://slack.example/")).rejects.toMatchObject({
    kind: "refused",
    message: "the address of the connection is not wss",
  });
});

function acceptOnly(key: string, write: (head: string) => void): void {
  const proof = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${proof}\r\n\r\n`,
  );
}
