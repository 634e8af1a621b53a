/** A WACZ opened: its zip, its manifest, and what each file in it is for. Reads WACZ 1.0 to 1.2, packages of packages, and
 *  packages without a manifest. Deliberately not here: whether it is as it says (checkWacz.ts), and the records inside
 *  (archiveParts.ts). */
import type { ByteSource } from '../bytes/fileWindow.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { parseDataPackage, type DataPackage } from './dataPackage.ts'
import { objectOf } from './jsonObjects.ts'
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

export interface Wacz {
  zip: Zip
  /** datapackage.json as it is, for its hash. */
  manifest: Uint8Array | undefined
  dataPackage: DataPackage | undefined
}

export const manifestPath = 'datapackage.json'
export const manifestDigestPath = 'datapackage-digest.json'
export const pagesPath = 'pages/pages.jsonl'

/** A line of 200 bytes for each of 300,000 files. */
export const manifestBytesMax = 64 * 1024 * 1024

type Report = (finding: Finding) => void

export async function openWacz(source: ByteSource, bytes: number, onFinding: Report): Promise<Wacz> {
  const zip = await openZip(source, bytes, onFinding)
  const entry = zipEntry(zip, manifestPath)
  if (!entry) {
    onFinding(finding('waczPackageMissing', `There is no ${manifestPath}.`))
    return { zip, manifest: undefined, dataPackage: undefined }
  }
  const manifest = await entryWhole(zip, entry, manifestBytesMax, onFinding)
  const json = manifest && objectOf(Buffer.from(manifest).toString('utf8'))
  if (!json) {
    const text = manifest ? 'is not a JSON object' : `cannot be read, or has more than ${manifestBytesMax} bytes`
    onFinding(finding('waczPackageUnreadable', `${manifestPath} ${text}.`, entry.headerOffset))
    return { zip, manifest, dataPackage: undefined }
  }
  const { dataPackage, findings } = parseDataPackage(json)
  for (const finding of findings) onFinding(finding)
  return { zip, manifest, dataPackage }
}

export type WaczRole =
  | 'manifest'
  | 'manifestDigest'
  | 'archive'
  | 'index'
  /** The index of an index's blocks. */
  | 'blocks'
  | 'pages'
  | 'package'
  | 'other'

/** By where it lies and how its name ends. Archives are found wherever they lie: some writers put a folder around it all. */
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

/** Whether an entry is called like a file with records, or like a package of such files. */
export function isCalledArchive(path: string): boolean {
  const role = roleOf(path)
  return role === 'archive' || role === 'package' || /\.har$/i.test(path)
}

/** Whether records may be in an entry, by its place or its name. What it is, its bytes say. */
export function mayBeArchive(path: string): boolean {
  return isCalledArchive(path) || path.startsWith('archive/')
}

/** Pages of a list, those of `pages/pages.jsonl` say. */
export async function* pagesIn(wacz: Wacz, path: string, onFinding: Report): AsyncGenerator<Page> {
  const entry = zipEntry(wacz.zip, path)
  if (!entry) return
  for await (const found of readPages(entryChunks(wacz.zip, entry, onFinding))) {
    if ('page' in found) yield found.page
    else onFinding({ ...found.finding, text: `${path}: ${found.finding.text}` })
  }
}

/** Names of packages that the manifest lists and that are not inside. */
export function partsElsewhere({ zip, dataPackage }: Wacz): string[] {
  if (!dataPackage) return []
  const inside = new Set(zip.entries.map(({ path }) => path))
  const listed = dataPackage.multi
    ? dataPackage.resources.filter(({ path, name }) => !inside.has(path) && !inside.has(name ?? ''))
    : []
  return [...listed.map(({ path }) => path), ...dataPackage.requires.filter((name) => !inside.has(name))]
}

/** What stands in a package in a package in a package is read, and no further. */
const nestingMax = 2
/** A WACZ is packed already; what shrinks more than this was made to grow. */
const nestedExpansionMax = 100

/** Why a package inside is not to be read, `depth` packages deep as what holds it is. */
export function nestingRefusal(
  { path, kind, bytes, compressedBytes, headerOffset }: ZipEntry,
  depth: number,
): Finding | undefined {
  if (depth >= nestingMax)
    return finding('waczNestedTooDeep', `${quoted(path)} is nested ${depth + 1} packages deep.`, headerOffset)
  if (kind !== 'deflated' || bytes === undefined || bytes <= compressedBytes * nestedExpansionMax) return undefined
  const text = `${quoted(path)} has ${compressedBytes} bytes that decompress to ${bytes}.`
  return finding('waczNestedBomb', text, headerOffset)
}

/** A package inside as a source of its own; undefined when there is none to be had, and the finding says why. */
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
