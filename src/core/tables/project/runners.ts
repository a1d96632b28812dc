// Programs that run a project's own tests, checks and builds, each with its common options: data only.

/**
 * The words that name the runner, and the options that only choose what is run or how it is reported. Every other option
 * of these programs can name another program, plugin, configuration or folder, which a remembered runner does not cover.
 * An option that ends in `=` takes a value, in the same word or the next.
 */
const RUNNERS: readonly (readonly [names: string, options: string])[] = [
  [
    "pytest|py.test|python -m pytest|python3 -m pytest|uv run pytest|poetry run pytest|pdm run pytest",
    "-q -qq -v -vv -vvv -x -s -l -k= -m= -n= -r= -ra -rA -rf --lf --ff --nf --sw --last-failed --failed-first " +
      "--new-first --stepwise --exitfirst --maxfail= --tb= --durations= --co --collect-only --no-header --no-summary " +
      "--disable-warnings --color= --showlocals --cov --no-cov --quiet --verbose --capture=",
  ],
  [
    "python -m unittest|python3 -m unittest",
    "-v -q -f -b -c --verbose --quiet --failfast --buffer --locals -k= discover",
  ],
  ["tox", "-q -v -p= -e= -r -l --recreate --listenvs"],
  ["nox", "-s= -e= -r -l -k= --list --reuse-existing-virtualenvs"],
  [
    "mypy",
    "-v -p= -m= --strict --ignore-missing-imports --show-error-codes --no-error-summary --pretty --no-incremental",
  ],
  [
    "go test",
    "-v -race -short -failfast -json -cover -count= -run= -skip= -bench= -benchmem -benchtime= -timeout= -parallel= -p= -cpu= -list= -shuffle= -tags=",
  ],
  ["go build|go vet", "-v -x -n -race -json -p= -tags="],
  [
    "cargo test|cargo nextest run",
    "-q -v -vv -p= -j= --all --workspace --lib --bins --bin= --test= --tests --example= --examples --doc " +
      "--all-targets --release --no-run --no-fail-fast --features= --all-features --no-default-features --offline " +
      "--locked --frozen --color= --nocapture --test-threads= --ignored --include-ignored --exact",
  ],
  [
    "cargo build|cargo check|cargo clippy",
    "-q -v -vv -p= -j= --all --workspace --lib --bins --bin= --tests --examples --all-targets --release " +
      "--features= --all-features --no-default-features --offline --locked --frozen --color= --message-format=",
  ],
  [
    "jest",
    "-t= -i -b -o -w= --testNamePattern= --watchAll=false --ci --silent --verbose --runInBand --bail --onlyChanged " +
      "--coverage --colors --forceExit --maxWorkers= -u --updateSnapshot",
  ],
  [
    "vitest|vitest run",
    "-t= -u --run --testNamePattern= --bail= --changed --coverage --silent --no-color --maxWorkers= --pool= --passWithNoTests --update",
  ],
  ["mocha", "-g= -f= -b -t= --grep= --fgrep= --bail --timeout= --exit --colors --forbid-only"],
  ["eslint", "--ext= --quiet --max-warnings= --no-color --cache --report-unused-disable-directives"],
  [
    "rspec|bundle exec rspec",
    "-e= -t= -b -w --example= --tag= --fail-fast --only-failures --next-failure --backtrace --no-color --profile --seed= --order=",
  ],
  [
    "mvn test|mvn verify|./mvnw test|./mvnw verify",
    "-q -e -o -B -T= -pl= -am -ntp --quiet --errors --offline --batch-mode --no-transfer-progress",
  ],
  [
    "gradle test|gradle build|./gradlew test|./gradlew build",
    "-q -i -s --tests= --info --quiet --stacktrace --offline --rerun-tasks --no-daemon --console= --continue --parallel",
  ],
  [
    "dotnet test|dotnet build",
    "-c= -f= -v= --configuration= --framework= --verbosity= --no-build --no-restore --nologo --filter= -t --list-tests",
  ],
  ["mix test", "--trace --stale --failed --only= --exclude= --include= --seed= --max-failures= --cover --slowest="],
  [
    "phpunit|vendor/bin/phpunit",
    "--filter= --testsuite= --group= --exclude-group= --stop-on-failure --testdox --colors= --no-coverage --verbose",
  ],
  ["ctest", "-R= -E= -L= -j= -V -VV -N --output-on-failure --rerun-failed --verbose --parallel="],
  ["swift test", "-v --filter= --skip= --parallel --list-tests -c="],
];

