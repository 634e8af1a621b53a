import { expect, test } from 'vitest'
import type { ImportedFile } from '../../src-main/contract/services/harvests.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import { message } from '../../src-main/contract/words/message.ts'
import { makeImported, totalsOf } from './imported.ts'

function file(from: string, changes: Partial<ImportedFile> = {}): ImportedFile {
  const findings = { errors: 0, warnings: 0, notes: 0 }
  const counts = { code: null, archived: null, bytesTotal: 100, bytesDone: 0, records: 0, captures: 0 }
  return {
    from,
    name: null,
    kind: message('format.warc'),
    state: 'WAITING',
    ...counts,
    findings,
    message: null,
    ...changes,
  }
}

type Changed = Parameters<Parameters<Loupe['harvests']['importChanged']>[0]>[0]

function engine(files: ImportedFile[]) {
  const listeners = new Set<(changed: Changed) => void>()
  const harvests: Pick<Loupe['harvests'], 'imported' | 'importChanged'> = {
    imported: () => Promise.resolve(files),
    importChanged: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
  }
  return {
    store: makeImported({ harvests }, 3),
    emit: (changed: Changed) => listeners.forEach((listener) => listener(changed)),
    listeners,
  }
}

test('a file is updated in place, and one found later is added at the end', async () => {
  const { store, emit } = engine([file('a'), file('b')])
  store.open()
  await expect.poll(() => store.getState().files.is).toBe('ready')
  emit({ job: 3, files: [file('c'), file('a', { state: 'READING', bytesDone: 40 })] })
  emit({ job: 4, files: [file('of another job')] })
  const { files } = store.getState()
  expect(files.is === 'ready' && files.value.map(({ from, bytesDone }) => [from, bytesDone])).toEqual([
    ['a', 40],
    ['b', 0],
    ['c', 0],
  ])
})

test('findings are loaded again when a file has been read, not at every update', async () => {
  const { store, emit } = engine([file('a')])
  store.open()
  await expect.poll(() => store.getState().files.is).toBe('ready')
  const before = store.getState().revision
  emit({ job: 3, files: [file('a', { state: 'READING', bytesDone: 40 })] })
  expect(store.getState().revision).toBe(before)
  emit({ job: 3, files: [file('a', { state: 'IMPORTED', bytesDone: 100 })] })
  expect(store.getState().revision).toBe(before + 1)
})

test('closed, it ignores events', () => {
  const { store, listeners } = engine([])
  store.open()
  store.close()
  expect(listeners.size).toBe(0)
})

test('a rejected file counts as done, because the rest of it is not read', () => {
  const findings = { errors: 1, warnings: 2, notes: 3 }
  const files = [
    file('a', { name: 'a', state: 'IMPORTED', bytesDone: 100, records: 5, captures: 2, findings }),
    file('b', { state: 'REJECTED', bytesDone: 10, findings }),
    file('c', { state: 'READING', bytesDone: 50 }),
    file('d', { state: 'ARCHIVED', bytesDone: 100, archived: { name: 'd', job: 1 } }),
  ]
  expect(totalsOf(files)).toEqual({
    files: 4,
    imported: 1,
    archived: 1,
    rejected: 1,
    waiting: 1,
    bytesDone: 350,
    bytesTotal: 400,
    records: 5,
    captures: 2,
    errors: 2,
    warnings: 4,
    notes: 6,
  })
})
