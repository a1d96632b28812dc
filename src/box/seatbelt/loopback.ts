import type { AddressInfo } from "node:net";
import type { WallRefusal, Walls } from "../../core/box.ts";
import { withoutProxy } from "../network/doorway.ts";
import { makeProxy } from "../network/proxy.ts";

/** The way from a box on macOS to the listed domains: a proxy at a port of this machine, the only one that the box can reach. */
export type Loopback = {
  ports: readonly number[];
  env: Readonly<Record<string, string>>;
  close(): readonly WallRefusal[];
};

const NO_WAY: Loopback = { ports: [], env: {}, close: () => [] };

export async function openLoopback({ network }: Walls): Promise<Loopback> {
  if (network === "any" || network.length === 0) return NO_WAY;
  const { server, refused, close } = makeProxy(network);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    ports: [port],
    env: variablesFor(`http://127.0.0.1:${port}`, withoutProxy(network, [])),
    close: () => {
      close();
      return [...refused].map((domain) => ({ of: "network", domain }));
    },
  };
}

function variablesFor(proxy: string, near: string): Record<string, string> {
  const named = ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [
    [name, proxy],
    [name.toUpperCase(), proxy],
  ]);
  return { ...Object.fromEntries(named), NODE_USE_ENV_PROXY: "1", no_proxy: near, NO_PROXY: near };
}
