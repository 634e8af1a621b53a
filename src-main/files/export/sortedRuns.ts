/** Lines added in any order and read sorted, in bounded memory, through temporary files that `close` removes. */
import { merged, RunWriter, type RunPlace } from '../disk/sortedLines.ts'

/** Sorts lines through temporary files. */
export class SortedRuns {
  readonly #place: RunPlace
  readonly #writer: RunWriter

  constructor(place: RunPlace) {
    this.#place = place
    this.#writer = new RunWriter(place)
  }

  /** Adds a line. Returns a promise when the caller must wait. */
  add(line: string): Promise<void> | undefined {
    return this.#writer.add(line)
  }

  /** Yields the lines without their ends. Can be called once, after all have been added. */
  async *lines(): AsyncGenerator<string> {
    await this.#writer.end()
    for await (const chunk of merged(this.#place, this.#writer.runs)) yield* linesIn(chunk)
  }

  /** Removes the temporary files. */
  async close(): Promise<void> {
    const { disk } = this.#place.world
    // A merge of many runs has already removed some.
    for (const run of this.#writer.runs) if (await disk.stat(run)) await disk.remove(run)
  }
}

/** Splits a chunk of whole lines. */
function* linesIn(chunk: Buffer): Generator<string> {
  for (let from = 0; from < chunk.length;) {
    const end = chunk.indexOf(lineFeed, from)
    const to = end < 0 ? chunk.length : end
    yield chunk.toString('utf8', from, to)
    from = to + 1
  }
}

const lineFeed = 0x0a
