import { expect, test } from 'vitest'
import type { RecoverySummary } from '../../src-main/contract/services/recovery.ts'
import { makeRecovery } from './recovery.ts'

const begun: RecoverySummary = {
  ...{ state: 'RUNNING', started: '2026-11-23T10:00:00.000Z', ended: null, filesTotal: 2, filesDone: 0, bytesTotal: 9 },
  ...{ bytesDone: 0, registered: 0, jobs: [], importJob: null, cleared: 0, problems: [] },
}
const ended: RecoverySummary = { ...begun, state: 'DONE', ended: '2026-11-23T10:00:01.000Z', registered: 2, jobs: [1] }

function made(answers: Partial<Parameters<typeof makeRecovery>[0]['archive']> = {}) {
  let emit: (summary: RecoverySummary) => void = () => undefined
  const store = makeRecovery({
    archive: {
      recover: async () => begun,
      recovery: async () => null,
      stopRecovery: async () => ({ ...begun, state: 'STOPPED' }),
      recoveryChanged: (listener) => {
        emit = listener
        return () => undefined
      },
      ...answers,
    },
  })
  return { store, emit: (summary: RecoverySummary) => emit(summary) }
}

test('a recovery is started, followed and ended', async () => {
  const { store, emit } = made()
  await store.getState().load()
  expect(store.getState().summary).toBeNull()
  await store.getState().start()
  emit({ ...begun, filesDone: 1 })
  expect(store.getState()).toMatchObject({ asking: false, summary: { state: 'RUNNING', filesDone: 1 } })
  emit(ended)
  expect(store.getState().summary).toEqual(ended)
})

test('an answer that arrives after the end changes nothing', async () => {
  const answer = Promise.withResolvers<RecoverySummary>()
  const { store, emit } = made({ recover: () => answer.promise })
  const started = store.getState().start()
  emit(ended)
  answer.resolve(begun)
  await started
  expect(store.getState().summary).toEqual(ended)
})

test('a refusal is kept with its reason', async () => {
  const { store } = made({
    recover: () => Promise.reject(Object.assign(new Error('A recovery is running.'), { code: 'refused' })),
  })
  await store.getState().start()
  expect(store.getState()).toMatchObject({ asking: false, summary: null })
  expect(store.getState().refusal).not.toBeNull()
})
