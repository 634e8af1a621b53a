/** The frontier: every URL a job knows, each once, with its position in the queue. Turns are assigned over all jobs
 *  (`queue.ts`). The frontier does not fetch and does not know HTTP. Each running job has one. */
import type { Store } from '../../storage/storage.ts'
import { knownUrls, type KnownOfJob } from '../model/knownUrls.ts'
import { batchesOf, type Batch } from './batches.ts'
import type { Candidate, Reached } from './candidate.ts'
import { countersBy } from './counters.ts'
import { noCounts, type Changed, type Counts } from './counts.ts'
import { documentAdder, nothingAdded, type AddDocument, type Added } from './documentAdder.ts'
import { foundHosts, type FoundHosts } from './foundHosts.ts'
import { frontierStatements } from './frontier.sql.ts'
import { numberingOf } from './numbering.ts'
import { ordinaryPlaces, type Places } from './places.ts'
import { queueStatements } from './queue.sql.ts'
import { robotsRequests, type RobotsRequests } from './robotsRequests.ts'

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
  const placed = places ?? ordinaryPlaces(counters, job)
  const hosts = foundHosts(sql, job)
  const add = documentAdder(sql, job, placed)
  const requests = robotsRequests(robots, add)
  const batches = batchesOf(() => numberingOf({ ...countersBy(counters), limitsOf: placed.rateOf }))
  const discoverOne = discoverer({ known, hosts, requests, add })

  return {
    isWanted: (url) => known.has(url, 'wanted'),
    together: batches.together,
    discover: (candidates, nowMs) =>
      batches.together(() => {
        const batch = batches.begin(nowMs)
        // Among documents found together, those nearer to a seed come first.
        const changes = candidates
          .toSorted((a, b) => a.hops - b.hops)
          .map((candidate) => ({ candidate, added: discoverOne(candidate, batch) }))
        return {
          counts: countsOf(changes.map(({ added }) => added)),
          hasNews: changes.some(({ candidate, added }) => !candidate.excluded && isChange(added)),
        }
      }),
    reach(documents, nowMs) {
      const batch = batches.begin(nowMs)
      const asked = documents.map(({ url, ...document }) => {
        const change = requests.ask(hosts.of(url), document, batch)
        sql.reach.run({ ...document, dueMs: nowMs })
        return change
      })
      return { counts: countsOf(asked), hasNews: documents.length > 0 }
    },
    askForRules: (documents, nowMs) =>
      batches.together(() =>
        countsOf(documents.map((document) => requests.ask(hosts.of(document.url), document, batches.begin(nowMs)))),
      ),
    forget() {
      known.forget()
      requests.forget()
      hosts.forget()
    },
    redirectedSeeds: () => sql.redirectedSeeds.all({ job }).map(({ url }) => url),
    release: () => void sql.releaseClaimed.run({ job }),
  }
}

interface DiscovererParts {
  known: KnownOfJob
  hosts: FoundHosts
  requests: RobotsRequests
  add: AddDocument
}

/** Returns a function that adds one candidate, and robots.txt of its host if the rules are unknown. */
function discoverer({ known, hosts, requests, add }: DiscovererParts) {
  return (candidate: Candidate, batch: Batch): Added => {
    const verdict = candidate.excluded ? 'excluded' : 'wanted'
    if (known.has(candidate.url, verdict)) return nothingAdded
    known.add(candidate.url, verdict)
    const host = hosts.of(candidate.url)
    // Called before the candidate is added, which may be a link to robots.txt itself: as a page it would wait for its own
    // rules.
    const asked = candidate.excluded ? nothingAdded : requests.ask(host, candidate, batch)
    const added = add(candidate, host, batch)
    return { total: added.total + asked.total, excluded: added.excluded + asked.excluded }
  }
}

function isChange({ total, excluded }: Added): boolean {
  return total !== 0 || excluded !== 0
}

function countsOf(changes: readonly Added[]): Counts {
  const counts = { ...noCounts }
  for (const { total, excluded } of changes) {
    counts.total += total
    counts.excluded += excluded
  }
  return counts
}
