/** Checks a WACZ against its own statements and against its standard: every file against the manifest, the manifest
 *  against its digest and signature, page lists and indexes line by line, nested packages likewise. All hashes are
 *  computed in one pass over the file. The records in its archives are checked elsewhere (check/). */
import { createHash } from 'node:crypto'
import type { ByteSource } from '../bytes/fileWindow.ts'
import { finding, findingWith, findingWithin, type Finding } from '../rules/finding.ts'
import { digester, parseLabelledDigest, type LabelledDigest } from '../bytes/digest.ts'
import { isGzip } from '../packing/gzipMembers.ts'
import type { RuleName } from '../rules/rules.ts'
import type { Resource } from './dataPackage.ts'
import { isObject, objectOf } from '../bytes/json.ts'
import { readPages } from './pages.ts'
import { proveSignature } from './signature.ts'
import {
  manifestBytesMax,
  manifestDigestPath,
  manifestPath,
  openNested,
  openWacz,
  pagesPath,
  partsElsewhere,
  roleOf,
  type Wacz,
} from './wacz.ts'
import { archiveLengths, checkBlocks, checkIndex } from './waczIndex.ts'
import { entryChunks, entryWhole, zipEntry, type ZipEntry } from './zip.ts'
import { quoted } from './zipNames.ts'
import { message } from '../../contract/words/message.ts'

/** Maximum number of findings of one rule in one file of the package: a broken index could repeat the same finding a
 *  million times. */
const sameFindingsMax = 100

/** Yields the findings of a package of `bytes` bytes. */
export async function* checkWacz(source: ByteSource, bytes: number): AsyncGenerator<Finding> {
  yield* checkPackage(source, bytes, { depth: 0, within: undefined })
}

/** Where the checked package is. */
interface Place {
  depth: number
  /** Path of a nested package in the outermost one; undefined for the outermost one. */
  within: string | undefined
}

/** Yields the findings of one package, then those of the packages in it. Findings are yielded after each file, so
 *  that they do not accumulate. */
async function* checkPackage(source: ByteSource, bytes: number, place: Place): AsyncGenerator<Finding> {
  const findings = new PackageFindings(place.within, bytes)
  const report = findings.take
  const wacz = await openWacz(source, bytes, report)
  yield* findings.taken()
  checkListed(wacz, report)
  checkWhatIsThere(wacz, report)
  yield* findings.taken()
  const listed = new Map(wacz.dataPackage?.resources.map((resource) => [resource.path, resource]))
  for (const entry of wacz.zip.entries) {
    if (entry.kind === 'unreadable') continue
    findings.nextFile()
    await checkFile(wacz, entry, listed.get(entry.path), report)
    yield* findings.taken()
  }
  await checkManifestDigest(wacz, report)
  yield* findings.taken()
  const archives = archiveLengths(wacz.zip)
  for (const entry of wacz.zip.entries) {
    findings.nextFile()
    const role = roleOf(entry.path)
    if (role === 'pages') await checkPages(wacz, entry, report)
    if (role === 'index') await checkIndex(wacz.zip, entry, archives, report)
    if (role === 'blocks') await checkBlocks(wacz.zip, entry, report)
    yield* findings.taken()
  }
  for (const entry of wacz.zip.entries) {
    if (roleOf(entry.path) !== 'package') continue
    const nested = await openNested(wacz.zip, entry, place.depth, ({ rule, ...found }) => {
      // Other findings were reported when its hash was computed.
      if (rule === 'waczNestedTooDeep' || rule === 'waczNestedBomb') report({ rule, ...found })
    })
    yield* findings.taken()
    if (!nested) continue
    const within = place.within === undefined ? entry.path : `${place.within}: ${entry.path}`
    const inside = { depth: place.depth + 1, within }
    // An offset would be one in the nested package, so it is removed.
    for await (const { offset: _, ...found } of checkPackage(nested.source, nested.bytes, inside)) yield found
    nested.source.close()
  }
}

/** Ignores findings of the zip about an entry: they were reported when the entry was first read. */
function ignoreFinding(): void {
  return
}

type Report = (finding: Finding) => void

/** Holds the findings of one step. Repetitions beyond the limit are only counted. */
class PackageFindings {
  readonly #within: string | undefined
  readonly #bytes: number
  #held: Finding[] = []
  #counts = new Map<RuleName, number>()

  /** `bytes` is the length of the package. */
  constructor(within: string | undefined, bytes: number) {
    this.#within = within
    this.#bytes = bytes
  }

