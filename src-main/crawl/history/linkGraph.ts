/** Links between the hosts of a job, counted in its link graph; in the list of its documents where it records no links. */
import type { LinkGraph, LinkGraphQuery } from '../../contract/services/linkGraph.ts'
import type { Store } from '../../storage/storage.ts'

interface Edge {
  source: string
  target: string
  links: number
  /** Of all pairs, also beyond the limit. */
  pairs: number
}

/** Both ends of each recorded link between documents. The root, which links to the seeds, is no document. */
const allLinks = `
  SELECT source.host_id AS source_id, target.host_id AS target_id
  FROM hop_node AS source_node JOIN link ON link.source_id = source_node.id JOIN hop_node AS target_node ON target_node.id = link.target_id
    JOIN document AS source ON source.job_id = @job AND source.url_key = source_node.url_key
    JOIN document AS target ON target.job_id = @job AND target.url_key = target_node.url_key
  WHERE source_node.job_id = @job`

/** Each document with the one by which it was found. */
const firstLinks = `
  SELECT via.host_id AS source_id, document.host_id AS target_id
  FROM document JOIN document AS via ON via.id = document.via_id
  WHERE document.job_id = @job AND document.role <> 'robots'`

/** Origins of the same host and port with and without TLS are one host: they end alike after the scheme. */
const hostOf = (table: string) => `substr(${table}.origin, instr(${table}.origin, '://') + 3)`

function statements(store: Store) {
  const edges = (links: string) =>
    store.statement<LinkGraphQuery, Edge>(
      `WITH pair AS (SELECT source_id, target_id, count(*) AS links FROM (${links}) GROUP BY 1, 2)
       SELECT ${hostOf('source')} AS source, ${hostOf('target')} AS target, sum(links) AS links, count(*) OVER () AS pairs
       FROM pair JOIN host AS source ON source.id = source_id JOIN host AS target ON target.id = target_id
       GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT @limit`,
    )
  return {
    hasLinks: store.statement<{ job: number }, { found: number }>(`SELECT 1 AS found FROM hop_job WHERE job_id = @job`),
    all: edges(allLinks),
    first: edges(firstLinks),
    hosts: store.statement<{ job: number }, { host: string; urls: number }>(
      `SELECT ${hostOf('host')} AS host, sum(urls) AS urls
       FROM (SELECT host_id, count(*) AS urls FROM document WHERE job_id = @job GROUP BY 1) JOIN host ON host.id = host_id
       GROUP BY 1 ORDER BY 2 DESC, 1`,
    ),
  }
}

/** Counts the links. */
export function makeLinkGraph(store: Store, query: LinkGraphQuery): LinkGraph {
  const { job } = query
  const sql = statements(store)
  const links = sql.hasLinks.get({ job }) ? 'all' : 'first'
  const rows = sql[links].all(query)
  const named = new Set(rows.flatMap(({ source, target }) => [source, target]))
  return {
    ...{ job, links },
    nodes: sql.hosts.all({ job }).filter(({ host }) => named.has(host)),
    edges: rows.map(({ source, target, links: count }) => ({ source, target, links: count })),
    edgesLeftOut: (rows[0]?.pairs ?? 0) - rows.length,
  }
}
