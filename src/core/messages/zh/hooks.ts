export const HOOKS = {
  "hook.told": "Leeway：{why}",
  "hook.ask": "Leeway：{why}。Leeway 的收件箱未打开，因此由您在此决定。若无人批准，则调用未执行。",
  "hook.edited": "审批人修改了此调用的参数，而 {host} 无法以修改后的参数执行调用。调用未执行。请勿重试；请告知用户。",
  "hook.succeeded_before": "此调用已获批准并已执行；请勿再次执行。结果：{result}",
  "hook.failed_before": "此调用已获批准并已执行；请勿再次执行。执行失败：{error}",
  "hook.unreadable": "Leeway 无法读取 {host} 发送的内容：{fault}。调用未执行。请勿重试；请告知用户。",
  "hook.unrecorded": "Leeway 无法记录 {host} 报告的内容：{why}。没有调用因此被阻止，但记录中缺少该报告。",
  "hook.undecided": "Leeway 无法作出决定，因此调用未执行：{why}。请勿重试；请告知用户。",
  "hook.unwritten": "Leeway 无法写出答复，因此调用未执行。请勿重试；请告知用户。",
  "hook.unfinished": "Leeway 未能在 {host} 的时限内答复，因此调用未执行。请勿重试；请告知用户。",
};
