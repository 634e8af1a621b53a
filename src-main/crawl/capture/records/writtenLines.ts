/** Index lines of a WARC file, made while it is written from what its writer knows. They are complete only for a file that one process
 *  wrote from beginning to end; the lines of any other file are made by reading it (`files/index/indexFile.ts`). */
import { canonicaliserVersion, cdxjHeader } from '../../../formats/cdx/canonicaliser.ts'
import type { Capture } from '../../../formats/cdx/capture.ts'
import { cdxjLine } from '../../../formats/cdx/cdxj.ts'
import { BatchedWrites } from '../../../files/disk/batchedWrites.ts'
import { DiskFault, type World, type WritableFile } from '../../../world/world.ts'

/** Lines under a temporary name. A fault of the disk ends them without an error, since the file itself can still be read. */
export class WrittenLines {
  readonly #world: World
  readonly #path: string
  readonly #temporary: string
  /** Undefined after a fault. */
  #open: { file: WritableFile; writes: BatchedWrites } | undefined

  private constructor(world: World, path: string) {
    this.#world = world
    this.#path = path
    this.#temporary = `${path}.${world.chance.uuid()}.part`
  }

  /** Begins the lines of a file; `path` is their final name. */
  static async begin(world: World, path: string): Promise<WrittenLines> {
    const lines = new WrittenLines(world, path)
    await lines.#attempt(async () => {
      const file = await world.disk.openWrite(lines.#temporary, 'create')
      lines.#open = { file, writes: new BatchedWrites(file) }
      await lines.#open.writes.append(Buffer.from(`${cdxjHeader(canonicaliserVersion)}\n`))
    })
    return lines
  }

  /** Adds the lines of captures, in the order of the file. */
  async add(captures: readonly Capture[]): Promise<void> {
    const text = captures.map((capture) => `${cdxjLine(capture)}\n`).join('')
    if (text !== '') await this.#attempt(async () => this.#open?.writes.append(Buffer.from(text)))
  }

  /** Gives the lines their final name, unless a fault ended them. Their bytes are synced; the caller syncs the folder. */
  async keep(): Promise<void> {
    await this.#attempt(async () => {
      if (!this.#open) return
      const { file, writes } = this.#open
      await writes.flush()
      await file.sync()
      await file.close()
      await this.#world.disk.rename(this.#temporary, this.#path)
    })
  }

  /** Closes and removes the lines. What a fault leaves is a working file, which the end of the job removes. */
  async discard(): Promise<void> {
    const file = this.#open?.file
    this.#open = undefined
    await this.#attempt(async () => {
      await file?.close()
      await this.#world.disk.remove(this.#temporary)
    })
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
      if (this.#open) await this.discard()
    }
  }
}
