/** The frontier: every URL a job knows, each once, with its position in the queue. Turns are assigned over all jobs
 *  (`queue/`). The frontier does not fetch and does not know HTTP. Each running job has one. */
import { originOf, keyOf, domainOf } from '../model/urlKeys.ts'
import type { Reason } from '../../contract/states/outcomes.ts'
import type { Store } from '../../storage/storage.ts'
import { frontierStatements } from './frontier.sql.ts'
import type { FoundHost, Role } from '../model/document.ts'
import { flatCopy, knownUrls, type KnownOfJob } from '../model/knownUrls.ts'
import { unlimited } from '../../contract/shapes/throttle.ts'
import { hostBins } from './bins.ts'
import { countersBy } from './counters.ts'
import { numberingOf, type Numbering, type NumberingSetting } from './numbering.ts'
import { queueStatements, type QueueStatements } from './queue.sql.ts'

/** A URL that was found, with the verdict of the scope. */
export interface Candidate {
  url: string
  role: Role
  hopPath: string
  hops: number
  via: number | null
  /** Set if the URL is only remembered, not fetched. */
  excluded?: { reason: Reason; detail: string }
}

/** A document that was beyond the hop limits and is within them now. */
export interface Reached {
  id: number
  url: string
  /** The document with the link that makes it nearer. */
  via: number | null
  hopPath: string
  hops: number
}

/** Counters of a run, or a change of them. */
export interface Counts {
  total: number
  fetched: number
  failed: number
  excluded: number
  duplicate: number
  bytes: number
}

type Added = Pick<Counts, 'total' | 'excluded'>

/** Documents added in one transaction; their positions are counted together. */
interface Batch {
  nowMs: number
  numbering: Numbering
}

/** Change of the counters, and whether a document waits that did not before. */
export interface Changed {
  counts: Counts
  hasNews: boolean
}

export const noCounts: Counts = { total: 0, fetched: 0, failed: 0, excluded: 0, duplicate: 0, bytes: 0 }

/** Adds up counters. */
export function sumOf(all: readonly Counts[]): Counts {
  const total = { ...noCounts }
  for (const counts of all) {
    for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name]
  }
  return total
}

/** The frontier of one job. */
export interface Frontier {
  /** Tells whether the URL is known to wait or to be fetched already, from memory only: true is certain, false is not. */
  isWanted(url: string): boolean
  /** Counts the positions of everything that `act` adds together: counters are read once and written once. Called inside a
   *  transaction. */
  together<T>(act: () => T): T
  /** Adds candidates; called inside a transaction. */
  discover(candidates: Candidate[], nowMs: number): Changed
  /** Queues documents that were too far from the seeds and are within the limits now. Called inside a transaction. */
  reach(documents: readonly Reached[], nowMs: number): Changed
  /** Queues robots.txt of hosts whose rules are unknown: nothing else of these hosts may be fetched before. Called inside a
   *  transaction. */
  askForRules(documents: readonly Pick<Candidate, 'url' | 'hopPath' | 'via'>[], nowMs: number): Counts
  /** Discards the remembered URLs, which may have been rolled back or removed: from now on the database is asked again. */
  forget(): void
  /** Returns the URLs to which seeds were redirected. */
  redirectedSeeds(): string[]
  /** Returns all claimed documents that are not settled to the queue. */
  release(): void
}

/** Data that determines the position of a document. */
export interface Places {
  binsOf(url: string): readonly string[]
  rateOf: NumberingSetting['limitsOf']
  /** Returns the priority of the job, 1 (highest) to 10. Read for each document, since a user may change it. */
  jobPriority(): number
}

/** Positions for documents that are added while the job is not being worked on. */
function ordinaryPlaces({ jobPriority }: Pick<QueueStatements, 'jobPriority'>, job: number): Places {
  return { binsOf: hostBins, rateOf: () => unlimited, jobPriority: () => jobPriority.get({ job })?.priority ?? 5 }
}

/** Most hosts to remember: some megabytes. */
const hostsMax = 50_000
/** Default memory for known URLs, in bytes, for a frontier that only adds documents once. */
const knownAtOnceBytes = 10_000_000

