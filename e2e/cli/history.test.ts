/** The history of real harvests on the command line: it contains exactly the requests that the servers received, and after a kill no
 *  document twice. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { historyReports, type HistoryReportName } from '../../src-main/contract/services/history.ts'
import { initArchive, loupeHere, startLoupe } from '../loupeProcess.ts'
import { startManyPages } from '../sites/manyPages.ts'
import { harvestedMuseum, harvestOf, type Harvested } from './harvested.ts'

let made: Harvested
beforeAll(async () => {
  made = await harvestedMuseum()
})
afterAll(() => made.close())

interface Printed {
  report: string
  total: number
  leftOut: number
  rows: Record<string, string | number | null>[]
}

async function asked(archive: string, ...words: string[]): Promise<Printed> {
  const { code, stdout, stderr } = await loupeHere('--archive', archive, '--json', 'history', ...words)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as Printed
}

const requests = ['--activity', 'fetch', 'robots']

test('a harvest records exactly the requests that the servers saw', async () => {
  const { rows, total } = await asked(made.archive, ...requests)
  expect(total).toBe(rows.length)
  expect(rows.map(({ identifier }) => identifier).sort()).toEqual(made.site.requests.map(({ url }) => url).sort())
  const robots = rows.filter(({ activity }) => activity === 'robots').map(({ identifier }) => String(identifier))
  expect(robots.every((url) => url.endsWith('/robots.txt')) && robots.length).toBe(2)
  const job = await loupeHere('--archive', made.archive, '--json', 'jobs', '1')
  const { bytes } = JSON.parse(job.stdout) as { bytes: number }
  expect(rows.reduce((sum, row) => sum + Number(row['bytes']), 0)).toBe(bytes)
})

test('reports the start of the job and how it ended', async () => {
  const { rows } = await asked(made.archive, '--identifier', '^job 1$', '--ascending')
  expect(rows.map(({ activity }) => activity).sort()).toEqual(['jobEnd', 'jobStart'])
  expect(rows.find(({ activity }) => activity === 'jobEnd')).toMatchObject({ result: 'DOWNLOAD_COMPLETE', job: 1 })
})

const reports: [report: HistoryReportName, check: (rows: Printed['rows']) => void][] = [
  ['maximumActivity', (rows) => expect(rows.map((row) => row['class']).sort()).toEqual(['media.test', 'museum.test'])],
  ['maximumBandwidth', (rows) => expect(rows.every(({ most }) => Number(most) > 0)).toBe(true)],
  ['results', (rows) => expect(rows.map(({ resultClass }) => resultClass)).toContain('200')],
  ['documents', (rows) => expect(rows.some(({ status }) => status === 'robots')).toBe(true)],
  ['queue', (rows) => expect(rows.every(({ ready, processing }) => ready === 0 && processing === 0)).toBe(true)],
  [
    'hosts',
    (rows) => expect(rows.map(({ host }) => host).sort()).toEqual(['http://museum.test', 'https://media.test']),
  ],
  ['mediaTypes', (rows) => expect(rows.map(({ mediaType }) => mediaType)).toContain('text/html')],
  ['statuses', (rows) => expect(rows.map(({ status }) => status)).toEqual(['200', '301'])],
  ['seeds', (rows) => expect(rows).toMatchObject([{ seed: 'http://museum.test/', job: 1, status: '200' }])],
  ['runs', (rows) => expect(rows).toMatchObject([{ run: 1, job: 1, changed: 0, unchanged: 0, gone: 0 }])],
  ['changes', (rows) => expect(new Set(rows.map(({ comparison }) => comparison))).toEqual(new Set(['new']))],
]
test.each(reports)('the report %s', async (report, check) => {
  const { rows } = await asked(made.archive, '--report', report, '--job', '1')
  expect(rows.length).toBeGreaterThan(0)
  check(rows)
})

test('lists as many URLs of a run as its number says', async () => {
  const [run] = (await asked(made.archive, '--report', 'runs', '--job', '1')).rows
  const words = ['--report', 'changes', '--job', '1', '--run', '1', '--change']
  expect((await asked(made.archive, ...words, 'new')).total).toBe(run?.['new'])
  expect((await asked(made.archive, ...words, 'gone')).total).toBe(0)
})

test('a table shows labels, and CSV the names that reports are filtered by', async () => {
  const words = ['--archive', made.archive, 'history', '--identifier', '^job 1$']
  const [table, csv] = [await loupeHere(...words), await loupeHere(...words, '--csv')]
  expect(table.stdout).toMatch(/Job ended +1 +job 1 +Completed: all URLs in scope were visited\./)
  expect(csv.stdout).toMatch(/,jobEnd,1,job 1,DOWNLOAD_COMPLETE,/)
})

test('a job that exists neither in the archive nor in the history is not found', async () => {
  for (const report of ['history', 'hosts', 'seeds']) {
    const { code, stderr } = await loupeHere('--archive', made.archive, 'history', '--report', report, '--job', '2')
    expect([code, stderr]).toEqual([3, 'There is no job 2.\n'])
  }
})

test.each(['history', 'results', 'seeds'] as const)(
  '%s as a table, and as CSV with a row for each of its rows',
  async (report) => {
    const told = await asked(made.archive, '--report', report)
    const csv = await loupeHere('--archive', made.archive, 'history', '--report', report, '--csv')
    const [head, ...lines] = csv.stdout.trimEnd().split('\r\n')
    expect(head).toBe(Object.keys(historyReports[report].columns).join(','))
    expect(lines.length).toBe(told.total)
    const table = await loupeHere('--archive', made.archive, 'history', '--report', report)
    expect(table.code).toBe(0)
    for (const column of Object.keys(historyReports[report].columns)) expect(table.stdout).toContain(column)
  },
)

const wrong: [words: string[], code: number, line: RegExp][] = [
  [['--report', 'hosst'], 2, /hosst/],
  [['--identifier', '('], 2, /parenthesis is never closed/],
  [['--order', 'colour'], 2, /cannot be ordered by "colour": it can be by started/],
]
test.each(wrong)('%j is refused in one line', async (words, code, line) => {
  const refused = await loupeHere('--archive', made.archive, 'history', ...words)
  expect(refused.code).toBe(code)
  expect(refused.stderr).toMatch(line)
})

test('after a kill every document is in the history as often as its capture: once', async () => {
  const site = await startManyPages(120)
  const folder = await mkdtemp(join(tmpdir(), 'loupe-history-'))
  try {
    const archive = await initArchive(join(folder, 'archive'))
    const words = ['--archive', archive, '--json', ...harvestOf(site)]
    const first = startLoupe(words)
    while (site.requests.length < site.urls.length / 2) await sleep(1)
    first.child.kill('SIGKILL')
    await first.ended
    expect((await loupeHere(...words)).code).toBe(0)
    const { rows } = await asked(archive, ...requests)
    expect(rows.map(({ identifier }) => identifier).sort()).toEqual(site.urls)
  } finally {
    await site.close()
    await rm(folder, { recursive: true, force: true })
  }
})
