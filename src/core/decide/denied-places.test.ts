import { expect, test } from "vitest";
import { denied } from "../../../test/cases/denying.ts";
import type { EffectClass } from "../effect.ts";

// A path and a host are denied wherever the words of a command lead to them: through links and patterns, in folders that a
// program traverses, in patches, and whatever class the program has.

const LINKS = { live: "infra/prod", "cert.lnk": "certs/server.pem" };
const WRITING: EffectClass[] = ["fs.write", "fs.mkdir", "fs.copy", "fs.move", "fs.delete"];
const PROD = { class: WRITING, path: ["infra/prod/**"] };

test("a denied path among the words of a program is denied through every link or pattern that leads to it", () => {
  const named = [
    "gcc -o infra/prod/main.tf x.c",
    "gcc -o live/main.tf x.c",
    "gcc -o src/../live/main.tf x.c",
    "gcc -o infra/p?od/main.tf x.c",
    "mkfifo infra/*/main.tf",
    "docker cp c:/x live/main.tf",
    "git stash push live/main.tf",
    "git stash push infra/p?od/main.tf",
    "perl -pi -e s/a/b/ live/main.tf",
    "chattr +i live/main.tf",
  ];
  expect(denied(named, { path: ["infra/prod/main.tf"] }, LINKS)).toEqual(named);
  const others = ["gcc -o live2/main.tf x.c", "gcc -o infra/dev/main.tf x.c", "git stash push src/a.js", "make all"];
  expect(denied(others, { path: ["infra/prod/main.tf"] }, LINKS)).toEqual([]);
  const certificates = [
    "openssl x509 -in cert.lnk",
    "openssl x509 -in server.p?m",
    "openssl x509 -in cert.*",
    "openssl x509 -in certs/server.p?m",
    "openssl x509 -noout -text -in certs/*.p*",
    "aws --ca-bundle certs/server.pem s3 ls",
    "aws --ca-bundle cert.lnk s3 ls",
  ];
  expect(denied(certificates, { path: ["**/*.pem"] }, LINKS)).toEqual(certificates);
  expect(denied(["openssl x509 -in certs/ca.crt", "aws s3 ls"], { path: ["**/*.pem"] }, LINKS)).toEqual([]);
});

test("a program that can run anything may write the paths in its words, so a rule about writing applies", () => {
  const written = [
    "mkfifo infra/prod/x",
    "fallocate -l 5 infra/prod/main.tf",
    "go build -o infra/prod/x .",
    "pip install -t infra/prod x",
    "pip install --target=infra/prod x",
    "docker cp c:/x infra/prod/",
    "git checkout-index -f infra/prod/main.tf",
    "gsutil cp gs://b/k infra/prod/",
    "mkfifo {infra/prod,src}/x",
    "npm --prefix infra/prod install",
    "7z x a -oinfra/prod",
    "curl -w '%output{infra/prod/main.tf}x' http://a.example/",
    "sqlite3 x \"vacuum into 'infra/prod/main.tf'\"",
    "psql -c '\\o infra/prod/main.tf' -c 'select 1'",
    "sops -i infra/prod/main.tf",
    "git --work-tree=infra/prod checkout -f",
    "gcloud storage cp gs://b/k infra/prod/",
    "curl 'http://a.example/{prod,dev}' -o 'infra/#1/main.tf'",
    "f() { rm infra/$1/main.tf; }; f prod",
  ];
  expect(denied(written, PROD)).toEqual(written);
  const others = [
    "cat infra/prod/main.tf",
    "grep a infra/prod/main.tf",
    "git diff infra/prod/main.tf",
    "git add infra/prod/main.tf",
    "git commit -m infra/prod/main.tf",
    "diff infra/prod/main.tf infra/dev/main.tf",
    "gcc -o build/x src/x.c",
    "npm install",
    "docker build .",
    "make test",
  ];
  expect(denied(others, PROD)).toEqual([]);
});

test("deleting, writing or listing below a folder is denied if a denied path lies in it", () => {
  const below = [
    "tar cf x --remove-files infra/prod",
    "tar czf x.tgz --remove-files infra",
    "zip -m x infra/prod/main.tf",
    "zip -rm x infra",
    "7z a -sdel x infra/prod",
    "git rm '*.tf'",
    "git rm ':(glob)infra/*/main.tf'",
    "git restore infra",
    "git restore .",
    "git restore :/",
    "git restore ':(top)infra/prod'",
    "git checkout -- infra",
    "git checkout HEAD -- .",
    "git checkout -- ':(exclude)src'",
    "git checkout-index -a -f",
    "git stash push infra",
    "terraform fmt -recursive infra",
    "terraform fmt -recursive",
  ];
  expect(denied(below, { class: WRITING, path: ["infra/prod/main.tf"] })).toEqual(below);
  const shaped = ["gofmt -w infra", "black .", "ruff format .", "prettier --write infra", "npx prettier --write ."];
  expect(denied(shaped, { class: WRITING, path: ["infra/prod/**"] })).toEqual(shaped);
  expect(denied([...shaped, "git restore src/a.ts", "git rm a.txt"], { path: ["**/*.pem"] })).toEqual([]);
  const others = [
    "git rm '*.md'",
    "git rm 'docs/*.tf'",
    "git restore src",
    "git restore ':(top)docs'",
    "git checkout main",
    "git checkout -b infra",
    "git status infra",
    "gofmt -l infra",
    "black --check .",
    "black --version",
    "terraform fmt -check -recursive",
    "git restore --staged .",
    "git stash push -m infra",
    "black src",
    "terraform fmt",
    "tar cf x infra",
    "prettier --check infra",
  ];
  expect(denied(others, { class: WRITING, path: ["infra/prod/main.tf"] })).toEqual([]);
});

