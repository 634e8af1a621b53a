/** Makes gzip members of the records of one capture. Where the blocks are in memory, this runs in the thread of the bodies (`bodies/`). */
import {
  newRecord,
  warcMember,
  warcMemberStreamed,
  type RecordHeader,
  type StreamedRecord,
} from '../../../formats/records/warcWriter.ts'

/** A record to be written. */
export type BlockRecord = RecordHeader & { block: Uint8Array[] }

/** Replaces the main record if its payload has this digest: a record with the first `blockBytes` bytes of its block. */
export interface Revisit {
  payloadDigest: string
  header: RecordHeader
  blockBytes: number
  /** Whether the other records are left out. */
  isAlone: boolean
}

/** The records of one capture. `main` holds the payload and has a compression level of its own. */
export interface MembersInput<Main = BlockRecord> {
  main: Main & { level: number }
  revisit?: Revisit | undefined
  others: readonly BlockRecord[]
}

/** Gzip members, with the digests of the main record; undefined where it has no payload. */
export interface RecordMembers<Chunks = Uint8Array[]> {
  main: Chunks
  others: Uint8Array[]
  isRevisit: boolean
  /** The digest of the standard, by which captures are compared. */
  payloadDigest: string | undefined
  /** The digest in the header of the record. */
  namedDigest: string | undefined
}

/** Makes members somewhere: in this thread or in another. */
export interface RecordWork {
  members(input: MembersInput): Promise<RecordMembers>
}

/** Makes the members of a capture. Digests are computed before compression, so that an unchanged payload is not compressed needlessly. */
export function recordMembers({ main, revisit, others }: MembersInput): RecordMembers {
  const made = newRecord(main)
  const { standardDigest: payloadDigest, payloadDigest: namedDigest } = made
  const isRevisit = revisit !== undefined && isSame(revisit, { payloadDigest, namedDigest })
  const member = isRevisit
    ? memberOf({ ...revisit.header, block: [beginning(main.block, revisit.blockBytes)] })
    : warcMember(made, main.level).bytes
  const kept = isRevisit && revisit.isAlone ? [] : others
  return { main: [member], others: kept.map(memberOf), isRevisit, payloadDigest, namedDigest }
}

/** Makes the members of a capture whose main record is too large for memory, in the calling thread: its block is read twice. */
export async function streamedMembers({
  main,
  revisit,
  others,
}: MembersInput<StreamedRecord>): Promise<RecordMembers<Uint8Array[] | AsyncIterable<Uint8Array>>> {
  const {
    chunks,
    standardDigest: payloadDigest,
    payloadDigest: namedDigest,
  } = await warcMemberStreamed(main, main.level)
  const digests = { payloadDigest, namedDigest }
  if (!revisit || !isSame(revisit, digests))
    return { main: chunks, others: others.map(memberOf), isRevisit: false, ...digests }
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of main.block()) {
    parts.push(part)
    bytes += part.length
    if (bytes >= revisit.blockBytes) break
  }
  const member = memberOf({ ...revisit.header, block: [beginning(parts, revisit.blockBytes)] })
  return { main: [member], others: (revisit.isAlone ? [] : others).map(memberOf), isRevisit: true, ...digests }
}

/** Whether a revisit can replace a record. An original of another program may be known only by the digest of its body as it is stored. */
function isSame(
  revisit: Revisit,
  { payloadDigest, namedDigest }: Pick<RecordMembers, 'payloadDigest' | 'namedDigest'>,
): boolean {
  return revisit.payloadDigest === payloadDigest || revisit.payloadDigest === namedDigest
}

/** A small record as a gzip member. */
function memberOf(record: BlockRecord): Uint8Array {
  return warcMember(newRecord(record), 6).bytes
}

function beginning(block: readonly Uint8Array[], bytes: number): Uint8Array {
  const [first] = block
  return (first && first.length >= bytes ? first : Buffer.concat(block)).subarray(0, bytes)
}
