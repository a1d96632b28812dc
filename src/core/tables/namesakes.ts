import { once } from "../values/once.ts";

// Other words for the same command, for rules that deny it: data only.

/** Programs and subcommands with several names: what is written, and what it means. */
const SAME = [
  "python -m pip = pip",
  "py -m pip = pip",
  "docker-compose = docker compose",
  "podman-compose = podman compose",
  "docker container = docker",
  "podman container = podman",
  "nerdctl container = nerdctl",
  "docker image rm = docker rmi",
  "docker image push = docker push",
  "docker image pull = docker pull",
  "docker image build = docker build",
  "podman image rm = podman rmi",
  "podman image push = podman push",
  "k = kubectl",
  "oc = kubectl",
  "kubecolor = kubectl",
  "microk8s kubectl = kubectl",
  "k3s kubectl = kubectl",
  "rke2 kubectl = kubectl",
  "minikube kubectl -- = kubectl",
  "minikube kubectl = kubectl",
  "microk8s helm3 = helm",
  "microk8s helm = helm",
  "microk8s.helm3 = helm",
  "helm un = helm uninstall",
  "helm del = helm uninstall",
  "helm delete = helm uninstall",
  "gcloud alpha = gcloud",
  "gcloud beta = gcloud",
  "gcloud preview = gcloud",
  "microk8s.kubectl = kubectl",
  "awslocal = aws",
  "yarnpkg = yarn",
  "brew remove = brew uninstall",
  "brew rm = brew uninstall",
  "npm i = npm install",
  "npm in = npm install",
  "npm ins = npm install",
  "npm inst = npm install",
  "npm insta = npm install",
  "npm instal = npm install",
  "npm isnt = npm install",
  "npm isnta = npm install",
  "npm isntal = npm install",
  "npm isntall = npm install",
  "npm add = npm install",
  "npm run-script = npm run",
  "npm rum = npm run",
  "npm urn = npm run",
  "npm un = npm uninstall",
  "npm unlink = npm uninstall",
  "npm remove = npm uninstall",
  "npm rm = npm uninstall",
  "npm r = npm uninstall",
  "npm pub = npm publish",
  "npm publ = npm publish",
  "npm publi = npm publish",
  "npm publis = npm publish",
  "npm x = npm exec",
  "pnpm i = pnpm install",
  "pnpm rm = pnpm remove",
] as const;

type Row = { written: readonly string[]; meant: readonly string[] };

/** The rows by the program that they begin with. */
const rowsByProgram = once(() => {
  const rows = new Map<string, Row[]>();
  for (const row of SAME) {
    const [written = [], meant = []] = row.split(" = ").map((words) => words.split(" "));
    const [program = ""] = written;
    rows.set(program, [...(rows.get(program) ?? []), { written, meant }]);
  }
  return rows;
});

/** The command under its name in the tables; undefined if it has no other name. */
export function meantBy(words: readonly string[]): readonly string[] | undefined {
  const rows = rowsByProgram().get(words[0] ?? "");
  if (rows === undefined) return undefined;
  const row = rows.find(({ written }) => written.every((word, i) => word === words[i]));
  if (row !== undefined) return [...row.meant, ...words.slice(row.written.length)];
  return words[1]?.startsWith("-") ? meantBehindOptions(words, rows) : undefined;
}

/** `npm -g i a` and `helm --kubeconfig k delete a`: the other name follows options, and the last one may take a value. */
function meantBehindOptions(words: readonly string[], rows: readonly Row[]): readonly string[] | undefined {
  const plain = words.flatMap((word, i) => (i > 0 && !word.startsWith("-") ? [i] : [])).slice(0, 2);
  for (const at of plain) {
    const row = rows.find(
      ({ written, meant }) => written.length === 2 && meant.length === 2 && written[1] === words[at],
    );
    if (row !== undefined) return [...row.meant, ...words.slice(1, at), ...words.slice(at + 1)];
  }
  return undefined;
}

/** Signals by number and by name. */
const SIGNALS = ["1 HUP", "2 INT", "3 QUIT", "6 ABRT", "9 KILL", "10 USR1", "12 USR2", "15 TERM", "18 CONT", "19 STOP"];

/** `kill -s KILL 1` is `kill -9 1`, `kill -KILL 1` and `kill -SIGKILL 1`. */
export function signalled(words: readonly string[]): readonly (readonly string[])[] {
  if (!/^(kill|pkill|killall)$/.test(words[0] ?? "")) return [];
  const told = words.findIndex((word) => /^(-[sn]|--signal)$/.test(word));
  const at = told < 0 ? words.findIndex((word) => /^-(-signal=|[sn](?=\w)|)[A-Za-z\d]+$/.test(word)) : told + 1;
  const name = words[at]
    ?.replace(/^-(-signal=|[sn](?=\d|[A-Z]))?/, "")
    .toUpperCase()
    .replace(/^SIG/, "");
  const row = SIGNALS.find((one) => one.split(" ").includes(name ?? ""))?.split(" ");
  if (row === undefined) return [];
  const rest = words.filter((_, i) => i > 0 && i !== at && i !== told);
  const [number = "", called = ""] = row;
  return [number, called, `SIG${called}`].map((signal) => [words[0] ?? "", `-${signal}`, ...rest]);
}
