// One peer in a separate process, with commands and answers as JSON lines. If a peer leaks memory or hangs, this ends with its
// process.
// node bench/effects-peer.mjs INDEX
import { createInterface } from "node:readline";
import { PEERS } from "./effects-peers.mjs";

const REPEATS = 40;
/** Peers differ by orders of magnitude; each command is repeated as often as fits. */
const BUDGET_US = 400;

const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const print = process.stdout.write.bind(process.stdout);
const peer = PEERS[Number(process.argv[2])];
// Peers print messages about commands that they cannot parse.
for (const name of ["log", "debug", "info", "warn", "error"]) console[name] = () => undefined;
const ask = await peer.build();
await ask("ls");

for await (const line of createInterface({ input: process.stdin })) {
  const { at, command } = JSON.parse(line);
  let count = 0;
  let unasked = false;
  const before = cpuUs();
  do {
    unasked = await ask(command);
    count++;
  } while (count < REPEATS && cpuUs() - before < BUDGET_US);
  print(`${JSON.stringify({ at, unasked, us: (cpuUs() - before) / count })}\n`);
}
process.exit(0);
