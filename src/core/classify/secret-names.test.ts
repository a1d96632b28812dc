import { expect, test } from "vitest";
import { isNamedSecret, mayHoldSecrets } from "./secret-names.ts";

const around = { home: "/home/ana", project: "/home/ana/.work/project" };

test("a file in a home folder or of the system is recognised by its name as one with credentials", () => {
  const secrets = [
    "/home/ana/.newtool/credentials",
    "/home/ana/.config/newtool/auth.json",
    "/home/ana/.config/newtool/access-token.json",
    "/home/ana/.local/share/newtool/oauth.db",
    "/home/ana/.newtool/tokens/production",
    "/home/ben/.newtool-token",
    "/root/.newtool/cookies.sqlite",
    "/Users/ana/.newtool/api_key",
    "/etc/newtool/client-secret",
    "/etc/samba/smbpasswd",
    "/run/newtool/token",
  ];
  expect(secrets.filter((path) => !isNamedSecret(path, around))).toEqual([]);
});

test("source files, manuals, logs and files of the project are not credentials", () => {
  const plain = [
    "/home/ana/.work/project/.newtool/credentials",
    "/home/ana/.cargo/registry/src/oauth2/src/token.rs",
    "/home/ana/.vim/doc/passwords.md",
    "/home/ana/.config/newtool/config.toml",
    "/home/ana/.config/newtool/author.json",
    "/home/ana/notes/passwords.txt",
    "/etc/passwd",
    "/etc/pam.d/common-password",
    "/var/log/auth.log",
    "/usr/share/doc/passwd/copyright",
  ];
  expect(plain.filter((path) => isNamedSecret(path, around))).toEqual([]);
});

test("a program's own folder in a home counts as holding credentials, unless it only holds code or text", () => {
  const held = ["/home/ana/.newtool", "/home/ana/.config/newtool", "/root/.local/share/newtool"];
  expect(held.filter((path) => !mayHoldSecrets(path, true, around))).toEqual([]);
  expect(
    ["/home/ana/.newtool/*", "/home/ana/.config/newtool/*.json"].filter((path) => !mayHoldSecrets(path, false, around)),
  ).toEqual([]);
  const none = [
    "/home/ana/.newtool/logs",
    "/home/ana/.config/nvim",
    "/home/ana/.nvm",
    "/home/ana/notes",
    around.project,
  ];
  expect(none.filter((path) => mayHoldSecrets(path, true, around))).toEqual([]);
  expect(
    ["/home/ana/.newtool/*.log", "/home/ana/.newtool/a"].filter((path) => mayHoldSecrets(path, false, around)),
  ).toEqual([]);
});
