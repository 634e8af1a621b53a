/** Archive files that stay open while a run reads many records of them: opening a file takes longer than reading a record. */
import type { Archive } from '../../../archive/store/archive.ts'
import type { OpenedFile } from '../../../archive/store/reading.ts'

/** Opens archive files. Several callers may share one; each closes it as usual. */
export interface KeptOpen extends Pick<Archive, 'openFile'> {
  /** Closes the files that no caller has open. */
  close(): Promise<void>
}

/** Files that are kept open without a caller. */
const keptMax = 8

interface Kept {
  opening: Promise<OpenedFile | undefined>
  callers: number
  /** Another file took its place: it is closed with its last caller. */
  isLeft: boolean
}

/** Keeps the files open that were used last. */
export function keptOpen(archive: Pick<Archive, 'openFile'>): KeptOpen {
  /** By name, the one that was used last at the end. */
  const files = new Map<string, Kept>()

  async function closeUnused(kept: Kept): Promise<void> {
    if (kept.callers > 0 || !kept.isLeft) return
    // Its callers have received the error.
    const opened = await kept.opening.catch(() => undefined)
    await opened?.file.close()
  }

  async function leave(name: string, kept: Kept): Promise<void> {
    if (files.get(name) === kept) files.delete(name)
    kept.isLeft = true
    await closeUnused(kept)
  }

  function keptOf(name: string): Kept {
    const kept = files.get(name) ?? { opening: archive.openFile(name), callers: 0, isLeft: false }
    files.delete(name)
    files.set(name, kept)
    kept.callers += 1
    return kept
  }

  return {
    async openFile(name) {
      const kept = keptOf(name)
      const [oldest] = files
      if (files.size > keptMax && oldest) await leave(...oldest)
      const release = async () => {
        kept.callers -= 1
        await closeUnused(kept)
      }
      try {
        const opened = await kept.opening
        if (opened) return { ...opened, file: sharedOf(opened, release) }
      } catch (error) {
        kept.callers -= 1
        await leave(name, kept)
        throw error
      }
      kept.callers -= 1
      await leave(name, kept)
      return undefined
    },
    async close() {
      for (const [name, kept] of [...files]) await leave(name, kept)
    },
  }
}

function sharedOf({ file }: OpenedFile, close: () => Promise<void>): OpenedFile['file'] {
  return { read: (into, position) => file.read(into, position), bytes: () => file.bytes(), close }
}
