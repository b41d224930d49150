import type { Command } from "commander";
import type { CommandIo } from "../io.ts";

export function registerInit(_program: Command, _io: CommandIo): void {}
