/** Distance of every URL of a job from its seeds, in each measure that the definition limits. A stored distance is never less
 *  than the true one, and equals it when no work is left (see `settle`). The effect of distances on documents is in
 *  `range.ts`. Everything is called inside the caller's transaction, so links and documents appear together.
 *
 *  How it stays exact: the last links of all shortest paths form a tree. A new link offers its target the path through it,
 *  and a target that gets a shorter one propagates it, nearest first. When a link of the tree vanishes, the distances of its
 *  subtree are cleared, computed again from the links that lead in from outside, and propagated.
 *
 *  Modes: accurate: links that a source no longer has vanish. noDelete: they are kept, and with them every path that ever
 *  existed; a later change to accurate lets them vanish. neverDelete: paths are not stored either, and a change re-evaluates
 *  all rows. */
import type { HopMode, LinkType } from '../../../contract/shapes/hops.ts'
import type { Store } from '../../../storage/storage.ts'
import {
  hopStatements,
  measureStatements,
  work,
  type MeasureStatements,
  type StoredLinkType,
  type WorkRow,
} from './hops.sql.ts'
import { nodeOf, replaceLinks, type Key, type Link, type LinkGraph } from './linkWriter.ts'
import type { HopLimits, Measure } from '../../model/hopMeasures.ts'

/** Parameters of `openHops`. */
export interface HopSetting {
  store: Store
  job: number
  mode: HopMode
  /** Largest distance in each measure that the definition limits; only these measures are kept. */
  limits: HopLimits
}

/** The distances of one job. */
export interface Hops {
  /** True if no links of the job were recorded before: the paths by which its documents were found replace them. */
  readonly isBegun: boolean
  /** Sets all seeds. A URL that is no longer a seed loses that path (accurate). */
  setSeeds(seeds: readonly Key[]): void
  addSeeds(seeds: readonly Key[]): void
  /** Adds the robots.txt of a host: no link leads to it, and its distance is 0. */
  addRobots(robots: Key): void
  /** Replaces all links of a source, as it was last read. */
  replaceLinks(source: Key, links: readonly Link[]): void
  /** Removes a source. Links to it stay, so that it has its distance when it is read again. */
  removeSource(source: Key): void
  /** Processes at most `rowsMax` rows of work; returns true when none is left and every distance is exact. */
  settle(rowsMax: number): boolean
  /** Returns the distance; Infinity if no path is known. */
  distance(key: Key, measure: Measure): number
  /** Returns the first measure whose limit the URL exceeds; undefined if it is within every limit. While work is left it may
   *  seem too far. */
  beyond(key: Key): { measure: Measure; distance: number; most: number } | undefined
  /** Returns the last link of the shortest path; undefined for a seed, and if paths are not stored. */
  lastLink(key: Key, measure: Measure): { source: Key; type: LinkType } | undefined
  /** Returns URLs whose distance changed since they were last reported and marked as read. */
  unapplied(countMax: number): { key: Key; markApplied(): void }[]
}

/** Key of the root. No document has an empty key: keys are SHA-256 digests. */
const rootKey: Key = new Uint8Array(0)
const rootTypes: readonly StoredLinkType[] = ['robots']

/** Opens the distances of a job, and adapts the stored ones if the mode or the limited measures have changed. */
export function openHops({ store, job, mode, limits }: HopSetting): Hops {
  const sql = hopStatements(store)
  const measured = new Map(
    [...limits.keys()].map((each) => [each, measureStatements(store, each, mode !== 'neverDelete')]),
  )
  const graph: LinkGraph = { sql, job, measured: [...measured.values()], isAccurate: mode === 'accurate' }
  const { root, isBegun } = store.transaction(() => adapt(graph, mode, [...measured.keys()]))
  return {
    isBegun,
    ...linksOf(graph, root),
    ...distancesOf(graph, limits),
    settle(rowsMax) {
      for (let rows = 0; rows < rowsMax; rows += 1) {
        const next = sql.next.get({ job })
        if (!next) return true
        workOff(graph, next, measured.get(next.measure))
      }
      return sql.next.get({ job }) === undefined
    },
    unapplied: (countMax) =>
      sql.unapplied.all({ job, limit: countMax }).map(({ node, key }) => ({
        key,
        markApplied() {
          sql.markApplied.run({ node })
          sql.dropUnreached.run({ node })
        },
      })),
  }
}

