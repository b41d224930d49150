#!/usr/bin/env node
// Committed, so that pnpm can link it before anything is built.
import { runFromProcess } from "../dist/main.js";

await runFromProcess();
