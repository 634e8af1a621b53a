/** The disk of an engine that may have been replaced: it changes nothing then. Its threads copy finished files only, which are compared. */
import { DiskFault, type Disk, type WritableFile } from '../../world/world.ts'

/** Returns the disk. Whatever would change it rejects with `DiskFault` (code `denied`) when `isNamed` returns false. */
export function engineDisk(disk: Disk, isNamed: () => boolean): Disk {
  async function allowed(path: string): Promise<void> {
    if (!isNamed()) throw new DiskFault('denied', path)
  }

  function fileAt(path: string, file: WritableFile): WritableFile {
    return {
      get position() {
        return file.position
      },
      append: (chunks) => allowed(path).then(() => file.append(chunks)),
      truncate: (length) => allowed(path).then(() => file.truncate(length)),
      sync: () => file.sync(),
      close: () => file.close(),
    }
  }

  return {
    ...disk,
    write: (path, bytes, mode) => allowed(path).then(() => disk.write(path, bytes, mode)),
    openWrite: (path, how) => allowed(path).then(async () => fileAt(path, await disk.openWrite(path, how))),
    rename: (from, to) => allowed(from).then(() => disk.rename(from, to)),
    remove: (path) => allowed(path).then(() => disk.remove(path)),
    makeFolder: (path, mode) => allowed(path).then(() => disk.makeFolder(path, mode)),
    setMode: (path, mode) => allowed(path).then(() => disk.setMode(path, mode)),
  }
}
