import { message } from '../../src-main/contract/words/message.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PreservationState } from '../../src-main/contract/states/states.ts'
import type { TaskState } from '../../src-main/contract/states/taskStates.ts'
import type { AffectedFile, FileHistory } from '../../src-main/contract/services/archivedFiles.ts'
import type { CheckSummary } from '../../src-main/contract/services/checks.ts'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { check as checkOf, now } from './testing/storeFixtures.ts'
import { checkAsItIs, makeArchivedFile, patternOf } from './archivedFile.ts'
import { matcherOf, patternOf as enginePattern } from '../../src-main/patterns/pattern.ts'

const sha256 = 'ab'.repeat(32)

function history(preservation: PreservationState): FileHistory {
  return {
    file: {
      name: 'a.warc',
      kind: 'content',
      job: 1,
      bytes: 3,
      sha256,
      stored: now,
      replicas: [
        { replica: 'ONE', upload: 'UPLOAD_COMPLETED', problem: null, preservation, checked: null, verified: null },
      ],
    },
    vote: {
      name: 'a.warc',
      job: 1,
      bytes: 3,
      registered: sha256,
      registeredVerdict: 'unknown',
      winner: null,
      votes: 1,
      needed: 2,
      copies: [],
      message: message('vote.noneRight'),
    },
    observations: [],
    attic: [],
    audit: [],
  }
}

function check(state: TaskState, number = 4): CheckSummary {
  return checkOf({ task: number, files: '^a\\.warc$', state, filesTotal: 1, bytesTotal: 3 })
}

/** An engine with replies chosen by the test. */
function engine(preservation: PreservationState = 'OK') {
  const asked: string[] = []
  const says = { history: history(preservation), refuses: false }
  const affected: AffectedFile = {
    name: 'a.warc',
    job: 1,
    bytes: 3,
    vote: says.history.vote,
    goodIn: [],
    content: null,
    referredBy: [],
  }
  return {
    asked,
    says,
    archive: {
      file: ({ name }: { name: string }) => {
        asked.push(`file ${name}`)
        return Promise.resolve(says.history)
      },
      affected: () => {
        asked.push('affected')
        return Promise.resolve(affected)
      },
      check: ({ files, replica }: { files?: string | undefined; replica?: string | undefined }) => {
        asked.push(`check ${files} in ${replica}`)
        return says.refuses ? Promise.reject(new Fault('refused', 'busy')) : Promise.resolve(check('RUNNING'))
      },
    },
  }
}

test('a sound file is loaded, and affected captures are requested only by the user', async () => {
  const { archive, asked } = engine()
  const store = makeArchivedFile({ archive }, 'a.warc')
  expect(store.getState().history.is).toBe('loading')
  await store.getState().load()
  expect([store.getState().history.is, store.getState().affected]).toEqual(['ready', null])
  await store.getState().askAffected()
  expect(store.getState().affected).toMatchObject({ is: 'ready' })
  expect(asked).toEqual(['file a.warc', 'affected'])
})

test('affected captures of a damaged file are requested automatically, once', async () => {
  const { archive, asked } = engine('MISSING')
  const store = makeArchivedFile({ archive }, 'a.warc')
  await store.getState().load()
  await store.getState().load()
  expect(asked).toEqual(['file a.warc', 'affected', 'file a.warc'])
})

test('a check covers this file only, in all its copies or one, and is started once', async () => {
  const { archive, asked } = engine()
  const store = makeArchivedFile({ archive }, 'a.warc')
  await Promise.all([store.getState().checkNow('ONE'), store.getState().checkNow('ONE')])
  await store.getState().checkNow()
  expect(asked).toEqual(['check ^a\\.warc$ in ONE', 'check ^a\\.warc$ in undefined'])
  expect(store.getState()).toMatchObject({ asking: false, begun: { task: 4 } })
})

test.each<[what: string, begun: CheckSummary | null, told: CheckSummary[], state: string | undefined]>([
  ['none was started', null, [check('RUNNING', 5)], undefined],
  ['no event arrived yet', check('RUNNING'), [check('DONE', 5)], 'RUNNING'],
  ['it ended before the reply to its start', check('RUNNING'), [check('RUNNING', 5), check('DONE')], 'DONE'],
])('the displayed check: %s', (_what, begun, told, state) => {
  expect(checkAsItIs(begun, { is: 'ready', value: told })?.state).toBe(state)
})

test('an older history of the file does not replace a newer one', async () => {
  const { archive, says } = engine()
  const answers: (() => void)[] = []
  const file = () => {
    const { history: told } = says
    return new Promise<FileHistory>((resolve) => answers.push(() => resolve(told)))
  }
  const store = makeArchivedFile({ archive: { ...archive, file } }, 'a.warc')
  const before = store.getState().load()
  says.history = history('CORRUPT')
  const after = store.getState().load()
  answers[1]?.()
  await after
  answers[0]?.()
  await before
  expect(store.getState().history).toMatchObject({ value: { file: { replicas: [{ preservation: 'CORRUPT' }] } } })
})

test('a refused check is reported until the next one is started', async () => {
  const { archive, says } = engine()
  const store = makeArchivedFile({ archive }, 'a.warc')
  says.refuses = true
  await store.getState().checkNow()
  expect(store.getState().refusal).toMatchObject({ code: 'refused', message: 'busy' })
  says.refuses = false
  await store.getState().checkNow()
  expect(store.getState()).toMatchObject({ refusal: null, begun: { task: 4 } })
})

test('the pattern of a name matches only that name, as the engine reads patterns', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (name, other) => {
      const matcher = matcherOf([enginePattern(patternOf(name))])
      expect(matcher.first(name)).toBeDefined()
      expect(matcher.first(`${name}${other}`) === undefined).toBe(other !== '')
    }),
  )
})
