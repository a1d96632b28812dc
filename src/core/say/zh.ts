import type { EffectClass } from "../effect.ts";
import { textOf } from "../messages/text.ts";
import { formatDuration } from "../values/duration.ts";
import { sizeText } from "../values/size.ts";
import type { ChangeCounts, Does, Say } from "./say.ts";

const does = (text: string, alone: string): Does => ({ to: (what) => text.replace("…", () => what), alone });

const DOES: { readonly [C in EffectClass]: Does } = {
  none: does("不作任何更改：…", "不作任何更改"),
  "fs.read": does("读取 …", "仅读取"),
  "fs.write": does("写入 …", "写入文件"),
  "fs.mkdir": does("创建文件夹 …", "创建文件夹"),
  "fs.copy": does("复制 …", "复制文件"),
  "fs.move": does("移动 …", "移动文件"),
  "fs.delete": does("删除 …", "删除文件"),
  "process.exec": does("运行 …", "运行未经检查的代码"),
  "host.call": does("调用宿主程序的函数 …", "调用宿主程序的函数"),
  "store.write": does("更改智能体的存储 …", "更改智能体的存储"),
  "metadata.write": does("更改元数据 …", "更改元数据"),
  "checkpoint.write": does("更改检查点 …", "更改检查点"),
  "agent_state.write": does("更改智能体的记忆 …", "更改智能体的记忆"),
  "mcp.release": does("释放 MCP 服务器 …", "释放 MCP 服务器"),
  "network.read": does("从 … 获取数据", "从网络读取"),
  "network.write": does("向 … 发送数据", "通过网络发送数据"),
  "network.sse.write": does("向监听者发送事件：…", "向监听者发送事件"),
  "git.write": does("更改 … 中的 git 仓库", "更改 git 仓库"),
  "message.send": does("通过 … 发送消息", "发送消息"),
  "db.read": does("读取 … 的数据库", "读取数据库"),
  "db.write": does("更改 … 的数据库", "更改数据库"),
  "browser.read": does("查看 … 的网页", "查看网页"),
  "browser.act": does("在浏览器中操作 …", "在浏览器中操作"),
  "agent.spawn": does("以 … 启动另一个智能体", "启动另一个智能体"),
  "schedule.write": does("更改 … 中的定时任务", "更改定时任务"),
  "deploy.write": does("更改构建或部署的内容：…", "发布或更改部署"),
  "payments.move": does("通过 … 转移资金", "转移资金"),
  "secrets.read": does("读取 … 中的密钥或凭据", "读取密钥或凭据"),
  "permissions.change": does("更改智能体或程序可做之事：…", "更改权限"),
  unknown: does("以 … 进行 Leeway 不了解的操作", "进行 Leeway 不了解的操作"),
};

const RUNS = { plainly: "", idly: "，不作任何更改", reading: "，仅读取", "as another": "，以其他用户的身份" } as const;
const MORE = { commands: "条命令", domains: "个域名", recipients: "个收件方" } as const;
const FILES = { files: "个文件", folders: "个文件夹" } as const;
const NAMES = { agent: "智能体", above: "上级智能体", tool: "工具" } as const;
const LEVELS = { none: "无", read: "读取", write: "写入", execute: "执行", admin: "管理" } as const;
const FILE_USES = {
  program: "运行",
  script: "运行",
  "looked for": "可能运行",
  changed: "更改",
  shell: "由其解读",
} as const;
const UNITS = { d: "天", h: "小时", min: "分钟", s: "秒" } as const;
const STATES: { readonly [state: string]: string } = {
  approved: "批准",
  denied: "拒绝",
  expired: "过期",
  cancelled: "撤回",
  superseded: "取代",
};

const withSet = (env: readonly string[]) => (env.length === 0 ? "" : `，设置了 ${env.join("、")}`);

