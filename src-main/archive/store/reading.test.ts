import { expect, test } from 'vitest'
import type { ArchivedFile } from '../../contract/services/archivedFiles.ts'
import type { PreservationState, UploadState } from '../../contract/states/states.ts'
import { giversOf } from './reading.ts'

const places = [
  { name: 'ONE', kind: 'files' as const },
  { name: 'SUMS', kind: 'checksums' as const },
]
const copy = (replica: string, preservation: PreservationState, upload: UploadState = 'UPLOAD_COMPLETED') => ({
  replica,
  upload,
  problem: null,
  preservation,
  checked: null,
  verified: null,
})
const file = (copies: ReturnType<typeof copy>[]): ArchivedFile => ({
  name: 'a.warc',
  kind: 'content',
  job: 1,
  bytes: 1,
  sha256: '0'.repeat(64),
  stored: null,
  replicas: copies,
})

test.each([
  ['a good copy', [copy('ONE', 'OK')], ['ONE']],
  ['one that was never checked', [copy('ONE', 'UNCHECKED')], ['ONE']],
  ['not a damaged one', [copy('ONE', 'CORRUPT')], []],
  ['not a missing one', [copy('ONE', 'MISSING')], []],
  ['not a copy in progress', [copy('ONE', 'UNCHECKED', 'DATA_UPLOADED')], []],
  ['not a checksum, which is not a copy', [copy('ONE', 'MISSING'), copy('SUMS', 'OK')], []],
  ['not one in a replica that left the settings', [copy('GONE', 'OK')], []],
])('the bytes can be had from %s', (_, copies, givers) => expect(giversOf(places, file(copies))).toEqual(givers))
