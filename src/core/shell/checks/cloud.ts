import { graver } from "../../classify/protect.ts";
import type { EffectClass } from "../../effect.ts";
import { plain, type Word } from "../script.ts";
import { type Line, takeWord } from "../uses.ts";

function worsen(line: Line, kind: EffectClass): void {
  line.class = graver(line.class, kind);
}

/** Words in front of the first option, after the options that stand before all of them. */
function pathOf(line: Line, valued: ReadonlySet<string>): { path: readonly string[]; rest: readonly Word[] } {
  const words = line.simple.words.slice(1);
  if (line.simple.more !== undefined || words.some((word) => word.kind === "open")) {
    line.doubts.add("a word is known only when the command runs");
  }
  let at = 0;
  while (at < words.length && words[at]?.text.startsWith("-")) at += valued.has(words[at]?.text ?? "") ? 2 : 1;
  let end = at;
  while (end < words.length && words[end]?.kind === "plain" && !/^-./.test(words[end]?.text ?? "")) end++;
  return { path: words.slice(at, end).map((word) => word.text), rest: [...words.slice(0, at), ...words.slice(end)] };
}

/** Values such as `file://name` and `@name` stand for what the file holds. */
function takeFiles(line: Line, words: readonly Word[]): void {
  for (const word of words) {
    const file = /^(?:--[\w-]+=)?(?:fileb?:\/\/|@)(.+)$/.exec(word.text)?.[1];
    if (file !== undefined && file !== "-") takeWord(line, "read", plain(file));
  }
}

const AWS_VALUED = new Set(
  "--profile --region --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout --endpoint-url --cli-binary-format".split(
    " ",
  ),
);
const AWS_READING =
  /^(describe|list|get|head|lookup|search|scan|query|select|batch-get|estimate|validate|filter|wait|ls|tail|help)(-|$)/;
/** They do not sound like it, and have a key or a password in what they show. */
const AWS_SHOWING =
  /^(appsync list-api-keys|glue get-connections?|cognito-idp describe-user-pool-client|lambda (get-function|get-function-configuration|list-functions-with-code)|ecr-public get-login-password|codebuild batch-get-projects|amplify get-(app|branch)|apprunner describe-service|elasticbeanstalk describe-configuration-settings)$/;
const AWS_SECRET =
  /^(get|batch-get|create|generate|assume|request|export)-.*(secret|token|password|credential|private|key-pair|api-key|access-key|data-key|role|access-details)/;
const AWS_RIGHTS = /^(iam|sso-admin|identitystore|organizations|ram|configure|sso|accessanalyzer)$/;
const AWS_GRANTING =
  /(policy|permission|-acl|public-access|authorize-|revoke-|grant|access-entry|-role$|security-group)/;
const AWS_STARTING = /^(invoke|execute-command|start-session|send-command|run-task|invoke-async|execute)$/;

/** `aws service operation`: the first part of the operation's name says whether it only looks. */
export function checkAws(line: Line): void {
  const { path, rest } = pathOf(line, AWS_VALUED);
  const [service = "", operation = "", ...more] = path;
  takeFiles(line, rest);
  if (rest.some((word) => /^--(endpoint-url|no-verify-ssl|cli-input)/.test(word.text))) {
    line.doubts.add("where the request goes, or what it holds, is not examined");
  }
  if (service === "s3") {
    takeStorage(line, operation, more, rest);
    return;
  }
  line.class = awsClass(service, operation, rest);
  if (
    /^(select-object-content|get-(object|export|sdk|media|job-output|snapshot-block|thing-shadow))$/.test(operation) &&
    line.class === "network.read"
  ) {
    line.doubts.add("which file is written is not examined");
  }
}

function awsClass(service: string, operation: string, rest: readonly Word[]): EffectClass {
  if (service === "") return rest.every((word) => /^--(version|help)$/.test(word.text)) ? "none" : "process.exec";
  if (service === "help" || operation === "help") return "none";
  if (service === "configure")
    return /^list(-profiles)?$/.test(operation)
      ? "fs.read"
      : operation === "get" || operation === "export-credentials"
        ? "secrets.read"
        : "permissions.change";
  if (service === "sts" && operation === "get-caller-identity") return "network.read";
  if (AWS_SHOWING.test(`${service} ${operation}`)) return "secrets.read";
  // What a machine is told when it starts often holds a password.
  if (operation === "describe-instance-attribute" && rest.some((word) => /user-?data/i.test(word.text)))
    return "secrets.read";
  if (service === "sts" || (service === "kms" && /decrypt|data-key/.test(operation))) return "secrets.read";
  if (service === "ssm" && /^get-parameter/.test(operation) && rest.some((word) => word.text === "--with-decryption"))
    return "secrets.read";
  if (AWS_SECRET.test(operation) && !/^get-(role|role-policy)$/.test(operation))
    return /^create-/.test(operation) && AWS_RIGHTS.test(service)
      ? "permissions.change"
      : /^create-/.test(operation) && !/key/.test(operation)
        ? "deploy.write"
        : "secrets.read";
  if (AWS_READING.test(operation)) return "network.read";
  if (AWS_RIGHTS.test(service) || AWS_GRANTING.test(operation)) return "permissions.change";
  return AWS_STARTING.test(operation) ? "process.exec" : "deploy.write";
}

