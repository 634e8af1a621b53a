/** The numbers of a job, compared everywhere they are shown: the job's page and the list of jobs in a real browser, the command line
 *  as text and JSON, the queue, and the report in the archive; with each other, and with the answers that the server of the site
 *  sent. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { harvestDefinition } from '../../src-main/contract/services/definition.ts'
import type { JobSummary } from '../../src-main/contract/services/jobSummary.ts'
import type { JobWhole } from '../../src-main/contract/services/jobDetails.ts'
import { loupe as command } from '../loupeProcess.ts'
import { closedAddress, listen } from '../sites/server.ts'
import { expectAccessibleInBoth, openJobTab, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

const links = ['/hold', '/a', '/b', '/missing', '/gone', '/broken', '/moved', '/private/1', '/private/2']
const statuses: Record<string, number> = {
  '/missing': 404,
  '/gone': 410,
  '/broken': 500,
  '/moved': 302,
  '/robots.txt': 404,
}

let loupe: OpenedLoupe
let page: Page
let job: number
let site: Awaited<ReturnType<typeof listen>>
let whole: JobWhole
/** The status of each answer of the server in the current run, by path. */
let answered = new Map<string, number>()
const asked = Promise.withResolvers<undefined>()
const released = Promise.withResolvers<undefined>()

test.beforeAll(async () => {
  site = await listen(
    createServer((request, response) => {
      const path = request.url ?? ''
      const status = statuses[path] ?? 200
      const answer = () => {
        answered.set(path, status)
        response.writeHead(status, { 'Content-Type': 'text/html', ...(status === 302 && { Location: '/a' }) })
        response.end(
          path === '/' ? links.map((link) => `<a href="${link}">${link}</a>`).join('\n') : `The page ${path}`,
        )
      }
      if (path !== '/hold') return answer()
      asked.resolve(undefined)
      void released.promise.then(answer)
    }),
  )
  loupe = await openLoupe('numbers', async (_, archive) => {
    await mkdir(archive, { recursive: true })
    await writeFile(join(archive, 'loupe.toml'), '[harvest]\nattemptsMax = 1\nconnectionsPerHost = 1\n')
  })
  page = loupe.page
  await page.setViewportSize({ width: 1500, height: 1000 })
  const seeds = [`http://${site.address}/`, `http://${await closedAddress()}/`]
  const definition = harvestDefinition.parse({ seeds, exclude: ['/private/'], delayMs: 0, name: 'Numbers' })
  ;({ job } = await loupe.serving.engine.services.harvests.create(definition))
  await asked.promise
})
test.afterAll(async () => {
  released.resolve(undefined)
  await loupe.close()
  await site.close()
})

const shown = async () => loupe.serving.engine.services.jobs.show({ job })
const fact = (name: string) =>
  page
    .locator('dl.facts > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
const row = () => page.getByRole('table', { name: 'Jobs' }).getByRole('row').filter({ hasText: 'Numbers' })
const total = ({ errors, warnings, notes }: JobSummary['findingCounts']) => errors + warnings + notes

async function openPage(): Promise<void> {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('link', { name: 'Numbers' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: `Job ${job}: Numbers` })).toBeVisible()
}

async function said(...words: string[]): Promise<string> {
  const { stdout, stderr, code } = await command('--archive', loupe.archive, ...words)
  expect([code, stderr]).toEqual([0, expect.any(String)])
  return stdout
}

test('during a run, page, list, queue and command line agree on the queued URLs', async () => {
  await expect.poll(async () => (await shown()).documents.failed).toBeGreaterThan(0)
  whole = await shown()
  const queue = await loupe.serving.engine.services.queue.show({ job })
  const { queued, progress, documents } = whole
  // The page whose response is delayed, and the pages that wait for it.
  expect(queued).toBe(links.length - 2)
  expect(queue.waiting + queue.inFlight).toBe(queued)
  expect(documents.excluded).toBe(2)
  expect(progress).toEqual({ done: documents.fetched + documents.failed, total: documents.total - 2 })
  expect(progress.total).toBe(progress.done + queued)

  await expect(row()).toContainText(`${progress.done} / ${progress.total}`)
  await openPage()
  await expect(fact('Queued')).toHaveText(String(queued))
  await expect(fact('Excluded')).toHaveText('2')
  await expect(page.getByText(new RegExp(`^${progress.done} of ${progress.total} · `))).toBeVisible()
  await openJobTab(page, 'URLs')
  await expect(
    page.getByText(`${queued} queued (${queue.waiting} waiting, ${queue.inFlight} in progress)`),
  ).toBeVisible()
  await openJobTab(page, 'Results')
  expect(await said('queue', String(job))).toContain(
    `${queued} URLs queued (${queue.waiting} waiting, ${queue.inFlight} in progress)`,
  )
  expect(await said('jobs', String(job))).toContain(
    `${progress.done} of ${progress.total} URLs in scope, ${queued} queued, 2 excluded`,
  )
  const [listed] = JSON.parse(await said('--json', 'jobs')) as JobSummary[]
  expect(listed).toMatchObject({ queued, progress, documents })
})

