import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { loupeCommand } from './loupeCommand.ts'
import { measured } from './measure.ts'
import { sameHost } from './harvesters.ts'
import { siteSources, startRealSite } from './realSite.ts'
const site = await startRealSite(siteSources[process.argv[2] ?? 'qt']!)
const archive = '/tmp/zz/archive'
await measured([...loupeCommand, '--archive', archive, 'init'], { cwd: '/tmp', good: [0] })
for (let i = 0; i < 2; i++) {
  const { stdout, stderr } = await measured([...loupeCommand, '--archive', archive, '--json', 'harvest', '--delay-ms', '0', '--connections-per-host', '16', '--workers', '16', ...sameHost, '--store-in-full', '', site.seed], { cwd: '/tmp', good: [0, 1] })
  console.log(stdout, stderr)
}
await site.stop()
