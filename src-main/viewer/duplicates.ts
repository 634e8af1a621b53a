/** The content of a duplicate: a capture that has no record of its own, because the harvester found the same content in an earlier
 *  harvest and wrote only into its crawl log where that is. The named record is looked up in the whole archive, whichever jobs are
 *  viewed. Where it is not what the log says (the file was renamed or compressed since), another capture with the same payload digest
 *  has the content: first among the viewed jobs, then in the others. */
import { parseTimestamp } from '../formats/cdx/timestamp.ts'
import { namedDigest } from '../formats/cdx/indexDigest.ts'
import { recordField } from '../formats/records/record.ts'
import type { CaptureIndex, IndexedCapture } from '../indexes/indexes.ts'
import type { ArchivedRecord, RecordPlace } from './archivedRecord.ts'
import { closeContent } from './content.ts'
import { originalDateMsMax, originalsMax } from './limits.ts'
import type { OpenFiles } from './openFiles.ts'
import { openReadable } from './originals.ts'
import type { Elsewhere, Located, Tried } from './question.ts'
import { reasonOf, type BrowserRequest } from './resolvers.ts'
import { Unreadable } from './unreadable.ts'

interface Looking {
  files: OpenFiles
  index: Pick<CaptureIndex, 'originals'>
  request: Pick<BrowserRequest, 'signal'>
  /** Captures of a URL in jobs that are not viewed. */
  elsewhere?: ((url: string) => Elsewhere | Promise<Elsewhere>) | undefined
  /** If set, receives every capture that was tried, for an explanation. */
  hops?: Tried[] | undefined
}

/** The original's record, with the status of the duplicate. Rejects with `Unreadable`. */
export async function openDuplicate(looking: Looking, capture: IndexedCapture): Promise<ArchivedRecord> {
  const { files, index, hops } = looking
  const { duplicate } = capture
  if (duplicate === undefined) throw new Error(`the index says nothing of the duplicate ${capture.url}`)
  const { url, timestampMs: atMs, log } = duplicate
  const job = files.archived(capture.filename)?.job ?? capture.job
  const named = { ...capture, url, timestampMs: atMs ?? capture.timestampMs, job, recordType: 'response' as const }
  const attempt = async (place: Located & RecordPlace): Promise<ArchivedRecord | Unreadable> => {
    try {
      const record = await openOriginalAt(looking, place, capture)
      hops?.push({ capture: place, isUsed: true, why: null })
      return withStatus(record, capture.status)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      hops?.push({ capture: place, isUsed: false, why: error.message })
      return error
    }
  }
  const first = await attempt(named)
  if (!(first instanceof Unreadable)) return first
  const { payloadDigest } = capture
  for (const place of payloadDigest === '' ? [] : await samePayload(looking, { url, atMs, payloadDigest })) {
    const record = await attempt(place)
    if (!(record instanceof Unreadable)) return record
  }
  throw new Unreadable(
    `the crawl log in ${log} says that this is a duplicate of the record in ${capture.filename} at ${capture.offset}, but ${first.message}`,
  )

  async function samePayload(
    { elsewhere }: Looking,
    wanted: { url: string; atMs: number | undefined; payloadDigest: string },
  ) {
    const isSame = (each: Located) =>
      each.payloadDigest === payloadDigest && (each.recordType === 'response' || each.recordType === 'resource')
    const here = index.originals(wanted, originalsMax).found.filter(isSame)
    if (here.length > 0 || elsewhere === undefined) return here
    const { captures } = await elsewhere(url)
    return captures.filter(isSame).map((each) => ({ ...each, length: each.length ?? 0 }))
  }
}

/** Rejects with `Unreadable` where that record is not the original. */
async function openOriginalAt(
  { files, request: { signal } }: Looking,
  place: RecordPlace & Pick<Located, 'timestampMs'>,
  { payloadDigest, duplicate }: IndexedCapture,
): Promise<ArchivedRecord> {
  const where = `${place.filename} at ${place.offset}`
  if (!files.archived(place.filename)) throw new Unreadable(`the archive has no file ${place.filename}: import it`)
  const record = await openReadable(files, place, signal)
  const problem = problemOf(record, { payloadDigest, atMs: duplicate?.timestampMs, place })
  if (problem === undefined) return record
  await closeContent(record.body)
  throw new Unreadable(`the record in ${where} ${problem}`)
}

interface Expected {
  payloadDigest: string
  atMs: number | undefined
  place: Pick<Located, 'timestampMs'>
}

/** What contradicts the crawl log, as the end of a sentence. A record without a digest, as in ARC files, has only its URL and date. */
function problemOf({ item }: ArchivedRecord, { payloadDigest, atMs, place }: Expected): string | undefined {
  if (item.type === 'revisit') return 'is itself a revisit, and has no content'
  const digest = namedDigest(recordField(item, 'warc-payload-digest') ?? '')
  if (digest !== undefined && payloadDigest !== '' && algorithmOf(digest) === algorithmOf(payloadDigest))
    return digest === payloadDigest ? undefined : `has another payload digest, ${digest} instead of ${payloadDigest}`
  const dateMs = parseTimestamp(item.date)
  if (atMs === undefined || place.timestampMs !== atMs || dateMs === undefined) return undefined
  return Math.abs(dateMs - atMs) <= originalDateMsMax
    ? undefined
    : `is of ${item.date}, not of ${new Date(atMs).toISOString()}`
}

function algorithmOf(digest: string): string {
  return digest.slice(0, digest.indexOf(':'))
}

/** What the server answered to the duplicate's own request is in the crawl log; of its header nothing is known. */
function withStatus(record: ArchivedRecord, status: number | undefined): ArchivedRecord {
  const { head } = record
  if (status === undefined || status === head.status) return record
  return { ...record, head: { ...head, status, reason: reasonOf[status] ?? '' } }
}
