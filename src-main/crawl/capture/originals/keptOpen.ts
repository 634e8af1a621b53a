/** Archive files that stay open while a run reads many records of them: opening a file takes longer than reading a record. */
import type { Archive } from '../../../archive/store/archive.ts'
import type { OpenedFile } from '../../../archive/store/reading.ts'
import { sharedFile, type SharedFile } from '../../../archive/store/sharedFile.ts'

/** Opens archive files. Several callers may share one; each closes it as usual. */
export interface KeptOpen extends Pick<Archive, 'openFile'> {
  /** Closes the files that no caller has open. */
  close(): Promise<void>
}

/** Files that are kept open without a caller. */
const keptMax = 8

interface Kept extends SharedFile<OpenedFile> {
  /** Ends the keeping: the file is closed now, or with its last caller. */
  release(): Promise<void>
}

/** Keeps the files open that were used last. */
export function keptOpen(archive: Pick<Archive, 'openFile'>): KeptOpen {
  /** By name, the one that was used last at the end. */
  const files = new Map<string, Kept>()

  async function leave(name: string, kept: Kept): Promise<void> {
    if (files.get(name) === kept) files.delete(name)
    await kept.release()
  }

  function open(name: string): Kept {
    const shared = sharedFile(archive.openFile(name))
    return { ...shared, release: shared.hold() }
  }

  return {
    async openFile(name) {
      const kept = files.get(name) ?? open(name)
      files.delete(name)
      files.set(name, kept)
      const close = kept.hold()
      const [oldest] = files
      if (files.size > keptMax && oldest) await leave(...oldest)
      let opened: OpenedFile | undefined
      try {
        opened = await kept.opened
      } finally {
        if (!opened) await Promise.all([close(), leave(name, kept)])
      }
      return opened && { ...opened, file: sharedOf(opened, close) }
    },
    async close() {
      for (const [name, kept] of [...files]) await leave(name, kept)
    },
  }
}

function sharedOf({ file }: OpenedFile, close: () => Promise<void>): OpenedFile['file'] {
  return { read: (into, position) => file.read(into, position), bytes: () => file.bytes(), close }
}
