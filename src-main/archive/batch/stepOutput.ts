/** What one step of a batch job writes, until its turn comes: a little is held, more goes to a file of its own. A step that
 *  failed wrote nothing: half an answer is not to be taken for a whole one. */
import type { Disk, WritableFile } from '../../world/world.ts'
import { heldCountMax, writtenAtOnceCount } from './limits.ts'

export interface Written {
  /** All of it, unless it was too much to be held. */
  text: string
  /** It lies in the file that was given for it. */
  spilled: boolean
}

export function stepOutput(disk: Disk, target: string) {
  let waiting = ''
  let file: WritableFile | undefined
  /** Writes come one after the other, also when the module awaits none. */
  let last: Promise<void> = Promise.resolve()

  async function spill(): Promise<void> {
    const text = waiting
    waiting = ''
    file ??= await disk.openWrite(target, 'create')
    await file.append([Buffer.from(text)])
  }

  return {
    /** Resolves when it is time for more. */
    write(text: string): Promise<void> {
      if (typeof text !== 'string') throw new TypeError('context.write takes a text')
      waiting += text
      if (waiting.length < writtenAtOnceCount) return Promise.resolve()
      last = last.then(spill)
      // A disk that refuses is heard at the end, also where the module awaits nothing.
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
