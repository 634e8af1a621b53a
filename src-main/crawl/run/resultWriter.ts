/** Writes one result to the database: the outcome of its document, the outlinks it found, the history of its requests, and the
 *  data that it passes to other documents. Each call is part of the committer's transaction. */
import type { Recheck } from '../../contract/shapes/recheck.ts'
import type { Store } from '../../storage/storage.ts'
import type { Place } from '../capture/connectors/connector.ts'
import { versionsOf } from '../capture/connectors/versions.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { sumOf, type Changed, type Counts } from '../frontier/counts.ts'
import type { Frontier } from '../frontier/frontier.ts'
import { historyWriter } from '../history/activities.ts'
import type { LiveRun } from '../live/liveRun.ts'
import { inheritanceOf } from '../settle/carried/inheritance.ts'
import type { Range } from '../settle/hops/range.ts'
import type { Result } from '../settle/result.ts'
import { settlingOf } from '../settle/settling.ts'

type Of<Kind extends Result['kind']> = Extract<Result, { kind: Kind }>

/** Parameters of a result writer. */
export interface ResultWriterSetting {
  store: Store
  job: number
  frontier: Pick<Frontier, 'discover' | 'forget'>
  recheck: Recheck
  /** Present if the definition limits hops. */
  range?: Range | undefined
  now: () => number
  /** Counts the results of each host. */
  live?: Pick<LiveRun, 'note'> | undefined
}

/** Writes a result. `place` is where its records are; null if it has none. Returns the change to the counters of the run. */
export type WriteResult = (result: Result, place: Place | null) => Changed

/** Prepares the writing of results. */
export function resultWriter(setting: ResultWriterSetting): WriteResult {
  const { store, job, frontier, range, now } = setting
  const inheritance = inheritanceOf(store, job)
  const versions = versionsOf(store, job)
  const settling = settlingOf(setting)
  const { setRobots } = frontierStatements(store)
  const addToHistory = historyWriter(store)

  function fetched(result: Of<'fetched'>, place: Place | null): Changed {
    const counts = [noted(result, settling.fetched(result, place))]
    const { document, links, carried } = result
    if (result.truncated === null) versions.captured(document.id, result.capturedVersion ?? null)
    else versions.capturedInPart(document.id)
    const judged = range && links && range.read(document, links, result.candidates)
    if (judged) counts.push(judged.counts)
    const discovered = frontier.discover(judged?.candidates ?? result.candidates, now())
    counts.push(discovered.counts)
    // After `discover`, which adds the documents whose listed versions are stored.
    if (links) versions.listed(links)
    const again = carried ? inheritance.replace(document.url, carried, now()) : []
    return { counts: sumOf(counts), hasNews: discovered.hasNews || again.length > 0 }
  }

  function unchanged(result: Of<'unchanged'>): Changed {
    const discovered = frontier.discover(result.candidates, now())
    const counts = sumOf([noted(result, settling.settleUnchanged(result)), discovered.counts])
    return { counts, hasNews: discovered.hasNews }
  }

  function ended(result: Of<'ended'>): Changed {
    const isTooFar = range && result.reason === 'tooManyHops'
    const counts = isTooFar ? range.remove(result.document.id, result.detail) : settling.ended(result)
    return { counts: noted(result, counts), hasNews: false }
  }

  /** Adds the counts to those of the host. */
  function noted({ host, document }: Result, counts: Counts): Counts {
    setting.live?.note(host, document.url, counts)
    return counts
  }

  return (result, place) => {
    for (const attempt of result.attempts ?? []) addToHistory({ ...attempt, job })
    if (result.robots) setRobots.run({ host: result.host, state: result.robots.state, text: result.robots.text })
    switch (result.kind) {
      case 'fetched':
        return fetched(result, place)
      case 'unchanged':
        return unchanged(result)
      case 'ended':
        return ended(result)
      case 'postponed':
        return { counts: settling.postponed(result), hasNews: false }
    }
  }
}
