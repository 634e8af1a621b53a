import { expect, test } from 'vitest'
import type { ViewSummary } from '../../../src-main/contract/services/viewer.ts'
import { choiceOf, draftOf, type ChoiceDraft } from './choiceDraft.ts'

const ofJob3 = { jobs: [3], files: [], all: false }
const draft: ChoiceDraft = { ...ofJob3, moment: 'newest', at: '', within: '', isExact: false, name: '' }
const noon = { moment: 'nearest', at: '2011-05-03T12:00:30' } as const

test.each<[string, Partial<ChoiceDraft>, ReturnType<typeof choiceOf>]>([
  ['the newest', {}, { jobs: [3], at: 'newest' }],
  ['the oldest, kept', { moment: 'oldest', name: ' first ' }, { jobs: [3], at: 'oldest', name: 'first' }],
  ['a moment is UTC', noon, { jobs: [3], at: '2011-05-03T12:00:30.000Z' }],
  ['a moment of minutes', { ...noon, at: '2011-05-03T12:00' }, { jobs: [3], at: '2011-05-03T12:00:00.000Z' }],
  ['a limit', { ...noon, within: 2.5 }, { jobs: [3], at: '2011-05-03T12:00:30.000Z', withinDays: 2.5 }],
  ['a limit counts only from a moment', { within: 0 }, { jobs: [3], at: 'newest' }],
  ['exact URL matches only', { isExact: true }, { jobs: [3], at: 'newest', isExact: true }],
  ['a file', { jobs: [], files: ['a.warc.gz'] }, { jobs: [], files: ['a.warc.gz'], at: 'newest' }],
  [
    'everything, whatever was chosen before',
    { all: true, files: ['a.warc.gz'] },
    { jobs: [], all: true, at: 'newest' },
  ],
  ['nothing', { jobs: [] }, 'nothing'],
  ['no moment', { moment: 'nearest' }, 'moment'],
  ['no days', { ...noon, within: 0 }, 'within'],
  ['more days than the engine takes', { ...noon, within: 100_001 }, 'within'],
])('%s', (_, changes, choice) => {
  expect(choiceOf({ ...draft, ...changes })).toEqual(
    typeof choice === 'string' ? choice : { files: [], all: false, isExact: false, ...choice },
  )
})

test('a selection survives a round trip through the form', () => {
  const shown: ViewSummary = {
    ...{
      view: 1,
      jobs: [2, 3],
      files: ['a.warc.gz'],
      all: false,
      overlays: [],
      at: '2011-05-03T12:00:30Z',
      withinDays: 7,
      isExact: true,
      name: 'mine',
    },
    ...{ captures: 1, seeds: [] },
    ...{ jobsMissing: [], filesMissing: { count: 0, first: [] }, quarantined: { count: 0, first: [] } },
    growth: { isGrowing: false, filesDone: 1, filesTotal: 1, jobsDone: 1, jobsFound: [1] },
    ...{ misses: 0, errors: 0, isRecording: true },
  }
  const selection = { jobs: [2, 3], files: ['a.warc.gz'], all: false }
  const again = { ...selection, at: '2011-05-03T12:00:30.000Z', withinDays: 7, isExact: true, name: 'mine' }
  const newest = { jobs: [9], all: false }
  expect(choiceOf(draftOf(shown, newest))).toEqual(again)
  expect(draftOf({ ...shown, at: 'oldest', withinDays: null }, newest)).toMatchObject({
    moment: 'oldest',
    at: '',
    within: '',
  })
  expect(draftOf(null, newest)).toEqual({ ...draft, jobs: [9] })
  expect(draftOf(null, { jobs: [], all: true })).toEqual({ ...draft, jobs: [], all: true })
})
