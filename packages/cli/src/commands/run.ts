import type { Command } from "commander";
import type { CommandIo } from "../io.ts";

export function registerRun(_program: Command, _io: CommandIo): void {}
