import { once } from "../values/once.ts";
import { AWS_READS_A_TO_ECS } from "./cloud-reads/aws-a-to-ecs.ts";
import { AWS_READS_EFS_TO_Z } from "./cloud-reads/aws-efs-to-z.ts";
import { AZ_READS } from "./cloud-reads/az.ts";
import { GCLOUD_READS } from "./cloud-reads/gcloud.ts";
import { type FactTable, type Form, factsIn, namesIn, type Paragraph, paragraphsOf } from "./facts.ts";

// Commands of the clouds that change nothing and show no secret.

const AWS: readonly FactTable[] = [
  { file: "cloud-reads/aws-a-to-ecs.ts", text: AWS_READS_A_TO_ECS },
  { file: "cloud-reads/aws-efs-to-z.ts", text: AWS_READS_EFS_TO_Z },
];
const GCLOUD: FactTable = { file: "cloud-reads/gcloud.ts", text: GCLOUD_READS };
const AZ: FactTable = { file: "cloud-reads/az.ts", text: AZ_READS };

export const CLOUD_TABLES: readonly FactTable[] = [...AWS, GCLOUD, AZ];

const AWS_FORM: Form = { reads: "often", narrow: "often" };

/** Operations of aws as `service operation`: those that only read, and those that only read if harmless fields are selected. */
export const awsReads = once(() => {
  const found = { services: new Set<string>(), plain: new Set<string>(), narrow: new Set<string>() };
  for (const paragraph of AWS.flatMap(paragraphsOf)) {
    const service = groupsIn(paragraph)[0] ?? "";
    found.services.add(service);
    for (const { word, rest } of factsIn(paragraph, AWS_FORM)) {
      const [verb = "", ...nouns] = rest.split(" ");
      const operations = word === "reads" ? found.plain : found.narrow;
      for (const noun of nouns) operations.add(`${service} ${noun === "." ? verb : `${verb}-${noun}`}`);
    }
  }
  return found;
});

/** Commands by their whole path, and which output is allowed: all of it, only selected fields, or selected fields unless it is a table. */
export type Reads = ReadonlyMap<string, "" | "*" | "~">;

export const gcloudReads = once(() => readsIn(GCLOUD));
export const azReads = once(() => readsIn(AZ));

function readsIn(table: FactTable): Reads {
  const found = new Map<string, "" | "*" | "~">();
  for (const paragraph of paragraphsOf(table)) {
    const verbs = factsIn(paragraph, { reads: "often" }).flatMap(({ rest }) => rest.split(" "));
    for (const group of groupsIn(paragraph)) {
      for (const verb of verbs) {
        const mark = verb.endsWith("*") ? "*" : verb.endsWith("~") ? "~" : "";
        found.set(`${group} ${verb.slice(0, verb.length - mark.length)}`.trim(), mark);
      }
    }
  }
  return found;
}

/** The names of a paragraph without the program name at their start. */
function groupsIn(paragraph: Paragraph): string[] {
  return namesIn(paragraph).map((name) => name.split(" ").slice(1).join(" "));
}
