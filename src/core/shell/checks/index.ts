import type { CheckName } from "../../tables/programs/row.ts";
import type { Line } from "../uses.ts";
import { checkModes, checkRsync, checkTar, checkUnpack } from "./archive.ts";
import { checkAws, checkAz, checkContainer, checkGcloud, checkKubectl, checkStripe } from "./cloud.ts";
import { checkFileDatabase, checkRedis, checkStatements } from "./data.ts";
import { checkAlone, checkArgumentFile, checkBare, checkMedia, checkPage, checkTsc } from "./dev.ts";
import { checkFd, checkFind } from "./find.ts";
import { checkDownload, checkGh } from "./gh.ts";
import { checkGit } from "./git.ts";
import {
  checkAck,
  checkBrew,
  checkChmod,
  checkDate,
  checkDd,
  checkIp,
  checkLink,
  checkMan,
  checkPackages,
  checkPager,
  checkPatch,
  checkPs,
  checkService,
  checkStat,
  checkSysctl,
  checkUnit,
} from "./machine.ts";
import { checkCurl, checkHttpie, checkLookup, checkSsh, checkTransfer, checkTyped, checkWget } from "./network.ts";
import {
  checkCounting,
  checkDeclaring,
  checkNames,
  checkSetting,
  checkTest,
  checkTrap,
  checkVariables,
} from "./shell-words.ts";
import { checkCommand, checkEnv, checkJoined, checkParallel, checkShell, checkSource, checkXargs } from "./starting.ts";
import { checkAwk, checkJq, checkSed, checkYq } from "./text.ts";

/** Looks at a line more closely than the table can say. `operands` gives the words the roles of the table. */
export type Check = (line: Line, operands: () => void) => void;

export const CHECKS: Record<CheckName, Check> = {
  ack: checkAck,
  alone: checkAlone,
  argfile: checkArgumentFile,
  awk: checkAwk,
  aws: checkAws,
  az: checkAz,
  bare: checkBare,
  brew: checkBrew,
  chmod: checkChmod,
  command: checkCommand,
  container: checkContainer,
  counting: checkCounting,
  curl: checkCurl,
  date: checkDate,
  dd: checkDd,
  declaring: checkDeclaring,
  download: checkDownload,
  env: checkEnv,
  fd: checkFd,
  filedb: checkFileDatabase,
  find: checkFind,
  gcloud: checkGcloud,
  gh: checkGh,
  git: checkGit,
  httpie: checkHttpie,
  ip: checkIp,
  joined: checkJoined,
  jq: checkJq,
  kubectl: checkKubectl,
  link: checkLink,
  lookup: checkLookup,
  man: checkMan,
  media: checkMedia,
  modes: checkModes,
  names: checkNames,
  packages: checkPackages,
  page: checkPage,
  pager: checkPager,
  parallel: checkParallel,
  patch: checkPatch,
  ps: checkPs,
  redis: checkRedis,
  rsync: checkRsync,
  sed: checkSed,
  service: checkService,
  setting: checkSetting,
  shell: checkShell,
  source: checkSource,
  ssh: checkSsh,
  stat: checkStat,
  statements: checkStatements,
  stripe: checkStripe,
  sysctl: checkSysctl,
  tar: checkTar,
  test: checkTest,
  transfer: checkTransfer,
  trap: checkTrap,
  tsc: checkTsc,
  typed: checkTyped,
  unit: checkUnit,
  unpack: checkUnpack,
  variables: checkVariables,
  wget: checkWget,
  xargs: checkXargs,
  yq: checkYq,
};
