#!/usr/bin/env node
// The same program under its first name. An installed `leeway` starts leeway.cjs, which Node loads faster.
import "./leeway.cjs";
