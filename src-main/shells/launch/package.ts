/** Run first by `npm pack`: makes what an installed package needs and a checkout does not have, the bundled command line and the built
 *  interface. The bundle is copied to the one folder that is packed; commands of a checkout never run from there. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWhenStale } from './build.ts'
import { bundleCommandLine } from './bundle/bundle.ts'

const top = join(import.meta.dirname, '../../..')
const bundle = await bundleCommandLine(top)
rmSync(join(top, 'dist/shells'), { recursive: true, force: true })
cpSync(join(bundle, 'cli'), join(top, 'dist/shells/cli'), { recursive: true })
// Standard output belongs to npm, which prints the name of the package there.
const failed = await buildWhenStale(top, 'interface', (line) => void process.stderr.write(`${line}\n`))
if (failed !== undefined) throw new Error(`The interface does not build: ${failed}`)
