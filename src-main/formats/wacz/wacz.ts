/** Opens a WACZ: its zip, its manifest, and the role of each file. Supports WACZ 1.0 to 1.2, packages of packages,
 *  and packages without a manifest. Checks are in checkWacz.ts, the records inside in archiveParts.ts. */
import type { ByteSource } from '../bytes/fileWindow.ts'
import { finding, findingWithin, type Finding } from '../rules/finding.ts'
import { parseDataPackage, type DataPackage } from './dataPackage.ts'
import { objectOf } from '../bytes/json.ts'
import { readPages, type Page } from './pages.ts'
import {
  entryBytes,
  entryChunks,
  entrySource,
  entryWhole,
  openZip,
  zipEntry,
  type EntrySource,
  type Zip,
  type ZipEntry,
} from './zip.ts'
import { quoted } from './zipNames.ts'

/** An open package. `dataPackage` is undefined when there is no readable manifest. */
export interface Wacz {
  zip: Zip
  /** Bytes of datapackage.json, for its hash. */
  manifest: Uint8Array | undefined
  dataPackage: DataPackage | undefined
}

/** Paths that the specification fixes. */
export const manifestPath = 'datapackage.json'
export const manifestDigestPath = 'datapackage-digest.json'
export const pagesPath = 'pages/pages.jsonl'

/** Maximum size of a manifest: a line of 200 bytes for each of 300,000 files. */
export const manifestBytesMax = 64 * 1024 * 1024

type Report = (finding: Finding) => void

/** Opens a package of `bytes` bytes. Damage is reported to `onFinding`. */
export async function openWacz(source: ByteSource, bytes: number, onFinding: Report): Promise<Wacz> {
  const zip = await openZip(source, bytes, onFinding)
  const entry = zipEntry(zip, manifestPath)
  if (!entry) {
    onFinding(finding('waczPackageMissing', { path: manifestPath }))
    return { zip, manifest: undefined, dataPackage: undefined }
  }
  const manifest = await entryWhole(zip, entry, manifestBytesMax, onFinding)
  const json = manifest && objectOf(Buffer.from(manifest).toString('utf8'))
  if (!json) {
    onFinding(
      manifest
        ? finding('waczPackageUnreadable', { path: manifestPath }, entry.headerOffset)
        : finding('waczPackageUnreadable.size', { path: manifestPath, bytesMax: manifestBytesMax }, entry.headerOffset),
    )
    return { zip, manifest, dataPackage: undefined }
  }
  const { dataPackage, findings } = parseDataPackage(json)
  for (const finding of findings) onFinding(finding)
  return { zip, manifest, dataPackage }
}

/** Role of a file in a package. */
export type WaczRole =
  | 'manifest'
  | 'manifestDigest'
  | 'archive'
  | 'index'
  /** Index of the blocks of a compressed index. */
  | 'blocks'
  | 'pages'
  | 'package'
  | 'other'

/** Returns the role of a file by its folder and suffix. Archives are recognised in any folder, because some writers
 *  put everything into another folder. */
export function roleOf(path: string): WaczRole {
  if (path === manifestPath) return 'manifest'
  if (path === manifestDigestPath) return 'manifestDigest'
  if (/\.w?arc(\.gz|\.zst)?$/i.test(path)) return 'archive'
  if (/\.wacz$/i.test(path)) return 'package'
  if (/^indexes\/.*\.cdxj?(\.gz)?$/i.test(path)) return 'index'
  if (/^indexes\/.*\.idx$/i.test(path)) return 'blocks'
  if (/^pages\/.*\.jsonl$/i.test(path)) return 'pages'
  return 'other'
}

/** Returns true when an entry has the name of a file with records, or of a package of such files. */
export function isCalledArchive(path: string): boolean {
  const role = roleOf(path)
  return role === 'archive' || role === 'package' || /\.har$/i.test(path)
}

/** Returns true when an entry may contain records, by its folder or name. Its bytes then decide. */
export function mayBeArchive(path: string): boolean {
  return isCalledArchive(path) || path.startsWith('archive/')
}

/** Yields the pages of a list, for example `pages/pages.jsonl`. */
export async function* pagesIn(wacz: Wacz, path: string, onFinding: Report): AsyncGenerator<Page> {
  const entry = zipEntry(wacz.zip, path)
  if (!entry) return
  for await (const found of readPages(entryChunks(wacz.zip, entry, onFinding))) {
    if ('page' in found) yield found.page
    else onFinding(findingWithin(path, found.finding))
  }
}

/** Returns the names of packages that the manifest lists and that are not inside. */
export function partsElsewhere({ zip, dataPackage }: Wacz): string[] {
  if (!dataPackage) return []
  const inside = new Set(zip.entries.map(({ path }) => path))
  const listed = dataPackage.multi
    ? dataPackage.resources.filter(({ path, name }) => !inside.has(path) && !inside.has(name ?? ''))
    : []
  return [...listed.map(({ path }) => path), ...dataPackage.requires.filter((name) => !inside.has(name))]
}

/** Maximum depth of nested packages: two levels below the outermost one. */
const nestingMax = 2
/** Maximum ratio of a nested package's size to its compressed size. A WACZ is already compressed; one that shrinks
 *  more was made to be a decompression bomb. */
const nestedExpansionMax = 100

/** Returns the reason for not reading a nested package; undefined when it may be read. `depth` is that of the
 *  containing package. */
export function nestingRefusal(
  { path, kind, bytes, compressedBytes, headerOffset }: ZipEntry,
  depth: number,
): Finding | undefined {
  if (depth >= nestingMax) return finding('waczNestedTooDeep', { path: quoted(path), depth: depth + 1 }, headerOffset)
  if (kind !== 'deflated' || bytes === undefined || bytes <= compressedBytes * nestedExpansionMax) return undefined
  return finding('waczNestedBomb', { path: quoted(path), bytes: compressedBytes, unpacked: bytes }, headerOffset)
}

/** Opens a nested package as a source. Returns undefined when this is not possible; the reason is reported. */
export async function openNested(
  zip: Zip,
  entry: ZipEntry,
  depth: number,
  onFinding: Report,
): Promise<{ source: EntrySource; bytes: number } | undefined> {
  const refusal = nestingRefusal(entry, depth)
  if (refusal) {
    onFinding(refusal)
    return undefined
  }
  const source = await entrySource(zip, entry, onFinding)
  return source && { source, bytes: await entryBytes(entry, source) }
}
