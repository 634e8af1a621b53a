/** SQL statements of the hop counts. The statements of a measure contain its link types, so that a row needs no further
 *  lookup. */
import type { LinkType } from '../../../contract/shapes/hops.ts'
import type { Store } from '../../../storage/storage.ts'
import { hopLetter } from '../../model/outlink.ts'
import { measures, type Measure } from '../../model/hopMeasures.ts'

/** `seed` and `robots` links start at the root and count as no step in any measure. No link of a page leads to robots.txt. */
export type StoredLinkType = LinkType | 'seed' | 'robots'

/** A link of a known source. */
export interface LinkRow {
  target: number
  type: StoredLinkType
}

/** Pending work of a row; the numbers give the order. */
export const work = { none: 0, propagate: 1, recompute: 2 } as const

/** A row with pending work. */
export interface WorkRow {
  node: number
  measure: Measure
  work: number
  distance: number | null
}

/** Statements that run for every link; `hops.test.ts` checks their query plans. */
export const hotSql = {
  next: `SELECT node_id AS node, measure, work, distance FROM hop INDEXED BY hop_with_work
         WHERE job_id = @job AND work > 0 ORDER BY work DESC, distance LIMIT 1`,
  node: `SELECT id FROM hop_node WHERE job_id = @job AND url_key = @key`,
  linksOf: `SELECT target_id AS target, type FROM link WHERE source_id = @node`,
} as const

const typeOfLetter = Object.entries(hopLetter)
  .map(([type, letter]) => `WHEN '${letter}' THEN '${type}'`)
  .join(' ')

/** Nodes, which are the URLs of a job, and the links between them. */
function linkStatements(store: Store) {
  return {
    node: store.statement<{ job: number; key: Uint8Array }, { id: number }>(hotSql.node),
    addNode: store.statement<{ job: number; key: Uint8Array }, { id: number }>(
      `INSERT INTO hop_node (job_id, url_key) VALUES (@job, @key) RETURNING id`,
    ),
    linksOf: store.statement<{ node: number }, LinkRow>(hotSql.linksOf),
    addLink: store.statement<{ source: number; target: number; type: StoredLinkType }>(
      `INSERT INTO link (source_id, target_id, type) VALUES (@source, @target, @type)`,
    ),
    dropLink: store.statement<{ source: number; target: number; type: StoredLinkType }>(
      `DELETE FROM link WHERE source_id = @source AND target_id = @target AND type = @type`,
    ),
  }
}

/** The start of hop counts, and their adaptation to the mode and the measures of the definition. */
function setupStatements(store: Store) {
  return {
    job: store.statement<{ job: number }, { root: number; hasPaths: number }>(
      `SELECT root_id AS root, has_paths AS hasPaths FROM hop_job WHERE job_id = @job`,
    ),
    setJob: store.statement<{ job: number; root: number; hasPaths: number }>(
      `INSERT INTO hop_job (job_id, root_id, has_paths) VALUES (@job, @root, @hasPaths)
       ON CONFLICT DO UPDATE SET has_paths = excluded.has_paths`,
    ),
    /** For jobs whose links were not recorded: uses the path by which each document was found. */
    deriveNodes: store.statement<{ job: number }>(
      `INSERT OR IGNORE INTO hop_node (job_id, url_key) SELECT job_id, url_key FROM document WHERE job_id = @job`,
    ),
    deriveLinks: store.statement<{ job: number; root: number }>(
      `INSERT OR IGNORE INTO link (source_id, target_id, type)
       SELECT COALESCE(source.id, @root), target.id,
              CASE WHEN document.role = 'robots' THEN 'robots' WHEN document.hop_path = '' THEN 'seed'
                   ELSE CASE substr(document.hop_path, -1) ${typeOfLetter} END END
       FROM document JOIN hop_node AS target ON target.job_id = @job AND target.url_key = document.url_key
       LEFT JOIN document AS via ON via.id = document.via_id AND document.role <> 'robots' AND document.hop_path <> ''
       LEFT JOIN hop_node AS source ON source.job_id = @job AND source.url_key = via.url_key
       WHERE document.job_id = @job AND (document.role = 'robots' OR document.hop_path = '' OR source.id IS NOT NULL)`,
    ),
    /** Adds the root at distance 0, which it propagates to the seeds. */
    begin: store.statement<{ root: number; measure: Measure; job: number }>(
      `INSERT INTO hop (node_id, measure, job_id, distance, work, is_unapplied) VALUES (@root, @measure, @job, 0, ${work.propagate}, 0)`,
    ),
    dropMeasure: store.statement<{ job: number; measure: string }>(
      `DELETE FROM hop WHERE job_id = @job AND measure = @measure`,
    ),
    /** Clears all distances. Rows stored without their path cannot be cut off individually, and the path of any other row may
     *  use one of them. */
    clearAll: store.statement<{ job: number; root: number }>(
      `UPDATE hop SET distance = NULL, via_id = NULL, via_type = NULL, work = ${work.recompute}, is_unapplied = 1
       WHERE job_id = @job AND node_id <> @root`,
    ),
  }
}

