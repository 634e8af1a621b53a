/** Measures a snapshot harvest (`npm run bench:snapshot [-- --domains N]`): time and peak memory of the commands with which a user adds
 *  10,000 domains and generates the jobs of a snapshot of them. Every domain has an earlier result, so that the split has different sizes to
 *  compare. There is no peer; the exit code is 1 when the generation needs more than 200 MB. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openStore } from '../src-main/storage/storage.ts'
import { loupeCommand } from './loupeCommand.ts'
import { machineLine, measured, type Measured } from './measure.ts'
import { program } from './realSite.ts'

const { values } = parseArgs({ options: { domains: { type: 'string', default: '10000' } } })
const domainsCount = Number(values.domains)
const bytesMax = 200e6
const nameOf = (at: number) => `domain${at}.example`

/** Gives every domain a result: from one object to ten million, as the domains of a country are. */
function addResults(archive: string): void {
  const store = openStore(join(archive, 'loupe.db'))
  const add = store.statement<{ at: number; domain: string; objects: number; bytes: number; reason: string }>(
    `INSERT INTO domain_result (job_id, domain, configuration, at_ms, objects, bytes, stop_reason)
     VALUES (1, @domain, 'default', @at, @objects, @bytes, @reason)`,
  )
  store.transaction(() => {
    for (let at = 0; at < domainsCount; at += 1) {
      const objects = 10 ** ((at * 7) % 8)
      const reason = at % 3 === 0 ? 'SIZE_LIMIT' : 'DOWNLOAD_COMPLETE'
      add.run({ at, domain: nameOf(at), objects, bytes: objects * 20_000, reason })
    }
  })
  store.close()
}

function line(title: string, { seconds, peakBytes = NaN }: Measured): string {
  return `${title}: ${seconds.toFixed(2)} s, at the most ${(peakBytes / 1e6).toFixed(0)} MB`
}

async function main(folder: string): Promise<number> {
  const time = await program('time', 'time')
  const archive = join(folder, 'archive')
  const run = (...words: string[]) =>
    measured([...loupeCommand, '--archive', archive, '--json', ...words], { cwd: folder, good: [0], time })
  console.log(machineLine())
  await run('init')
  const list = join(folder, 'domains.txt')
  await writeFile(list, Array.from({ length: domainsCount }, (_, at) => `${nameOf(at)}\n`).join(''))
  console.log(line(`${domainsCount} domains added`, await run('domains', 'import', list)))
  addResults(archive)
  const { harvest } = JSON.parse((await run('harvests', 'add', 'All', '--kind', 'snapshot')).stdout) as {
    harvest: number
  }
  const generated = await run('harvests', 'run', String(harvest))
  const { jobs } = JSON.parse(generated.stdout) as { jobs: number[] }
  console.log(line(`${jobs.length} jobs generated`, generated))
  return (generated.peakBytes ?? 0) <= bytesMax ? 0 : 1
}

const folder = await mkdtemp(join(tmpdir(), 'loupe-snapshot-'))
try {
  process.exitCode = await main(folder)
} finally {
  await rm(folder, { recursive: true })
}
