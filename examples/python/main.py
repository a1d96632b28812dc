"""A tool of a Python program behind the gate of a server: python3 main.py, with LEEWAY_URL and LEEWAY_TOKEN set."""
import json, os, sys, urllib.error, urllib.request

def ask(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {os.environ['LEEWAY_TOKEN']}", "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["LEEWAY_URL"] + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=90) as response:
        return json.load(response)

def gated(tool, args, run, call_id):
    """Runs `run(**args)` once, if the gate lets it. The same `call_id` is the same call, also after a restart."""
    receipt = ask("POST", "/v1/calls", {"tool": tool, "args": args, "callId": call_id, "wait": 60})
    while receipt["outcome"] == "pending":  # a person is asked; the answer may take long
        receipt = ask("GET", f"/v1/calls/{receipt['id']}/wait?timeout=60")
    if receipt["outcome"] != "run" or "executionId" not in receipt:
        return f"not run: {receipt.get('reason') or '; '.join(receipt['decision']['because'])}. Do not retry this call."
    if "result" in receipt:  # it ran before
        return receipt["result"]
    execution = receipt["executionId"]
    held = receipt if "attempt" in receipt else ask("POST", f"/v1/calls/{execution}/claim", {})
    try:  # a reviewer may have changed the arguments: the claim has those that were approved
        ended = {"ok": True, "result": run(**held.get("args", args))}
    except Exception as error:
        ended = {"ok": False, "error": str(error)}
    ask("POST", f"/v1/calls/{execution}/settle", {"attempt": held["attempt"], **ended})
    return ended.get("result", ended.get("error"))

print(gated("refund", {"amount": int(sys.argv[1])}, lambda amount: f"refunded {amount}", call_id=f"refund-{sys.argv[1]}"))
