/** Opens a package (WACZ, or a zip of archive files): lists the archive files in it, each of which is imported like a file of a folder,
 *  and copies its documents (manifest, page lists, logs) into the folder of the job, to become part of its metadata. Indexes are
 *  skipped, because Loupe builds its own. */
import { message, type Message } from '../../contract/words/message.ts'
import { FindingTally } from '../../formats/rules/findingTally.ts'
import { finding, type Finding } from '../../formats/rules/finding.ts'
import { formatMessage, recognise } from '../../formats/recognise.ts'
import { checkWacz } from '../../formats/wacz/checkWacz.ts'
import {
  mayBeArchive,
  openWacz,
  pagesIn,
  pagesPath,
  roleOf,
  type Wacz,
  type WaczRole,
} from '../../formats/wacz/wacz.ts'
import { entryChunks, entrySource, type ZipEntry } from '../../formats/wacz/zip.ts'
import { quoted } from '../../formats/wacz/zipNames.ts'
import type { TaskContext } from '../../world/world.ts'
import type { UnpackInput, UnpackedPackage } from './unpacked.ts'
import { noFindings, together, type Findings } from './findings.ts'
import { documentBytesMax, partsMax, seedsMax } from './limits.ts'
import { documentPath } from './localNames.ts'
import { rejection, type Rejection } from './rejection.ts'
import type { OpenSource } from './source.ts'
import { writeNew } from './writeNew.ts'

/** Ignores findings: `checkWacz` reports those on the package itself, including the packages in it. */
const ignoreFinding = () => undefined

/** Opens the package; rejects one whose length is unknown. */
export async function openPackage(
  context: TaskContext<number>,
  input: UnpackInput,
  source: OpenSource,
): Promise<UnpackedPackage | Rejection> {
  if (source.bytes === undefined) return rejection(message('import.rejected.packageLength'))
  const wacz = await openWacz(source, source.bytes, ignoreFinding)
  const entries = lastOfEachPath(wacz.zip.entries)
  const parts = await partsOf(context, wacz, entries)
  const documents = entries.filter(isDocument).slice(0, partsMax)
  for (const [number, entry] of documents.entries()) {
    context.signal.throwIfAborted()
    await writeNew(
      context.world,
      documentPath(input.folder, input.file, number),
      entryChunks(wacz.zip, entry, ignoreFinding),
    )
  }
  return {
    kind: 'package',
    format: message(wacz.manifest ? 'format.wacz' : 'format.zip'),
    parts,
    documents: documents.map(({ path }) => ({ entry: path, contentType: documentType(path) ?? '' })),
    pages: await firstPagesOf(wacz),
    findings: together(
      input.entry === '' ? await findingsIn(context, source, source.bytes, input.path) : noFindings,
      leftOutFindings(entries, {
        imported: new Set([...parts.map(({ entry }) => entry), ...documents.map(({ path }) => path)]),
        input,
      }),
    ),
  }
}

/** Keeps only the last of several entries with one path, as when an entry is opened by its name. Duplicates are a finding. */
function lastOfEachPath(entries: readonly ZipEntry[]): ZipEntry[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  for (const entry of entries) if (entry.name === entry.path) byPath.set(entry.path, entry)
  return entries.filter((entry) => byPath.get(entry.path) === entry)
}

/** Findings on entries that are not imported. Indexes are not mentioned, because Loupe builds its own. */
function leftOutFindings(
  entries: readonly ZipEntry[],
  { imported, input }: { imported: ReadonlySet<string>; input: UnpackInput },
): Findings {
  const tally = new FindingTally()
  const { path: file } = input
  for (const { path, bytes, compressedBytes, headerOffset } of entries) {
    if (imported.has(path) || /^(index|blocks)$/.test(roleOf(path)) || path.endsWith('/')) continue
    const left = { path: quoted(path), bytes: bytes ?? compressedBytes }
    tally.add(finding('importLeftInPackage', left, headerOffset), file)
  }
  return tally.rules()
}

async function partsOf(
  { signal }: TaskContext<number>,
  wacz: Wacz,
  entries: readonly ZipEntry[],
): Promise<UnpackedPackage['parts']> {
  const parts: UnpackedPackage['parts'] = []
  for (const entry of entries) {
    signal.throwIfAborted()
    if (parts.length === partsMax) break
    const kind = await archiveKind(wacz, entry)
    if (kind !== undefined) parts.push({ entry: entry.path, kind, bytes: entry.bytes ?? entry.compressedBytes })
  }
  return parts
}

/** The format of an entry; undefined if it is neither an archive file nor a package. */
async function archiveKind({ zip }: Wacz, entry: ZipEntry): Promise<Message | undefined> {
  const role = roleOf(entry.path)
  if (!mayBeArchive(entry.path)) return undefined
  let isDamaged = false
  const source = await entrySource(zip, entry, () => (isDamaged = true))
  // An unreadable entry is still listed, so that its import reports the problem.
  if (!source) return role === 'other' ? undefined : message('format.unreadable')
  try {
    const recognised = await recognise(source)
    const { form } = recognised
    if (form === 'empty' && isDamaged) return message('format.damaged')
    return role !== 'other' || form === 'warc' || form === 'arc' || form === 'har'
      ? formatMessage(recognised)
      : undefined
  } finally {
    source.close()
  }
}

/** Media types of the entries that go into the job's metadata, by role. */
const documentTypes: Partial<Record<WaczRole, string>> = {
  manifest: 'application/json',
  manifestDigest: 'application/json',
  pages: 'application/jsonl',
}

function documentType(path: string): string | undefined {
  if (/^logs\/.+/i.test(path) && roleOf(path) === 'other') return 'text/plain'
  return documentTypes[roleOf(path)]
}

function isDocument({ path, bytes, kind }: ZipEntry): boolean {
  // An entry of unknown length is skipped, since it may be of any size.
  return documentType(path) !== undefined && kind !== 'unreadable' && (bytes ?? Infinity) <= documentBytesMax
}

/** The home page of the package, then the pages of its lists: the main list first, then the others. */
async function firstPagesOf(wacz: Wacz): Promise<string[]> {
  const pages = wacz.dataPackage?.home ? [wacz.dataPackage.home.url] : []
  const lists = wacz.zip.entries
    .map(({ path }) => path)
    .filter((path) => roleOf(path) === 'pages' && path !== pagesPath)
  for (const list of [pagesPath, ...lists]) {
    if (pages.length >= seedsMax) break
    for await (const { url } of pagesIn(wacz, list, ignoreFinding)) {
      if (!pages.includes(url)) pages.push(url)
      if (pages.length >= seedsMax) break
    }
  }
  return pages
}

async function findingsIn(
  { signal }: TaskContext<number>,
  source: OpenSource,
  bytes: number,
  path: string,
): Promise<Findings> {
  const tally = new FindingTally()
  const note = (found: Finding) => void tally.add(found, path)
  const watched = {
    read: (into: Uint8Array, position: number) => {
      signal.throwIfAborted()
      return source.read(into, position)
    },
  }
  for await (const found of checkWacz(watched, bytes)) note(found)
  return tally.rules()
}
