/** Worker thread that reads a page of the record list of one file. */
import type { Task } from '../../world/world.ts'
import { recordPage, type PageWanted, type RecordPage } from './recordPage.ts'
import { watchedFile } from '../disk/watchedFile.ts'

/** The copy that is read, and the page. */
export interface PageInput {
  path: string
  wanted: PageWanted
}

export const task: Task<PageInput, RecordPage> = async ({ world, signal }, { path, wanted }) => {
  const file = await world.disk.openRead(path)
  try {
    return await recordPage(watchedFile(file, { signal, onBytes: () => undefined }), wanted)
  } finally {
    await file.close()
  }
}
