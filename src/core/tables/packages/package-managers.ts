import type { PackageKind } from "../../box.ts";

// Package managers that install into the project, and the registries they read: data only.

/** The address of each public registry. */
export const PUBLIC_REGISTRIES: { readonly [kind in PackageKind]: string } = {
  npm: "https://registry.npmjs.org/",
  pypi: "https://pypi.org/simple/",
  go: "https://proxy.golang.org/",
  crates: "https://index.crates.io/",
};

/** Where the archives of a public registry are, if that is another host than that of its index. */
export const ARCHIVE_HOSTS: { readonly [address: string]: readonly string[] } = {
  "https://pypi.org/simple/": ["https://files.pythonhosted.org"],
  "https://index.crates.io/": ["https://static.crates.io"],
};

export type PackageRow = {
  kind: PackageKind;
  /** Words with which such a command begins; the program is written without its folder. */
  commands: readonly string[];
  /** Options with which it reads from elsewhere, or writes outside of the project. A long one may be shortened. */
  elsewhere: readonly string[];
  /** What may be named: a package by its name, or a file of the project. Everything else comes from elsewhere. */
  named: RegExp;
  /** It installs programs for the whole machine. In a box these are tools of the project. */
  forTools?: true;
  /** One of these words must be there. */
  needs?: readonly string[];
  /** If it is there, no other option may be used. */
  options?: RegExp;
  /** If it is there, it is the first word, and a package must be named. */
  subcommand?: string;
};

const FURTHER_NPM = words(
  "-C --location --prefix --registry --userconfig --globalconfig --dir --global-dir --proxy --https-proxy",
);
const NPM_ELSEWHERE = [...words("-g --global"), ...FURTHER_NPM];
const NPM_INSTALLS =
  "install i in add ci clean-install install-test it install-ci-test cit update up upgrade uninstall un remove rm r dedupe ddp prune";
const NPM_NAMED =
  /^(@[\w.-]+\/)?[\w.-]+(@(npm:(@[\w.-]+\/)?[\w.-]+@?|workspace:)?[\w.^~<>=*|\- ]*)?$|^(file:)?\.{0,2}\/[\w@./-]*$|^\.$/;

const FURTHER_PIP = words(
  "-i -f -t --index-url --pypi-url --extra-index-url --find-links --target --prefix --root --proxy --cert " +
    "--client-cert --trusted-host --python --src --cache-dir --log --report",
);
const PIP_NAMED =
  /^[\w.-]+(\[[\w,.-]*\])?([<>=!~][\w.*<>=!~, ]*)?$|^\.{0,2}\/[\w@./*-]*(\[[\w,.-]*\])?$|^\.(\[[\w,.-]*\])?$|^[\w./*-]+\.whl$/;

export const MANAGERS: readonly PackageRow[] = [
  {
    kind: "npm",
    commands: commands("npm", NPM_INSTALLS),
    elsewhere: NPM_ELSEWHERE,
    named: NPM_NAMED,
  },
  {
    kind: "npm",
    commands: commands("pnpm", "install i ci add update up upgrade remove rm uninstall un dedupe prune"),
    elsewhere: NPM_ELSEWHERE,
    named: NPM_NAMED,
  },
  {
    kind: "pypi",
    commands: ["pip install", "pip uninstall", "python -m pip install", "python -m pip uninstall"],
    elsewhere: [...words("--user --break-system-packages"), ...FURTHER_PIP],
    named: PIP_NAMED,
  },
  {
    kind: "go",
    // Only those that run no code, neither of the project nor of a module.
    commands: ["go get", ...commands("go mod", "download tidy vendor verify why graph edit")],
    elsewhere: ["-C", "-modcacherw", "-toolexec", "-overlay", "-modfile"],
    named: /^[\w.~/@:+-]*$/,
  },
  {
    kind: "crates",
    commands: commands("cargo", "add remove rm update fetch generate-lockfile vendor"),
    elsewhere: words("-C --git --registry --index --config --target-dir --lockfile-path"),
    named: /^[\w.@^~=<>*, /-]*$/,
  },
  {
    kind: "npm",
    commands: commands("npm", NPM_INSTALLS),
    forTools: true,
    needs: ["-g", "--global"],
    elsewhere: FURTHER_NPM,
    named: NPM_NAMED,
  },
  {
    kind: "pypi",
    commands: ["pip install", "python -m pip install"],
    forTools: true,
    needs: ["--user", "--break-system-packages"],
    elsewhere: FURTHER_PIP,
    named: PIP_NAMED,
  },
  {
    kind: "go",
    commands: ["go install"],
    subcommand: "install",
    forTools: true,
    elsewhere: [],
    // Options can name programs to start, and without a version it would build the project, with the settings of its repository.
    options: /^-(v|x|n|a|race|trimpath|p=\d+)$/,
    named: /^[\w.~/+-]+@[\w.+-]+$/,
  },
  {
    kind: "crates",
    commands: commands("cargo", "install uninstall"),
    forTools: true,
    elsewhere: words("-C -Z --git --registry --index --config --target-dir --root --path --lockfile-path"),
    named: /^[\w.@^~=<>*, -]*$/,
  },
];

function words(text: string): readonly string[] {
  return text.split(" ");
}

function commands(program: string, names: string): readonly string[] {
  return words(names).map((name) => `${program} ${name}`);
}