test("a file that is listed, compared or packed counts as read", () => {
  const read = [
    "git merge-file -p --diff3 README.md secrets/token.txt notes.txt",
    "git merge-file secrets/token.txt README.md notes.txt",
    "ls -R",
    "ls -laR .",
    "du -a",
    "du",
    "git archive HEAD",
  ];
  expect(denied(read, { path: ["secrets/**"] })).toEqual(read);
  const others = [
    "ls",
    "ls src",
    "ls -R src",
    "du -sh .",
    "du -h --max-depth=1 .",
    "du src",
    "git archive HEAD src",
    "git archive --list",
    "salt '*' cmd.run id",
    "gcloud scheduler jobs create http x --schedule='* * * * *'",
    "git merge-file a b c",
  ];
  expect(denied(others, { path: ["secrets/**"] })).toEqual([]);
});

test("the denied files that a patch in a command names are denied", () => {
  const update = "*** Begin Patch\n*** Update File: infra/prod/main.tf\n@@\n-main\n+x\n*** End Patch";
  const unified = "--- a/infra/prod/main.tf\n+++ b/infra/prod/main.tf\n@@ -1 +1 @@\n-main\n+x";
  const patches = [
    `apply_patch <<'EOF'\n${update}\nEOF`,
    `apply_patch '${update}'`,
    `apply_patch <<'EOF'\n${update.replace("infra/prod", "live")}\nEOF`,
    `git apply <<'EOF'\n${unified}\nEOF`,
    `cat <<'EOF' | git apply\n${unified}\nEOF`,
    `patch -p1 <<'EOF'\n${unified}\nEOF`,
    `patch -p0 <<'EOF'\nIndex: infra/prod/main.tf\n===\n--- x\n+++ y\n@@ -1 +1 @@\n-main\n+x\nEOF`,
    `patch -p1 <<'EOF'\n*** infra/prod/main.tf\n--- infra/prod/main.tf\n***************\n*** 1 ****\nEOF`,
    `patch -p2 <<'EOF'\n${unified.replaceAll("/infra", "/x/infra")}\nEOF`,
    `busybox patch -p1 <<'EOF'\n${unified}\nEOF`,
  ];
  expect(denied(patches, PROD, LINKS)).toEqual(patches);
  const others = patches.map((text) => text.replaceAll("infra/prod", "infra/dev").replaceAll("live", "src"));
  expect(denied(others, PROD, LINKS)).toEqual([]);
});

test("a denied host among the words of a command is denied in every spelling", () => {
  const internal = [
    "ssh -o HostName=x.internal good.example",
    "ssh -J x.internal good.example",
    "docker pull x.internal/x",
    "nmap x.internal",
    "dig @x.internal good.example",
    "docker manifest inspect x.internal/x",
    "nslookup good.example x.internal",
    "sendmail a@x.internal < README.md",
    "smbclient //x.internal/x",
    "socat - TCP:x.internal:80",
    "PGHOST=x.internal psql -c 'select 1'",
    "http_proxy=x.internal curl http://good.example",
    "kubectl --server=x.internal get pods",
    "curl --connect-to ::x.internal:80 http://good.example",
  ];
  expect(denied(internal, { domain: ["*.internal"] })).toEqual(internal);
  const numbers = ["ssh -J 10.5 h", "nmap 0xa000005", "dig @10.5 a.example", "fping 167772165", "smbclient //10.5/x"];
  expect(denied(numbers, { domain: ["10.0.0.5"] })).toEqual(numbers);
  const others = [
    "python3 a.internal.py",
    "bash build.sh",
    "node x.js",
    "npm install left-pad@1.3.0",
    "sleep 10.5",
    "docker run --env-file .x.internal a",
  ];
  expect(denied(others, { domain: ["*.internal", "*.sh", "10.0.0.5"] })).toEqual([]);
});

test("emptying a file is denied like deleting it", () => {
  const emptied = [
    "{ :; } > src/a.js",
    "(true) > src/a.js",
    "[[ 1 ]] > src/a.js",
    "((1)) > src/a.js",
    "for i in; do :; done > src/a.js",
    "while false; do :; done > src/a.js",
    "case a in b) ;; esac > src/a.js",
    "exec 3> src/a.js",
    "exec > src/a.js",
    "ls 9> src/a.js",
    "bash -c : > src/a.js",
    "eval : > src/a.js",
    "cat README.md > src/a.js > /dev/null",
    "echo hi > src/a.js 1>&2",
    "echo -n '' > src/a.js",
    "printf %.0s x > src/a.js",
    "seq 1 0 > src/a.js",
    "grep -v '' README.md > src/a.js",
    "diff README.md README.md > src/a.js",
    "busybox tee src/a.js < /dev/null",
    "gzip src/a.js",
    "ed -s src/a.js <<< $'1,$d\\nw'",
    "vim -es -c 'call delete(\"src/a.js\")' -c q",
    "python3 -m venv --clear src",
    "uv venv --clear src",
  ];
  expect(denied(emptied, { class: ["fs.delete"] })).toEqual(emptied);
  const others = [
    "{ echo a; } > src/a.js",
    "(ls; true) > list.txt",
    "for i in 1 2; do echo $i; done > list.txt",
    "make > build.log 2>&1",
    "make 2> errors.log",
    "ls 2>&1 > list.txt",
    "bash -c 'echo a' > a.txt",
    "gzip -k src/a.js",
    "gzip -c src/a.js > a.gz",
    "python3 -m venv .venv",
    "diff a.txt b.txt > a.patch",
    "exec bash -c ls > list.txt",
  ];
  expect(denied(others, { class: ["fs.delete"] })).toEqual([]);
});
