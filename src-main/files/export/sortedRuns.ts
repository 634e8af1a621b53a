/** Lines put down in any order and taken up sorted, in bounded memory: they wait in files that are gone with `close`. */
import { merged, RunWriter, type RunPlace } from '../disk/sortedLines.ts'

export class SortedRuns {
  readonly #place: RunPlace
  readonly #writer: RunWriter

  constructor(place: RunPlace) {
    this.#place = place
    this.#writer = new RunWriter(place)
  }

  add(line: string): Promise<void> {
    return this.#writer.add(line)
  }

  /** Without their ends; once, when all have been added. */
  async *lines(): AsyncGenerator<string> {
    await this.#writer.end()
    for await (const chunk of merged(this.#place, this.#writer.runs)) yield* linesIn(chunk)
  }

  async close(): Promise<void> {
    const { disk } = this.#place.world
    // Merging many takes some of them away.
    for (const run of this.#writer.runs) if (await disk.stat(run)) await disk.remove(run)
  }
}

/** Of a chunk of whole lines. */
function* linesIn(chunk: Buffer): Generator<string> {
  for (let from = 0; from < chunk.length;) {
    const end = chunk.indexOf(lineFeed, from)
    const to = end < 0 ? chunk.length : end
    yield chunk.toString('utf8', from, to)
    from = to + 1
  }
}

const lineFeed = 0x0a
