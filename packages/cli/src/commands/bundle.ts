import type { Command } from "commander";
import type { CommandIo } from "../io.ts";

export function registerBundle(_program: Command, _io: CommandIo): void {}
