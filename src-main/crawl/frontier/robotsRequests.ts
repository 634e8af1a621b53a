/** Requests for robots.txt: the rules of a host are fetched before anything else of it (RFC 9309). */
import type { FoundHost } from '../model/document.ts'
import type { Batch } from './batches.ts'
import type { Candidate } from './candidate.ts'
import { nothingAdded, type AddDocument, type Added } from './documentAdder.ts'

/** The requests for robots.txt of one job. */
export interface RobotsRequests {
  /** Queues robots.txt of a host if its rules are unknown. `found` is the document for which they are needed. Called inside a
   *  transaction. */
  ask(host: FoundHost, found: Pick<Candidate, 'hopPath' | 'via'>, batch: Batch): Added
  /** Forgets which hosts were asked: a transaction that queued a request may have been rolled back. */
  forget(): void
}

/** Opens the requests of a job that obeys or ignores robots.txt. */
export function robotsRequests(robots: 'obey' | 'ignore', add: AddDocument): RobotsRequests {
  const asked = new Set<number>()
  return {
    ask(host, { hopPath, via }, batch) {
      if (robots === 'ignore' || host.robotsState !== 'UNKNOWN' || asked.has(host.id)) return nothingAdded
      asked.add(host.id)
      const url = `${host.origin}/robots.txt`
      // Hops of −1 put it first among the documents of the host.
      return add({ url, role: 'robots', hopPath: `${hopPath}P`, hops: -1, via }, host, batch)
    },
    forget: () => asked.clear(),
  }
}
