/** The client of `replay.ts` in a process of its own: `fork('asker.ts', [folder])`; it receives a message for each round and answers
 *  with its times. It uses bare sockets and a buffer that is reused, because a client that is slower than the server would measure
 *  itself. Every byte of every body is compared with the file of this name in the folder. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'

/** The requests of one round: the port of the server, the number of connections, and the targets with the files of their expected
 *  bodies. */
export interface Round {
  port: number
  connections: number
  asked: { /** The request target of the request line. */ target: string; host: string; name: string }[]
}

/** The measurements of one round. */
export interface RoundTimes {
  seconds: number
  /** Time of each request, in no particular order. */
  ms: number[]
  /** CPU time of this client. */
  cpuSeconds: number
  /** Number of wrong answers; `firstWrong` describes the first of them. */
  wrong: number
  firstWrong: string | undefined
}

const [folder = ''] = process.argv.slice(2)
const headEnd = Buffer.from('\r\n\r\n')

/** Sends all requests of a round, each connection the next one as soon as its answer is complete, and measures
 *  them. */
async function round({ port, connections, asked }: Round): Promise<RoundTimes> {
  const times: RoundTimes = { seconds: 0, ms: [], cpuSeconds: 0, wrong: 0, firstWrong: undefined }
  const left = await Promise.all(
    asked.map(async ({ target, host, name }) => ({
      target,
      body: await readFile(join(folder, name)),
      request: Buffer.from(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: bench\r\n\r\n`),
    })),
  )
  const lines = await Promise.all(Array.from({ length: connections }, () => connected(port)))
  const cpuBefore = process.cpuUsage()
  const beganMs = performance.now()
  await Promise.all(lines.map((line) => askAll(line)))
  times.seconds = (performance.now() - beganMs) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  times.cpuSeconds = (user + system) / 1e6
  for (const { socket } of lines) socket.destroy()
  return times

  function askAll(line: Line): Promise<void> {
    return new Promise((done, failed) => {
      let askedMs = 0
      let answer: Answer | undefined
      line.socket.on('error', failed).on('close', () => failed(new Error(`${port} closed the connection`)))
      const ask = () => {
        const next = left.pop()
        if (!next) return done()
        answer = new Answer(next.body)
        line.socket.write(next.request)
        askedMs = performance.now()
      }
      line.take = (bytes) => {
        if (!answer?.take(bytes)) return
        times.ms.push(performance.now() - askedMs)
        if (answer.wrong !== undefined) {
          times.wrong += 1
          times.firstWrong ??= answer.wrong
        }
        ask()
      }
      ask()
    })
  }
}

/** A persistent connection; `take` receives its bytes, valid only during the call. */
interface Line {
  socket: Socket
  take: (bytes: Buffer) => void
}

async function connected(port: number): Promise<Line> {
  const line: Partial<Line> = {}
  const buffer = Buffer.allocUnsafe(256 * 1024)
  const socket = createConnection({
    ...{ host: '127.0.0.1', port, noDelay: true },
    onread: { buffer, callback: (bytes) => (line.take?.(buffer.subarray(0, bytes)), true) },
  })
  await once(socket, 'connect')
  return Object.assign(line, { socket, take: () => undefined })
}

/** One answer while it arrives: its status and length must be right, and its body is compared as it comes. Throws
 *  for another status or length, since nothing that follows could be understood. */
class Answer {
  wrong: string | undefined
  readonly #body: Buffer
  /** The head received so far; undefined once its end was received. */
  #head: Buffer | undefined = Buffer.alloc(0)
  #takenBytes = 0

  constructor(body: Buffer) {
    this.#body = body
  }

  /** Takes the next bytes; returns whether the answer is complete. */
  take(bytes: Buffer): boolean {
    if (this.#head === undefined) return this.#takeBody(bytes)
    const head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    const end = head.indexOf(headEnd)
    if (end < 0) {
      this.#head = Buffer.from(head)
      return false
    }
    this.#head = undefined
    const text = head.toString('latin1', 0, end)
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1])
    if (!text.startsWith('HTTP/1.1 200 ') || length !== this.#body.length)
      throw new Error(`an answer whose body has ${this.#body.length} bytes begins with ${text}`)
    return this.#takeBody(head.subarray(end + headEnd.length))
  }

  #takeBody(bytes: Buffer): boolean {
    const until = this.#takenBytes + bytes.length
    if (until > this.#body.length || this.#body.compare(bytes, 0, bytes.length, this.#takenBytes, until) !== 0)
      this.wrong ??= `other bytes than in the file after byte ${this.#takenBytes}`
    this.#takenBytes = until
    return until >= this.#body.length
  }
}

process.on('message', (message: Round) => void round(message).then((times) => process.send?.(times)))
