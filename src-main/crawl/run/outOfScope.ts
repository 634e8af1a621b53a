/** Documents that were out of scope when they were found. A redirected seed widens the scope, so they are judged again when
 *  nothing else is left to fetch: neither the order of discovery nor that of the answers affects what is harvested. */
import type { Store } from '../../storage/storage.ts'
import { candidatesIn } from './candidates.ts'
import { placesIn, type Scope } from '../model/scope.ts'
import { hopLetter, linkTypeOf, type Outlink } from '../model/outlink.ts'
import type { RepositoryConnector } from '../capture/connectors/connector.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import type { OutsideDocument } from '../model/document.ts'
import { sumOf, type Changed } from '../frontier/counts.ts'
import type { Candidate } from '../frontier/candidate.ts'
import type { Frontier } from '../frontier/frontier.ts'
import type { Range } from '../settle/hops/range.ts'
import type { LiveRun } from '../live/liveRun.ts'

interface Parts {
  store: Store
  job: number
  connector: Pick<RepositoryConnector, 'judge'>
  scope: Scope
  /** Number of places in the scope of the definition alone. */
  placesBefore: number
  frontier: Frontier
  live: Pick<LiveRun, 'judged'>
  range: Pick<Range, 'beyond'> | undefined
  nowMs(): number
}

/** Most documents to judge in one transaction. */
const judgedAtOnceMax = 1_000

/** The documents out of scope. */
export interface OutOfScopeQueue {
  /** Queues the documents that are in scope by now. Undefined if there are none. */
  queueInScope(): Changed | undefined
}

/** Opens the queue. It reads no document until a seed has widened the scope. */
export function openOutOfScopeQueue(parts: Parts): OutOfScopeQueue {
  const { store, job, connector, scope, frontier, live, range, nowMs } = parts
  const { outside, count } = frontierStatements(store)
  let placesSeen = parts.placesBefore

  function inScopeNow(documents: readonly OutsideDocument[]): Candidate[] {
    return documents.flatMap(({ url, kind, ...via }) =>
      candidatesIn(via, [{ url, kind: kindOf(kind) }], { connector, scope, frontier }).filter(
        (candidate) => !candidate.excluded && range?.beyond(candidate) === undefined,
      ),
    )
  }

  return {
    queueInScope() {
      if (placesIn(scope) === placesSeen) return undefined
      placesSeen = placesIn(scope)
      const all: Changed[] = []
      for (let after = 0; ;) {
        const documents = outside.all({ job, after, limit: judgedAtOnceMax })
        const last = documents.at(-1)
        if (last === undefined) break
        after = last.document
        const candidates = live.judged(inScopeNow(documents))
        if (candidates.length === 0) continue
        const changed = store.transaction(() => {
          const discovered = frontier.discover(candidates, nowMs())
          count.run({ job, ...discovered.counts })
          return discovered
        })
        all.push(changed)
      }
      const hasNews = all.some((changed) => changed.hasNews)
      return hasNews ? { counts: sumOf(all.map(({ counts }) => counts)), hasNews } : undefined
    },
  }
}

/** Converts the letter of the last hop into how the document was found. */
function kindOf(letter: string): Outlink['kind'] {
  const kind = (['navigation', 'embed', 'redirect', 'sitemap'] as const).find(
    (each) => hopLetter[linkTypeOf[each]] === letter,
  )
  return kind ?? 'navigation'
}
