/** The stores of the audit log, the report and the batch jobs. */
import { message } from '../../src-main/contract/words/message.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AuditEntry, AuditProgress, AuditVerdict } from '../../src-main/contract/services/audit.ts'
import type { PreservationReport } from '../../src-main/contract/services/archiveStatus.ts'
import type { BatchRunSummary } from '../../src-main/contract/services/batch.ts'
import type { TaskSummary } from '../../src-main/contract/services/tasks.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { entriesToSave, makeAudit } from './audit.ts'
import { makeBatch } from './batch.ts'
import { makeOutput, savedBytesMax, shownBytesMax, wholeOutput } from './batchOutput.ts'
import { makeReport } from './report.ts'

const verdict: AuditVerdict = {
  whole: true,
  entries: 3,
  broken: null,
  head: null,
  witness: { state: 'agrees', number: 3 },
  message: message('text', { text: '' }),
}

function auditWith(verifyAudit: () => Promise<AuditVerdict>) {
  let tell: (progress: AuditProgress) => void = () => undefined
  const archive = {
    verifyAudit,
    auditVerifying: (listener: typeof tell) => {
      tell = listener
      return () => undefined
    },
  }
  return { store: makeAudit({ archive }), tell: (progress: AuditProgress) => tell(progress) }
}

test('verifying: clears the old verdict, and reports only its own progress', async () => {
  let answer: (said: AuditVerdict) => void = () => undefined
  let asked = 0
  const { store, tell } = auditWith(() => {
    asked += 1
    return new Promise((resolve) => (answer = resolve))
  })
  tell({ entries: 1, entriesTotal: 3 })
  expect(store.getState().progress).toBeNull()
  const first = store.getState().verify()
  tell({ entries: 2, entriesTotal: 3 })
  expect(store.getState()).toMatchObject({ verifying: true, progress: { entries: 2 }, verdict: null })
  await store.getState().verify()
  answer(verdict)
  await first
  expect(store.getState()).toMatchObject({ verifying: false, verdict: { result: verdict } })
  expect(asked).toBe(1)
  void store.getState().verify()
  expect(store.getState()).toMatchObject({ verifying: true, progress: null, verdict: null })
})

test('after a lost connection only a log that was verified before is verified again', async () => {
  let asked = 0
  const answers = [() => Promise.resolve(verdict), () => Promise.reject(new Fault('unreachable', 'gone'))]
  const { store } = auditWith(
    () => ((asked += 1), answers.shift()?.() ?? Promise.resolve({ ...verdict, whole: false })),
  )
  await store.getState().load()
  expect(asked).toBe(0)
  await store.getState().verify()
  await store.getState().load()
  expect(store.getState()).toMatchObject({ verdict: null, fault: { code: 'unreachable' } })
  await store.getState().load()
  expect([asked, store.getState().verdict?.result.whole, store.getState().fault]).toEqual([3, false, null])
})

test('a refused verification can be tried again', async () => {
  const { store } = auditWith(() => Promise.reject(new Fault('damaged', 'no')))
  await store.getState().verify()
  expect(store.getState()).toMatchObject({ verifying: false, verdict: null, fault: { code: 'damaged' } })
})

test('entries to save: each once and in order, while others are added', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3_500 }),
      fc.array(fc.nat({ max: 300 }), { maxLength: 6 }),
      async (began, added) => {
        let total = began
        const additions = [...added]
        const auditLog: Loupe['archive']['auditLog'] = async ({ offset = 0, limit = 200 }) => {
          const rows = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, at): AuditEntry => {
            const number = total - offset - at
            return {
              number,
              at: '',
              who: '',
              origin: null,
              what: '',
              subject: '',
              was: null,
              became: null,
              previous: '',
              hash: '',
            }
          })
          const answer = { rows, total }
          total += additions.shift() ?? 0
          return answer
        }
        const entries = await entriesToSave({ archive: { auditLog } }, {}, () => undefined)
        expect(entries.map(({ number }) => number)).toEqual(Array.from({ length: began }, (_, at) => began - at))
      },
    ),
    { numRuns: 40 },
  )
})

