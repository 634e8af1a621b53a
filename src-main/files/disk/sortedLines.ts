/**
 * Sorting of index lines by their bytes, as `LC_ALL=C sort` does, in bounded memory: sorted runs on the disk, then merged. Lines are held
 * as latin1 strings, one character for each byte, so that the order of strings is that of the bytes.
 */
import { join } from 'node:path'
import type { ReadableFile, World } from '../../world/world.ts'
import { runBytesMax, runReadBytes, runsMergedMax, writtenAtOnceBytes } from './limits.ts'

/** Location of the runs: a separate folder, removed by its creator. */
export interface RunPlace {
  world: Pick<World, 'disk' | 'chance'>
  folder: string
}

/** Takes lines in any order and writes sorted runs. */
export class RunWriter {
  /** Paths of the runs, complete after `end`. */
  readonly runs: string[] = []
  #place: RunPlace
  #lines: string[] = []
  #bytes = 0
  #bytesMax: number

  constructor(place: RunPlace, bytesMax = runBytesMax) {
    this.#place = place
    this.#bytesMax = bytesMax
  }

  /** Adds a line, given without its end. Returns a promise when the caller must wait. */
  add(line: string): Promise<void> | undefined {
    // In ASCII, which nearly every line is, the characters are the bytes already.
    const bytes = Buffer.byteLength(line) === line.length ? line : Buffer.from(line).toString('latin1')
    this.#lines.push(bytes)
    this.#bytes += bytes.length
    return this.#bytes < this.#bytesMax ? undefined : this.end()
  }

  /** Writes the lines that are left as the last run. */
  async end(): Promise<void> {
    if (this.#lines.length === 0) return
    const lines = this.#lines.sort(order)
    this.#lines = []
    this.#bytes = 0
    this.runs.push(await writtenRun(this.#place, chunksOf(lines)))
  }
}

/** Yields all lines of sorted runs in order, with their ends, in chunks. `atOnceMax` runs are merged in one pass. */
export async function* merged(
  place: RunPlace,
  runs: readonly string[],
  atOnceMax = runsMergedMax,
): AsyncGenerator<Buffer> {
  let left = [...runs]
  while (left.length > atOnceMax) {
    const first = left.slice(0, atOnceMax)
    left = [...left.slice(atOnceMax), await writtenRun(place, mergedOnce(place, first))]
    for (const run of first) await place.world.disk.remove(run)
  }
  yield* mergedOnce(place, left)
}

/** Writes a run and returns its path. */
async function writtenRun(
  { world, folder }: RunPlace,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<string> {
  const path = join(folder, `${world.chance.uuid()}.run`)
  const file = await world.disk.openWrite(path, 'create')
  try {
    for await (const chunk of chunks) await file.append([chunk])
  } finally {
    await file.close()
  }
  return path
}

/** Merges sorted files by a heap of their current lines. */
async function* mergedOnce({ world }: RunPlace, paths: readonly string[]): AsyncGenerator<Buffer> {
  const files: ReadableFile[] = []
  try {
    for (const path of paths) files.push(await world.disk.openRead(path))
    const heap: Run[] = []
    for (const file of files) {
      const run = new Run(file)
      if (await run.more()) heap.push(run)
    }
    heap.sort((a, b) => order(a.line, b.line))
    let lines: string[] = []
    let bytes = 0
    for (let least = heap[0]; least; least = heap[0]) {
      lines.push(least.line)
      bytes += least.line.length + 1
      if (bytes >= writtenAtOnceBytes) {
        yield ended(lines)
        lines = []
        bytes = 0
      }
      if (!least.next() && !(await least.more())) {
        const last = heap.pop()
        if (!last || heap.length === 0) continue
        heap[0] = last
      }
      sink(heap)
    }
    if (lines.length > 0) yield ended(lines)
  } finally {
    for (const file of files) await file.close()
  }
}

/** A sorted file of lines with a current line. */
class Run {
  line = ''
  #file: ReadableFile
  #position = 0
  #lines: string[] = []
  #at = 0
  #torn = ''

  constructor(file: ReadableFile) {
    this.#file = file
  }

  /** Advances to the next line already read; false when `more` must read. */
  next(): boolean {
    const line = this.#lines[++this.#at]
    if (line === undefined) return false
    this.line = line
    return true
  }

  /** Reads more; false at the end of the file. */
  async more(): Promise<boolean> {
    const buffer = Buffer.allocUnsafe(runReadBytes)
    for (;;) {
      const read = await this.#file.read(buffer, this.#position)
      if (read === 0) return false
      this.#position += read
      const lines = (this.#torn + buffer.toString('latin1', 0, read)).split('\n')
      this.#torn = lines.pop() ?? ''
      this.#lines = lines
      this.#at = -1
      if (this.next()) return true
    }
  }
}

/** Restores the heap after its first run has advanced. */
function sink(heap: Run[]): void {
  const moved = heap[0]
  if (!moved) return
  let at = 0
  for (;;) {
    const left = heap[2 * at + 1]
    const right = heap[2 * at + 2]
    if (!left) break
    const isRight = right !== undefined && order(right.line, left.line) < 0
    const least = isRight ? right : left
    if (order(moved.line, least.line) <= 0) break
    heap[at] = least
    at = 2 * at + (isRight ? 2 : 1)
  }
  heap[at] = moved
}

/** Splits lines into chunks of bytes with line ends. */
function* chunksOf(lines: string[]): Generator<Buffer> {
  for (let at = 0; at < lines.length; at += linesAtOnce) yield ended(lines.slice(at, at + linesAtOnce))
}

const linesAtOnce = 1_000

/** Joins lines, each with its end, to bytes. */
function ended(lines: string[]): Buffer {
  return Buffer.from(`${lines.join('\n')}\n`, 'latin1')
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