/** Brings the stored distances to the mode and the measures of the definition. Returns the node of the root. */
function adapt(graph: LinkGraph, mode: HopMode, measures: readonly Measure[]): { root: number; isBegun: boolean } {
  const { sql, job, isAccurate } = graph
  const known = sql.job.get({ job })
  const root = known?.root ?? nodeOf(graph, rootKey)
  if (!known) {
    sql.deriveNodes.run({ job })
    sql.deriveLinks.run({ job, root })
  }
  const begun = new Set(sql.distances.all({ node: root }).map(({ measure }) => measure))
  for (const measure of measures) if (!begun.delete(measure)) sql.begin.run({ root, measure, job })
  for (const measure of begun) sql.dropMeasure.run({ job, measure })
  const hadPaths = known?.hasPaths !== 0
  if (isAccurate && !hadPaths) sql.clearAll.run({ job, root })
  const hasPaths = mode !== 'neverDelete' && (isAccurate || hadPaths)
  sql.setJob.run({ job, root, hasPaths: hasPaths ? 1 : 0 })
  return { root, isBegun: known === undefined }
}

/** Processes a row with pending work. */
function workOff(
  { sql, job }: LinkGraph,
  { node, measure, work: kind, distance }: WorkRow,
  statements: MeasureStatements | undefined,
): void {
  if (!statements) throw new Error(`the measure ${measure} has rows, and is not kept`)
  if (kind === work.recompute) {
    const path = statements.recompute(node)
    if (path && (distance === null || path.distance < distance)) statements.write({ node, ...path })
  }
  statements.propagate({ node, job })
  sql.done.run({ node, measure })
}

type Links = Pick<Hops, 'setSeeds' | 'addSeeds' | 'addRobots' | 'replaceLinks' | 'removeSource'>

/** The changes of the link graph. Seeds and the robots.txt of hosts are linked from the root. */
function linksOf(graph: LinkGraph, root: number): Links {
  const seedLinks = (seeds: readonly Key[]): Link[] => seeds.map((target) => ({ target, type: 'seed' }))
  const all = () => true
  const none = () => false
  return {
    setSeeds: (seeds) => replaceLinks(graph, root, seedLinks(seeds), (type) => rootTypes.includes(type)),
    addSeeds: (seeds) => replaceLinks(graph, root, seedLinks(seeds), all),
    addRobots: (target) => replaceLinks(graph, root, [{ target, type: 'robots' }], all),
    replaceLinks: (source, links) => replaceLinks(graph, nodeOf(graph, source), links, none),
    removeSource: (source) => replaceLinks(graph, nodeOf(graph, source), [], none),
  }
}

/** The queries of distances. */
function distancesOf({ sql, job }: LinkGraph, limits: HopLimits): Pick<Hops, 'distance' | 'beyond' | 'lastLink'> {
  function distances(key: Key): Map<Measure, number> {
    const node = sql.node.get({ job, key })
    const rows = node ? sql.distances.all({ node: node.id }) : []
    return new Map(rows.flatMap(({ measure, distance }) => (distance === null ? [] : [[measure, distance]])))
  }
  return {
    distance: (key, measure) => distances(key).get(measure) ?? Infinity,
    beyond(key) {
      const known = distances(key)
      for (const [measure, most] of limits) {
        const distance = known.get(measure) ?? Infinity
        if (distance > most) return { measure, distance, most }
      }
      return undefined
    },
    lastLink(key, measure) {
      const node = sql.node.get({ job, key })
      return node && sql.lastLink.get({ node: node.id, measure })
    },
  }
}
