import { describe, expect, test } from 'vitest'
import { message } from '../../contract/words/message.ts'
import type { StoreProgress } from './upload.ts'
import { uploadProgress } from './uploadProgress.ts'

const found = [
  { path: '/from/a.warc', bytes: 100 },
  { path: '/from/b.warc', bytes: 50 },
]
const step = (replica: string, done: StoreProgress['step'], bytes: number): StoreProgress => ({
  ...{ replica, step: done, bytes, bytesTotal: 100 },
})
const stored = { state: 'stored', problem: null, code: null } as const

function started() {
  const progress = uploadProgress(3, found, [])
  const [first, second] = progress.files
  if (!first || !second) throw new Error('two files were given')
  return { progress, first, second }
}

describe('the progress of an upload', () => {
  test('begins with all files waiting', () => {
    const { progress } = started()
    expect(progress.files.map(({ name, state }) => `${name} ${state}`)).toEqual(['a.warc waiting', 'b.warc waiting'])
    expect(progress.summary()).toMatchObject({ upload: 3, filesDone: 0, filesTotal: 2, bytesDone: 0, bytesTotal: 150 })
  })

  test.each<[what: string, steps: StoreProgress[], bytesDone: number]>([
    ['copying counts as half', [step('one', 'copying', 80)], 40],
    ['reading back as the other half', [step('one', 'verifying', 80)], 90],
    ['the slowest replica decides', [step('one', 'verifying', 100), step('two', 'copying', 10)], 5],
  ])('%s', (_, steps, bytesDone) => {
    const { progress, first } = started()
    progress.begin(first)
    for (const each of steps) progress.note(each)
    expect(progress.summary().bytesDone).toBe(bytesDone)
  })

  test('a file that ended counts with all of its bytes, also when it was refused', () => {
    const { progress, first, second } = started()
    progress.begin(first)
    progress.note(step('one', 'copying', 60))
    progress.end(first, stored)
    expect(progress.summary()).toMatchObject({ filesDone: 1, bytesDone: 100 })
    progress.end(second, { state: 'refused', problem: message('upload.absent', { upload: 1 }), code: 'refused' })
    expect(progress.summary()).toMatchObject({ filesDone: 2, bytesDone: 150 })
  })

  test('a file that a stop interrupted waits again', () => {
    const { progress, first } = started()
    progress.begin(first)
    progress.note(step('one', 'copying', 60))
    progress.end(first, { state: 'waiting', problem: null, code: null })
    expect(progress.summary()).toMatchObject({ filesDone: 0, bytesDone: 0 })
    expect(first.state).toBe('waiting')
  })
})
