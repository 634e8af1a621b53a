/** Captures of other jobs that revisits may refer to. The deduplication index only leads to them: each is read in the archive and compared
 *  before anything refers to it, so a damaged or outdated index can cause no wrong reference. */
import type { Archive } from '../../../archive/store/archive.ts'
import { surt } from '../../../formats/cdx/surt.ts'
import { entriesPerKeyMax, hashOf, isAmong, type DedupEntry, type DedupFile } from '../../../indexes/indexes.ts'
import { DiskFault } from '../../../world/world.ts'
import type { Deduplication } from '../../../contract/shapes/deduplication.ts'
import type { KnownCapture } from '../../model/document.ts'
import { originalAt } from './originalRecord.ts'

/** The captures of some jobs. Faults of the disk are treated as captures that are not there: the document is then stored in full. */
export interface Originals {
  /** False: there are none, and nothing is found. */
  readonly isOpen: boolean
  /** Whether answers of this media type are stored in full. */
  isExcluded(mediaType: string): boolean
  /** The newest capture of the URL, or of an equivalent one (`surt.ts`). */
  ofUrl(url: string): Promise<KnownCapture | undefined>
  /** A capture with this payload: of the URL, or else of any, if the harvest deduplicates by payload alone. */
  ofPayload(wanted: PayloadWanted): Promise<KnownCapture | undefined>
  close(): Promise<void>
}

/** A payload that was just received. */
export interface PayloadWanted {
  url: string
  /** As WARC-Payload-Digest. */
  digest: string
  /** Without parameters. */
  mediaType: string
}

/** No captures. */
export const noOriginals: Originals = {
  isOpen: false,
  isExcluded: () => false,
  ofUrl: async () => undefined,
  ofPayload: async () => undefined,
  close: async () => undefined,
}

/** What captures are looked up in. */
export interface OriginalsParts {
  index: DedupFile
  archive: Pick<Archive, 'openFile'>
  deduplication: Pick<Deduplication, 'match' | 'excludedTypes'>
}

/** Captures of a payload that are tried: the first one nearly always can be read. */
export const triedMax = 3
/** URLs whose entries are remembered between the request and its answer: more than a harvest has in progress. */
const rememberedMax = 1_000

/** Looks captures up in an index, which `close` closes. */
export function openOriginals({ index, archive, deduplication }: OriginalsParts): Originals {
  const isExcluded = isAmong(deduplication.excludedTypes)

  /** The first of the entries whose record is what the entry says. */
  async function firstOf(entries: readonly DedupEntry[]): Promise<KnownCapture | undefined> {
    for (const entry of entries.slice(0, triedMax)) {
      const fileName = index.manifest.files[entry.file]
      const found = fileName === undefined ? undefined : await originalAt(archive, { fileName, offset: entry.offset })
      if (found && isOf(found.known, entry)) return found.known
    }
    return undefined
  }

  /** The entries of URLs that were looked up and not answered yet, the oldest first. */
  const remembered = new Map<string, DedupEntry[]>()

  async function entriesOf(url: string): Promise<DedupEntry[]> {
    return remembered.get(url) ?? index.find('url', hashOf(surt(url)), entriesPerKeyMax)
  }

  return {
    ...{ isOpen: true, isExcluded },
    ofUrl: (url) =>
      unlessFault(async () => {
        const entries = await entriesOf(url)
        remembered.set(url, entries)
        const [oldest] = remembered.keys()
        if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest)
        const [newest] = entries
        return withoutForeignValidators(newest && (await firstOf([newest])), url)
      }),
    ofPayload: ({ url, digest, mediaType }) =>
      unlessFault(async () => {
        if (isExcluded(mediaType)) return undefined
        const payloadHash = hashOf(digest)
        const ofUrl = await entriesOf(url)
        remembered.delete(url)
        const same = await firstOf(ofUrl.filter((entry) => entry.payloadHash === payloadHash))
        if (same || deduplication.match !== 'payload') return same
        return firstOf(await index.find('payload', payloadHash, triedMax))
      }),
    close: () => index.close(),
  }
}

/** Whether a capture is what an entry says. */
function isOf({ original }: KnownCapture, { urlHash, payloadHash }: DedupEntry): boolean {
  return hashOf(surt(original.url ?? '')) === urlHash && hashOf(original.payloadDigest) === payloadHash
}

/** Removes the validators of a capture of an equivalent URL: they say nothing about this one. */
export function withoutForeignValidators(known: KnownCapture | undefined, url: string): KnownCapture | undefined {
  return known && known.original.url !== url ? { ...known, etag: null, lastModified: null } : known
}

/** Resolves with undefined for a fault of the disk: what cannot be read is not there. */
export async function unlessFault<T>(act: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof DiskFault) return undefined
    throw error
  }
}
