/** A run and what went wrong in it, in words. */
import fc from 'fast-check'
import { createIntl } from 'react-intl'
import { describe, expect, test } from 'vitest'
import { failedFilesDefault } from '../../../src-main/archive/batch/limits.ts'
import type { BatchRequest, BatchRunSummary } from '../../../src-main/contract/services/batch.ts'
import { message } from '../../../src-main/contract/words/message.ts'
import { makeFormats } from '../../parts/formats.ts'
import { en } from '../../words/en.ts'
import { translatorOf } from '../../words/language.ts'
import { errorsByFile } from './errorsByFile.ts'
import { failuresDefault } from './exampleModule.ts'
import { choiceWords, outcomeWords } from './runWords.ts'

const intl = createIntl({
  locale: 'en',
  messages: en,
  onError: (error) => {
    throw error
  },
})
const t = translatorOf(intl)
const request: BatchRequest = { module: 'checksums', kind: 'both', timeoutSeconds: 60, fileTimeoutSeconds: 60 }

const whole: BatchRunSummary = {
  task: 1,
  kind: 'batch',
  subject: message('text', { text: 'checksums' }),
  name: 'checksums',
  request,
  state: 'DONE',
  stage: null,
  startedBy: 'user',
  runningMs: 60_000,
  filesTotal: 8,
  bytesTotal: 80,
  filesDone: 8,
  findings: 0,
  bytesDone: 80,
  output: '/a/batch/checksums.out',
  errors: '/a/batch/checksums.err',
  figures: { outputBytes: 1, errorBytes: 0 },
  started: '2026-11-20T12:00:00.000Z',
  ended: '2026-11-20T12:01:00.000Z',
  problem: null,
  code: null,
  canStop: false,
  canPause: false,
  canResume: false,
}

test.each<[why: string, changes: Partial<BatchRunSummary>, said: RegExp]>([
  ['all succeeded', {}, /^All 8 files were processed\.$/],
  ['no files selected', { filesTotal: 0, filesDone: 0 }, /^No files were selected\.$/],
  ['some failed', { state: 'DONE_WITH_FINDINGS', findings: 2 }, /; 2 failed\. See the errors/],
  ['running', { state: 'RUNNING', ended: null }, /^$/],
  ['running, with one failure', { state: 'RUNNING', ended: null, findings: 1 }, /^1 file has failed so far\.$/],
  ['a user stopped it', { state: 'STOPPED', filesDone: 3 }, /^Stopped\. .* 3 of 8 files\. .*run it again/],
  ['Loupe was killed', { state: 'INTERRUPTED', filesDone: 3 }, /^Loupe was closed during the run.*3 of 8/],
  ['the run failed', { state: 'FAILED', filesDone: 3, problem: message('text', { text: 'It took longer.' }), code: 'refused' }, /^It took longer\. The run failed after 3 of 8 files\. .*run it again/],
  ['the disk is full', { state: 'FAILED', problem: message('text', { text: 'No space.' }), code: 'noSpace' }, /Free up disk space/],
])('outcome of a run: %s', (_, changes, said) => {
  expect(outcomeWords(t, makeFormats('en'), { ...whole, ...changes }).join(' ')).toMatch(said)
}) // prettier-ignore

test.each<[changes: Partial<BatchRequest>, said: string]>([
  [{}, 'All files'],
  [{ jobs: [3] }, 'job 3'],
  [{ jobs: [3, 5] }, 'job 3, job 5'],
  [{ kind: 'metadata', files: '^a', replica: 'TWO' }, 'metadata, names matching ^a, from TWO'],
])('selected files: %o', (changes, said) => {
  expect(choiceWords(t, { ...request, ...changes })).toBe(said)
})

test("the number in the example is the engine's", () => {
  expect(failuresDefault).toBe(failedFilesDefault)
})

describe('errors by file', () => {
  test("failures with their further lines, remarks, and the module's own steps", () => {
    const text =
      'start: loaded\na.warc: FAILED Error: no\n      at one\n      at two\na.warc: a remark\nb.warc.gz: says: this\nMessages about further files are left out.\n'
    expect(errorsByFile(text)).toEqual([
      { name: 'start', lines: [{ failed: false, text: 'loaded' }] },
      {
        name: 'a.warc',
        lines: [
          { failed: true, text: 'Error: no\n    at one\n    at two' },
          { failed: false, text: 'a remark' },
        ],
      },
      { name: 'b.warc.gz', lines: [{ failed: false, text: 'says: this' }] },
      { name: '', lines: [{ failed: false, text: 'Messages about further files are left out.' }] },
    ])
  })

  test('no text is lost, wherever the output is cut', () => {
    const line = fc.constantFrom('a.warc: FAILED no', 'b.warc: a remark', '  at one', 'something else', '')
    fc.assert(
      fc.property(fc.array(line), fc.nat(), (lines, cut) => {
        const text = lines.join('\n').slice(0, cut)
        const shown = errorsByFile(text).flatMap(({ lines: said }) => said.flatMap((one) => one.text.split('\n')))
        const wanted = text.split('\n').filter((one) => one !== '')
        expect(shown.length).toBeGreaterThanOrEqual(wanted.length)
        expect(new Set(errorsByFile(text).map(({ name }) => name)).size).toBe(errorsByFile(text).length)
      }),
    )
  })
})
