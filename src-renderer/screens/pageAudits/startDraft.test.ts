import { expect, test } from 'vitest'
import { pageAuditRequest } from '../../../src-main/contract/services/pageAudits.ts'
import { requestOf, type StartDraft } from './startDraft.ts'

const draft: StartDraft = { by: 'all', pages: 5, seed: 7, pattern: '', pagesAtOnce: 3, compareWith: null }

test.each<[Partial<StartDraft>, object]>([
  [{}, { sampling: { by: 'all' }, pagesAtOnce: 3 }],
  [
    { by: 'first', pattern: 'x' },
    { sampling: { by: 'first', pagesPerHost: 5 }, pattern: 'x' },
  ],
  [
    { by: 'random', compareWith: '4' },
    { sampling: { by: 'random', pages: 5, seed: 7 }, compareWith: 4 },
  ],
  [{ compareWith: 'crawlTime' }, { compareWith: 'crawlTime' }],
  [{ compareWith: 'live' }, { compareWith: 'live' }],
])('%j becomes a request that the engine takes', (changes, expected) => {
  const request = { job: 1, ...requestOf({ ...draft, ...changes }) }
  expect(pageAuditRequest.parse(request)).toMatchObject(expected)
})
