/**
 * Entry point of the command line: parses the arguments, runs one verb and sets the exit code. The arguments are declared in `program.ts`;
 * the verbs are in `verbs/`. An exit code is either a verb's own (0, 1 or 130) or comes from the fault table.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { callerFolder } from '../places/callerFolder.ts'

// Compiling TypeScript takes most of a short verb's run time, so the result is cached. The cache is next to the packages: an account that
// can write there could change the packages too. Where the folder is not writable, nothing is cached. Threads learn of the cache only from
// the environment, and a harvest starts several, and each loads most of the engine.
const compiled = join(import.meta.dirname, '../../../node_modules/.cache/loupe')
enableCompileCache(compiled)
process.env['NODE_COMPILE_CACHE'] ??= compiled

// Must run before anything resolves a path.
const packageFile = join(import.meta.dirname, '../../../package.json')
process.chdir(callerFolder(process.env, { packageFile, script: 'loupe' }) ?? '.')

const { runCommandLine } = await import('./program.ts')
await runCommandLine(process.argv.slice(2))
