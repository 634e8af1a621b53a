/** Refuses folders and symbolic links that have the name of a file in a replica's folder: they are not copies. */
import { join } from 'node:path'
import { message } from '../../contract/words/message.ts'
import type { Disk } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'

/** Each rejects with `ArchiveFault` refused, or with `DiskFault`. */
export interface FolderGuards {
  /** Refuses a symbolic link. A link is not a copy: its target may belong to another replica and be lost with it, or be a device that
   *  never ends. */
  refuseLink(file: string): Promise<void>
  /** Refuses a dangling link under the name of an absent file: it is not a copy, but the name is taken. */
  refuseDeadLink(file: string): Promise<void>
  /** Refuses a folder: that it cannot be read as a file is not a disk failure. */
  refuseFolder(file: string): Promise<void>
}

/** Creates the guards of one folder. */
export function folderGuards(disk: Disk, folder: string): FolderGuards {
  const pathOf = (file: string) => join(folder, file)
  let realFolder: string | undefined
  return {
    async refuseLink(file) {
      const real = await disk.realPath(pathOf(file))
      // The file system may store the name in a different case than the requested one.
      const isHere = () => realFolder !== undefined && real.toLowerCase() === join(realFolder, file).toLowerCase()
      if (isHere()) return
      // The folder itself may be a link whose target has changed.
      realFolder = await disk.realPath(folder)
      if (!isHere()) throw new ArchiveFault('refused', message('replica.link', { path: pathOf(file), target: real }))
    },
    async refuseDeadLink(file) {
      if (await disk.isTaken(pathOf(file)))
        throw new ArchiveFault('refused', message('replica.deadLink', { path: pathOf(file) }))
    },
    async refuseFolder(file) {
      const entry = await disk.stat(pathOf(file)).catch(undefinedOnFault)
      if (entry?.kind === 'folder') throw folderFault(pathOf(file))
    },
  }
}

/** The fault for a folder under the name of a file. */
export function folderFault(path: string): ArchiveFault {
  return new ArchiveFault('refused', message('replica.folder', { path }))
}
