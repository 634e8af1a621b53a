/** Matches requests with responses. WARC-Concurrent-To of either record names the other (WARC 1.1, 5.7: both occur);
 *  otherwise the two are adjacent with the same URL, in either order. Responses are held back until their request is
 *  found or can no longer follow, so that they are released in the order of the file. Memory is bounded by
 *  `pairDistanceRecordsMax` records of a few kilobytes each. */
import { recordField, recordFields, type ArchiveRecord } from '../records/record.ts'

/** Maximum distance between the two records. Writers place them next to each other; a writer with several
 *  connections may put records of others between them. */
export const pairDistanceRecordsMax = 64

/** A record that may have a partner. */
interface Placed {
  /** Position of the record in the file. */
  number: number
  url: string
  id: string
  concurrentTo: string[]
}

/** A response in the queue. `settled`: its request was found, or it needs none. */
interface WaitingAnswer<Answer> extends Placed {
  answer: Answer
  settled: boolean
}

interface WaitingRequest<Request> extends Placed {
  request: Request
}

/** Pairs of one file. Call `next` for each record, then the `add…` method that applies, then `released`. */
export class RequestPairs<Answer, Request> {
  #join: (answer: Answer, request: Request) => void
  /** Responses in the order of the file. Other captures are queued too, settled from the beginning. */
  #queue: WaitingAnswer<Answer>[] = []
  #requests: WaitingRequest<Request>[] = []
  #number = 0

  /** `join` is called once for each response whose request is found. */
  constructor(join: (answer: Answer, request: Request) => void) {
    this.#join = join
  }

  /** Counts another record of the file, of any type. */
  next(): void {
    this.#number++
  }

  /** Adds a capture that needs no request but keeps its place in the order. */
  addSettled(answer: Answer): void {
    this.#queue.push({ number: this.#number, url: '', id: '', concurrentTo: [], answer, settled: true })
  }

  /** Adds a response, and joins it with its request if that was before it. */
  addAnswer(record: ArchiveRecord, answer: Answer): void {
    const waiting = { ...this.#placed(record), answer, settled: false }
    this.#queue.push(waiting)
    const request = this.#requests.find((other) => belongs(other, waiting))
    if (!request) return
    this.#requests.splice(this.#requests.indexOf(request), 1)
    this.#settle(waiting, request.request)
  }

  /** Adds a request, and joins it with its response if that was before it. */
  addRequest(record: ArchiveRecord, request: Request): void {
    const waiting = { ...this.#placed(record), request }
    const answer = this.#queue.find((other) => !other.settled && belongs(waiting, other))
    if (answer) this.#settle(answer, request)
    else this.#requests.push(waiting)
  }

  /** Removes and returns the captures that need not wait any longer. */
  released(): Answer[] {
    const oldest = this.#number - pairDistanceRecordsMax
    while ((this.#requests[0]?.number ?? Infinity) < oldest) this.#requests.shift()
    let count = 0
    for (const { settled, number } of this.#queue) {
      if (!settled && number >= oldest) break
      count++
    }
    return count === 0 ? none : this.#queue.splice(0, count).map(({ answer }) => answer)
  }

  /** Returns the remaining captures at the end of the file. */
  end(): Answer[] {
    this.#number = Infinity
    return this.released()
  }

  #placed(record: ArchiveRecord): Placed {
    const id = (recordField(record, 'warc-record-id') ?? '').trim()
    const concurrentTo = recordFields(record, 'warc-concurrent-to').map((each) => each.trim())
    return { number: this.#number, url: record.url ?? '', id, concurrentTo }
  }

  #settle(waiting: WaitingAnswer<Answer>, request: Request): void {
    waiting.settled = true
    this.#join(waiting.answer, request)
  }
}

const none: never[] = []

/** Returns true when the two belong together. WARC-Concurrent-To takes precedence over the position. */
function belongs(request: Placed, answer: Placed): boolean {
  if (request.concurrentTo.length > 0 || answer.concurrentTo.length > 0)
    return names(request, answer) || names(answer, request)
  return Math.abs(request.number - answer.number) === 1 && request.url === answer.url
}

/** Whether WARC-Concurrent-To of `one` names `other`. */
function names(one: Placed, other: Placed): boolean {
  return other.id !== '' && one.concurrentTo.includes(other.id)
}
