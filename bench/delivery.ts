/** Measures delivery (`npm run bench:delivery [-- --documents N --runs N]`): documents per second through six steps to two destinations that
 *  take a document at most once, with statuses that are durable, and without waiting for the disk. The destinations are HTTP servers in this
 *  process, so their work counts too. Prints both. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDelivery } from '../src-main/delivery/delivery.ts'
import { searchServer } from '../src-main/delivery/testing/searchServer.ts'
import { openStore, type Store } from '../src-main/storage/storage.ts'
import { realWorld } from '../src-main/world/real.ts'
import { machineLine, printRatio, ratioOf, spreadOf } from './measure.ts'

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '10000' }, runs: { type: 'string', default: '3' } },
})
const count = Number(values.documents)

/** An archive file with small pages. */
function pagesFile(): string {
  const records = Array.from({ length: count }, (_, at) => {
    const body = `<html lang="en"><title>Page ${at}</title><p>Text <b>${at}</b><a href="/${at + 1}">next</a></html>`
    const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const header = [
      'WARC/1.1',
      'WARC-Type: response',
      `WARC-Target-URI: http://a.test/${at}`,
      'WARC-Date: 2026-01-31T09:30:00Z',
      'WARC-Record-ID: <urn:uuid:12345678-1234-4234-8234-123456789012>',
      'Content-Type: application/http; msgtype=response',
      `Content-Length: ${block.length}`,
    ]
    return `${header.join('\r\n')}\r\n\r\n${block}\r\n\r\n`
  })
  return records.join('')
}

/** Returns documents per second of one run. */
async function measure(folder: string, isDurable: boolean): Promise<number> {
  const database = await mkdtemp(join(folder, 'database-'))
  const whole = openStore(join(database, 'loupe.db'))
  const store: Store = isDurable ? whole : { ...whole, transaction: (act) => whole.unsyncedTransaction(act) }
  const servers = [await searchServer(), await searchServer()]
  const archive = { openFile: none, selected: none, everything: none } as never
  const delivery = openDelivery({ store, world: realWorld(), archive, jobsFolder: folder, indexesFolder: '' })
  const steps = ['links', 'title', 'text', 'language', 'checksum']
  const read = delivery.read({
    value: {
      name: 'bench',
      steps: [
        { name: 'files', kind: 'warcFolder', settings: { folder } },
        ...steps.map((kind, at) => ({ name: kind, kind, after: [steps[at - 1] ?? 'files'] })),
        {
          ...{ name: 'rule', kind: 'drop', after: ['checksum'], settings: { field: 'url', pattern: 'never' } },
          router: { kind: 'all' },
        },
        ...servers.map(({ url }, at) => ({
          ...{ name: `engine${at}`, kind: 'openSearch', after: ['rule'], settings: { url, index: 'pages' } },
          ...{ guarantee: 'atMostOnce', batchDelayMs: 50 },
        })),
      ],
    },
  })
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  const version = delivery.plans.add({ plan: read.plan, toml: '' }, 'refeed')
  const began = performance.now()
  await delivery.run(version, {
    onReport: (report) => console.error(report),
    onProgress: () => undefined,
    signal: new AbortController().signal,
  })
  const perSecond = count / ((performance.now() - began) / 1000)
  for (const { accepted } of servers)
    if (accepted.size !== count) throw new Error(`${accepted.size} of ${count} documents have arrived`)
  await Promise.all(servers.map((server) => server.close()))
  whole.close()
  return perSecond
}

function none(): never {
  throw new Error('the benchmark has no archive')
}

const folder = await mkdtemp(join(tmpdir(), 'loupe-bench-delivery-'))
try {
  await writeFile(join(folder, 'pages.warc'), pagesFile())
  const durable: number[] = []
  const unsynced: number[] = []
  for (let run = 0; run < Number(values.runs); run += 1) {
    durable.push(await measure(folder, true))
    unsynced.push(await measure(folder, false))
  }
  console.error(machineLine())
  const [ours, theirs] = [spreadOf(durable).median, spreadOf(unsynced).median]
  const work = 'delivery through six steps to two destinations, durable statuses'
  printRatio(ratioOf({ work, peer: 'without waiting for the disk', theirs, ours, unit: 'documents/s' }, 'higher'))
} finally {
  await rm(folder, { recursive: true })
}
