import { expect, test } from 'vitest'
import { importCounts } from './importCounts.ts'
import type { ImportedFileState } from './states/states.ts'

test('imported, already archived, refused and waiting add up to the files, and an opened package is none of them', () => {
  const files: { name: string | null; state: ImportedFileState }[] = [
    { name: 'a.warc', state: 'TAKEN' },
    { name: null, state: 'TAKEN' },
    { name: null, state: 'KNOWN' },
    { name: null, state: 'REFUSED' },
    { name: null, state: 'READING' },
  ]
  expect(importCounts(files)).toEqual({ files: 4, imported: 1, archived: 1, refused: 1, waiting: 1 })
})
