/** Documents within and beyond the hop limits. A document that is too far stays in the list (HOPCOUNTREMOVED) and is
 *  queued as soon as a shorter path to it is found, so neither the order of discovery nor that of the answers affects what is
 *  harvested. A document that turns out nearer is not fetched again: its links are on record, and their targets come nearer
 *  with it.
 *
 *  Everything is called inside the transaction that writes the documents. */
import { storedDetail, type Detail } from '../../model/detail.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import { documentStates, heldDocumentStates } from '../../../contract/states/documentStates.ts'
import type { Store } from '../../../storage/storage.ts'
import { type Outlink, hopLetter, linkTypeOf } from '../../model/outlink.ts'
import { noCounts, type Counts } from '../../frontier/counts.ts'
import type { Candidate, Reached } from '../../frontier/candidate.ts'
import { keyOf } from '../../model/urlKeys.ts'
import type { Role } from '../../model/document.ts'
import { openHops, type Hops } from './hops.ts'
import type { Key } from './linkWriter.ts'
import { hopLimitsOf, type Measure } from '../../model/hopMeasures.ts'
import { rangeStatements, type RangedDocument } from './range.sql.ts'

interface Source {
  url: string
  role: Role
}

/** Result of one step of `follow`. */
export interface Followed {
  /** Change of the job's counters. */
  counts: Counts
  /** Documents to queue now (`Frontier.reach`). */
  reached: Reached[]
  /** False: more is left to do, in a further transaction. */
  isDone: boolean
}

/** The hop limits of one job. */
export interface Range {
  /** True if no distances of the job were recorded before: they were derived from how its documents were found. */
  readonly isDerived: boolean
  setSeeds(urls: readonly string[]): void
  addSeeds(urls: readonly string[]): void
  /** Returns why a document is too far to be fetched; undefined if it is not. */
  beyond(document: Source): Message | undefined
  /** Records the links of a document that was read. Returns its candidates, with those that are too far excluded, and the
   *  change of the counters for those already known. */
  read(
    source: Source,
    links: readonly Outlink[],
    candidates: readonly Candidate[],
  ): { candidates: Candidate[]; counts: Counts }
  /** Removes the links of documents that left the list: URLs found only through them become unreachable. */
  forget(urls: readonly string[]): void
  /** Removes a document that is too far when its turn ends. Returns the change of the counters. */
  remove(id: number, detail: Detail): Counts
  /** Updates documents whose distance has changed. */
  follow(): Followed
}

/** Most rows of hop counts per transaction: some 50 ms, for which other writers wait. */
const hopRowsMax = 2_000
/** Most documents to update in one transaction, for the same reason. */
const changesMax = 2_000

/** Opens the hop limits of a job; undefined if the definition has none: then no links are recorded, at no cost. */
export function openRange(store: Store, job: number, definition: HarvestDefinition): Range | undefined {
  const limits = hopLimitsOf(definition)
  if (!limits) return undefined
  const sql = rangeStatements(store)
  const hops = store.transaction(() => {
    const opened = openHops({ store, job, mode: definition.hops?.mode ?? 'accurate', limits })
    // Before distances were recorded, no document could become reachable.
    if (opened.isBegun) sql.waitForShorterPaths.run({ job })
    return opened
  })
  const [counted = 'hops'] = limits.keys()
  const parts: RangeParts = { sql, hops, job, counted }
  return {
    isDerived: hops.isBegun,
    setSeeds: (urls) => hops.setSeeds(urls.map(keyOf)),
    addSeeds: (urls) => hops.addSeeds(urls.map(keyOf)),
    // No page links to robots.txt, so it is never too far.
    beyond: ({ url, role }) => (role === 'robots' ? undefined : tooFarDetail(hops, keyOf(url))),
    read(source, links, candidates) {
      recordLinks(hops, source, links)
      // A distance that is not exact yet may be too large; the document is updated later.
      hops.settle(hopRowsMax)
      return judged(parts, candidates)
    },
    forget: (urls) => urls.forEach((url) => hops.removeSource(keyOf(url))),
    remove: (id, detail) => remove(parts, id, detail),
    follow: () => follow(parts),
  }
}

interface RangeParts {
  sql: ReturnType<typeof rangeStatements>
  hops: Hops
  job: number
  /** The measure whose shortest path is the one shown for a document. */
  counted: Measure
}