/** Copies between here and a bucket, and what is taken out of one. */
function takeStorage(line: Line, operation: string, places: readonly string[], rest: readonly Word[]): void {
  const local = (text: string | undefined) => text !== undefined && !/^(s3|gs|arn):/.test(text);
  line.class = /^(ls|help)$/.test(operation)
    ? "network.read"
    : operation === "presign"
      ? "secrets.read"
      : "network.write";
  line.lasting = /^(rm|rb|mv)$/.test(operation) || rest.some((word) => word.text === "--delete");
  if (!/^(cp|mv|sync)$/.test(operation)) return;
  const [from, to, ...others] = places;
  if (from === undefined || to === undefined || others.length > 0) {
    line.doubts.add("what is copied where cannot be told");
    return;
  }
  if (local(from)) takeWord(line, operation === "mv" ? "move" : "read", plain(from), { deep: true });
  if (local(to)) takeWord(line, "write", plain(to));
  if (local(to) && !local(from) && operation !== "mv") line.class = "network.read";
  if (local(to) && rest.some((word) => word.text === "--delete")) takeWord(line, "delete", plain(to), { deep: true });
}

const GCLOUD_VALUED = new Set(
  "--project --account --format --configuration --verbosity --billing-project --impersonate-service-account --region --zone".split(
    " ",
  ),
);
const GCLOUD_GROUPS = new Set(
  "compute instances disks snapshots images networks subnets firewall-rules addresses forwarding-rules backend-services url-maps ssl-certificates zones regions machine-types instance-groups managed unmanaged instance-templates routers routes container clusters node-pools operations projects organizations folders iam roles service-accounts keys config configurations auth services sql databases backups users run revisions jobs executions functions app versions storage buckets objects pubsub topics subscriptions dns managed-zones record-sets logging logs metrics sinks monitoring dashboards policies artifacts repositories packages docker tags builds triggers secrets kms keyrings locations dataflow dataproc composer environments redis spanner bigtable firestore scheduler tasks queues workflows eventarc endpoints api-gateway ai models billing accounts beta alpha components source repos filestore asset resource-manager recommender".split(
    " ",
  ),
);
const GCLOUD_READING =
  /^(list|describe|get|get-(?!credentials)[\w-]+|info|version|help|read|search|search-all-resources|tail|ls|cat|du|hash|topic|list-[\w-]+)$/;
const GCLOUD_RIGHTS =
  /iam-policy|^(auth|config|get-credentials|add-.*binding|remove-.*binding|keys|roles|login|activate|revoke|init|configure-docker)/;

/** `gcloud group group verb name`: only groups that are known may stand before a verb that looks. */
export function checkGcloud(line: Line): void {
  const { path, rest } = pathOf(line, GCLOUD_VALUED);
  takeFiles(line, rest);
  if (rest.some((word) => /^--flags-file/.test(word.text))) line.doubts.add("further options stand in a file");
  if (line.simple.words.some((word) => /^--(impersonate|access-token-file)/.test(word.text)))
    line.doubts.add("it acts in another name than the one that signed in");
  const at = path.findIndex((word) => !GCLOUD_GROUPS.has(word));
  const verb = path[at] ?? path.at(-1) ?? "";
  const whole = path.slice(0, at === -1 ? path.length : at + 1).join(" ");
  if (path.length === 0)
    line.class = rest.every((word) => /^(--version|--help|-h|-v)$/.test(word.text)) ? "none" : "process.exec";
  else if (/print-.*token|versions access$|^kms decrypt|print-access|sign-/.test(whole)) line.class = "secrets.read";
  else if (GCLOUD_READING.test(verb)) line.class = "network.read";
  else if (GCLOUD_RIGHTS.test(verb) || /^(auth|config|iam) /.test(`${whole} `)) line.class = "permissions.change";
  else if (/^(ssh|scp|connect|call|execute|ssh-[\w-]+)$/.test(verb)) line.class = "process.exec";
  else line.class = path[0] === "storage" ? "network.write" : "deploy.write";
}

const AZ_VALUED = new Set("--subscription --output -o --query".split(" "));
const AZ_READING =
  /^(list|show|exists|wait|query|version|help|get|tail|list-[\w-]+|show-[\w-]+|check-[\w-]+|get-[\w-]+)$/;
