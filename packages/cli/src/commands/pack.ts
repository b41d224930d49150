import type { Command } from "commander";
import type { CommandIo } from "../io.ts";

export function registerPack(_program: Command, _io: CommandIo): void {}
