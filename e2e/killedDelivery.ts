/** Delivers documents of a WARC file to four servers while the process is killed, and checks the promises of each destination afterwards. The
 *  tests decide how many documents and kills there are. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Loupe } from '../src-main/contract/contract.ts'
import type { DeliveredDocument, DeliveryDestination } from '../src-main/contract/services/deliveries.ts'
import { isTerminalDelivery, type DeliveryState } from '../src-main/contract/states/deliveryStates.ts'
import { searchServer, type SearchServer } from '../src-main/delivery/testing/searchServer.ts'
import { openSession } from '../src-main/shells/cli/session/session.ts'
import { randomFrom } from './killedHarvest.ts'
import { initArchive, loupe, loupeHere, startLoupe } from './loupeProcess.ts'

const planName = 'everything'
const pages = 'pages.warc'
/** The destinations, with what they promise. */
const guarantees = { solr: 'atLeastOnce', search: 'atLeastOnce', hook: 'atMostOnce', once: 'atMostOnce' } as const
type Destination = keyof typeof guarantees

/** How often and when the process is killed. */
interface Kills {
  documentsCount: number
  killsCount: number
  seed: number
}

/** What was seen. */
interface Outcome {
  /** Kills after at least one more document had arrived. */
  afterArrivals: number
  /** Documents for at-most-once destinations whose outcome is unknown, and how many of these did not arrive. */
  unknown: number
  lost: number
  /** Times that destinations which send at least once have got a document again. */
  repeated: number
}

/** Delivers the documents, with the kills, and expects all promises to hold. */
export async function deliverWithKills(folder: string, { documentsCount, killsCount, seed }: Kills): Promise<Outcome> {
  const chance = randomFrom(seed)
  const servers = {
    ...{ solr: await searchServer({ delayMs: 5 }), search: await searchServer({ delayMs: 10 }) },
    ...{ hook: await searchServer({ delayMs: 3 }), once: await searchServer({ delayMs: 20 }) },
  }
  const all = Object.values(servers)
  try {
    const archive = await preparedArchive(folder, documentsCount, servers)
    const run = ['--archive', archive, '--json', 'plan', 'run', planName, '--once']
    const perKill = Math.floor((documentsCount * all.length * 0.6) / killsCount)
    let afterArrivals = 0
    for (let kills = 0; kills < killsCount; kills += 1) {
      const process = startLoupe(run)
      // Every fifth kill occurs at a random time, also during the start and the recovery.
      if (kills % 5 === 4) await Promise.race([sleep(chance(1_200)), process.ended])
      else afterArrivals += (await arrived(all, 1 + chance(perKill), process.ended)) ? 1 : 0
      process.child.kill('SIGKILL')
      await process.ended
    }
    const { code, stdout, stderr } = await loupe(...run)
    const { destinations, unknown } = JSON.parse(stdout) as { destinations: DeliveryDestination[]; unknown: number }
    expect(code, stderr).toBe(unknown > 0 ? 1 : 0)
    return await looking(archive, async (services) => {
      const seen = { unknown, lost: 0, repeated: 0 }
      for (const destination of destinations) {
        const { accepted } = servers[destination.destination as Destination]
        const judged = await judge(services, destination, { accepted, documentsCount })
        seen.lost += judged.lost
        seen.repeated += judged.repeated
      }
      await expectReported(services, unknown)
      return { afterArrivals, ...seen }
    })
  } finally {
    for (const server of all) await server.close()
  }
}

async function preparedArchive(
  folder: string,
  documentsCount: number,
  servers: Readonly<Record<Destination, SearchServer>>,
): Promise<string> {
  const archive = await initArchive(join(folder, 'archive'))
  const source = join(folder, 'source')
  await mkdir(source)
  await writeFile(join(source, pages), Array.from({ length: documentsCount }, (_, at) => recordOf(at)).join(''))
  const plan = join(folder, 'plan.toml')
  await writeFile(plan, tomlOf(source, servers))
  const { code, stderr } = await loupeHere('--archive', archive, 'plan', 'save', plan)
  expect(code, stderr).toBe(0)
  return archive
}

function recordOf(at: number): string {
  const body = `<title>Page ${at}</title><p>${'Words of a page. '.repeat(20)}`
  const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const fields = [
    ...['WARC-Type: response', `WARC-Target-URI: http://pages.test/${at}`, 'WARC-Date: 2026-01-31T09:30:00Z'],
    `WARC-Record-ID: <urn:uuid:12345678-1234-4234-8234-${String(at).padStart(12, '0')}>`,
    ...['Content-Type: application/http; msgtype=response', `Content-Length: ${block.length}`],
  ]
  return `WARC/1.1\r\n${fields.join('\r\n')}\r\n\r\n${block}\r\n\r\n`
}

