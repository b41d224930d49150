import { IS_TOO_OLD, refuseOldNode } from "../node-required.ts";

/**
 * The program that `node -e` gets: it compiles what stands in the bundle behind the header. It
 * stands in single quotes on a shell line, so it holds none; and in the language of 2009, so that a
 * Node.js of any age gets to the words about its age.
 *
 * `process.argv` is `[node, bundle, "--comm=…", "--logs=…"]` by then, as for any script.
 *
 * @param offset - where the program starts in the bundle, in bytes
 * @param linesBefore - how many lines the header has: lines of the program are lines of the bundle
 */
export function bootProgram(offset: string, linesBefore: number): string {
  const lines = [
    // NODE_OPTIONS may make a module of it, which has no `require`.
    `var load=typeof require==="function"?require:process.getBuiltinModule`,
    `if(${IS_TOO_OLD})return ${refuseOldNode("load")}`,
    `var fs=load("fs"),Module=load("module")`,
    // Airflow gives an absolute path; a person may type a relative one.
    `var file=process.argv[1]=fs.realpathSync(process.argv[1])`,
    `var bytes=fs.readFileSync(file),end=bytes.length-64`,
    `var packed=end>0&&bytes.toString("latin1",end+56)==="AFBNDL01"`,
    `var programEnd=packed?end-bytes.readUInt32LE(end)-bytes.readUInt32LE(end+4):bytes.length`,
    `var program=Array(${linesBefore + 1}).join("\\n")+bytes.toString("utf8",parseInt("${offset}",10),programEnd)`,
    `var main=new Module(file,null)`,
    `main.id="."`,
    `main.filename=file`,
    `main.paths=Module._nodeModulePaths(load("path").dirname(file))`,
    `process.mainModule=main`,
    `Module._cache[file]=main`,
    `main._compile(program,file,"commonjs")`,
  ];
  // In a function: nothing of this becomes a global of the program.
  return `(function(){"use strict";${lines.join(";")}})()`;
}
