/** Distance of every URL of a job from its seeds, in each measure that the definition limits. A stored distance is never less
 *  than the true one, and equals it when no work is left (see `settle`). The effect of distances on documents is in
 *  `range.ts`. Everything is called inside the caller's transaction, so links and documents appear together.
 *
 *  How it stays exact: the last links of all shortest paths form a tree. A new link offers its target the path through it,
 *  and a target that gets a shorter one propagates it, nearest first. When a link of the tree vanishes, the subtree clears
 *  its distances, asks the links that lead in from outside, and propagates the result.
 *
 *  Modes: accurate: links that a source no longer has vanish. noDelete: they are kept, and with them every path that ever
 *  existed; a later change to accurate lets them vanish. neverDelete: paths are not stored either, and a change re-evaluates
 *  all rows. */
import type { HopMode, LinkType } from '../../../contract/shapes/hops.ts'
import type { Store } from '../../../storage/storage.ts'
import { hopStatements, measureStatements, work, type StoredLinkType, type WorkRow } from './hops.sql.ts'
import type { HopLimits, Measure } from '../../model/hopMeasures.ts'

/** The `url_key` of a document. */
export type Key = Uint8Array

/** A link of a source. */
export interface Link {
  target: Key
  type: StoredLinkType
}

export interface HopSetting {
  store: Store
  job: number
  mode: HopMode
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
  way(key: Key, measure: Measure): { source: Key; type: LinkType } | undefined
  /** Returns URLs whose distance changed since they were last reported and marked as read. */
  news(countMax: number): { key: Key; markRead(): void }[]
}

/** Key of the root. No document has an empty key: keys are SHA-256 digests. */
const rootKey: Key = new Uint8Array(0)
const rootTypes: readonly StoredLinkType[] = ['robots']

/** Opens the distances of a job, and adapts the stored ones if the mode or the limited measures have changed. */
export function openHops({ store, job, mode, limits }: HopSetting): Hops {
  const sql = hopStatements(store)
  const isAccurate = mode === 'accurate'
  const measured = new Map(
    [...limits.keys()].map((each) => [each, measureStatements(store, each, mode !== 'neverDelete')]),
  )

  function nodeOf(key: Key): number {
    const node = sql.node.get({ job, key }) ?? sql.addNode.get({ job, key })
    if (!node) throw new Error('no row for a node of the hop counts')
    return node.id
  }

  const known = sql.job.get({ job })
  const root = store.transaction(() => {
    const node = known?.root ?? nodeOf(rootKey)
    if (!known) {
      sql.takeOverNodes.run({ job })
      sql.takeOverLinks.run({ job, root: node })
    }
    const begun = new Map(sql.distances.all({ node }).map((row) => [row.measure, row]))
    for (const measure of measured.keys()) if (!begun.delete(measure)) sql.begin.run({ root: node, measure, job })
    for (const measure of begun.keys()) sql.dropMeasure.run({ job, measure })
    const hadWays = known?.hasWays !== 0
    if (isAccurate && !hadWays) sql.askAll.run({ job, root: node })
    const hasWays = mode !== 'neverDelete' && (isAccurate || hadWays)
    sql.setJob.run({ job, root: node, hasWays: hasWays ? 1 : 0 })
    return node
  })

  /** Replaces the links of a source. `stays` selects links to keep although they are no longer present. */
  function rewrite(source: number, links: readonly Link[], stays: (type: StoredLinkType) => boolean): void {
    const known = new Map(sql.linksOf.all({ node: source }).map((link) => [`${link.target} ${link.type}`, link]))
    const vanished = new Map(known)
    let hasNew = false
    for (const { target, type } of links) {
      const to = nodeOf(target)
      const name = `${to} ${type}`
      vanished.delete(name)
      if (to === source || known.has(name)) continue
      known.set(name, { target: to, type })
      sql.addLink.run({ source, target: to, type })
      hasNew = true
    }
    if (isAccurate) {
      for (const { target, type } of vanished.values()) {
        if (stays(type)) continue
        sql.dropLink.run({ source, target, type })
        sql.cutOff.run({ source, target, type })
      }
    }
    if (hasNew) for (const { propagate } of measured.values()) propagate({ node: source, job })
  }

  function workOff({ node, measure, work: kind, distance }: WorkRow): void {
    const statements = measured.get(measure)
    if (!statements) throw new Error(`the measure ${measure} has rows, and is not kept`)
    if (kind === work.ask) {
      const way = statements.ask(node)
      if (way && (distance === null || way.distance < distance)) statements.write({ node, ...way })
    }
    statements.propagate({ node, job })
    sql.done.run({ node, measure })
  }

  return {
    isBegun: known === undefined,
    setSeeds: (seeds) =>
      rewrite(
        root,
        seeds.map((target) => ({ target, type: 'seed' as const })),
        (type) => rootTypes.includes(type),
      ),
    addSeeds: (seeds) =>
      rewrite(
        root,
        seeds.map((target) => ({ target, type: 'seed' as const })),
        () => true,
      ),
    addRobots: (target) => rewrite(root, [{ target, type: 'robots' }], () => true),
    replaceLinks: (source, links) => rewrite(nodeOf(source), links, () => false),
    removeSource: (source) => rewrite(nodeOf(source), [], () => false),
    settle(rowsMax) {
      for (let rows = 0; rows < rowsMax; rows += 1) {
        const next = sql.next.get({ job })
        if (!next) return true
        workOff(next)
      }
      return sql.next.get({ job }) === undefined
    },
    distance: (key, measure) => distancesOf(key).get(measure) ?? Infinity,
    beyond(key) {
      const distances = distancesOf(key)
      for (const [measure, most] of limits) {
        const distance = distances.get(measure) ?? Infinity
        if (distance > most) return { measure, distance, most }
      }
      return undefined
    },
    way(key, measure) {
      const node = sql.node.get({ job, key })
      return node && sql.way.get({ node: node.id, measure })
    },
    news: (countMax) =>
      sql.news.all({ job, limit: countMax }).map(({ node, key }) => ({
        key,
        markRead() {
          sql.markRead.run({ node })
          sql.dropUnreached.run({ node })
        },
      })),
  }

  function distancesOf(key: Key): Map<Measure, number> {
    const node = sql.node.get({ job, key })
    const rows = node ? sql.distances.all({ node: node.id }) : []
    return new Map(rows.flatMap(({ measure, distance }) => (distance === null ? [] : [[measure, distance]])))
  }
}
