export const HOOKS = {
  "hook.told": "Leeway：{why}",
  "hook.ask": "Leeway：{why}。Leeway 的收件箱未打开，因此由您在此决定。若无人批准，则调用未执行。",
  "hook.no_boxes": "这台机器上无法创建沙箱（{why}），因此更多命令需要询问：{hint}",
  "hook.edited": "审批人修改了此调用的参数，而 {host} 无法以修改后的参数执行调用。调用未执行。请勿重试；请告知用户。",
  "hook.succeeded_before": "此调用已获批准并已执行；请勿再次执行。结果：{result}",
  "hook.failed_before": "此调用已获批准并已执行；请勿再次执行。执行失败：{error}",
  "hook.unreadable": "Leeway 无法读取 {host} 发送的内容：{fault}。调用未执行。请勿重试；请告知用户。",
  "hook.too_long":
    "{host} 就此调用发送的内容超过 {max} MB（Leeway 读取的上限），因此调用未执行。请勿原样重试；请拆分为较小的调用，或告知用户。",
  "hook.report_too_long": "内容超过 {max} MB，这是 Leeway 读取的上限",
  "hook.unrecorded": "Leeway 无法记录 {host} 报告的内容：{why}。没有调用因此被阻止，但记录中缺少该报告。",
  "hook.undecided": "Leeway 无法作出决定，因此调用未执行：{why}。请勿重试；请告知用户。",
  "hook.unwritten": "Leeway 无法写出答复，因此调用未执行。请勿重试；请告知用户。",
  "hook.unfinished": "Leeway 未能在 {host} 的时限内答复，因此调用未执行。请勿重试；请告知用户。",
  "hook.seen_here": "在智能体所在的机器上，此调用的作用超出其字面内容：{why}",
  "hook.changed_here": "提出问题之后，本机上的情况发生了变化：{why}。调用未执行。请再试一次。",
  "hook.untrusted_connection": "{host} 运行的环境中设置了 `{variable}`，可能是由项目设置的：{url} 的答复可能来自他人",
  "hook.put_aside":
    "后台程序留下了 git、编辑器、智能体或 shell 会遵循的文件，已移到 Leeway 状态文件夹的 box/removed：{paths}。如果是人创建的，请停止该程序（`leeway box stop`）并复制回来。",
  "hook.not_still": "后台程序正在原处修改项目文件，其留下的内容无法检查：{why}",
  "hook.files_beside": "后台程序正在原处修改项目文件，可能在此调用要打开的文件处放置链接；`leeway box list` 会列出它",
  "hook.moving": "在决定此调用时，后台程序修改了文件，因此调用未执行。请再试一次。",
};
