/** Where the command line begins: reads the words, runs one verb, says how it ended. The words are in `program.ts`, what
 *  they do in `verbs/`. Exit codes come from one place each: a verb's own (0, 1 or 130), or the fault table. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { callerFolder } from '../places/callerFolder.ts'

// Turning TypeScript into something that runs is most of a short verb's time, so it is kept: beside the packages, because
// whoever can write there could change them too. Where nobody may write there, nothing is kept. Threads only learn of it
// from the environment, and a harvest starts several, each of which loads most of the engine.
const compiled = join(import.meta.dirname, '../../../node_modules/.cache/loupe')
enableCompileCache(compiled)
process.env['NODE_COMPILE_CACHE'] ??= compiled

// Before anything resolves a path.
const packageFile = join(import.meta.dirname, '../../../package.json')
process.chdir(callerFolder(process.env, { packageFile, script: 'loupe' }) ?? '.')

const { runCommandLine } = await import('./program.ts')
await runCommandLine(process.argv.slice(2))
