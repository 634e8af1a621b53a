/** Reads the files of a drop or of a chosen folder. A browser gives a dropped folder as a tree to walk. Files in it whose names are not
 *  those of archive files are skipped and counted: they would have to be uploaded before the engine could recognise them by their bytes,
 *  as it does in a folder on its own machine. Files that were chosen one by one are all taken. */

/** The files that can be imported. */
export interface FoundFiles {
  files: File[]
  /** Files in folders whose names are not those of archive files; they were skipped. */
  skipped: number
}

/** File name endings of archive files, also of those that Heritrix had not finished (`.open`). `.zip` is included because a WACZ is a
 *  ZIP file and some are kept under that name. */
const archiveName = /\.(warc|arc|har)(\.(gz|zst))?(\.open)?$|\.(wacz|zip)$/i

/** Tells whether a file is named like an archive file. */
export function isArchiveName(name: string): boolean {
  return archiveName.test(name)
}

/** Whether a drag carries files. The browser reveals which ones only when they are dropped. */
export function carriesFiles(transfer: Pick<DataTransfer, 'types'> | null): boolean {
  return transfer?.types.includes('Files') ?? false
}

/** Returns the files of a drop. Must be called in the handler of the drop, because the browser empties the drag data afterwards.
 *  `asPaths`: the shell knows the paths, so a folder is one item and is not walked. */
export function droppedFiles(transfer: DataTransfer, { asPaths }: { asPaths: boolean }): Promise<FoundFiles> {
  if (asPaths) return Promise.resolve({ files: [...transfer.files], skipped: 0 })
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  // An item that another page drags out of itself is a file without an entry.
  const loose = items.filter((item) => !item.webkitGetAsEntry()).flatMap((item) => item.getAsFile() ?? [])
  return filesOf(items.flatMap((item) => item.webkitGetAsEntry() ?? [])).then(({ files, skipped }) => ({
    files: [...files, ...loose],
    skipped,
  }))
}

/** Returns the files of a folder that was chosen in the browser's own dialog, which gives every file below it. */
export function chosenInFolder(files: readonly File[]): FoundFiles {
  const archives = files.filter(({ name }) => isArchiveName(name))
  return { files: archives, skipped: files.length - archives.length }
}

/** Returns the entries that are files, and the archive files below those that are folders. */
export async function filesOf(entries: readonly FileSystemEntry[]): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], skipped: 0 }
  for (const entry of entries) {
    if (isFile(entry)) found.files.push(await fileOf(entry))
    else if (isFolder(entry)) await addFilesBelow(entry, found)
  }
  return found
}

async function addFilesBelow(folder: FileSystemDirectoryEntry, found: FoundFiles): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (isFolder(entry)) await addFilesBelow(entry, found)
    else if (isFile(entry) && isArchiveName(entry.name)) found.files.push(await fileOf(entry))
    else found.skipped += 1
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
