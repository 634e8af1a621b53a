import { expect, test } from 'vitest'
import type { ArchivedFile } from '../../contract/services/archivedFiles.ts'
import { textOf } from '../../contract/words/render.ts'
import { archivedRemark, takenOverRemark, treatmentRemark } from './remarks.ts'

const same = { wanted: 'a.warc.gz', name: 'a.warc.gz' }
const renamed = { wanted: 'a.warc.gz', name: 'a-2.warc.gz' }

test.each<[remark: ReturnType<typeof treatmentRemark>, text: string | null]>([
  [treatmentRemark('kept', same), null],
  [treatmentRemark('converted', same), 'Loupe converted it to WARC.'],
  [
    treatmentRemark('recompressed', renamed),
    'Its records could not be opened one by one, so Loupe compressed each of them separately. ' +
      'The archive has a different file named a.warc.gz, so this one is named a-2.warc.gz.',
  ],
])('a file that was changed has a remark on each change: %#', (remark, text) => {
  expect(remark && textOf(remark)).toBe(text)
})

type Copy = ArchivedFile['replicas'][number]

function copies(...states: Copy['preservation'][]): Pick<ArchivedFile, 'replicas'> {
  const copy = { upload: 'UPLOAD_COMPLETED', problem: null, checked: null, verified: null } as const
  return { replicas: states.map((preservation, at) => ({ ...copy, replica: `R${at + 1}`, preservation })) }
}

test('bad copies of a file that the archive has are named, good ones are not', () => {
  const name = 'a.warc.gz'
  const good = archivedRemark({ name, owner: 2, job: 2, file: copies('UNCHECKED') })
  expect(textOf(good)).toBe('The archive already has this file as a.warc.gz, in this import.')
  const bad = takenOverRemark({ name, formerJob: null, file: copies('MISSING', 'UNCHECKED', 'CORRUPT') })
  expect(textOf(bad)).toBe(
    'The archive already had this file as a.warc.gz, without a job. It now belongs to this job. ' +
      'Its copy is missing in R1, damaged in R3. To restore it, upload the file under that name (loupe upload).',
  )
})
