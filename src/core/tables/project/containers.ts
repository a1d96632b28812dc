// Commands of container programs that use only what belongs to a project, each with its common options: data only.

/**
 * What the words after the options are: a folder to build from; an image, which a command may follow; services of a compose
 * file; one service, which a command may follow; containers by name.
 */
type Takes = "context" | "image" | "services" | "service" | "containers";

export type ContainerRow = { takes: Takes; flags: ReadonlySet<string>; valued: ReadonlySet<string> };

/** An option that ends in `=` takes a value. Every other option can open the machine, another project or another engine. */
const ENGINE: readonly (readonly [verbs: string, takes: Takes, options: string])[] = [
  [
    "build|image build|buildx build|builder build",
    "context",
    "-q --quiet --no-cache --pull --rm --force-rm --load -t= --tag= -f= --file= --target= --build-arg= --platform= --progress= --label=",
  ],
  [
    "run|container run",
    "image",
    "--rm -d --detach -i --interactive -t --tty --init --read-only -q --quiet --name= -w= --workdir= --entrypoint= --platform= " +
      "--pull= -m= --memory= --cpus= --tmpfs= -l= --label= -h= --hostname= -u= --user= -p= --publish= -e= --env= -v= --volume=",
  ],
  ["stop|wait|container stop|container wait", "containers", "-t= --time= --timeout="],
];

const COMPOSE: readonly (readonly [verbs: string, takes: Takes, options: string])[] = [
  [
    "up|create",
    "services",
    "-d --detach --build --wait --wait-timeout= --no-deps --force-recreate --no-recreate --remove-orphans --no-build --quiet-pull " +
      "--pull= --no-start -t= --timeout= --abort-on-container-exit --exit-code-from= --scale= --no-color --no-log-prefix -y",
  ],
  ["build|pull", "services", "-q --quiet --no-cache --pull --progress= --with-dependencies --ignore-pull-failures"],
  ["start|stop|restart|pause|unpause|wait", "services", "-t= --timeout= --no-deps"],
  ["kill", "services", "-s= --signal= --remove-orphans"],
  ["down", "services", "-t= --timeout= --remove-orphans"],
  ["rm", "services", "-f --force -s --stop"],
  ["exec", "service", "-T --no-TTY -d --detach -i -t -w= --workdir= -u= --user= --index= -e= --env="],
  [
    "run",
    "service",
    "--rm -T --no-TTY -d --detach --no-deps --build --name= -w= --workdir= -u= --user= --entrypoint= -e= --env=",
  ],
];

/** What may stand before the verb of a compose program. */
const BEFORE_COMPOSE: ContainerRow = rowOf("services", "-f= --file= --profile= --progress= --ansi=");

const ENGINES: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl"]);
const COMPOSE_PROGRAMS: ReadonlySet<string> = new Set(["docker-compose", "podman-compose"]);
const ENGINE_ROWS = rowsOf(ENGINE);
const COMPOSE_ROWS = rowsOf(COMPOSE);

/** The rows of a program by their verbs, the words after its name, and what may stand before the verb. */
export type ContainerProgram = {
  rows: ReadonlyMap<string, ContainerRow>;
  rest: readonly string[];
  before?: ContainerRow;
};

/** Undefined if the words do not start a container program. */
export function containerProgram([name = "", ...rest]: readonly string[]): ContainerProgram | undefined {
  const isPlugin = ENGINES.has(name) && rest[0] === "compose";
  if (isPlugin || COMPOSE_PROGRAMS.has(name))
    return { rows: COMPOSE_ROWS, rest: isPlugin ? rest.slice(1) : rest, before: BEFORE_COMPOSE };
  return ENGINES.has(name) ? { rows: ENGINE_ROWS, rest } : undefined;
}

function rowsOf(table: readonly (readonly [string, Takes, string])[]): ReadonlyMap<string, ContainerRow> {
  return new Map(
    table.flatMap(([verbs, takes, options]) => verbs.split("|").map((verb) => [verb, rowOf(takes, options)] as const)),
  );
}

function rowOf(takes: Takes, text: string): ContainerRow {
  const options = text.split(" ");
  const flags = new Set(options.filter((option) => !option.endsWith("=")));
  const valued = new Set(options.filter((option) => option.endsWith("=")).map((option) => option.slice(0, -1)));
  return { takes, flags, valued };
}
