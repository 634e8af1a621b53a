/**
 * Entry point of the command line: parses the arguments, runs one verb and sets the exit code. The arguments are declared in `program.ts`;
 * the verbs are in `verbs/`. An exit code is either a verb's own (0, 1 or 130) or comes from the fault table.
 */
import { join } from 'node:path'
import { callerFolder } from '../places/callerFolder.ts'

// Must run before anything resolves a path.
const packageFile = join(import.meta.dirname, '../../../package.json')
process.chdir(callerFolder(process.env, { packageFile, script: 'loupe' }) ?? '.')

const { runCommandLine } = await import('./program.ts')
await runCommandLine(process.argv.slice(2))
