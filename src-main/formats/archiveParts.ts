/** Yields the archive files in a file: the file itself, or those in a WACZ, including nested packages, each as a
 *  source of bytes with its path. Records are read in records/, and packages are checked in wacz/checkWacz.ts. */
import type { ByteSource } from './bytes/fileWindow.ts'
import { finding, type Finding } from './rules/finding.ts'
import { formatMessage, recognise, type FileForm, type Recognised } from './recognise.ts'
import { mayBeArchive, nestingRefusal, openWacz, partsElsewhere } from './wacz/wacz.ts'
import { entryBytes, entrySource } from './wacz/zip.ts'
import { findDirectory } from './wacz/zipDirectory.ts'
import { quoted } from './wacz/zipNames.ts'

/** An archive file, alone or inside a package. */
export interface ArchivePart {
  /** Name of the file, followed by a path in a package after each `!`: `crawl.wacz!archive/data.warc.gz`. */
  path: string
  /** Valid until the next part is requested. */
  source: ByteSource
  /** Length of the part, without its packing inside a package. */
  bytes: number
  /** Its format. Always `warc`, `arc` or `har`. */
  kind: Recognised
}

/** The file whose parts are wanted. */
export interface PartsOptions {
  name: string
  bytes: number
  /** `path` is that of the file or part with the finding. */
  onFinding: (finding: Finding, path: string) => void
}

/** Yields the archive files of a file, in the order of its entries. Files that cannot be read are reported to
 *  `onFinding`; nothing throws but `source`. */
export async function* archiveParts(source: ByteSource, options: PartsOptions): AsyncGenerator<ArchivePart> {
  const { name: path, bytes, onFinding } = options
  const kind = await recognise(source)
  if (isArchive(kind)) yield { path, source, bytes, kind }
  else if (kind.form === 'empty') onFinding(emptyFinding(kind), path)
  else if (isPackage(kind) || (await isPackageAfterBytes(source, bytes, kind)))
    yield* partsInside(source, { path, bytes, onFinding, depth: 0 })
  else onFinding(refusal(kind), path)
}

function isArchive({ form }: Recognised): boolean {
  return form === 'warc' || form === 'arc' || form === 'har'
}

function isPackage({ form, packing }: Recognised): boolean {
  return form === 'zip' && packing === 'plain'
}

/** Returns true for a package with bytes before it, which is recognised by the central directory at its end. */
async function isPackageAfterBytes(source: ByteSource, bytes: number, kind: Recognised): Promise<boolean> {
  return kind.packing === 'plain' && (await findDirectory(source, bytes)).directory !== undefined
}

function emptyFinding({ packing }: Recognised): Finding {
  return finding(packing === 'plain' ? 'fileEmpty' : 'fileEmpty.packed')
}

/** Names what the file is instead of an archive file. Packed packages and other containers get a rule of their
 *  own, because unpacking them helps. */
function refusal(recognised: Recognised): Finding {
  const { form, packing } = recognised
  const kind = formatMessage(recognised)
  if (form === 'zip' && packing !== 'plain') return finding('packageWrapped.zip', { packing, kind })
  return finding(containers.has(form) ? 'packageWrapped' : 'notAnArchive', { kind })
}

const containers: ReadonlySet<FileForm> = new Set(['tar', 'bzip2', 'xz', 'lz4', '7z'])

/** A package, and how deep it is nested: 0 for the file itself. */
interface Inside {
  path: string
  bytes: number
  depth: number
  onFinding: PartsOptions['onFinding']
}

async function* partsInside(source: ByteSource, inside: Inside): AsyncGenerator<ArchivePart> {
  const { path, depth, onFinding } = inside
  const report = (finding: Finding): void => onFinding(finding, path)
  const wacz = await openWacz(source, inside.bytes, report)
  for (const missing of partsElsewhere(wacz)) report(finding('waczPartsElsewhere', { path: quoted(missing) }))
  const candidates = wacz.zip.entries.filter(({ path }) => mayBeArchive(path))
  if (candidates.length === 0 && wacz.zip.entries.length > 0) report(finding('waczArchiveMissing'))
  for (const entry of candidates) {
    const partPath = `${path}!${entry.path}`
    let isDamaged = false
    const reportInPart = (finding: Finding): void => {
      isDamaged = true
      onFinding(finding, partPath)
    }
    const opened = await entrySource(wacz.zip, entry, reportInPart)
    if (!opened) continue
    try {
      const kind = await recognise(opened)
      const bytes = await entryBytes(entry, opened)
      const nestedRefusal = isPackage(kind) ? nestingRefusal(entry, depth) : undefined
      if (nestedRefusal) report(nestedRefusal)
      else if (isPackage(kind)) yield* partsInside(opened, { path: partPath, bytes, depth: depth + 1, onFinding })
      else if (isArchive(kind)) yield { path: partPath, source: opened, bytes, kind }
      else if (kind.form !== 'empty') reportInPart(refusal(kind))
      // An entry that yields nothing because it is damaged is not empty, and its damage has been reported.
      else if (!isDamaged) reportInPart(emptyFinding(kind))
    } finally {
      opened.close()
    }
  }
}
