// What the hook of an agent program says to the model and to the person at that program.

export const HOOKS = {
  "hook.told": "Leeway: {why}",
  "hook.ask":
    "Leeway: {why}. No inbox of Leeway is open, so you decide here. If nobody approved the call, it did not run.",
  "hook.no_boxes": "no box can be made here ({why}), so more commands are asked about: {hint}",
  "hook.edited":
    "A reviewer changed the arguments of this call, and {host} cannot run a call with changed arguments. It was not run. Do not retry it; tell the user.",
  "hook.succeeded_before": "This call was allowed and has already run; do not run it again. Its result: {result}",
  "hook.failed_before": "This call was allowed and has already run; do not run it again. It failed: {error}",
  "hook.unreadable":
    "Leeway could not read what {host} sent: {fault}. The call was not run. Do not retry it; tell the user.",
  "hook.too_long":
    "What {host} sent about this call is longer than {max} MB, the most that Leeway reads, so the call was not run. Do not retry it as it is; split it into smaller calls, or tell the user.",
  "hook.report_too_long": "it is longer than {max} MB, the most that Leeway reads",
  "hook.unrecorded":
    "Leeway could not record what {host} reported: {why}. This stopped no call, but the record lacks the report.",
  "hook.undecided": "Leeway could not decide, so the call was not run: {why}. Do not retry it; tell the user.",
  "hook.unwritten": "Leeway could not write its answer, so the call was not run. Do not retry it; tell the user.",
  "hook.unfinished":
    "Leeway could not answer before the time limit of {host}, so the call was not run. Do not retry it; tell the user.",
  "hook.seen_here": "On the agent's machine this call does more than its words say: {why}",
  "hook.changed_here":
    "Something changed on this machine after the question was asked: {why}. The call was not run. Try it once more.",
  "hook.untrusted_connection":
    "`{variable}` is set where {host} runs, and a project may have set it: the answers of {url} could come from somebody else",
  "hook.put_aside":
    "a program in the background left files that git, editors, agents or shells would follow, and they were put aside, into box/removed of Leeway's state folder: {paths}. If a person made them, stop the program (`leeway box stop`) and copy them back.",
  "hook.not_still":
    "a program in the background changes files of the project where they are, and what it left could not be looked through: {why}",
  "hook.files_beside":
    "a program in the background changes files of the project where they are, and could put a link in the place of a file that this call opens; `leeway box list` names it",
  "hook.moving":
    "A program in the background changed files while this call was decided, so it was not run. Try it once more.",
} as const;
