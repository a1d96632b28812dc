import type { EffectClass } from "../../effect.ts";
import { type Message, say } from "../../messages/message.ts";
import { awsReads, azReads, gcloudReads, type Reads } from "../../tables/cloud-reads.ts";
import { once } from "../../values/once.ts";
import { type Line, takeWord } from "../path-uses.ts";
import { plain, type Word } from "../script.ts";
import {
  globalsFrom,
  isGiven,
  NARROW_FORMAT,
  NARROW_QUERY,
  nameOf,
  onlyHelps,
  pathOf,
  takeFiles,
  valueGiven,
} from "./cloud-words.ts";

const AWS_GLOBALS = globalsFrom(
  "--profile --region --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout --cli-binary-format --endpoint-url",
  "--no-verify-ssl --no-paginate --no-sign-request --no-cli-pager --cli-auto-prompt --no-cli-auto-prompt --debug --version --help",
);
const AWS_READING =
  /^(describe|list|get|head|lookup|search|scan|query|select|batch-get|estimate|validate|filter|wait|ls|tail|help)(-|$)/;
/** Operations that show a key, a password, variables or the start-up data of a machine. */
const AWS_SECRET =
  /^(get|batch-get|create|generate|assume|request|export)-.*(secret|token|password|credential|private|key-pair|api-key|access-key|data-key|role|access-details)/;
const AWS_RIGHTS = /^(iam|sso-admin|identitystore|organizations|ram|configure|sso|accessanalyzer)$/;
const AWS_GRANTING =
  /(policy|permission|-acl|public-access|authorize-|revoke-|grant|access-entry|-role$|security-group)/;
const AWS_STARTING = /^(invoke|execute-command|start-session|send-command|run-task|invoke-async|execute)$/;

/** `aws service operation`: only an operation of the table is known to be read-only. */
export function checkAws(line: Line): void {
  const { path, rest } = pathOf(line, AWS_GLOBALS);
  const [service = "", operation = "", ...more] = path;
  takeFiles(line, rest);
  if (isGiven(rest, ["--endpoint-url", "--no-verify-ssl", "--cli-input-json", "--cli-input-yaml"])) {
    line.doubts.add(say("note.request_not_examined"));
  }
  if (isGiven(rest, ["--debug"])) line.doubts.add(say("note.log_may_have_token"));
  if (service === "s3") {
    takeStorage(line, operation, more, rest);
    return;
  }
  if (isAwsRead(service, operation, rest)) {
    line.class = "network.read";
    return;
  }
  line.class = awsClass(service, operation, rest);
  if (operation === "" && rest.length > 0 && line.class !== "none") line.doubts.add(INCOMPLETE);
  if (line.class === "network.read") line.doubts.add(notKnown(`aws ${service} ${operation}`));
}

/** After an unknown option, or without a verb, it is unknown what is done. */
const INCOMPLETE = say("note.action_behind_unknown_option");

function notKnown(command: string): Message {
  return say("note.may_show_secret_or_write", { command });
}

function isAwsRead(service: string, operation: string, rest: readonly Word[]): boolean {
  const name = `${service} ${operation}`;
  if (service === "ssm" && isGiven(rest, ["--with-decryption"])) return false;
  if (awsReads().plain.has(name) || name === "logs tail") return true;
  if (operation === "wait") return awsReads().services.has(service);
  return awsReads().narrow.has(name) && NARROW_QUERY.test(valueGiven(rest, ["--query"]) ?? "");
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
  if (awsReads().narrow.has(`${service} ${operation}`)) return "secrets.read";
  if (service === "ssm" && /^get-parameter/.test(operation)) return "secrets.read";
  // The start-up data of a machine often contains a password.
  if (operation === "describe-instance-attribute") return "secrets.read";
  if (service === "sts" || (service === "kms" && /decrypt|data-key/.test(operation))) return "secrets.read";
  if (AWS_SECRET.test(operation) && !/^get-(role|role-policy)$/.test(operation))
    return /^create-/.test(operation) && AWS_RIGHTS.test(service)
      ? "permissions.change"
      : /^create-/.test(operation) && !/key/.test(operation)
        ? "deploy.write"
        : "secrets.read";
  if (AWS_READING.test(operation)) return service === "emr" ? "process.exec" : "network.read";
  if (AWS_RIGHTS.test(service) || AWS_GRANTING.test(operation)) return "permissions.change";
  return AWS_STARTING.test(operation) ? "process.exec" : "deploy.write";
}

