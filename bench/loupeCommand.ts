/** The command line as a user runs it, from a bundle of the present sources, which is made when there is none. */
import { join } from 'node:path'
import { bundleCommandLine } from '../src-main/shells/launch/bundle/bundle.ts'
import { heapFlag } from '../src-main/shells/launch/heap.ts'

const top = join(import.meta.dirname, '..')
await bundleCommandLine(top)

/** The first words of every command of Loupe. */
export const loupeCommand = [process.execPath, heapFlag, join(top, 'src-main/shells/cli/loupe.cjs')]
