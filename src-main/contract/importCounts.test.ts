import { expect, test } from 'vitest'
import { importCounts } from './importCounts.ts'
import type { ImportedFileState } from './states/states.ts'

test('imported, archived, rejected and waiting files add up to the total, which excludes opened packages', () => {
  const files: { name: string | null; state: ImportedFileState }[] = [
    { name: 'a.warc', state: 'IMPORTED' },
    { name: null, state: 'IMPORTED' },
    { name: null, state: 'ARCHIVED' },
    { name: null, state: 'REJECTED' },
    { name: null, state: 'READING' },
  ]
  expect(importCounts(files)).toEqual({ files: 4, imported: 1, archived: 1, rejected: 1, waiting: 1 })
})
