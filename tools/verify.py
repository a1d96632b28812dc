#!/usr/bin/env python3
"""Verifies a Leeway ledger exported as JSON lines, and signed checkpoints of it. Standard library only.

    python3 verify.py ledger.jsonl
    python3 verify.py ledger.jsonl --key 'leeway+1a2b3c4d+AbC...' --checkpoint 0000000000001000.note

It shares no code with Leeway, so it is an independent check. Exit codes: 0 intact, 1 not intact, 2 usage.
"""
import argparse
import base64
import hashlib
import json
import re
import sys
import urllib.parse

KEYS = ["actor", "atMs", "bodyHash", "hash", "index", "kind", "previous", "subject", "workspace"]
SALT = re.compile(r"[0-9a-f]{32}")

class Fault(Exception):
    def __init__(self, kind, why, index=None, up_to=None):
        super().__init__(why)
        self.kind, self.why, self.index, self.up_to = kind, why, index, up_to

# ---- RFC 8785: canonical JSON -------------------------------------------------------------------------------------

def canonical(value, sort=lambda keys: sorted(keys, key=lambda key: key.encode("utf-16-be", "surrogatepass"))):
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return text(value)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(item, sort) for item in value) + "]"
    return "{" + ",".join(text(key) + ":" + canonical(value[key], sort) for key in sort(value)) + "}"

def text(value):
    return re.sub("[\ud800-\udfff]", lambda half: "\\u%04x" % ord(half.group()), json.dumps(value, ensure_ascii=False))

def number(value):
    """As ECMAScript writes a double: the shortest digits, an exponent only beyond 1e21 and below 1e-6."""
    value = float(value)
    if value == 0 or value - value != 0:
        return "0" if value == 0 else "null"
    sign, digits = ("-" if value < 0 else ""), repr(abs(value))
    mantissa, _, exponent = digits.partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    point = len(whole) + int(exponent or 0)
    figures = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(figures)
    figures = figures.rstrip("0")
    if 0 < point <= 21:
        plain = figures[:point].ljust(point, "0")
        return sign + plain + ("." + figures[point:] if len(figures) > point else "")
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + figures
    power = point - 1
    shown = figures[0] + ("." + figures[1:] if len(figures) > 1 else "")
    return "%s%se%s%d" % (sign, shown, "+" if power > 0 else "-", abs(power))

# ---- RFC 6962: the tree over the entries' hashes ------------------------------------------------------------------

def leaf(entry_hash):
    return hashlib.sha256(b"\0" + entry_hash.encode()).digest()

def node(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()

def grow(edge, size, entry_hash):
    top = leaf(entry_hash)
    while size % 2 == 1:
        top, size = node(edge.pop(), top), size // 2
    edge.append(top)

def root(edge):
    if not edge:
        return hashlib.sha256(b"").digest()
    top = edge[-1]
    for left in reversed(edge[:-1]):
        top = node(left, top)
    return top

# ---- RFC 8032: Ed25519, verification only -------------------------------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)

def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)

def multiply(times, point):
    total = (0, 1, 1, 0)
    while times > 0:
        if times & 1:
            total = add(total, point)
        point, times = add(point, point), times >> 1
    return total