/** Copies to, from and within a bucket. */
function takeStorage(line: Line, operation: string, places: readonly string[], rest: readonly Word[]): void {
  const local = (text: string | undefined) => text !== undefined && !/^(s3|gs|arn):/.test(text);
  line.class = /^(ls|help)$/.test(operation)
    ? "network.read"
    : operation === "presign"
      ? "secrets.read"
      : "network.write";
  const deletes = isGiven(rest, ["--delete"]);
  line.lasting = /^(rm|rb|mv)$/.test(operation) || deletes;
  if (!/^(cp|mv|sync)$/.test(operation)) return;
  const [from, to, ...others] = places;
  if (from === undefined || to === undefined || others.length > 0) {
    line.doubts.add(say("note.copy_unclear"));
    return;
  }
  if (local(from)) takeWord(line, operation === "mv" ? "move" : "read", plain(from), { deep: true });
  if (local(to)) takeWord(line, "write", plain(to));
  if (local(to) && !local(from) && operation !== "mv") line.class = "network.read";
  if (local(to) && !local(from) && (operation === "sync" || isGiven(rest, ["--recursive"])))
    line.doubts.add(say("note.sender_names_files"));
  if (local(to) && deletes) takeWord(line, "delete", plain(to), { deep: true });
}

const gcloudGroups = once(
  (): ReadonlySet<string> => new Set([...gcloudReads().keys()].flatMap((path) => path.split(" ").slice(0, -1))),
);
const GCLOUD_GLOBALS = globalsFrom(
  "--account --billing-project --configuration --flatten --format --project --trace-token --verbosity --impersonate-service-account --access-token-file --credential-file-override --flags-file",
  "--help -h --quiet -q --version -v --log-http --no-log-http --user-output-enabled --no-user-output-enabled",
);
const GCLOUD_READING =
  /^(list|describe|get|get-(?!credentials)[\w-]+|info|version|help|read|search|search-all-resources|tail|ls|cat|du|hash|topic|list-[\w-]+)$/;
const GCLOUD_RIGHTS =
  /iam-policy|^(auth|config|get-credentials|add-.*binding|remove-.*binding|keys|roles|login|activate|revoke|init|configure-docker)/;
const GCLOUD_SECRET =
  /print-.*token|versions access( |$)|kms (raw-)?decrypt|print-access|sign-|config-helper|key-string|auth-string|credentials describe|authorization-code|-token$|hmac/;

/** `gcloud group group verb name`: only a path of the table is known to be read-only. */
export function checkGcloud(line: Line): void {
  const { path: given, rest } = pathOf(line, GCLOUD_GLOBALS);
  takeFiles(line, rest);
  if (isGiven(rest, ["--flags-file"])) line.doubts.add(say("note.more_options_in_file"));
  if (
    isGiven(rest, ["--impersonate-service-account", "--access-token-file", "--credential-file-override", "--account"])
  )
    line.doubts.add(say("note.acts_as_another"));
  if (isGiven(rest, ["--log-http"])) line.doubts.add(say("note.log_may_have_token"));
  const path = given[0] === "beta" || given[0] === "alpha" ? given.slice(1) : given;
  const at = path.findIndex((word) => !gcloudGroups().has(word) || gcloudReads().has(word));
  const verb = path[at] ?? path.at(-1) ?? "";
  const whole = path.slice(0, at === -1 ? path.length : at + 1).join(" ");
  const known = isRead(gcloudReads(), path, rest, "gcloud");
  if (onlyHelps(line)) line.class = "none";
  else if (path.length === 0)
    line.class = rest.every((word) => /^(--version|--help|-h|-v)$/.test(word.text)) ? "none" : "process.exec";
  else if (known) line.class = "network.read";
  else if (GCLOUD_SECRET.test(path.join(" ")) || known === false) line.class = "secrets.read";
  else if (GCLOUD_RIGHTS.test(verb) || /^(auth|config|iam) /.test(`${whole} `)) line.class = "permissions.change";
  else if (/^(ssh|scp|connect|call|execute|ssh-[\w-]+)$/.test(verb)) line.class = "process.exec";
  else line.class = path[0] === "storage" ? "network.write" : "deploy.write";
  if (at === -1 && rest.length > 0 && known === undefined && line.class !== "none") line.doubts.add(INCOMPLETE);
  if (line.class === "deploy.write" && GCLOUD_READING.test(path.at(-1) ?? "")) line.doubts.add(notKnown(line.name));
}

