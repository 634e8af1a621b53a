/** Files that an interrupted export left: partial ones are removed, and one that was just complete is reported. */
import { join } from 'node:path'
import type { ExportRequest } from '../../contract/services/exports.ts'
import type { TaskStage } from '../../contract/shapes/taskKinds.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { partOf } from '../../files/export/export.ts'
import { DiskFault, type Disk } from '../../world/world.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'

/** Removes the partial file of an interrupted export. Returns a message when the file itself is complete. */
export async function removePart(
  disk: Disk,
  { path }: Pick<ExportRequest, 'path'>,
  stage: TaskStage | null,
): Promise<Message | undefined> {
  await removeIfThere(disk, partOf(path))
  // The file gets its name only after verification; a kill after that may come before the end was recorded.
  const isWhole = stage === 'verifying' && (await disk.stat(path).catch(undefinedOnFault)) !== undefined
  return isWhole ? message('export.interrupted.whole', { path }) : undefined
}

/** Empties the folder for data of exports that do not fit into memory. */
export async function emptyWorkFolder(disk: Disk, workFolder: string): Promise<void> {
  const left = (await disk.stat(workFolder)) ? await disk.list(workFolder) : []
  for (const { name } of left) await removeIfThere(disk, join(workFolder, name))
}

/** Removes a file. On a disk that is disconnected it stays; its name marks it as a partial file. */
export async function removeIfThere(disk: Disk, path: string): Promise<void> {
  try {
    await disk.remove(path)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
  }
}
