/** A file that was just written, read again: whether every record lies at a member of its own and is whole, and what they
 *  digest to. */
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import { digester } from '../../formats/bytes/digest.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import { recordEnd } from '../../formats/rewrite/recordMember.ts'

export interface FoundAgain {
  records: number
  /** As `Account.contentDigest`: of all records without their packing. */
  contentSha256: string
  /** Nothing between records, and each of them whole and in its own place. */
  sound: boolean
}

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
