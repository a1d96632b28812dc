// Other words for the same command, for rules that deny it: data only.

/** What is written, and what it is: the words of programs and subcommands that go by several names. */
const SAME = [
  "python -m pip = pip",
  "py -m pip = pip",
  "docker-compose = docker compose",
  "podman-compose = podman compose",
  "docker container = docker",
  "podman container = podman",
  "nerdctl container = nerdctl",
  "k = kubectl",
  "oc = kubectl",
  "kubecolor = kubectl",
  "microk8s kubectl = kubectl",
  "k3s kubectl = kubectl",
  "rke2 kubectl = kubectl",
  "minikube kubectl -- = kubectl",
  "helm un = helm uninstall",
  "helm del = helm uninstall",
  "helm delete = helm uninstall",
  "gcloud alpha = gcloud",
  "gcloud beta = gcloud",
  "gcloud preview = gcloud",
] as const;

const ROWS = SAME.map((row) => {
  const [written = "", meant = ""] = row.split(" = ");
  return { written: written.split(" "), meant: meant.split(" ") };
});

/** The command under the name that the tables have for it; nothing where it has no other. */
export function meantBy(words: readonly string[]): readonly string[] | undefined {
  const row = ROWS.find(({ written }) => written.every((word, i) => word === words[i]));
  return row === undefined ? undefined : [...row.meant, ...words.slice(row.written.length)];
}