function tomlOf(source: string, { solr, search, hook, once }: Readonly<Record<Destination, SearchServer>>): string {
  return `name = "${planName}"
[[steps]]
name = "files"
kind = "warcFolder"
settings = { folder = ${JSON.stringify(source)} }
[[steps]]
name = "titles"
kind = "title"
after = ["files"]
[[steps]]
name = "texts"
kind = "text"
after = ["titles"]
router = { kind = "all" }
[[steps]]
name = "solr"
kind = "solr"
after = ["texts"]
batchDelayMs = 200
settings = { url = "${solr.url}/solr/pages" }
[[steps]]
name = "search"
kind = "openSearch"
after = ["texts"]
batchDelayMs = 200
settings = { url = "${search.url}", index = "pages" }
[[steps]]
name = "hook"
kind = "webhook"
after = ["texts"]
settings = { url = "${hook.url}/hook" }
[[steps]]
name = "once"
kind = "openSearch"
after = ["texts"]
guarantee = "atMostOnce"
batchMax = 20
batchDelayMs = 200
settings = { url = "${once.url}", index = "pages" }
`
}

/** Waits until so many more documents have arrived; false when the process ended before that. */
async function arrived(servers: readonly SearchServer[], count: number, ended: Promise<unknown>): Promise<boolean> {
  let isOver = false
  void ended.then(() => (isOver = true))
  const total = () => servers.reduce((sum, { accepted }) => sum + accepted.size, 0)
  const until = total() + count
  while (!isOver && total() < until) await sleep(1)
  return !isOver
}

/** Expects what the destination promises of all documents. */
async function judge(
  { deliveries }: Loupe,
  { id: destination, destination: name, counts }: DeliveryDestination,
  { accepted, documentsCount }: { accepted: ReadonlyMap<string, number>; documentsCount: number },
): Promise<{ lost: number; repeated: number }> {
  const isOnce = guarantees[name as Destination] === 'atMostOnce'
  const { INDEXED = 0, INDEXING = 0, ...others } = counts
  expect(others, name).toEqual({})
  expect(INDEXED + INDEXING, name).toBe(documentsCount)
  if (!isOnce) expect(INDEXING, name).toBe(0)
  const listed = async (state: DeliveryState): Promise<DeliveredDocument[]> => {
    const found: DeliveredDocument[] = []
    for (let page: DeliveredDocument[]; ; found.push(...page)) {
      page = await deliveries.documents({ destination, state, after: found.at(-1)?.id ?? 0, limit: 1_000 })
      if (page.length === 0) return found
    }
  }
  const wrong: string[] = []
  for (const { document } of await listed('INDEXED')) {
    if (!accepted.has(document)) wrong.push(`${document} counts as delivered and did not arrive`)
    const events = await deliveries.history({ name: planName, document })
    const ends = events.filter((event) => event.destination === name && isTerminalDelivery(event.state))
    if (ends.length !== 1) wrong.push(`${document} has ${ends.length} terminal statuses`)
  }
  const times = [...accepted.values()]
  if (isOnce && times.some((count) => count > 1)) wrong.push('a document has arrived twice')
  expect(wrong, name).toEqual([])
  const lost = (await listed('INDEXING')).filter(({ document }) => !accepted.has(document)).length
  return { lost, repeated: times.reduce((sum, count) => sum + count - 1, 0) }
}

/** Expects a notification about documents whose outcome is unknown, and none if there are none. */
async function expectReported({ notifications }: Loupe, unknown: number): Promise<void> {
  const { rows } = await notifications.list({ kind: 'deliveryUnknown' })
  expect(rows.length > 0).toBe(unknown > 0)
  expect((await notifications.list({ severity: 'error' })).rows).toEqual([])
}

/** Opens the archive in this process: tens of thousands of histories are read. */
async function looking<T>(archive: string, look: (services: Loupe) => Promise<T>): Promise<T> {
  const session = await openSession({
    ...{ archiveFolder: archive, accepts: 'archive', version: '0.0.0', run: false },
    signal: new AbortController().signal,
    onBug(error) {
      throw error
    },
    onNotice: () => undefined,
  })
  try {
    return await look(session.services)
  } finally {
    await session.close()
  }
}
