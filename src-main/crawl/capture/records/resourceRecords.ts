/** The WARC records of a capture that no server sent: the resource as it was found, and metadata concurrent to it (WARC 1.1
 *  sections 6.4 and 6.6). */
import { detailText } from '../../model/detail.ts'
import { captureOfResource } from '../../../formats/cdx/writtenCapture.ts'
import { levelFor } from '../../../formats/packing/gzip.ts'
import type { RecordHeader } from '../../../formats/records/warcWriter.ts'
import type { LocalResource } from '../fetch/outcome.ts'
import type { DocumentToFetch } from '../../model/document.ts'
import { streamedMembers, type BlockRecord } from './recordMembers.ts'
import type { CaptureRecords, RecordsSetting } from './records.ts'

/** Builds the records of a local resource, such as a file or the list of a folder. */
export async function resourceRecords(
  { world, settings, bodies }: RecordsSetting,
  document: DocumentToFetch,
  taken: LocalResource,
): Promise<CaptureRecords> {
  const { response } = taken
  const id = world.chance.uuid()
  const base = { version: settings.warcVersion, dateMs: taken.startedMs }
  const header: RecordHeader & { level: number } = {
    ...{ ...base, type: 'resource', id, fields: [['WARC-Target-URI', document.url]] },
    contentType: taken.mediaType,
    payload: { offset: 0 },
    level: levelFor(taken.mediaType, ''),
  }
  const metadata: BlockRecord = {
    ...{ ...base, type: 'metadata', id: world.chance.uuid() },
    fields: [
      ['WARC-Target-URI', document.url],
      ['WARC-Concurrent-To', `<urn:uuid:${id}>`],
    ],
    contentType: 'application/warc-fields',
    block: [metadataBlock(document, taken)],
  }
  const others = [metadata]
  const made = response.memory
    ? await bodies.members({ main: { ...header, block: response.memory }, others })
    : await streamedMembers({
        main: { ...header, blockBytes: response.bytes, block: () => response.read() },
        others,
      })
  const { payloadDigest } = made
  if (payloadDigest === undefined) throw new Error('a resource record has a payload digest')
  return {
    ...{ response: made.main, others: made.others },
    ...{ payloadDigest, namedDigest: payloadDigest, count: 2, kind: 'response', id },
    capture: captureOfResource({
      ...{ url: document.url, dateMs: taken.startedMs, contentType: taken.mediaType },
      payloadDigest,
    }),
  }
}

/** Block of the metadata record: as for a fetched document, plus the date that a server would have sent in its header. */
function metadataBlock(
  { viaUrl, hopPath }: DocumentToFetch,
  { durationMs, modifiedMs, detail }: LocalResource,
): Uint8Array {
  const lines = [
    ...(viaUrl === null ? [] : [`via: ${viaUrl}`]),
    `hopsFromSeed: ${hopPath}`,
    `fetchTimeMs: ${durationMs}`,
    ...(modifiedMs === null ? [] : [`lastModified: ${new Date(modifiedMs).toISOString()}`]),
    ...(detail === null ? [] : [`finding: ${detailText(detail).replace(/\s+/g, ' ')}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'utf8')
}
