import { EXTRA } from "../launch.ts";

/** What the forwarder listens for, each at a port of the box's own loopback address; and variables for the program. */
export type Forwarding = {
  proxy?: { socket: string; near: string };
  ports: readonly { socket: string; port: number }[];
  env: Readonly<Record<string, string>>;
};

/**
 * The first program in a box with listed domains or registries, as text for `node -e`: it listens on the box's own loopback
 * address, takes every connection to the socket behind it, starts the program, and ends as the program ends.
 */
export const FORWARDER = `
const { connect, createServer } = require("node:net");
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { fstatSync, readdirSync, readFileSync } = require("node:fs");
const [forwarding, program, name, ...args] = process.argv.slice(1);
// Before anything else is opened: what the program tells whoever started the box goes there.
const keepsExtra = readdirSync("/proc/self/fd").includes("${EXTRA}") && fstatSync(${EXTRA}).isSocket();
const stdio = ["inherit", "inherit", "inherit", ...(keepsExtra ? [...Array(${EXTRA} - 3).fill("ignore"), ${EXTRA}] : [])];
const { proxy, ports, env: given } = JSON.parse(forwarding);
// The process group, as the box numbers it: 0 is a group that began outside.
const isOwnGroup = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ")[2] !== "0";
const listening = ({ socket, port }) => new Promise((resolve) => {
  const server = createServer((inner) => {
    const outer = connect(socket);
    const end = () => { inner.destroy(); outer.destroy(); };
    inner.on("error", end).on("close", end).pipe(outer);
    outer.on("error", end).on("close", end).pipe(inner);
  });
  server.on("error", (error) => { console.error("the network of this box could not be opened: " + error.message); process.exit(125); });
  server.listen(port, "127.0.0.1", () => resolve(server.address().port));
});
Promise.all([...(proxy === undefined ? [] : [{ ...proxy, port: 0 }]), ...ports].map(listening)).then(([first]) => {
  const env = { ...process.env, ...given };
  if (proxy !== undefined) {
    env.NODE_USE_ENV_PROXY = "1";
    for (const one of ["http_proxy", "https_proxy", "all_proxy"]) env[one] = env[one.toUpperCase()] = "http://127.0.0.1:" + first;
    env.no_proxy = env.NO_PROXY = proxy.near;
  }
  const child = spawn(program, args, { argv0: name, stdio, env });
  child.on("error", (error) => { console.error(name + ": " + error.message); process.exit(127); });
  for (const signal of ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"]) {
    // In a group of its own everything hears each signal; otherwise only what a terminal sends.
    process.on(signal, () => { if (!isOwnGroup && (signal === "SIGTERM" || signal === "SIGHUP")) child.kill(signal); });
  }
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
});
`;
