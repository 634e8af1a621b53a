/** Reads the files of a drop or of a chosen folder. A browser gives a dropped folder as a tree to walk. Files in it whose names are not
 *  those of archive files are skipped and counted, as the engine does for a folder. Files that were chosen one by one are all taken: their
 *  bytes show what they are. */

export interface FoundFiles {
  files: File[]
  /** Files in folders whose names are not those of archive files; they were skipped. */
  passedOver: number
}

/** File name endings of archive files. `.zip` is included because a WACZ is a ZIP file and some are kept under that name. */
const archiveName = /\.(warc|arc|har)(\.(gz|zst))?$|\.(wacz|zip)$/i

export function isArchiveName(name: string): boolean {
  return archiveName.test(name)
}

/** Whether a drag carries files. The browser reveals which ones only when they are dropped. */
export function carriesFiles(transfer: Pick<DataTransfer, 'types'> | null): boolean {
  return transfer?.types.includes('Files') ?? false
}

/** `asPaths`: the shell knows the paths, so a folder is one item and is not walked. Must be called in the handler of the drop, because the
 *  browser empties the drag data afterwards. */
export function droppedFiles(transfer: DataTransfer, { asPaths }: { asPaths: boolean }): Promise<FoundFiles> {
  if (asPaths) return Promise.resolve({ files: [...transfer.files], passedOver: 0 })
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  // An item that another page drags out of itself is a file without an entry.
  const loose = items.filter((item) => !item.webkitGetAsEntry()).flatMap((item) => item.getAsFile() ?? [])
  return filesOf(items.flatMap((item) => item.webkitGetAsEntry() ?? [])).then(({ files, passedOver }) => ({
    files: [...files, ...loose],
    passedOver,
  }))
}

/** Returns the files of a folder that was chosen in the browser's own dialog, which gives every file below it. */
export function chosenInFolder(files: readonly File[]): FoundFiles {
  const archives = files.filter(({ name }) => isArchiveName(name))
  return { files: archives, passedOver: files.length - archives.length }
}

export async function filesOf(entries: readonly FileSystemEntry[]): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], passedOver: 0 }
  for (const entry of entries) {
    if (isFile(entry)) found.files.push(await fileOf(entry))
    else if (isFolder(entry)) await gatherBelow(entry, found)
  }
  return found
}

async function gatherBelow(folder: FileSystemDirectoryEntry, found: FoundFiles): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (isFolder(entry)) await gatherBelow(entry, found)
    else if (isFile(entry) && isArchiveName(entry.name)) found.files.push(await fileOf(entry))
    else found.passedOver += 1
  }
}

/** Reads all entries of a folder. They come in batches, and an empty batch ends them (File and Directory Entries API, 7.3). */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return entries
    entries.push(...some)
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
