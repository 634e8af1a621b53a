import { expect, test } from 'vitest'
import type { StoreProgress } from './upload.ts'
import { UploadProgress } from './uploadProgress.ts'

const fileBytes = 100
const step = (replica: string, done: StoreProgress['step'], bytes: number): StoreProgress => ({
  ...{ replica, step: done, bytes, bytesTotal: fileBytes },
})

function begun(): UploadProgress {
  const progress = new UploadProgress({ files: 3, bytes: 1_000, notStored: 1 })
  progress.begin(fileBytes)
  return progress
}

test.each<[what: string, steps: StoreProgress[], bytesOfFile: number]>([
  ['nothing of the current file counts before it is copied', [], 0],
  ['copying counts as half', [step('one', 'copying', 80)], 40],
  ['reading back counts as the other half', [step('one', 'verifying', 80)], 90],
  ['the slowest replica decides', [step('one', 'verifying', 100), step('two', 'copying', 10)], 5],
  [
    'a file that grew since it was found counts with the bytes it had then',
    [{ ...step('one', 'verifying', 150), bytesTotal: 150 }],
    100,
  ],
])('%s', (_, steps, bytesOfFile) => {
  const progress = begun()
  for (const each of steps) progress.note(each)
  expect(progress.columns).toEqual({ filesDone: 3, bytesDone: 1_000 + bytesOfFile, findings: 1 })
})

test('a finished file counts with all its bytes, even if it was not stored', () => {
  const progress = begun()
  progress.note(step('one', 'copying', 60))
  progress.end(true)
  expect(progress.columns).toEqual({ filesDone: 4, bytesDone: 1_100, findings: 1 })
  progress.begin(50)
  progress.end(false)
  expect(progress.columns).toEqual({ filesDone: 5, bytesDone: 1_150, findings: 2 })
})