/** The work that keeps distances exact after a change of the links. */
function workStatements(store: Store) {
  return {
    next: store.statement<{ job: number }, WorkRow>(hotSql.next),
    done: store.statement<{ node: number; measure: Measure }>(
      `UPDATE hop SET work = ${work.none} WHERE node_id = @node AND measure = @measure`,
    ),
    /** Clears the distance of every row whose path uses this link, until it is computed again. The whole subtree is cut off:
     *  otherwise the rows of a cycle would keep each other reachable. Uses hop_by_via. */
    cutOff: store.statement<{ source: number; target: number; type: StoredLinkType }>(
      `WITH RECURSIVE below (node_id, measure) AS (
         SELECT node_id, measure FROM hop WHERE node_id = @target AND via_id = @source AND via_type = @type
         UNION
         SELECT hop.node_id, hop.measure FROM below JOIN hop INDEXED BY hop_by_via
           ON hop.via_id = below.node_id AND hop.measure = below.measure)
       UPDATE hop SET distance = NULL, via_id = NULL, via_type = NULL, work = ${work.recompute}, is_unapplied = 1
       WHERE (node_id, measure) IN (SELECT node_id, measure FROM below)`,
    ),
  }
}

/** The distances, and those that documents do not reflect yet. */
function distanceStatements(store: Store) {
  return {
    distances: store.statement<{ node: number }, { measure: Measure; distance: number | null }>(
      `SELECT measure, distance FROM hop WHERE node_id = @node`,
    ),
    /** The last link of the shortest path, if paths are stored and the link starts at a document. */
    lastLink: store.statement<{ node: number; measure: Measure }, { source: Buffer; type: LinkType }>(
      `SELECT hop_node.url_key AS source, hop.via_type AS type FROM hop JOIN hop_node ON hop_node.id = hop.via_id
       WHERE hop.node_id = @node AND hop.measure = @measure AND hop_node.url_key <> x''`,
    ),
    /** Uses hop_unapplied. */
    unapplied: store.statement<{ job: number; limit: number }, { node: number; key: Buffer }>(
      `SELECT DISTINCT hop.node_id AS node, hop_node.url_key AS key FROM hop INDEXED BY hop_unapplied
       JOIN hop_node ON hop_node.id = hop.node_id WHERE hop.job_id = @job AND hop.is_unapplied = 1 LIMIT @limit`,
    ),
    markApplied: store.statement<{ node: number }>(
      `UPDATE hop SET is_unapplied = 0 WHERE node_id = @node AND is_unapplied = 1`,
    ),
    dropUnreached: store.statement<{ node: number }>(
      `DELETE FROM hop WHERE node_id = @node AND distance IS NULL AND work = ${work.none} AND is_unapplied = 0`,
    ),
  }
}

/** Prepares the statements that are the same for every measure. */
export function hopStatements(store: Store) {
  return {
    ...linkStatements(store),
    ...setupStatements(store),
    ...workStatements(store),
    ...distanceStatements(store),
  }
}

/** The statements of one measure. */
export interface MeasureStatements {
  /** Offers the targets of a node's links the path through them, and updates the targets for which it is shorter. */
  propagate: (input: { node: number; job: number }) => number
  /** Returns the shortest path through the links to a node. */
  recompute: (node: number) => { distance: number; via: number; type: StoredLinkType } | undefined
  write: (input: { node: number; distance: number; via: number | null; type: StoredLinkType | null }) => number
}

/** Prepares the statements of a measure. `keepsPaths`: stores with each distance the last link of its path, without which
 *  nothing can be cut off. */
export function measureStatements(store: Store, measure: Measure, keepsPaths: boolean): MeasureStatements {
  const step = `(link.type IN (${measures[measure].map((type) => `'${type}'`).join(', ')}))`
  const way = keepsPaths ? `link.source_id, link.type` : `NULL, NULL`
  const propagate = store.statement<{ node: number; job: number }>(
    `INSERT INTO hop (node_id, measure, job_id, distance, via_id, via_type, work)
     SELECT link.target_id, '${measure}', @job, source.distance + ${step}, ${way}, ${work.propagate}
     FROM link LEFT JOIN hop AS source ON source.node_id = link.source_id AND source.measure = '${measure}'
     WHERE link.source_id = @node
     ON CONFLICT (node_id, measure) DO UPDATE SET distance = excluded.distance, via_id = excluded.via_id,
       via_type = excluded.via_type, work = MAX(hop.work, ${work.propagate}), is_unapplied = 1
     WHERE excluded.distance < hop.distance OR (hop.distance IS NULL AND excluded.distance IS NOT NULL)`,
  )
  const recompute = store.statement<{ node: number }, { distance: number; via: number; type: StoredLinkType }>(
    `SELECT source.distance + ${step} AS distance, link.source_id AS via, link.type
     FROM link INDEXED BY link_by_target JOIN hop AS source ON source.node_id = link.source_id
       AND source.measure = '${measure}' AND source.distance IS NOT NULL
     WHERE link.target_id = @node ORDER BY 1, 2, 3 LIMIT 1`,
  )
  const write = store.statement<{ node: number; distance: number; via: number | null; type: StoredLinkType | null }>(
    `UPDATE hop SET distance = @distance, via_id = @via, via_type = @type, work = ${work.propagate}, is_unapplied = 1
     WHERE node_id = @node AND measure = '${measure}'`,
  )
  return {
    propagate: (input) => propagate.run(input),
    recompute: (node) => recompute.get({ node }),
    write: (input) => write.run(input),
  }
}
