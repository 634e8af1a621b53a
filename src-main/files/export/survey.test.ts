import { expect, test } from 'vitest'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import { originalsMax } from './limits.ts'
import { References } from './survey.ts'

function revisit(number: number): ArchiveRecord {
  const fields = [
    ['WARC-Refers-To', `<urn:uuid:${number}>`],
    ['WARC-Payload-Digest', 'sha1:THESAMEEVERYWHERE'],
  ]
  return { type: 'revisit', fields } as Partial<ArchiveRecord> as ArchiveRecord
}

test('follows revisits of one payload to originals up to a limit, and reports those beyond it', () => {
  const references = new References()
  for (let number = 0; number < originalsMax; number += 1) references.add(revisit(number))
  expect([references.overflow, references.lacking()]).toEqual([false, originalsMax])
  references.add(revisit(0))
  expect([references.overflow, references.lacking()]).toEqual([false, originalsMax + 1])
  references.add(revisit(originalsMax))
  expect([references.overflow, references.lacking()]).toEqual([true, originalsMax + 1])
})
