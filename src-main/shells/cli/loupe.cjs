#!/usr/bin/env -S node --initial-old-space-size=128
/** The `loupe` executable. The engine needs Node 24; an older one hands over to the one that npm installed next to it. This
 *  file must run on old Nodes, so it is plain CommonJS. Why the heap begins at that size: `launch/heap.ts`. */
'use strict'
const { spawn } = require('node:child_process')
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const neededMajor = 24
const top = join(__dirname, '../../..')
const binary = join(top, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

if (process.argv.length === 3 && process.argv[2] === '--version') {
  // Scripts ask for it often, and it needs nothing of the program. `program.ts` declares the option for the help.
  console.log(require(join(top, 'package.json')).version)
} else if (Number(process.versions.node.split('.')[0]) >= neededMajor) {
  const { file, compiled } = require('./mainFile.cjs').mainFile(top)
  require('./compileCache.cjs').keepCompiled(compiled)
  void import(pathToFileURL(file))
} else if (existsSync(binary)) {
  const child = spawn(binary, [...process.execArgv, __filename, ...process.argv.slice(2)], {
    stdio: 'inherit',
    shell: binary.endsWith('.cmd'),
  })
  // Of a press of Ctrl-C the terminal tells the child too, which takes both for one; it decides when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 130))
} else {
  process.stderr.write(
    `Loupe needs Node ${neededMajor} or newer, and this is ${process.version}: run "npm ci" in ${top}, or install Node ${neededMajor}.\n`,
  )
  process.exitCode = 5
}
