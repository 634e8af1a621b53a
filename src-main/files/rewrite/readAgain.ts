/** Verification of a new file by reading it again: whether every record is whole and in a separate gzip member, and their digest. */
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import { digester } from '../../formats/bytes/digest.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import { recordEnd } from '../../formats/rewrite/recordMember.ts'

/** What a file contains. */
export interface FoundAgain {
  records: number
  /** Digest like `Account.contentDigest`: of all uncompressed records. */
  contentSha256: string
  /** Whether there is nothing between records, and each is whole and in a separate member. */
  sound: boolean
}

/** Reads the file from beginning to end. */
export async function readAgain(file: ByteSource): Promise<FoundAgain> {
  const content = digester('sha256')
  let records = 0
  let sound = true
  for await (const record of readRecords(file, { onFinding: () => (sound = false) })) {
    records += 1
    content.update(record.header)
    for await (const bytes of record.block()) content.update(bytes)
    content.update(recordEnd[record.format])
    const { whole } = await record.finish()
    sound &&= whole && record.addressable
  }
  return { records, contentSha256: content.hex(), sound }
}