/** Opens the frontier of a job. `places` and `known` come from the run, if one is in progress. */
export function openFrontier(
  store: Store,
  job: number,
  robots: 'obey' | 'ignore',
  places?: Places,
  known: KnownOfJob = knownUrls(knownAtOnceBytes).of(job),
): Frontier {
  const sql = frontierStatements(store)
  const counters = queueStatements(store)
  const { binsOf, rateOf, jobPriority } = places ?? ordinaryPlaces(counters, job)
  const hosts = new Map<string, FoundHost>()
  const robotsAsked = new Set<number>()

  function hostOf(url: string): FoundHost {
    // URLs with the same text before their path have the same origin; parsing each one is expensive.
    const pathAt = url.indexOf('/', url.indexOf('//') + 2)
    const beforePath = pathAt < 0 ? url : url.slice(0, pathAt)
    const met = hosts.get(beforePath)
    if (met) return met
    const origin = originOf(url)
    const added = sql.addHost.get({ job, origin, domain: domainOf(origin) })
    if (!added) throw new Error(`no row for the host ${origin}`)
    if (hosts.size >= hostsMax) hosts.clear()
    hosts.set(flatCopy(beforePath), added)
    return added
  }

  const newNumbering = (): Numbering => numberingOf({ ...countersBy(counters), limitsOf: rateOf })
  /** Set while documents are added together. */
  let common: Numbering | undefined

  function together<T>(act: () => T): T {
    if (common) return act()
    common = newNumbering()
    try {
      const result = act()
      common.save()
      return result
    } finally {
      common = undefined
    }
  }

  const newBatch = (nowMs: number): Batch => ({ nowMs, numbering: common ?? newNumbering() })

  /** Queues robots.txt of a host if its rules are unknown. It is fetched before anything else: hops −1 puts it first among
   *  the documents of the host. */
  function askForRobots(host: FoundHost, { hopPath, via }: Pick<Candidate, 'hopPath' | 'via'>, batch: Batch): Added {
    if (robots === 'ignore' || host.robotsState !== 'UNKNOWN' || robotsAsked.has(host.id))
      return { total: 0, excluded: 0 }
    robotsAsked.add(host.id)
    const url = `${host.origin}/robots.txt`
    return add({ url, role: 'robots', hopPath: `${hopPath}P`, hops: -1, via }, host, batch)
  }

  function add(candidate: Candidate, host: FoundHost, { nowMs, numbering }: Batch): Added {
    const { excluded } = candidate
    const bins = excluded ? [] : binsOf(candidate.url)
    // Everything else of the host waits for robots.txt, so it goes to the front, however much is queued.
    const place = candidate.role === 'robots' ? numbering.front() : numbering.peek(bins)
    const row = {
      job,
      key: keyOf(candidate.url),
      url: candidate.url,
      host: host.id,
      state: excluded ? stateOfExcluded(excluded.reason) : ('PENDING' as const),
      outcome: excluded ? 'excluded' : null,
      reason: excluded?.reason ?? null,
      detail: excluded?.detail ?? null,
      role: candidate.role,
      hopPath: candidate.hopPath,
      hops: candidate.hops,
      via: candidate.via,
      dueMs: nowMs,
      priority: excluded ? null : place,
      jobPriority: jobPriority(),
    }
    const isNew = sql.add.run(row) === 1
    // Known from an earlier run: it counts in this run from now on.
    const isAnew = !isNew && !excluded && sql.rediscover.run(row) === 1
    const isRevived = !isNew && !isAnew && !excluded && sql.revive.run(row) === 1
    if (!excluded && (isNew || isAnew || isRevived)) numbering.take(bins)
    if (isNew || isAnew) return { total: 1, excluded: excluded ? 1 : 0 }
    return { total: 0, excluded: isRevived ? -1 : 0 }
  }

  function discover(candidates: Candidate[], nowMs: number): Changed {
    const counts = { ...noCounts }
    let hasNews = false
    const batch = newBatch(nowMs)
    // Among documents found together, those nearer to a seed come first.
    for (const candidate of candidates.toSorted((a, b) => a.hops - b.hops)) {
      const verdict = candidate.excluded ? 'excluded' : 'wanted'
      if (known.has(candidate.url, verdict)) continue
      known.add(candidate.url, verdict)
      const host = hostOf(candidate.url)
      // Called before the candidate is added, which may be a link to robots.txt itself: as a page it would wait for its own
      // rules.
      const asked = candidate.excluded ? { total: 0, excluded: 0 } : askForRobots(host, candidate, batch)
      const { total, excluded } = add(candidate, host, batch)
      counts.total += total + asked.total
      counts.excluded += excluded + asked.excluded
      const isNew = total !== 0 || excluded !== 0 || asked.total !== 0 || asked.excluded !== 0
      hasNews ||= isNew && !candidate.excluded
    }
    return { counts, hasNews }
  }

  return {
    isWanted: (url) => known.has(url, 'wanted'),
    together,
    discover: (candidates, nowMs) => together(() => discover(candidates, nowMs)),
    reach(documents, nowMs) {
      const counts = { ...noCounts }
      const batch = newBatch(nowMs)
      for (const { url, ...document } of documents) {
        const host = hostOf(url)
        const asked = askForRobots(host, document, batch)
        counts.total += asked.total
        counts.excluded += asked.excluded
        sql.reach.run({ ...document, dueMs: nowMs })
      }
      return { counts, hasNews: documents.length > 0 }
    },
    askForRules: (documents, nowMs) =>
      together(() => {
        const counts = { ...noCounts }
        for (const document of documents) {
          const { total, excluded } = askForRobots(hostOf(document.url), document, newBatch(nowMs))
          counts.total += total
          counts.excluded += excluded
        }
        return counts
      }),
    forget() {
      known.forget()
      robotsAsked.clear()
      hosts.clear()
    },
    redirectedSeeds: () => sql.redirectedSeeds.all({ job }).map(({ url }) => url),
    release: () => void sql.releaseClaimed.run({ job }),
  }
}

/** Returns the state of an excluded document. One that is only too far stays reachable: a shorter path to it may be found. */
function stateOfExcluded(reason: Reason): 'COMPLETE' | 'HOPCOUNTREMOVED' {
  return reason === 'tooManyHops' ? 'HOPCOUNTREMOVED' : 'COMPLETE'
}
