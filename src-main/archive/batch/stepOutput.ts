/** Holds the output of one step of a batch job until its turn: short output in memory, longer output in a file. The output of a failed
 *  step is discarded, so that partial output is not taken for complete. */
import type { Disk, WritableFile } from '../../world/world.ts'
import { heldCountMax, writtenAtOnceCount } from './limits.ts'

export interface Written {
  /** The output, empty when it was written to the file. */
  text: string
  /** Whether the output is in the target file. */
  spilled: boolean
}

/** Collects the output of one step; `target` is the file for output that is too long for memory. */
export function stepOutput(disk: Disk, target: string) {
  let waiting = ''
  let file: WritableFile | undefined
  /** The last write; writes run one after the other even when the module does not await them. */
  let last: Promise<void> = Promise.resolve()

  async function spill(): Promise<void> {
    const text = waiting
    waiting = ''
    file ??= await disk.openWrite(target, 'create')
    await file.append([Buffer.from(text)])
  }

  return {
    /** Adds text; resolves when more can be written. */
    write(text: string): Promise<void> {
      if (typeof text !== 'string') throw new TypeError('context.write takes a text')
      waiting += text
      if (waiting.length < writtenAtOnceCount) return Promise.resolve()
      last = last.then(spill)
      // A disk fault is reported by `end`, even when the module does not await the write.
      last.catch(() => undefined)
      return last
    },
    async end(isGood: boolean): Promise<Written> {
      await last
      if (isGood && (file || waiting.length > heldCountMax)) await spill()
      await file?.close()
      if (file && !isGood) await disk.remove(target)
      return file ? { text: '', spilled: isGood } : { text: isGood ? waiting : '', spilled: false }
    },
  }
}