/**
 * Programs that build and run what the project is, in the same notation. A remembered command does not cover other arguments
 * of these, but trust in the project's code does.
 */
const PROJECT_PROGRAMS: readonly (readonly [names: string, options: string])[] = [
  [
    "cargo run|cargo bench|cargo doc",
    "-q -v -p= -j= --release --bin= --example= --bench= --features= --all-features --no-default-features --no-deps --offline --locked",
  ],
  ["go run .|go run ./...|go generate", "-v -race -tags="],
  ["dotnet run", "-c= -f= --project= --no-build --no-restore"],
  ["cmake --build", "-j= -j --target= -t= --config= --parallel= --clean-first --verbose"],
  ["cmake -S . -B build|cmake -B build", ""],
  ["swift build|swift run", "-v -c="],
  ["mix compile|mix run", "--force --warnings-as-errors"],
  ["mvn compile|mvn package|./mvnw compile|./mvnw package", "-q -B -o --quiet --batch-mode --offline -DskipTests"],
  ["mvn -q test|mvn -q verify|mvn -B test|mvn -B verify|mvn -q -B test|mvn -q -B verify", ""],
  ["gradle check|gradle assemble|./gradlew check|./gradlew assemble", "-q -i --info --quiet --offline --console="],
  ["node --test", "--test-name-pattern= --test-only --test-reporter= --watch"],
];

/** A runner by its words, with its common options: those without and those with a value. */
type RunnerRow = { words: readonly string[]; flags: ReadonlySet<string>; valued: ReadonlySet<string> };

/** The longest first, so that `vitest run` is not mistaken for `vitest` with a word. */
const ROWS = rowsOf(RUNNERS);
const PROJECT_ROWS = rowsOf(PROJECT_PROGRAMS);

function rowsOf(table: readonly (readonly [names: string, options: string])[]): readonly RunnerRow[] {
  const rows = table.flatMap(([names, options]) => {
    const all = options.split(" ");
    const flags = new Set(all.filter((option) => !option.endsWith("=")));
    const valued = new Set(all.filter((option) => option.endsWith("=")).map((option) => option.slice(0, -1)));
    return names.split("|").map((name) => ({ words: name.split(" "), flags, valued }));
  });
  return rows.sort((a, b) => b.words.length - a.words.length);
}

/** The words that name a runner at the start of a command. */
export function runnerWords(words: readonly string[]): readonly string[] | undefined {
  return runnerRow(words)?.words;
}

/**
 * Whether a runner's command has nothing after its name except common options, names of tests, and paths below its
 * folder.
 */
export function isEverydayRun(words: readonly string[]): boolean {
  return isEverydayOf(runnerRow(words), words);
}

/** The same for what builds and runs the project itself. */
export function isProjectRun(words: readonly string[]): boolean {
  const dashes = words.indexOf("--");
  // What comes after `--` is for the project's program.
  const own = dashes < 0 ? words : words.slice(0, dashes);
  return isEverydayRun(words) || isEverydayOf(startingRow(PROJECT_ROWS, own), own);
}

function isEverydayOf(row: RunnerRow | undefined, words: readonly string[]): boolean {
  if (row === undefined) return false;
  const rest = words.slice(row.words.length);
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? "";
    if (word === "--") continue;
    if (!word.startsWith("-")) {
      if (leadsOut(word)) return false;
      continue;
    }
    if (row.flags.has(word)) continue;
    const [name = "", value] = splitOption(word);
    if (!row.valued.has(name)) return false;
    if (value === undefined) at++;
    if (leadsOut(value ?? rest[at] ?? "")) return false;
  }
  return true;
}

function runnerRow(words: readonly string[]): RunnerRow | undefined {
  return startingRow(ROWS, words);
}

function startingRow(rows: readonly RunnerRow[], words: readonly string[]): RunnerRow | undefined {
  return rows.find((row) => row.words.every((word, i) => word === words[i]));
}

/** `--name=value` as name and value; `-k` and `--name` without one. */
function splitOption(word: string): readonly [name: string, value: string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** An absolute path, a home folder, an address, a file of arguments, or a path that goes up. */
function leadsOut(word: string): boolean {
  return /^[/~@]|:\/\/|(^|\/)\.\.(\/|$)/.test(word) || /^[A-Za-z]:[\\/]/.test(word);
}
