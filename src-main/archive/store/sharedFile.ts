/** One open archive file with several holders: opening a file takes longer than reading a record of it. */
import type { ReadableFile } from '../../world/world.ts'

/** An archive file that is opened once for all its holders. */
export interface SharedFile<Opened> {
  /** The file. Undefined if no replica provides it. */
  opened: Promise<Opened | undefined>
  /** Adds a holder. The returned function removes it, once however often it is called; with the last holder the file is closed. */
  hold(): () => Promise<void>
}

/** Shares a file that is being opened. It starts without holders: the caller adds the first one at once. */
export function sharedFile<Opened extends { file: Pick<ReadableFile, 'close'> }>(
  opened: Promise<Opened | undefined>,
): SharedFile<Opened> {
  let holders = 0

  async function release(): Promise<void> {
    holders -= 1
    if (holders > 0) return
    // If opening failed, those who waited for the file have received the error.
    const last = await opened.catch(() => undefined)
    await last?.file.close()
  }

  return {
    opened,
    hold() {
      holders += 1
      let released: Promise<void> | undefined
      return () => (released ??= release())
    },
  }
}
