/** The frontier: every URL a job knows, each once, with its place in the queue. Whose turn it is, is decided over all jobs
 *  (`queue/`). It does not fetch and does not know HTTP. One frontier belongs to one running job. */
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

/** A URL that was found, with what the scope said of it. */
export interface Candidate {
  url: string
  role: Role
  hopPath: string
  hops: number
  via: number | null
  /** Set when it is only remembered, not fetched. */
  excluded?: { reason: Reason; detail: string }
}

/** A document that was too far, and is not any more. */
export interface Reached {
  id: number
  url: string
  /** The way by which it is nearer. */
  via: number | null
  hopPath: string
  hops: number
}

export interface Counts {
  total: number
  fetched: number
  failed: number
  excluded: number
  duplicate: number
  bytes: number
}

type Added = Pick<Counts, 'total' | 'excluded'>

/** Documents added in one transaction; their places are counted together. */
interface Batch {
  nowMs: number
  numbering: Numbering
}

/** What was added, and whether anything waits that did not before. */
export interface Changed {
  counts: Counts
  hasNews: boolean
}

export const noCounts: Counts = { total: 0, fetched: 0, failed: 0, excluded: 0, duplicate: 0, bytes: 0 }

export function sumOf(all: readonly Counts[]): Counts {
  const total = { ...noCounts }
  for (const counts of all) {
    for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name]
  }
  return total
}

export interface Frontier {
  /** Whether it waits or was fetched already, as far as that is remembered without asking the database: true is certain. */
  isWanted(url: string): boolean
  /** Counts the places of everything that `act` adds together: counters are read once and written once. Call it inside a
   *  transaction. */
  together<T>(act: () => T): T
  /** Inside a transaction. */
  discover(candidates: Candidate[], nowMs: number): Changed
  /** Queues documents that were too far from the seeds and are within the limits now. Call it inside a transaction. */
  reach(documents: readonly Reached[], nowMs: number): Changed
  /** Queues robots.txt of hosts whose rules are unknown: nothing else of them may be fetched before. Call it inside a
   *  transaction. */
  askForRules(documents: readonly Pick<Candidate, 'url' | 'hopPath' | 'via'>[], nowMs: number): Counts
  /** What `discover` remembers may have been rolled back, or has left: from now on the database is asked again. */
  forget(): void
  redirectedSeeds(): string[]
  /** Everything claimed and not settled waits again. */
  release(): void
}

export interface Places {
  binsOf(url: string): readonly string[]
  rateOf: NumberingSetting['limitsOf']
  /** Priority of the job, 1 (highest) to 10. Read for each document, since a user may change it. */
  jobPriority(): number
}

/** Places for documents that are added while the job is not being worked on. */
function ordinaryPlaces({ jobPriority }: Pick<QueueStatements, 'jobPriority'>, job: number): Places {
  return { binsOf: hostBins, rateOf: () => unlimited, jobPriority: () => jobPriority.get({ job })?.priority ?? 5 }
}

/** Hosts that are remembered: some megabytes. */
const hostsMax = 50_000
/** Default memory for known URLs, in bytes, where documents are only added in one go. */
const knownAtOnceBytes = 10_000_000

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
  /** While things are added together. */
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

  /** Every host is asked for its robots.txt before anything else: hops −1 puts it first in the host's turn. */
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
    // Everything else of its host waits for robots.txt: it comes first of it, however much is queued.
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
    // Known from an earlier run: it counts in this one from now on.
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
      // Before the candidate, which may be a link to robots.txt itself: as a page it would wait for its own rules.
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

/** A document that is only too far stays reachable: a shorter path to it may be found. */
function stateOfExcluded(reason: Reason): 'COMPLETE' | 'HOPCOUNTREMOVED' {
  return reason === 'tooManyHops' ? 'HOPCOUNTREMOVED' : 'COMPLETE'
}
