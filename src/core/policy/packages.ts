import { PACKAGE_KINDS, type PackageKind, type PackageSource } from "../box.ts";
import { say } from "../messages/message.ts";
import { PUBLIC_REGISTRIES } from "../tables/packages/package-managers.ts";
import { object, optional } from "./map-shape.ts";
import { list, oneOf, type PolicyShape, refine, text } from "./shape.ts";

// The registries that programs in a box may read: a list of kinds for the public ones, or a map with addresses.

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Without encryption only on this machine: whoever is on the way could put other packages there. */
const address = refine(text("thing.registry_address"), (given, tree, faults) => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (url !== undefined && isSafe && /^[^@?#]*$/.test(given)) return url.href.endsWith("/") ? url.href : `${url.href}/`;
  faults.add(tree.at, say("policy.not_a_registry", { address: given }), say("policy.write_registry"));
  return undefined;
});

const kind = oneOf("thing.package_kind", PACKAGE_KINDS);
const kinds = list(kind);
const addresses = object("thing.registries", {
  npm: optional(address),
  pypi: optional(address),
  go: optional(address),
  crates: optional(address),
});

export const packages: PolicyShape<readonly PackageSource[]> = {
  schema: { anyOf: [{ type: "array", items: kind.schema }, addresses.schema] },
  read: (tree, faults) => {
    if (tree.is !== "list") {
      const read = addresses.read(tree, faults);
      return read === undefined ? undefined : PACKAGE_KINDS.flatMap((one) => sourceAt(one, read[one]));
    }
    // An empty list closes all of them.
    const read = tree.items.length === 0 ? [] : kinds.read(tree, faults);
    return read?.map((one) => ({ kind: one, from: PUBLIC_REGISTRIES[one] }));
  },
};

function sourceAt(one: PackageKind, from: string | undefined): readonly PackageSource[] {
  return from === undefined ? [] : [{ kind: one, from }];
}
