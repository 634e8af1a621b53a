/** A site on three hosts that answers after random times, for tests of the scheduled order. */
import { readRecords } from '../../../formats/records/readRecords.ts'
import { recordField } from '../../../formats/records/record.ts'
import type { SeededChance } from '../../../world/testing/seededChance.ts'
import type { SeededWorld } from '../../../world/testing/seeded.ts'
import type { Connection } from '../../../world/world.ts'
import { defaultCrawlSettings } from '../../crawl.ts'
import type { CrawlInput } from '../../crawl.thread.ts'

/** Hosts of the site. */
const hosts = ['a.test', 'b.test', 'c.test']

/** Links of a page, the same in every run: a tree over three hosts, some links twice. */
function linksOf(host: string, path: string): string[] {
  const depth = path.split('/').length - 2
  if (depth > 2) return []
  return [0, 1, 2, 3].map((at) => {
    const to = hosts[(hosts.indexOf(host) + at) % hosts.length]
    return `http://${to}${path}${(at * 7 + depth) % 5}/`
  })
}

/** How the site answers. */
export interface Site {
  /** Draws how long each answer takes. */
  chance: SeededChance
  delayMsMax: number
  clock: () => SeededWorld['clock']
  /** Requests of a path after which its answer never comes, once. */
  silentOnce?: Set<string>
  /** Paths that fail with 503 at their first request. */
  busyOnce?: Set<string>
}

async function serve(host: string, connection: Connection, site: Site): Promise<void> {
  let held = ''
  for (let bytes = await connection.read(); bytes; bytes = await connection.read()) {
    held += Buffer.from(bytes).toString('latin1')
    for (let end = held.indexOf('\r\n\r\n'); end >= 0; end = held.indexOf('\r\n\r\n')) {
      const path = held.split(' ')[1] ?? '/'
      held = held.slice(end + 4)
      await site.clock().sleep(site.chance.below(site.delayMsMax))
      if (site.silentOnce?.delete(`${host}${path}`)) await site.clock().sleep(60_000)
      const isBusy = site.busyOnce?.delete(`${host}${path}`)
      const isRobots = path === '/robots.txt'
      const body = isRobots
        ? ''
        : linksOf(host, path)
            .map((link) => `<a href="${link}">x</a>`)
            .join('')
      const status = isBusy ? '503 Busy' : isRobots ? '404 Not Found' : '200 OK'
      const head = `HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n`
      await connection.write(Buffer.from(head + body))
    }
  }
}

/** Serves the site in a world. */
export function serveSite(world: Pick<SeededWorld, 'network'>, site: Site): void {
  for (const host of hosts) world.network.serve(host, 80, (connection) => serve(host, connection, site))
}

/** What an engine with one replica is started with. */
export function engineInput(databasePath: string, settings: Partial<CrawlInput['settings']> = {}): CrawlInput {
  return {
    ...{ databasePath, quarantineFolder: '/archive/quarantine', software: 'Loupe/test' },
    ...{ folder: '/archive/jobs', incomingFolder: '/archive/incoming' },
    replicas: [{ name: 'one', folder: '/replicas/one' }],
    settings: { ...defaultCrawlSettings, freeBytesMin: 0, deduplicationIndex: 'none', ...settings },
  }
}

/** Names of all files in these folders. */
export async function filesIn({ disk }: Pick<SeededWorld, 'disk'>, folders: string[]): Promise<string[]> {
  const names: string[] = []
  for (const folder of folders)
    if (await disk.stat(folder)) names.push(...(await disk.list(folder)).map(({ name }) => name))
  return names
}

/** `type URL` of each record of the WARC files in the replica, in their order. */
export async function recordsIn(world: Pick<SeededWorld, 'disk'>): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await world.disk.list('/replicas/one')) {
    if (!name.endsWith('.warc.gz')) continue
    const file = await world.disk.openRead(`/replicas/one/${name}`)
    for await (const record of readRecords(file))
      if (recordField(record, 'warc-type') !== 'warcinfo')
        found.push(`${recordField(record, 'warc-type')} ${recordField(record, 'warc-target-uri')}`)
    await file.close()
  }
  return found
}
