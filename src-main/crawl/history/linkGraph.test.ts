/** Links between hosts, counted by SQL and by going through them one by one. */
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { LinkGraph } from '../../contract/services/linkGraph.ts'
import { openStore } from '../../storage/storage.ts'
import { makeLinkGraph } from './linkGraph.ts'

const store = openStore(':memory:')
afterAll(() => store.close())
const run = (sql: string) => store.statement<object>(sql).run({})

const origins = ['http://a.test', 'https://a.test', 'http://b.test:8080', 'http://c.test']
const hostAt = (document: number) => (origins[document % origins.length] ?? '').replace(/^https?:\/\//, '')

for (const [job, at] of [1, 2].map((each) => [each, each * 100] as const)) {
  run(`INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (${job}, 'x', 'event', '{}', 0)`)
  run(`INSERT INTO job (id, harvest_id, state, created_ms) VALUES (${job}, ${job}, 'INACTIVE', 0)`)
  for (const [host, origin] of origins.entries())
    run(`INSERT INTO host (id, job_id, origin) VALUES (${at + host}, ${job}, '${origin}')`)
}

/** Documents of a job, each found by another one or by none. */
function addDocuments(job: number, vias: readonly (number | null)[]): void {
  for (const [at, via] of vias.entries())
    run(`INSERT INTO document (id, job_id, url_key, url, host_id, due_ms, state, role, hop_path, hops, via_id)
         VALUES (${job * 1_000 + at}, ${job}, x'${job}${String(at).padStart(3, '0')}', '${job} ${at}', ${job * 100 + (at % origins.length)}, 0,
                 'COMPLETE', '${at === 0 ? 'robots' : 'page'}', '', 0, ${via === null ? 'NULL' : job * 1_000 + via})`)
}

function addLinks(job: number, links: readonly (readonly [number, number])[], documents: number): void {
  for (let at = 0; at < documents; at++)
    run(
      `INSERT INTO hop_node (id, job_id, url_key) VALUES (${job * 1_000 + at}, ${job}, x'${job}${String(at).padStart(3, '0')}')`,
    )
  run(`INSERT INTO hop_node (id, job_id, url_key) VALUES (${job * 1_000 + 999}, ${job}, x'')`)
  run(`INSERT INTO hop_job (job_id, root_id, has_paths) VALUES (${job}, ${job * 1_000 + 999}, 1)`)
  run(`INSERT INTO link (source_id, target_id, type) VALUES (${job * 1_000 + 999}, ${job * 1_000}, 'seed')`)
  for (const [source, target] of links)
    run(
      `INSERT OR IGNORE INTO link (source_id, target_id, type) VALUES (${job * 1_000 + source}, ${job * 1_000 + target}, 'link')`,
    )
}

function cleared(): void {
  for (const table of ['link', 'hop_job', 'hop_node', 'document']) run(`DELETE FROM ${table}`)
}

/** The pairs with their links, counted one by one. */
function countedOf(links: readonly (readonly [number, number])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [source, target] of links) {
    const pair = `${hostAt(source)} ${hostAt(target)}`
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}

const pairsOf = ({ edges }: LinkGraph) =>
  new Map(edges.map(({ source, target, links }) => [`${source} ${target}`, links]))

const size = 12
const place = fc.nat({ max: size - 1 })

test('every recorded link counts, by host; the seeds and other jobs do not', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(place, place), { selector: String }), (links) => {
      cleared()
      for (const job of [1, 2])
        addDocuments(
          job,
          Array.from({ length: size }, () => null),
        )
      addLinks(1, links, size)
      addLinks(2, [[1, 2]], size)
      const graph = makeLinkGraph(store, { job: 1, limit: 100 })
      const counted = countedOf(links)
      expect(graph.links).toBe('all')
      expect(pairsOf(graph)).toEqual(counted)
      const named = new Set([...counted.keys()].flatMap((pair) => pair.split(' ')))
      const urls = (host: string) =>
        Array.from({ length: size }, (_, at) => hostAt(at)).filter((each) => each === host).length
      expect(new Map(graph.nodes.map(({ host, urls: of }) => [host, of]))).toEqual(
        new Map([...named].map((host) => [host, urls(host)])),
      )
      const cut = makeLinkGraph(store, { job: 1, limit: 2 })
      expect(cut.edges).toEqual(graph.edges.slice(0, 2))
      expect(cut.edgesLeftOut).toBe(Math.max(0, counted.size - 2))
    }),
    { numRuns: 40 },
  )
})

test('a job that records no links has those by which its URLs were found', () => {
  cleared()
  addDocuments(1, [1, null, 1, 1, 2, 2])
  const graph = makeLinkGraph(store, { job: 1, limit: 100 })
  expect(graph).toMatchObject({ job: 1, links: 'first', edgesLeftOut: 0 })
  const found = [
    [1, 2],
    [1, 3],
    [2, 4],
    [2, 5],
  ] as const
  expect(pairsOf(graph)).toEqual(countedOf(found))
})

test('a job without documents has no graph', () => {
  cleared()
  expect(makeLinkGraph(store, { job: 1, limit: 100 })).toEqual({
    job: 1,
    links: 'first',
    nodes: [],
    edges: [],
    edgesLeftOut: 0,
  })
})
