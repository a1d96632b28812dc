import { expect, test } from "vitest";
import { isInTheClear } from "./site.ts";

test.each([
  ["http://127.0.0.1:4141", "127.0.0.1", false],
  ["http://127.0.0.1:4141", "127.8.9.1", false],
  ["http://localhost:4141", "localhost", false],
  ["http://[::1]:4141", "::1", false],
  ["https://leeway.example.com", "0.0.0.0", false],
  ["https://leeway.example.com", "127.0.0.1", false],
  ["http://0.0.0.0:4141", "0.0.0.0", true],
  ["http://[::]:4141", "::", true],
  ["http://192.168.1.5:4141", "192.168.1.5", true],
  ["http://leeway.lan", "127.0.0.1", true],
  ["http://localhost:4141", "0.0.0.0", true],
  ["http://127.0.0.1.evil.example", "127.0.0.1", true],
  ["http://localhost.evil.example", "127.0.0.1", true],
])("a server at %s that listens on %s sends unencrypted traffic over a network: %s", (origin, host, isClear) => {
  expect(isInTheClear({ origin, host })).toBe(isClear);
});