test('the report is the one saved last, and a failed report shows why', async () => {
  const answers: (() => ReturnType<Loupe['archive']['report']>)[] = []
  const data = { archive: '/a' } as PreservationReport
  const store = makeReport({ archive: { report: () => answers.shift()?.() ?? Promise.reject(new Error('asked')) } })
  expect(store.getState().report).toBeNull()
  answers.push(() => Promise.resolve({ data, name: 'p.csv', mediaType: 'text/csv', text: 'a' }))
  const made = await store.getState().made('csv')
  expect([made?.text, store.getState().report, store.getState().making]).toEqual([
    'a',
    { is: 'ready', value: data },
    false,
  ])
  answers.push(() => Promise.reject(new Fault('damaged', 'no')))
  await store.getState().make()
  expect(store.getState()).toMatchObject({ making: false, report: { is: 'refused' } })
})

const run = (number: number, bytesDone = 0) =>
  ({ task: number, kind: 'batch', ended: null, bytesDone, figures: {} }) as unknown as BatchRunSummary

test('batch runs: newest first, updated in place, and a refusal kept until the next action', async () => {
  let tell: (changed: TaskSummary) => void = () => undefined
  const refuse = () => Promise.reject(new Fault('refused', 'two are running'))
  const starts = [() => Promise.resolve(run(3)), refuse]
  const { getState } = makeBatch({
    batch: {
      builtIns: () => Promise.resolve([]),
      list: () => Promise.resolve([run(2), run(1)]),
      start: () => starts.shift()?.() ?? refuse(),
      output: refuse,
    },
    tasks: {
      list: () => Promise.resolve([]),
      stop: ({ task }) => (tell(run(task, 9)), Promise.resolve(run(task, 9))),
      pause: refuse,
      resume: refuse,
      changed: (listener) => ((tell = listener), () => undefined),
    },
  })
  const shown = () => {
    const { rows } = getState()
    return rows.is === 'ready' ? rows.value.map((one) => [one.task, one.bytesDone]) : rows.is
  }
  await getState().load()
  const request = { module: 'checksums', kind: 'both', timeoutSeconds: 1, fileTimeoutSeconds: 1 } as const
  await getState().start(request)
  tell(run(2, 5))
  expect(shown()).toEqual([[3, 0], [2, 5], [1, 0]]) // prettier-ignore
  await getState().start(request)
  expect(getState()).toMatchObject({ starting: false, refusal: { code: 'refused' } })
  getState().forgetRefusal()
  expect(getState().refusal).toBeNull()
  await getState().start(request)
  expect(getState().refusal).not.toBeNull()
  await getState().stop(3)
  expect([getState().refusal, shown()]).toEqual([null, [[3, 9], [2, 5], [1, 0]]]) // prettier-ignore
})

/** Output as the engine returns it: parts by byte offset. */
function outputOf(text: () => string): { batch: Pick<Loupe['batch'], 'output'> } {
  return {
    batch: {
      output: async ({ offset = 0, limit = 65_536 }) => {
        const piece = text().slice(offset, offset + limit)
        return { text: piece, next: offset + piece.length, bytesTotal: text().length }
      },
    },
  }
}

test('output: in pieces, and from the beginning when more was written', async () => {
  let text = 'a'.repeat(100_000)
  const store = makeOutput(
    outputOf(() => text),
    { task: 1, of: 'output' },
  )
  await store.getState().begin()
  expect(store.getState()).toMatchObject({ shownBytes: 65_536, bytesTotal: 100_000 })
  await store.getState().later()
  expect(store.getState().text).toBe(text)
  text = 'other'
  await store.getState().begin()
  expect(store.getState()).toMatchObject({ text: 'other', shownBytes: 5, bytesTotal: 5 })
  expect(shownBytesMax % 65_536).toBe(0)
})

test('the complete output is saved, unless it is too long', async () => {
  const text = 'line\n'.repeat(500_000)
  expect(await wholeOutput(outputOf(() => text), { task: 1, of: 'output' }, 'too long')).toBe(text) // prettier-ignore
  const long: Pick<Loupe['batch'], 'output'> = {
    output: () => Promise.resolve({ text: 'a', next: 1, bytesTotal: savedBytesMax + 1 }),
  }
  await expect(wholeOutput({ batch: long }, { task: 1, of: 'output' }, 'too long')).rejects.toThrow('too long')
})
