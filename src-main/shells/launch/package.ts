/** Run first by `npm pack`: makes what an installed package needs and a checkout does not have, the bundled command line and the built
 *  interface. */
import { join } from 'node:path'
import { buildWhenStale } from './build.ts'
import { bundleCommandLine } from './bundle.ts'

const top = join(import.meta.dirname, '../../..')
await bundleCommandLine(top)
// Standard output belongs to npm, which prints the name of the package there.
const failed = await buildWhenStale(top, 'interface', (line) => void process.stderr.write(`${line}\n`))
if (failed !== undefined) throw new Error(`The interface does not build: ${failed}`)
