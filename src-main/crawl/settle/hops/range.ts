/** Documents within and beyond the hop limits. One that is too far stays as a tombstone (HOPCOUNTREMOVED) and is queued as soon
 *  as a shorter path to it is found, so neither the order of discovery nor that of the answers decides what is harvested. One
 *  that turns out nearer is not fetched again: its links are on record, and their targets come nearer with it.
 *
 *  Everything is called inside the transaction that writes the documents down. */
import type { HarvestDefinition } from '../../../contract/contract.ts'
import { documentStates, heldDocumentStates } from '../../../contract/states/documentStates.ts'
import type { Store } from '../../../storage/storage.ts'
import { type Outlink, hopLetter, linkTypeOf } from '../../model/outlink.ts'
import { noCounts, type Candidate, type Counts, type Reached } from '../../frontier/frontier.ts'
import { keyOf } from '../../model/urlKeys.ts'
import type { Role } from '../../model/document.ts'
import { openHops, type Hops, type Key } from './hops.ts'
import { hopLimitsOf, type Measure } from '../../model/hopMeasures.ts'
import { rangeStatements, type RangedDocument } from './range.sql.ts'

interface Source {
  url: string
  role: Role
}

export interface Followed {
  /** What changed in the job's counters. */
  counts: Counts
  /** Documents to queue now (`Frontier.reach`). */
  reached: Reached[]
  /** False: there is more to do, in a further transaction. */
  isDone: boolean
}

export interface Range {
  /** Distances were not kept of this job before: what it knows of how its documents were found has been taken over. */
  readonly tookOver: boolean
  setSeeds(urls: readonly string[]): void
  addSeeds(urls: readonly string[]): void
  /** Why it is too far to be fetched; undefined when it is not. */
  beyond(document: Source): string | undefined
  /** A document was read: from now on its links count. Returns which of its finds are too far, and what changed in the
   *  counters with those that were known. */
  read(
    source: Source,
    links: readonly Outlink[],
    candidates: readonly Candidate[],
  ): { candidates: Candidate[]; counts: Counts }
  /** They have left the list of the job: what was found by them alone is found no more. */
  forget(urls: readonly string[]): void
  /** It had its turn, and is too far. Returns what changed in the counters. */
  remove(id: number, detail: string): Counts
  /** Documents follow their distances. */
  follow(): Followed
}

/** Rows of hop counts per transaction: some 50 ms, for which other writers wait. */
const hopRowsMax = 2_000
/** Documents that are looked at in one transaction, for the same reason. */
const newsCountMax = 2_000

/** Undefined when the definition asks for no hops: then no link is written down, and nothing is paid. */
export function openRange(store: Store, job: number, definition: HarvestDefinition): Range | undefined {
  const limits = hopLimitsOf(definition)
  if (!limits) return undefined
  const sql = rangeStatements(store)
  const hops = store.transaction(() => {
    const opened = openHops({ store, job, mode: definition.hops?.mode ?? 'accurate', limits })
    // Before distances were kept, no document could become reachable.
    if (opened.isBegun) sql.waitForShorterWays.run({ job })
    return opened
  })
  const [counted = 'hops'] = limits.keys()

  function beyond({ url, role }: Source): string | undefined {
    // No page leads to a host's rules, so they are at no distance.
    return role === 'robots' ? undefined : tooFarText(hops, keyOf(url))
  }

  function remove(id: number, detail: string): Counts {
    // It may have to wait for another turn instead: what it inherits had changed meanwhile.
    if (documentStates.next(sql.remove.get({ id })?.state ?? 'PENDING', 'reachable') === undefined) return noCounts
    const before = sql.outcome.get({ id })?.outcome ?? null
    sql.exclude.run({ id, detail })
    const counts = { ...noCounts, excluded: 1 }
    // A document of a continuous job keeps its outcome until it has another.
    if (before !== null) counts[before] -= 1
    return counts
  }

  function follow(): Followed {
    if (!hops.settle(hopRowsMax)) return { counts: noCounts, reached: [], isDone: false }
    const news = hops.news(newsCountMax)
    const counts = { ...noCounts }
    const reached: Reached[] = []
    let isDone = news.length < newsCountMax
    for (const { key, markRead } of news) {
      markRead()
      const document = sql.document.get({ job, key })
      // A claimed document is re-evaluated when its turn ends.
      if (!document || heldDocumentStates.includes(document.state)) continue
      const detail = tooFarText(hops, key)
      if (detail === undefined) {
        if (documentStates.next(document.state, 'reachable') === undefined) continue
        reached.push(reachedBy(document, key))
        counts[document.outcome ?? 'excluded'] -= 1
      } else if (pushOut(document, detail, counts)) {
        // A tombstone leads nowhere.
        hops.removeSource(key)
        isDone = false
      }
    }
    return { counts, reached, isDone }
  }

  /** What was refused by a rule stays refused by it; what was captured remains captured, and counted as such. */
  function pushOut({ id, state, outcome }: RangedDocument, detail: string, counts: Counts): boolean {
    if (outcome === 'excluded' || documentStates.next(state, 'outOfRange') === undefined) return false
    if (outcome !== null) return sql.remove.get({ id }) !== undefined
    counts.excluded += remove(id, detail).excluded
    return true
  }

  function reachedBy({ id, url, hopPath }: RangedDocument, key: Key): Reached {
    const way = hops.way(key, counted)
    const from = way && sql.document.get({ job, key: way.source })
    const found = from && { via: from.id, hopPath: `${from.hopPath}${hopLetter[way.type]}` }
    return { id, url, hopPath, via: null, hops: hops.distance(key, counted), ...found }
  }

  return {
    tookOver: hops.isBegun,
    setSeeds: (urls) => hops.setSeeds(urls.map(keyOf)),
    addSeeds: (urls) => hops.addSeeds(urls.map(keyOf)),
    beyond,
    read({ url, role }, links, candidates) {
      if (role === 'robots') hops.addRobots(keyOf(url))
      hops.replaceLinks(
        keyOf(url),
        links.map((link) => ({ target: keyOf(link.url), type: linkTypeOf[link.kind] })),
      )
      // A distance that is not exact yet may be too large; the document follows it later.
      hops.settle(hopRowsMax)
      const counts = { ...noCounts }
      const judged = candidates.map((candidate): Candidate => {
        const key = keyOf(candidate.url)
        const detail = candidate.excluded ? undefined : tooFarText(hops, key)
        if (detail === undefined) return candidate
        const known = sql.foundTooFar.get({ job, key })
        if (known) {
          sql.exclude.run({ id: known.id, detail })
          hops.removeSource(key)
          // Known from an earlier run: it counts in this one from now on.
          counts.total += 1
          counts.excluded += 1
        }
        return { ...candidate, excluded: { reason: 'tooManyHops', detail } }
      })
      return { candidates: judged, counts }
    },
    forget: (urls) => urls.forEach((url) => hops.removeSource(keyOf(url))),
    remove,
    follow,
  }
}

const stepText: Record<Measure, string> = {
  hops: 'hop',
  link: 'link',
  embed: 'embed',
  redirect: 'redirect',
  sitemap: 'sitemap',
}

function tooFarText(hops: Hops, key: Key): string | undefined {
  const beyond = hops.beyond(key)
  if (!beyond) return undefined
  const { measure, distance, most } = beyond
  if (distance === Infinity) return 'no way leads there any more'
  return `${distance} ${stepText[measure]}${distance === 1 ? '' : 's'}, and the harvest goes at most ${most}`
}
