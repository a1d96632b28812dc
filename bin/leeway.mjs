#!/usr/bin/env node
// The same program by the name that it had first: an installed `leeway` starts the other file, which Node loads sooner.
import "./leeway.cjs";