const AZ_SECRET =
  /(^| )(secret (show|download)|secrets list|shared-key show|key download|certificate download|keys? list|list-keys|list-secrets|list-query-keys|get-access-token|credential[\w-]* \S+|.*connection-string.*|list-publishing-\w+|generate-sas|appsettings list|get-keys|show-keys|admin-key show|query-key list|auth-token|keys (show|list))($| )/;

/** `az group group verb`: the last word before the options is what is done. */
export function checkAz(line: Line): void {
  const { path, rest } = pathOf(line, AZ_VALUED);
  takeFiles(line, rest);
  const verb = path.at(-1) ?? "";
  const whole = path.join(" ");
  if (path.length === 0)
    line.class = rest.every((word) => /^(--version|--help|-h)$/.test(word.text)) ? "none" : "process.exec";
  else if (/^(login|logout|configure|upgrade|init)\b/.test(whole)) line.class = "permissions.change";
  else if (/^(config|extension) (?!list|show)/.test(whole)) line.class = "permissions.change";
  else if (/^(rest|interactive)\b/.test(whole)) line.class = "network.write";
  else if (/get-credentials$/.test(whole)) line.class = "permissions.change";
  else if (AZ_SECRET.test(whole)) line.class = "secrets.read";
  else if (AZ_READING.test(verb)) line.class = "network.read";
  else if (/^(role|ad|policy|lock|identity|keyvault)\b/.test(whole)) line.class = "permissions.change";
  else line.class = /^(invoke|ssh|exec|run)$/.test(verb) ? "process.exec" : "deploy.write";
}

const SECRETS = /^secrets?([./].*)?$/i;

/** Resources whose names stand for keys, in any of the ways kubectl takes them. */
export function checkKubectl(line: Line, operands: () => void): void {
  operands();
  if (line.simple.more !== undefined) line.doubts.add("what is asked for is known only when the command runs");
  const asked = line.operands.flatMap((word) => word.text.split(","));
  const raw = line.given.get("--raw") ?? [];
  for (const word of line.given.get("-o") ?? []) {
    const [, file] = /^(?:[a-z-]+-file|templatefile)=?(.*)$/s.exec(word?.text ?? "") ?? [];
    if (file !== undefined) takeWord(line, "read", plain(file));
    if (file === "") line.doubts.add("what is shown stands in another file");
  }
  if (
    asked.some((text) => SECRETS.test(text)) ||
    raw.some((word) => word === undefined || /secret/i.test(word.text) || word.kind !== "plain")
  ) {
    worsen(line, "secrets.read");
  }
}

/** All that is known of a container has its variables in it; a format that names something else does not. */
export function checkInspect(line: Line, operands: () => void): void {
  operands();
  const [format] = line.given.get("-f") ?? [];
  const type = line.given.get("--type")?.at(-1);
  if (type?.kind === "plain" && /^(image|network|volume)$/.test(type.text)) return;
  if (format?.kind !== "plain" || TELLS_ALL.test(format.text)) worsen(line, "secrets.read");
}

/** Variables by their name, and things that hold them: the whole of it, or all of its settings. */
const TELLS_ALL = /env|\$|\.(Config|ContainerConfig|Spec|ProcessConfig)(?![.\w])|(?<![\w)\]])\.(?!\w)|^(?!.*\{\{)/is;

/** What of this machine a container gets to see, and whether it may write there. */
export function checkContainer(line: Line, operands: () => void): void {
  operands();
  for (const word of line.given.get("-v") ?? []) {
    const [, place = "", mode = ""] = /^([^:]*):[^:]*(?::(.*))?$/.exec(word?.text ?? "") ?? [];
    if (/^[./~]/.test(place)) takeWord(line, /\bro\b/.test(mode) ? "read" : "write", plain(place), { deep: true });
    if (word?.kind === "open") line.doubts.add("which folder a container sees is known only when it runs");
  }
  for (const word of line.given.get("--mount") ?? []) {
    const place = /(?:^|,)(?:source|src)=([^,]+)/.exec(word?.text ?? "")?.[1];
    const reads = /(?:^|,)(readonly|ro)(=true|,|$)/.test(word?.text ?? "");
    if (place !== undefined && /^[./~]/.test(place))
      takeWord(line, reads ? "read" : "write", plain(place), { deep: true });
  }
}

/** Services that move money: only what lists and shows is free of it. */
export function checkStripe(line: Line, operands: () => void): void {
  operands();
  const words = line.operands.map((word) => word.text);
  const does = /^(post|delete|trigger|fixtures|samples|listen|serve|terminal)$/.test(words[0] ?? "");
  const reads =
    words[0] === "get" ||
    /^(list|retrieve|search|tail)$/.test(words[1] ?? "") ||
    /^(version|help|status|resources|completion)$/.test(words[0] ?? "");
  if (reads && !does && line.operands.every((word) => word.kind === "plain")) line.class = "network.read";
  if (/^(login|logout|config)$/.test(words[0] ?? "")) line.class = "permissions.change";
}