export const ZH: Say = {
  does: DOES,
  and: (first, second) => `${first} 和 ${second}`,
  andMore: (first, more, of) => `${first} 及另外 ${more} ${MORE[of]}`,
  joined: (clauses) => clauses.join("；"),
  fromTo: (from, to) => `${from} 到 ${to}`,
  projectFolder: "项目文件夹",
  filesUnder: (count, of, folder) => `${folder === undefined ? "不同位置" : `${folder} 下`}的 ${count} ${FILES[of]}`,
  withBelow: (what, many) => `${what} 及${many ? "其中" : "其下"}全部内容`,
  withMethod: (done, method) => `${done}（${method}）`,
  outside: (done) => `${done}，在本机之外`,
  outsideToo: (done) => `${done}，也在本机之外`,
  lasting: (done) => `${done}，无法撤销`,
  by: (done, run) => `用 ${run} ${done}`,
  runs: ({ run }, manner) => `运行 ${run}${RUNS[manner]}`,
  runsOn: (domains) => `在 ${domains} 上运行命令`,
  links: "创建链接",
  calls: (tool, what) => `调用 ${tool}；Leeway 不了解此工具${what === undefined ? "" : `对 ${what} `}的作用`,
  starts: "启动后面的命令",
  startsAsAnother: "启动后面的命令，以其他用户的身份",
  amount: (done, amounts, currency) => `${done}：${amounts.join("、")}${currency === undefined ? "" : ` ${currency}`}`,
  noAmount: (done) => `${done}，未注明金额`,
  sendsTo: (done, to) => `${done}给 ${to}`,

  title: ({ agent, above, owner, tool }) => {
    const who = above === undefined ? agent : `${above} 的子智能体 ${agent}`;
    return `${who}（${owner === undefined ? "无所有者" : `所有者 ${owner}`}）请求使用 ${tool}`;
  },
  inFull: (of, name) => `${NAMES[of]}全名：${name}`,
  size: (bytes, digest) => `参数 ${bytes} 字节，${digest}`,
  note: (note) => textOf(note, "zh"),
  understood: {
    fully: "完全理解",
    command: "理解命令本身，但不了解它所运行的代码",
    partly: "仅部分理解",
    not: "未能理解",
  },
  holdsHidden: (name) => `注意：${name} 含有不可见字符`,
  mixes: (name, scripts) => `注意：${name} 混用 ${scripts.join("、")} 字母`,
  argumentsHide: "注意：参数含有不可见字符",
  quorum: (approved, needed) => `已有 ${approved} / ${needed} 次批准`,
  wordsCut: (count) => `（智能体自述另有 ${count} 个字符未显示）`,
  where: (folders, env) => `${folders.length === 0 ? "" : `，在 ${folders.join(" 或 ")}`}${withSet(env)}`,
  folderUnknown: "未知文件夹",
  target: (name, { env = [], folder, below, level }) =>
    `${name}${below === true ? " 及其下全部内容" : ""}${withSet(env)}${folder === undefined ? "" : `，在 ${folder}`}（${LEVELS[level]}）`,
  change: (path) => (path === undefined ? "更改：" : `更改 ${path}：`),
  moreLines: (lines) => `另有 ${lines} 行`,
  stays: (lines) => `${lines} 行不变`,
  staysBelow: (lines) => `… ${lines} 行不变，全文见下`,
  sections: {
    targets: "目标",
    parts: "组成部分",
    steps: "计划的步骤",
    files: "文件",
    exactly: "确切内容",
    holdsFor: "批准仅在以下内容不变时有效",
    why: "为何询问您",
    understood: "理解程度",
    record: "记录",
    answerBy: "答复期限",
    inFull: "完整内容",
    says: "智能体自述，未经核实",
  },
  moreBelow: (count) => `另有 ${count} 项，全文见下`,
  foldedLetters: (text, more) => `${text}…（另有 ${more} 个字符，全文见下）`,

  runsIn: (folder) => `在 ${folder} 中运行`,
  programAt: (name, path) => `${name} 即 ${path}`,
  startsAt: (programs) => `将启动的程序：${programs.join("，")}`,
  file: (use, path) => `${FILE_USES[use]} ${path}`,
  fileIs: (done, bytes, hash) => `${done}：${bytes} 字节，${hash}`,
  fileTooLarge: (done, bytes) => `${done}：${bytes} 字节，过大而无法读取`,
  fileUnreadable: (done) => `${done}，无法读取`,
  fileMissing: (done) => `${done}，尚不存在`,

  cover: {
    whole: ({ class: effectClass, level, by, targets }) =>
      `${targets.length === 0 ? "任何目标" : targets.join("；")}${by === undefined ? "" : `，经由 ${by}`}（${effectClass ?? `所有类型，至多${LEVELS[level]}`}）`,
    path: (path, below) => (below ? `${path}/ 下的一切` : `${path}，若为文件夹，则含其中直接包含的文件`),
    command: ({ words, rest, folder, isHere }) => {
      const may = {
        none: "",
        any: "，任何参数",
        "after-dashes": "，`--` 之后任何参数",
        everyday: "，任何测试及常用选项",
        branches: "，任何分支或标签（按名称），绝不强制或删除",
      }[rest];
      return `${rest === "none" ? "仅限 " : ""}\`${words}\`${may}${isHere ? "，在此文件夹" : folder === undefined ? "" : `，在 ${folder}`}`;
    },
    tool: (name) => `${name}，任何参数`,
    projectCode: (folder, inBox) =>
      `项目 ${folder} 的文件中的代码${inBox ? "" : "，不在沙箱中"}：测试、构建、脚本、已安装的软件包，也包括代理写入其中的代码`,
    projectContainers: (folder) =>
      `项目 ${folder} 的容器：用其文件构建镜像，启动和停止容器，在容器中运行命令；命令本身不开放项目之外的文件夹，也不给予额外权限`,
    containersArePowerful:
      "没有人检查镜像和 compose 文件的内容。compose 文件可以把本机的任何文件夹交给容器，使用 Docker 时还能得到 root 权限。代理可以编写 compose 文件。",
    boxIsBetter:
      "沙箱是更好的办法：沙箱中的代码只能改动项目，也无法访问网络，因此无需询问任何人。`leeway doctor` 会说明建立沙箱还缺什么。",
    inBox: (covered) => `${covered}，仅限在沙箱中`,
    exactly: (tool, digest) => `仅限 ${tool} 的一次调用：${digest.slice(0, 19)}…`,
    before: (covered, outOf) => `其最近 ${outOf} 次调用中的 ${covered} 次`,
  },

  plan: {
    lead: (title) => `计划：${title}`,
    sentence: (covered, steps) =>
      `允许此计划的${covered === steps ? `全部 ${steps} 个调用` : ` ${steps} 个调用中的 ${covered} 个`}各执行一次；现在不执行任何调用`,
    becomes: {
      covered: "批准后允许执行一次",
      runs: "无需批准",
      asks: "发起时另行询问",
      human: "发起时需要单独的人工审阅",
      proposed: "仅记录，不会执行",
      denied: "已拒绝，不会执行",
    },
    allows: (cover) => `批准后允许执行一次，且不限于此调用：${cover}`,
    changedBy: (step) => `发起时另行询问，因为第 ${step} 步会更改它所用的文件`,
    about: (steps, text) => `第 ${steps.join("、")} 步：${text}`,
  },
  changed: {
    lead: (of, command) => `${of === "apply" ? "应用此命令的更改" : "撤销此命令的更改"}：${command}`,
    sentence: (of, command, counts, manner) => {
      const who = of === "apply" ? `\`${command}\`` : `撤销 \`${command}\``;
      return `${who} ${manner === "would" ? "将" : ""}${countsOf(counts).join("、") || "更改 0 个文件"}`;
    },
    command: (command) => `命令：${command}`,
    project: (folder) => `所在项目：${folder}`,
    added: (what) => `新增，${what}`,
    removed: (what) => `删除，${what}`,
    emptied: (size) => `清空，原为 ${size}`,
    changed: (what) => `更改，${what}`,
    lines: ({ added, removed }) =>
      [...(added > 0 ? [`增加 ${added} 行`] : []), ...(removed > 0 ? [`删除 ${removed} 行`] : [])].join("，"),
    binary: (sizes) => `二进制，${sizes}`,
    tooLarge: (sizes) => `过大，无法显示，${sizes}`,
    mode: (was, now) => `权限 ${was} → ${now}`,
    link: (to) => `链接到 ${to}`,
    wasLink: (to) => `原链接到 ${to}`,
    folder: "文件夹",
    noBreak: "（末尾没有换行）",
    unsaved: "没有任何提交包含此内容",
    inFolder: (counts) => countsOf(counts).join("、"),
  },
  box: {
    is: { ran: "已在沙箱中运行", bound: "只能在沙箱中运行" },
    walls: ({ write, network, reveal, packages = [], tools, limits = {} }, nameOf) => [
      write.length === 0 ? "不能更改任何文件" : `可以更改 ${write.map(nameOf).join("、")}`,
      network === "any" ? "可以使用网络" : network.length === 0 ? "没有网络" : `可以访问 ${network.join("、")}`,
      ...packages.map(({ kind, from }) => `可以从 ${from} 读取 ${kind} 软件包`),
      ...(tools === undefined ? [] : ["可以看到为本项目的沙箱安装的工具"]),
      ...(tools ?? []).map((kind) => `只为本项目的沙箱安装 ${kind} 工具`),
      reveal.length === 0 ? "没有凭据" : `可以看到 ${reveal.map(nameOf).join("、")}`,
      ...(limits.memoryBytes === undefined ? [] : [`内存至多 ${sizeText(limits.memoryBytes)}`]),
      ...(limits.processes === undefined ? [] : [`进程和线程至多 ${limits.processes} 个`]),
      ...(limits.timeMs === undefined ? [] : [`时间至多 ${formatDuration(limits.timeMs)}`]),
    ],
    rehearsed: "它所做的更改在应用之前会先经过决定；7 天内可用 `leeway undo` 恢复文件",
    refused: (one) => {
      if (one.of === "network") return one.domain === "" ? "一个连接" : `到 ${one.domain} 的连接`;
      if (one.of === "write") return one.path === "" ? "一次写入" : `对 ${one.path} 的写入`;
      if (one.of === "hidden") return `${one.path} 的内容：沙箱隐藏了同名文件，因此它的副本是空的`;
      if (one.of === "uncovered") return `${one.path}：有人替换了此文件，沙箱无法再次遮盖它，程序已被终止`;
      if (one.of === "change") return `对 ${one.path} 的更改：${one.why}`;
      return {
        memory: `内存超过 ${sizeText(one.max)}，程序已被终止`,
        processes: `进程和线程超过 ${one.max} 个，程序已被终止`,
        time: `时间超过 ${formatDuration(one.max)}，程序已被终止`,
        held: `程序在 ${formatDuration(one.max)} 之后继续：它曾为智能体程序的一次调用而暂停，该调用的结束从未报告，程序已被终止`,
      }[one.limit];
    },
    changes: (state, files) =>
      ({
        applied: `更改了 ${files} 个文件`,
        undone: `更改了 ${files} 个文件，更改已撤销`,
        asked: `将更改 ${files} 个文件；正在询问人员`,
        waiting: `将更改 ${files} 个文件，待 Leeway 的程序应用`,
        unknown: `可能更改了 ${files} 个文件：应用更改的进程已中止。此项目的下一个命令会完成更改或全部还原`,
        dropped: `本会更改 ${files} 个文件；没有应用任何更改`,
      })[state],
  },
  accepts: ({ of, name, upstream }) =>
    ({
      start: `是否接受 MCP 服务器 ${upstream} 的启动方式？`,
      instructions: `是否接受 MCP 服务器 ${upstream} 告知每个模型的内容？`,
      tool: `是否接受 MCP 服务器 ${upstream} 的工具 ${name}？`,
    })[of],
  span: (units) => units.map(([count, unit]) => `${count} ${UNITS[unit]}`).join(" "),
  now: "现在",
  soon: (span) => `${span}后`,
  ago: (span) => `${span}前`,
  closedAlready: (state) => `已${STATES[state] ?? `结束（${state}）`}`,
  answerUntil: (until, ahead, then) => {
    const means = {
      run: "批准后由 Leeway 执行一次：能够运行此工具的 Leeway 程序（`leeway up` 或 `leeway mcp`）在运行时即执行",
      next: "批准后，智能体重试时可执行一次",
      plan: `批准后，允许的每个调用可在 ${"before" in then ? then.before : ""} 之前执行一次`,
      on: `批准后可执行一次：智能体仍在等待则立即执行，否则在 ${"before" in then ? then.before : ""} 之前重试时执行`,
    };
    return `${until}（${ahead}）；${means[then.is]}`;
  },
  noRecord: (effectClass) => `此前没有 ${effectClass} 调用`,
  record: (effectClass, { asked, well, failed, denied, unanswered, unknown }) => {
    const parts = [
      `请求 ${asked} 次`,
      `成功 ${well} 次`,
      ...(failed > 0 ? [`失败 ${failed} 次`] : []),
      ...(denied > 0 ? [`被拒 ${denied} 次`] : []),
      ...(unanswered > 0 ? [`未答复 ${unanswered} 次`] : []),
      ...(unknown > 0 ? [`结果不明 ${unknown} 次`] : []),
    ];
    return `${effectClass}：${parts.join("，")}`;
  },
};

/** Only what there is. */
function countsOf({ changed, added, removed }: ChangeCounts): readonly string[] {
  return [
    ...(changed > 0 ? [`更改 ${changed} 个文件`] : []),
    ...(added > 0 ? [`新增 ${added} 个文件`] : []),
    ...(removed > 0 ? [`删除 ${removed} 个文件`] : []),
  ];
}