test('a run that is stopped and the next one are listed with their numbers', async () => {
  const { jobs } = loupe.serving.engine.services
  await jobs.abort({ job })
  released.resolve(undefined)
  await expect.poll(async () => (await shown()).state).toBe('INACTIVE')
  const first = await shown()
  answered = new Map()
  await jobs.start({ job })
  await expect.poll(async () => (await shown()).stopReason).toBe('DOWNLOAD_COMPLETE')
  await expect.poll(async () => (await shown()).state).toBe('INACTIVE')
  whole = await shown()
  expect(whole.runs.map(({ run, stopReason }) => [run, stopReason])).toEqual([
    [2, 'DOWNLOAD_COMPLETE'],
    [1, 'DOWNLOAD_UNFINISHED'],
  ])
  const [last, before] = whole.runs
  expect(before).toEqual(first.runs[0])
  expect(before).toMatchObject({ captures: first.documents.fetched, bytes: first.bytes, ended: first.ended })
  const { errors, warnings } = whole.findingCounts
  expect(last).toMatchObject({ captures: whole.documents.fetched, bytes: whole.bytes, findings: errors + warnings })

  const table = page.getByRole('table', { name: 'Runs' })
  await expect(table.getByRole('row')).toHaveCount(3)
  await expect(table.getByRole('row').nth(1)).toContainText('Completed: all URLs in scope were visited.')
  await expect(table.getByRole('row').nth(2)).toContainText('Ended before all URLs in scope were visited.')
  const printed = JSON.parse(await said('--json', 'jobs', String(job))) as JobWhole
  expect(printed.runs).toEqual(whole.runs)
})

test('responses and findings match those of the server, on the page, on the command line and in the report', async () => {
  const served = (matches: (status: number) => boolean) => [...answered.values()].filter(matches).length
  const between = (least: number) => served((status) => status >= least && status < least + 100)
  expect([...answered.keys()].filter((path) => path.startsWith('/private/'))).toEqual([])
  const { answers, documents, findingCounts, progress } = whole
  expect(answers).toEqual({
    ...{ success: between(200), redirects: between(300), clientErrors: between(400), serverErrors: between(500) },
    ...{ notFound: served((status) => status === 404), other: 0, none: documents.failed },
  })
  expect(answers?.notFound).toBe(2)
  expect(documents.fetched).toBe(answered.size)
  expect(progress).toEqual({ done: answered.size + documents.failed, total: answered.size + documents.failed })
  // Each URL that failed is a finding.
  expect(findingCounts).toEqual({ errors: 0, warnings: documents.failed, notes: 0 })
  expect(whole.findings.reduce((sum, { count }) => sum + count, 0)).toBe(total(findingCounts))

  await expect(fact('Not found (404)')).toHaveText('2')
  await expect(page.getByRole('table', { name: 'HTTP responses' })).toContainText('Not found (404)2')
  await expect(page.getByRole('table', { name: 'HTTP responses' })).toContainText(
    `Failed, no response${documents.failed}`,
  )
  await expect(fact('Findings').getByRole('img')).toHaveAccessibleName(`0 errors, ${documents.failed} warnings, 0 info`)
  const text = await said('jobs', String(job))
  expect(text).toContain('2 not found (404)')
  expect(text).toContain(`findings   ${documents.failed} (`)
  const report = await readFile(join(loupe.archive, 'replicas/ONE', `${job}-metadata-2.warc`), 'latin1')
  for (const [name, value] of [
    ['fetched', documents.fetched],
    ['failed', documents.failed],
    ['excluded', 2],
    ['inScope', progress.total],
    ['answers-notFound', 2],
    ['answers-serverErrors', 1],
    ['findings', total(findingCounts)],
    ['bytes', whole.bytes],
  ])
    expect(report, String(name)).toContain(`\n${name} ${value}\n`)
  await expectAccessibleInBoth(page)
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await expect(row().getByRole('img', { name: `0 errors, ${documents.failed} warnings, 0 info` })).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('bytes received and the size of the files are different numbers', async () => {
  expect(whole.fileBytes).toBe(whole.files.reduce((sum, { bytes }) => sum + bytes, 0))
  const { stdout } = await command('--archive', loupe.archive, '--json', 'jobs')
  expect(JSON.parse(stdout)).toMatchObject([{ bytes: whole.bytes, findingCounts: whole.findingCounts }])
  await openPage()
  await expect(fact('Received')).toBeVisible()
  await expect(fact('Files (compressed)')).toBeVisible()
  loupe.expectNoBugs()
})
