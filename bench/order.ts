/** Measures what it costs to commit documents in the order in which they were found (`npm run bench:order [-- --runs N --pages N]`): a local
 *  site whose answers take random times, harvested as answers arrive and in scheduled order, then with one answer that takes a minute. Prints
 *  ratios as JSON, and the most bytes that early results took. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loupeCommand } from './loupeCommand.ts'
import { machineLine, measured, printRatio, ratioOf, spreadOf } from './measure.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, pages: { type: 'string', default: '3000' } },
})

/** What a harvest prints as JSON. */
interface Harvest {
  seconds: number
  documents: { fetched: number }
}

type Order = 'asFetched' | 'scheduled'

/** Starts the site; with `stuckMs`, one of its first answers takes that long. */
async function startSite(stuckMs: number): Promise<{ server: ChildProcess; seed: string }> {
  const server = fork(join(import.meta.dirname, 'unevenServer.ts'), [values.pages, String(stuckMs)])
  const [port] = (await once(server, 'message')) as [number]
  return { server, seed: `http://127.0.0.1:${port}/` }
}

/** Harvests the site in an archive of its own. Returns documents per second, and the most bytes of early results at a time. */
async function harvested(order: Order, stuckMs: number): Promise<{ perSecond: number; earlyBytes: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-order-'))
  const archive = join(folder, 'archive')
  const { server, seed } = await startSite(stuckMs)
  let earlyBytes = 0
  const look = setInterval(() => {
    void earlyBytesIn(join(archive, 'jobs/1')).then((bytes) => (earlyBytes = Math.max(earlyBytes, bytes)))
  }, 50)
  try {
    await measured([...loupeCommand, '--archive', archive, 'init'], { cwd: folder, good: [0] })
    const patience = ['settings', 'set', 'harvest.silenceMsMax', '90000']
    await measured([...loupeCommand, '--archive', archive, ...patience], { cwd: folder, good: [0] })
    const pace = ['--delay-ms', '0', '--connections-per-host', '16', '--workers', '16', '--robots', 'ignore']
    const words = [...loupeCommand, '--archive', archive, '--json', 'harvest', ...pace, '--order', order, seed]
    const { stdout } = await measured(words, { cwd: folder, good: [0, 1] })
    const { seconds, documents } = JSON.parse(stdout) as Harvest
    return { perSecond: documents.fetched / seconds, earlyBytes }
  } finally {
    clearInterval(look)
    server.kill()
    await rm(folder, { recursive: true })
  }
}

async function earlyBytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const sizes = names
    .filter((name) => name.endsWith('.early'))
    .map((name) => stat(join(folder, name)).then(({ size }) => size, () => 0)) // prettier-ignore
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

console.error(machineLine())
for (const stuckMs of [0, 60_000]) {
  const rates: Record<Order, number[]> = { asFetched: [], scheduled: [] }
  let earlyBytes = 0
  for (let run = 0; run < (stuckMs > 0 ? 1 : Number(values.runs)); run++)
    for (const order of ['asFetched', 'scheduled'] as const) {
      const made = await harvested(order, stuckMs)
      rates[order].push(made.perSecond)
      earlyBytes = Math.max(earlyBytes, made.earlyBytes)
    }
  const [theirs, ours] = [spreadOf(rates.asFetched).median, spreadOf(rates.scheduled).median]
  const work = `harvest in scheduled order${stuckMs > 0 ? ', one answer takes 60 s' : ''}`
  printRatio(ratioOf({ work, peer: 'as fetched', theirs, ours, unit: 'documents/s', least: undefined }, 'higher'))
  console.error(`early results: at most ${earlyBytes.toLocaleString('en')} bytes at a time`)
}