  readonly take = (found: Finding): void => {
    const number = (this.#counts.get(found.rule) ?? 0) + 1
    this.#counts.set(found.rule, number)
    if (number > sameFindingsMax) return
    // The offset of an entry may be wrong in the central directory: one after the end of the file is removed.
    const { offset = 0, ...placeless } = found
    this.#hold(offset <= this.#bytes ? found : placeless)
  }

  /** Reports the number of findings beyond the limit, and starts counting for the next file. */
  nextFile(): void {
    for (const [rule, number] of this.#counts)
      if (number > sameFindingsMax)
        this.#hold(findingWith(rule, message('found.more', { count: number - sameFindingsMax })))
    this.#counts.clear()
  }

  #hold(found: Finding): void {
    this.#held.push(this.#within === undefined ? found : findingWithin(this.#within, found))
  }

  taken(): Finding[] {
    return this.#held.splice(0)
  }
}

/** Compares the manifest with the central directory, in both directions. */
function checkListed(wacz: Wacz, report: Report): void {
  const { dataPackage, zip } = wacz
  if (!dataPackage) return
  for (const path of partsElsewhere(wacz)) report(finding('waczPartsElsewhere', { path: quoted(path) }))
  const inside = new Set(zip.entries.map(({ path }) => path))
  const listed = new Set(
    dataPackage.resources.flatMap(({ path, name }) =>
      dataPackage.multi && name !== undefined ? [path, name] : [path],
    ),
  )
  for (const path of dataPackage.multi ? [] : listed)
    if (!inside.has(path)) report(finding('waczResourceAbsent', { path: quoted(path) }))
  for (const { path, headerOffset } of zip.entries) {
    if (path === manifestPath || path === manifestDigestPath || listed.has(path)) continue
    report(finding('waczFileUnlisted', { path: quoted(path) }, headerOffset))
  }
}

/** Checks that required files exist, and that files are in the right folders. */
function checkWhatIsThere({ zip, dataPackage }: Wacz, report: Report): void {
  const roles = new Set(zip.entries.map(({ path }) => roleOf(path)))
  const holds = roles.has('package')
  if (!roles.has('archive') && !holds && zip.entries.length > 0) report(finding('waczArchiveMissing'))
  if (!holds && dataPackage?.multi !== true) {
    if (!roles.has('index')) report(finding('waczIndexMissing'))
    if (!zipEntry(zip, pagesPath)) report(finding('waczPagesMissing', { path: pagesPath }))
  }
  for (const entry of zip.entries) {
    const { path, kind, headerOffset } = entry
    const role = roleOf(path)
    const folder = /^(archive|indexes|pages)\//.exec(path)?.[1]
    if (folder !== undefined && !(rolesIn[folder] ?? []).includes(role))
      report(finding('waczForeignFile', { path: quoted(path) }, headerOffset))
    if (kind !== 'deflated') continue
    if (role === 'archive' || role === 'package')
      report(finding('waczArchiveDeflated', { path: quoted(path) }, headerOffset))
    if (role === 'index' && path.endsWith('.gz'))
      report(finding('waczIndexDeflated', { path: quoted(path) }, headerOffset))
  }
}

/** Roles of the files that belong in a folder. */
const rolesIn: Readonly<Record<string, readonly string[]>> = {
  // Packages of 1.2 may contain packages there.
  archive: ['archive', 'package'],
  indexes: ['index', 'blocks'],
  pages: ['pages'],
}

/** Checks length, hash and checksum of one file in one pass. */
async function checkFile(wacz: Wacz, entry: ZipEntry, listed: Resource | undefined, report: Report): Promise<void> {
  const { path, headerOffset } = entry
  const stated = listed?.hash === undefined ? undefined : statedDigest(path, listed.hash, report)
  const hash = stated && digester(stated.algorithm)
  let bytes = 0
  for await (const chunk of entryChunks(wacz.zip, entry, path === manifestPath ? ignoreFinding : report)) {
    if (bytes === 0 && roleOf(path) === 'archive') checkArchiveName(entry, chunk, report)
    bytes += chunk.length
    hash?.update(chunk)
  }
  if (listed?.bytes !== undefined && bytes !== listed.bytes)
    report(finding('waczResourceLengthWrong', { path: quoted(path), bytes, listed: listed.bytes }, headerOffset))
  const hex = hash?.hex()
  if (stated && hex !== stated.hex) {
    const hash = `${stated.algorithm}:${hex}`
    report(finding('waczResourceHashWrong', { path: quoted(path), hash, listed: stated.hex }, headerOffset))
  }
}

function statedDigest(path: string, hash: string, report: Report): LabelledDigest | undefined {
  const digest = parseLabelledDigest(hash)
  if (!digest) report(finding('waczHashUnknown', { path: quoted(path), hash: quoted(hash) }))
  return digest
}

/** Compares the suffix of an archive with its content: readers decide by the suffix whether to unpack. */
function checkArchiveName({ path, headerOffset }: ZipEntry, begin: Uint8Array, report: Report): void {
  const packed = isGzip(begin)
  if (packed === /\.gz$/i.test(path) || /\.zst$/i.test(path)) return
  const code = packed ? 'waczArchiveNameWrong' : 'waczArchiveNameWrong.plain'
  report(finding(code, { path: quoted(path) }, headerOffset))
}

async function checkPages({ zip }: Wacz, entry: ZipEntry, report: Report): Promise<void> {
  for await (const found of readPages(entryChunks(zip, entry, ignoreFinding)))
    if ('finding' in found) report(findingWithin(entry.path, found.finding))
}

/** Compares the manifest with datapackage-digest.json, and verifies the signature there. */
async function checkManifestDigest({ zip, manifest }: Wacz, report: Report): Promise<void> {
  if (!manifest) return
  const entry = zipEntry(zip, manifestDigestPath)
  if (!entry) return report(finding('waczDigestMissing', { path: manifestDigestPath }))
  const bytes = await entryWhole(zip, entry, manifestBytesMax, ignoreFinding)
  const json = bytes && objectOf(Buffer.from(bytes).toString('utf8'))
  const { path, hash, signedData } = json ?? {}
  if (path !== manifestPath || typeof hash !== 'string') {
    const paths = { path: manifestDigestPath, manifest: manifestPath }
    return report(finding('waczDigestUnreadable', paths, entry.headerOffset))
  }
  const stated = parseLabelledDigest(hash)
  if (!stated) return report(finding('waczHashUnknown', { path: quoted(manifestPath), hash: quoted(hash) }))
  const actual = createHash(stated.algorithm).update(manifest).digest('hex')
  if (actual !== stated.hex) {
    const hashes = { path: manifestPath, hash: `${stated.algorithm}:${actual}`, listed: quoted(hash) }
    report(finding('waczDigestWrong', hashes, entry.headerOffset))
  }
  if (signedData === undefined) return
  if (!isObject(signedData)) return report(finding('waczSignatureInvalid'))
  for (const found of proveSignature(signedData, `${stated.algorithm}:${actual}`).findings) report(found)
}
