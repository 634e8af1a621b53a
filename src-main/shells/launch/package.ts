/**
 * Run first by `npm pack`: makes what an installed package needs and a checkout does not have. Node runs no TypeScript in a node_modules
 * folder, so the engine and the command line are compiled into dist/, file by file and at the same depth as in src-main/, which keeps paths
 * from a file to package.json, resources/ and out/ valid.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWhenStale } from './build.ts'

const top = join(import.meta.dirname, '../../..')

// Files of removed sources must not be packed.
rmSync(join(top, 'dist'), { recursive: true, force: true })
const compiler = join(top, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', join(top, 'src-main/tsconfig.package.json')], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (status !== 0) throw new Error('The command line does not compile; see above.')
// Standard output belongs to npm, which prints the name of the package there.
const failed = await buildWhenStale(top, 'interface', (line) => void process.stderr.write(`${line}\n`))
if (failed !== undefined) throw new Error(`The interface does not build: ${failed}`)