/** Whether a command is known to be read-only; `false` if it would show more than fields without secrets. */
function isRead(
  reads: Reads,
  path: readonly string[],
  rest: readonly Word[],
  program: "gcloud" | "az",
): boolean | undefined {
  // After the verb of gcloud there are names of resources; az has none.
  const most = program === "gcloud" ? path.length : 0;
  for (let end = path.length; end >= path.length - most && end > 0; end--) {
    const mark = reads.get(path.slice(0, end).join(" "));
    if (mark === undefined) continue;
    if (mark === "") return true;
    const [option, narrow] = program === "gcloud" ? ["--format", NARROW_FORMAT] : ["--query", NARROW_QUERY];
    if (mark === "~" && !isGiven(rest, ["--format", "--flatten"])) return true;
    return isGiven(rest, [option]) && narrow.test(valueGiven(rest, [option]) ?? "");
  }
  return undefined;
}

const azGroups = once(
  (): ReadonlySet<string> =>
    new Set([...azReads().keys()].flatMap((path) => path.split(" ").map((_, i, words) => words.slice(0, i).join(" ")))),
);
const AZ_GLOBALS = globalsFrom(
  "--subscription --output -o --query",
  "--only-show-errors --verbose --debug --version --help -h -v",
);
const AZ_READING =
  /^(list|show|exists|wait|query|version|help|get|tail|list-[\w-]+|show-[\w-]+|check-[\w-]+|get-[\w-]+)$/;
const AZ_SECRET =
  /(^| )(secret (show|download)|secrets list|shared-key show|key download|certificate download|keys? list|list-keys|list-secrets|list-query-keys|get-access-token|credential[\w-]* \S+|.*connection-string.*|list-publishing-\w+|generate-sas|appsettings list|get-keys|show-keys|admin-key show|query-key list|auth-token|keys (show|list))($| )/;

/** `az group group verb`: only a path of the table is known to be read-only, and no word may follow it. */
export function checkAz(line: Line): void {
  const { path, rest } = pathOf(line, AZ_GLOBALS);
  takeFiles(line, rest);
  if (isGiven(rest, ["--debug"])) line.doubts.add(say("note.log_may_have_token"));
  if (goesAway(rest)) line.doubts.add(say("note.request_to_other_host"));
  if (rest.some((word) => nameOf(word) === "--open")) line.besides.add("browser.act");
  const verb = path.at(-1) ?? "";
  const whole = path.join(" ");
  const known = isRead(azReads(), path, rest, "az");
  if (onlyHelps(line)) line.class = "none";
  else if (path.length === 0)
    line.class = rest.every((word) => /^(--version|--help|-h|-v)$/.test(word.text)) ? "none" : "process.exec";
  else if (/^(config get|cloud list|cloud show)$/.test(whole) || (whole === "configure" && isListing(rest)))
    line.class = "fs.read";
  else if (/^(login|logout|configure|upgrade|init)\b/.test(whole)) line.class = "permissions.change";
  else if (/^(config|extension) (?!list|show)/.test(whole)) line.class = "permissions.change";
  else if (/^(rest|interactive)\b/.test(whole)) line.class = "network.write";
  else if (/get-credentials$/.test(whole)) line.class = "permissions.change";
  else if (known) line.class = "network.read";
  else if (AZ_SECRET.test(whole) || known === false) line.class = "secrets.read";
  else if (/^(role|ad|policy|lock|identity|keyvault)\b/.test(whole)) line.class = "permissions.change";
  else line.class = /^(invoke|ssh|exec|run)$/.test(verb) ? "process.exec" : "deploy.write";
  if ((whole === "" || azGroups().has(whole)) && rest.length > 0 && line.class !== "none") line.doubts.add(INCOMPLETE);
  if (line.class === "deploy.write" && AZ_READING.test(verb)) line.doubts.add(notKnown(line.name));
}

const AZ_ENDPOINTS = [
  "--connection-string",
  "--blob-endpoint",
  "--queue-endpoint",
  "--table-endpoint",
  "--file-endpoint",
];
const AZ_ORGANISATION = ["--org", "--organization"];

/** Whether an option sends the request, and with it the person's token, to another host. */
function goesAway(rest: readonly Word[]): boolean {
  if (isGiven(rest, AZ_ENDPOINTS)) return true;
  if (!isGiven(rest, AZ_ORGANISATION)) return false;
  return !/^https:\/\/(dev\.azure\.com|[\w-]+\.visualstudio\.com)(\/|$)/i.test(valueGiven(rest, AZ_ORGANISATION) ?? "");
}

/** `az configure` changes the defaults unless it only lists them. */
function isListing(words: readonly Word[]): boolean {
  return (
    words.length > 0 && words.every((word) => /^(--list-defaults|-l|-o|--output|json|table|tsv|yaml)$/.test(word.text))
  );
}