def equal(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0

def decompress(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P != 0 or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return (x, y, 1, x * y % P)

BASE = decompress((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))

def signed_by(public, message, signature):
    if len(public) != 32 or len(signature) != 64:
        return False
    a, r, s = decompress(public), decompress(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    return equal(multiply(s, BASE), add(r, multiply(h, a)))

# ---- C2SP: signed notes and checkpoints ---------------------------------------------------------------------------

def key_id(name, public):
    return hashlib.sha256(name.encode() + b"\n\1" + public).digest()[:4]

def parse_key(given):
    name, _, rest = given.partition("+")
    short, _, encoded = rest.partition("+")
    typed = unbase64(encoded)
    if not name or typed is None or len(typed) != 33 or typed[0] != 1 or key_id(name, typed[1:]).hex() != short:
        raise Fault("checkpoint", "the key is not a verifier key", 0)
    return name, typed[1:]

def unbase64(encoded):
    try:
        data = base64.b64decode(encoded, validate=True)
    except ValueError:
        return None
    return data if encoded and base64.b64encode(data).decode() == encoded else None

def origin_for(key, workspace):
    """The ledger in the name of the key. An older key names none and signs for every ledger of the workspace."""
    return key[0] if key[0].startswith("leeway/") else "leeway/" + urllib.parse.quote(workspace, safe="-_.!~*'()")

def open_checkpoint(note, key, origin):
    """The size and the root that this key signed."""
    end = note.rfind("\n\n")
    if end == -1 or not note.endswith("\n") or re.search("[\x00-\x09\x0b-\x1f]", note):
        raise Fault("checkpoint", "it is not a signed note", 0)
    body, lines = note[: end + 1], note[end + 2 : -1].split("\n")
    name, public = key
    signed = False
    for line in lines:
        parts = line.split(" ")
        data = unbase64(parts[2]) if len(parts) == 3 and parts[0] == "\u2014" else None
        if data is None or len(data) < 5 or not parts[1] or "+" in parts[1] or len(lines) > 100:
            raise Fault("checkpoint", "a signature line is not well formed", 0)
        if parts[1] != name or data[:4] != key_id(name, public):
            continue
        if not signed_by(public, body.encode(), data[4:]):
            raise Fault("checkpoint", "the signature does not fit the text", 0)
        signed = True
    if not signed:
        raise Fault("checkpoint", "it is not signed by this key", 0)
    rows = body[:-1].split("\n")
    size_fits = len(rows) >= 3 and re.fullmatch(r"0|[1-9][0-9]{0,15}", rows[1])
    top = unbase64(rows[2]) if size_fits else None
    if not size_fits or top is None or len(top) != 32 or "" in rows:
        raise Fault("checkpoint", "the signed text is not a checkpoint", 0)
    if rows[0] != origin:
        raise Fault("checkpoint", "it is a checkpoint of " + rows[0], 0)
    return int(rows[1]), top

# ---- the chain ----------------------------------------------------------------------------------------------------

def parse(line):
    """The entry, or a fault: no field may be missing, and none may be added that the hash does not cover."""
    try:
        entry = json.loads(line, parse_constant=int)
        if canonical(entry) != line:
            return None, "the line is not in its canonical form"
    except (ValueError, OverflowError, RecursionError):
        return None, "the line is not JSON"
    if not isinstance(entry, dict) or sorted(key for key in entry if key != "body") != KEYS:
        return None, "it does not have exactly the keys of an entry"
    body, subject = entry.get("body", {"json": {}, "salt": "0" * 32}), entry["subject"]
    if not isinstance(subject, dict) or not all(isinstance(value, str) for value in subject.values()):
        return None, "its subject does not hold texts alone"
    if not isinstance(body, dict) or sorted(body) != ["json", "salt"] or not isinstance(body["json"], dict):
        return None, "its body is not a salt and a JSON object"
    if not isinstance(body["salt"], str) or not SALT.fullmatch(body["salt"]):
        return None, "its body has no salt of 16 bytes"
    return entry, None

def check_shape(entry):
    for name in ("index", "atMs"):
        value = entry[name]
        whole = isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value)
        if not whole or abs(value) >= 2**53 or entry["atMs"] < 0:
            raise Fault("shape", "its index or its time is not a whole number")
    if not all(isinstance(entry[name], str) for name in ("workspace", "kind", "actor", "bodyHash", "hash")):
        raise Fault("shape", "one of its texts is missing")

def check(entry, state, workspace):
    check_shape(entry)
    if entry["workspace"] != workspace:
        raise Fault("workspace", "it belongs to another workspace")
    if entry["index"] != state["size"] + 1:
        raise Fault("index", "the entry in its place has the index %s" % entry["index"])
    if entry["previous"] != state["hash"]:
        raise Fault("previous", "it does not follow the entry before it")
    if entry["atMs"] < state["at_ms"]:
        raise Fault("time", "it is earlier than the entry before it")
    bare = {key: value for key, value in entry.items() if key not in ("hash", "body")}
    if entry["hash"] != "sha256:" + hashlib.sha256(canonical(bare).encode()).hexdigest():
        raise Fault("hash", "its hash does not fit what it says")
    body = entry.get("body")
    if body is not None:
        salted = bytes.fromhex(body["salt"]) + canonical(body["json"]).encode()
        if entry["bodyHash"] != "sha256:" + hashlib.sha256(salted).hexdigest():
            raise Fault("body", "its body is not the one that was recorded")

def advance(entry, state):
    if "body" not in entry:
        state["bare"].add(entry["index"])
    if entry["kind"] == "body.erased" and re.fullmatch(r"[1-9]\d*", entry["subject"].get("entry", "")):
        state["bare"].discard(int(entry["subject"]["entry"]))
    grow(state["edge"], state["size"], entry["hash"])
    state.update(size=entry["index"], at_ms=entry["atMs"], hash=entry["hash"])

def compare(state, checkpoints):
    while state["passed"] < len(checkpoints) and checkpoints[state["passed"]][0] == state["size"]:
        size, top = checkpoints[state["passed"]]
        if root(state["edge"]) != top:
            before = checkpoints[state["passed"] - 1][0] if state["passed"] else 0
            why = "the first %d entries are not the ones that were signed" % size
            raise Fault("checkpoint", why, min(before + 1, size), size)
        state["passed"] += 1

def verify(lines, notes=(), key=None):
    """One verdict: {"ok": true, ...} or {"ok": false, "index": the first bad one, "is": kind, "why": sentence}."""
    state = {"size": 0, "at_ms": 0, "hash": None, "edge": [], "bare": set(), "passed": 0}
    checkpoints, workspace = None, None
    try:
        for line in lines:
            entry, broken = parse(line)
            if checkpoints is None:
                workspace = str(entry["workspace"]) if entry else "default"
                whose = parse_key(key) if notes else None
                checkpoints = sorted(open_checkpoint(note, whose, origin_for(whose, workspace)) for note in notes)
                compare(state, checkpoints)
            if broken:
                raise Fault("shape", broken)
            check(entry, state, workspace)
            advance(entry, state)
            compare(state, checkpoints)
        if checkpoints is None and notes:
            raise Fault("truncated", "nothing is left of a ledger that was signed")
        if state["passed"] < len(checkpoints or []):
            size = checkpoints[state["passed"]][0]
            raise Fault("truncated", "it ends at %d, but %d entries were signed" % (state["size"], size), None, size)
        if state["bare"]:
            raise Fault("erased", "its body is gone and no entry says that it was erased", min(state["bare"]))
    except Fault as fault:
        index = state["size"] + 1 if fault.index is None else fault.index
        return {"ok": False, "index": index, "is": fault.kind, "why": fault.why}
    return {"ok": True, "entries": state["size"], "hash": state["hash"], "root": root(state["edge"]).hex()}

def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()

def main():
    parser = argparse.ArgumentParser(description="verify a Leeway ledger exported as JSON lines")
    parser.add_argument("ledger", help="the export: `leeway export > ledger.jsonl`")
    parser.add_argument("--checkpoint", action="append", default=[], help="a signed checkpoint; may be given again")
    parser.add_argument("--key", help="who must have signed it: name+id+key, as `leeway status` prints it")
    given = parser.parse_args()
    if given.checkpoint and not given.key:
        parser.error("a checkpoint proves nothing without --key")
    with open(given.ledger, encoding="utf-8", newline="\n") as file:
        verdict = verify((line.rstrip("\n") for line in file), [read(path) for path in given.checkpoint], given.key)
    print(json.dumps(verdict))
    return 0 if verdict["ok"] else 1

if __name__ == "__main__":
    sys.exit(main())
