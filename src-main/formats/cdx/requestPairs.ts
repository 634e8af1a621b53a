/** Which request an answer was given to. WARC-Concurrent-To says it, in either of the two records (WARC 1.1, 5.7: the
 *  wild has both); else the two stand side by side with the same address, in either order. What has come is held back
 *  until its request is found or can no longer come, so answers leave in the order of the file and memory stays bounded:
 *  `pairDistanceRecordsMax` records, each with a few kilobytes. */
import { recordField, recordFields, type ArchiveRecord } from '../records/record.ts'

/** Writers put the two next to each other; one that writes for several connections may put those of others between. */
export const pairDistanceRecordsMax = 64

interface Placed {
  /** Which record of the file. */
  number: number
  url: string
  id: string
  concurrentTo: string[]
}

interface WaitingAnswer<Answer> extends Placed {
  answer: Answer
  settled: boolean
}

interface WaitingRequest<Request> extends Placed {
  request: Request
}

export class RequestPairs<Answer, Request> {
  #join: (answer: Answer, request: Request) => void
  /** In the order of the file. What is no answer waits here too, settled from the beginning. */
  #queue: WaitingAnswer<Answer>[] = []
  #requests: WaitingRequest<Request>[] = []
  #number = 0

  /** `join` is called once for an answer whose request is found. */
  constructor(join: (answer: Answer, request: Request) => void) {
    this.#join = join
  }

  /** Another record of the file comes, whatever it is. */
  next(): void {
    this.#number++
  }

  /** Something that waits for no request, but has its place in the order. */
  addSettled(answer: Answer): void {
    this.#queue.push({ number: this.#number, url: '', id: '', concurrentTo: [], answer, settled: true })
  }

  addAnswer(record: ArchiveRecord, answer: Answer): void {
    const waiting = { ...this.#placed(record), answer, settled: false }
    this.#queue.push(waiting)
    const request = this.#requests.find((other) => belongs(other, waiting))
    if (!request) return
    this.#requests.splice(this.#requests.indexOf(request), 1)
    this.#settle(waiting, request.request)
  }

  addRequest(record: ArchiveRecord, request: Request): void {
    const waiting = { ...this.#placed(record), request }
    const answer = this.#queue.find((other) => !other.settled && belongs(waiting, other))
    if (answer) this.#settle(answer, request)
    else this.#requests.push(waiting)
  }

  /** What need not wait any longer. */
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

  /** The file has ended. */
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

/** What a record says of itself outranks where it stands. */
function belongs(request: Placed, answer: Placed): boolean {
  if (request.concurrentTo.length > 0 || answer.concurrentTo.length > 0)
    return names(request, answer) || names(answer, request)
  return Math.abs(request.number - answer.number) === 1 && request.url === answer.url
}

function names(one: Placed, other: Placed): boolean {
  return other.id !== '' && one.concurrentTo.includes(other.id)
}