function recordLinks(hops: Hops, { url, role }: Source, links: readonly Outlink[]): void {
  if (role === 'robots') hops.addRobots(keyOf(url))
  hops.replaceLinks(
    keyOf(url),
    links.map((link) => ({ target: keyOf(link.url), type: linkTypeOf[link.kind] })),
  )
}

/** Excludes candidates that are too far. A document of an earlier run that is too far now is excluded, too. */
function judged(
  { sql, hops, job }: RangeParts,
  candidates: readonly Candidate[],
): { candidates: Candidate[]; counts: Counts } {
  const counts = { ...noCounts }
  const each = candidates.map((candidate): Candidate => {
    const key = keyOf(candidate.url)
    const detail = candidate.excluded ? undefined : tooFarDetail(hops, key)
    if (detail === undefined) return candidate
    const known = sql.foundTooFar.get({ job, key })
    if (known) {
      sql.exclude.run({ id: known.id, detail: storedDetail(detail) })
      hops.removeSource(key)
      // Known from an earlier run: it counts in this run from now on.
      counts.total += 1
      counts.excluded += 1
    }
    return { ...candidate, excluded: { reason: 'tooManyHops', detail } }
  })
  return { candidates: each, counts }
}

function remove({ sql }: Pick<RangeParts, 'sql'>, id: number, detail: Detail): Counts {
  // The document may have to wait for another turn instead, if the data it inherits has changed in the meantime.
  if (documentStates.next(sql.remove.get({ id })?.state ?? 'PENDING', 'reachable') === undefined) return noCounts
  const before = sql.outcome.get({ id })?.outcome ?? null
  sql.exclude.run({ id, detail: storedDetail(detail) })
  const counts = { ...noCounts, excluded: 1 }
  // A document of a continuous job keeps its outcome until it has another.
  if (before !== null) counts[before] -= 1
  return counts
}

function follow(parts: RangeParts): Followed {
  const { sql, hops, job } = parts
  if (!hops.settle(hopRowsMax)) return { counts: noCounts, reached: [], isDone: false }
  const changed = hops.unapplied(changesMax)
  const counts = { ...noCounts }
  const reached: Reached[] = []
  let isDone = changed.length < changesMax
  for (const { key, markApplied } of changed) {
    markApplied()
    const document = sql.document.get({ job, key })
    // A claimed document is re-evaluated when its turn ends.
    if (!document || heldDocumentStates.includes(document.state)) continue
    const detail = tooFarDetail(hops, key)
    if (detail === undefined) {
      if (documentStates.next(document.state, 'reachable') === undefined) continue
      reached.push(reachedBy(parts, document, key))
      counts[document.outcome ?? 'excluded'] -= 1
    } else if (pushOut(parts, document, detail, counts)) {
      // A document that is too far has no links.
      hops.removeSource(key)
      isDone = false
    }
  }
  return { counts, reached, isDone }
}

/** Moves a document out of range. A document that a rule excluded keeps that reason; a captured one stays captured and
 *  counted as such. */
function pushOut(
  { sql }: Pick<RangeParts, 'sql'>,
  { id, state, outcome }: RangedDocument,
  detail: Detail,
  counts: Counts,
): boolean {
  if (outcome === 'excluded' || documentStates.next(state, 'outOfRange') === undefined) return false
  if (outcome !== null) return sql.remove.get({ id }) !== undefined
  counts.excluded += remove({ sql }, id, detail).excluded
  return true
}

function reachedBy({ sql, hops, job, counted }: RangeParts, { id, url, hopPath }: RangedDocument, key: Key): Reached {
  const last = hops.lastLink(key, counted)
  const from = last && sql.document.get({ job, key: last.source })
  const found = from && { via: from.id, hopPath: `${from.hopPath}${hopLetter[last.type]}` }
  return { id, url, hopPath, via: null, hops: hops.distance(key, counted), ...found }
}

const tooFar = {
  hops: 'hops.tooFar.hops',
  link: 'hops.tooFar.link',
  embed: 'hops.tooFar.embed',
  redirect: 'hops.tooFar.redirect',
  sitemap: 'hops.tooFar.sitemap',
} as const satisfies Record<Measure, string>

/** Explains that a URL is beyond a limit; undefined if it is not. */
function tooFarDetail(hops: Hops, key: Key): Message | undefined {
  const beyond = hops.beyond(key)
  if (!beyond) return undefined
  const { measure, distance, most } = beyond
  return distance === Infinity ? message('hops.unreachable') : message(tooFar[measure], { distance, most })
}
