#!/usr/bin/env python3
"""Verifies one entry of a Leeway ledger by its proof, without the rest of the ledger. Standard library and verify.py.

    python3 verify_entry.py entry-17.json --key 'leeway+1a2b3c4d+AbC...'

Exit codes: 0 the entry was signed as it stands there, 1 it was not, 2 usage.
"""
import argparse
import json
import re
import sys

from verify import (Fault, canonical, check, check_shape, leaf, node, open_checkpoint, origin_for, parse, parse_key,
                    read)

NODE = re.compile(r"[0-9a-f]{64}")

def climb(entry_hash, index, size, beside):
    """RFC 6962: the root, computed from the entry at this index and the sibling hashes of its path, lowest first."""
    if size == 1:
        return leaf(entry_hash) if not beside else None
    if not beside:
        return None
    left = 1 << ((size - 1).bit_length() - 1)
    is_left = index < left
    below = climb(entry_hash, *((index, left) if is_left else (index - left, size - left)), beside[:-1])
    if below is None:
        return None
    return node(below, beside[-1]) if is_left else node(beside[-1], below)

def verify_entry(text, key):
    """One verdict: {"ok": true, "index": ..., "of": ...} or {"ok": false, "why": sentence}."""
    try:
        text = text.strip()
        given = json.loads(text, parse_constant=int)
        if text not in (canonical(given), canonical(given, list)):
            raise Fault("shape", "it is not a proof of an entry")
        if not isinstance(given, dict) or sorted(given) != ["beside", "checkpoint", "entry"]:
            raise Fault("shape", "it is not a proof of an entry")
        entry, beside, note = given["entry"], given["beside"], given["checkpoint"]
        if not isinstance(note, str) or not isinstance(beside, list):
            raise Fault("shape", "it is not a proof of an entry")
        if not all(isinstance(step, str) and NODE.fullmatch(step) for step in beside):
            raise Fault("shape", "it is not a proof of an entry")
        entry, broken = parse(canonical(entry))
        if broken:
            raise Fault("shape", broken)
        check_shape(entry)
        check(entry, {"size": entry["index"] - 1, "hash": entry["previous"], "at_ms": 0}, entry["workspace"])
        whose = parse_key(key)
        size, root = open_checkpoint(note, whose, origin_for(whose, entry["workspace"]))
        is_within = 0 < entry["index"] <= size
        steps = [bytes.fromhex(step) for step in beside]
        if not is_within or climb(entry["hash"], int(entry["index"]) - 1, size, steps) != root:
            raise Fault("proof", "it is not in the ledger that was signed, or not in this place")
    except Fault as fault:
        return {"ok": False, "why": fault.why}
    except (ValueError, OverflowError, RecursionError):
        return {"ok": False, "why": "it is not a proof of an entry"}
    return {"ok": True, "index": entry["index"], "of": size}

def main():
    parser = argparse.ArgumentParser(description="verify one entry of a Leeway ledger")
    parser.add_argument("proof", help="the entry: `leeway export --entry 17 > entry-17.json`")
    parser.add_argument("--key", required=True, help="who must have signed it: name+id+key, as `leeway status` prints it")
    given = parser.parse_args()
    verdict = verify_entry(read(given.proof), given.key)
    print(json.dumps(verdict))
    return 0 if verdict["ok"] else 1

if __name__ == "__main__":
    sys.exit(main())
