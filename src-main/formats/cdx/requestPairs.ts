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

/** A capture in the queue. `settled`: its request was found, or it needs none. */
interface WaitingCapture<Capture> extends Placed {
  capture: Capture
  settled: boolean
}

interface WaitingRequest<Request> extends Placed {
  request: Request
}

/** Pairs of one file. Call `next` for each record, then the `add…` method that applies, then `released`. */
export class RequestPairs<Capture, Request> {
  #join: (capture: Capture, request: Request) => void
  /** Responses in the order of the file. Other captures are queued too, settled from the beginning. */
  #queue: WaitingCapture<Capture>[] = []
  #requests: WaitingRequest<Request>[] = []
  #number = 0

  /** `join` is called once for each response whose request is found. */
  constructor(join: (capture: Capture, request: Request) => void) {
    this.#join = join
  }

  /** Counts another record of the file, of any type. */
  next(): void {
    this.#number++
  }

  /** Adds a capture that needs no request but keeps its place in the order. */
  addSettled(capture: Capture): void {
    this.#queue.push({ number: this.#number, url: '', id: '', concurrentTo: [], capture, settled: true })
  }

  /** Adds a response, and joins it with its request if that was before it. */
  addResponse(record: ArchiveRecord, capture: Capture): void {
    const waiting = { ...this.#placed(record), capture, settled: false }
    this.#queue.push(waiting)
    const request = this.#requests.find((other) => belongs(other, waiting))
    if (!request) return
    this.#requests.splice(this.#requests.indexOf(request), 1)
    this.#settle(waiting, request.request)
  }

  /** Adds a request, and joins it with its response if that was before it. */
  addRequest(record: ArchiveRecord, request: Request): void {
    const waiting = { ...this.#placed(record), request }
    const response = this.#queue.find((other) => !other.settled && belongs(waiting, other))
    if (response) this.#settle(response, request)
    else this.#requests.push(waiting)
  }

  /** Removes and returns the captures that need not wait any longer. */
  released(): Capture[] {
    const oldest = this.#number - pairDistanceRecordsMax
    while ((this.#requests[0]?.number ?? Infinity) < oldest) this.#requests.shift()
    let count = 0
    for (const { settled, number } of this.#queue) {
      if (!settled && number >= oldest) break
      count++
    }
    return count === 0 ? none : this.#queue.splice(0, count).map(({ capture }) => capture)
  }

  /** Returns the remaining captures at the end of the file. */
  end(): Capture[] {
    this.#number = Infinity
    return this.released()
  }

  #placed(record: ArchiveRecord): Placed {
    const id = (recordField(record, 'warc-record-id') ?? '').trim()
    const concurrentTo = recordFields(record, 'warc-concurrent-to').map((each) => each.trim())
    return { number: this.#number, url: record.url ?? '', id, concurrentTo }
  }

  #settle(waiting: WaitingCapture<Capture>, request: Request): void {
    waiting.settled = true
    this.#join(waiting.capture, request)
  }
}

const none: never[] = []

/** Returns true when the two belong together. WARC-Concurrent-To takes precedence over the position. */
function belongs(request: Placed, response: Placed): boolean {
  if (request.concurrentTo.length > 0 || response.concurrentTo.length > 0)
    return names(request, response) || names(response, request)
  return Math.abs(request.number - response.number) === 1 && request.url === response.url
}

/** Returns true when WARC-Concurrent-To of `one` names `other`. */
function names(one: Placed, other: Placed): boolean {
  return other.id !== '' && one.concurrentTo.includes(other.id)
}
