/** The history in the interface: every report over a real harvest as a chart and a table, restricted by its filters, saved as CSV. */
import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { startTwoHosts } from '../sites/twoHosts.ts'
import { expectAccessibleInBoth, openJobTab, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let site: Awaited<ReturnType<typeof startTwoHosts>>
let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  site = await startTwoHosts()
  loupe = await openLoupe('history')
  page = loupe.page
  const { harvests, jobs } = loupe.serving.engine.services
  const { job } = await harvests.create({ seeds: [`${site.origin}/`], resolve: site.resolve, delayMs: 0 })
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
})

test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

const rows = (name: string) => page.getByRole('table', { name, exact: true }).locator('tbody tr:not([aria-hidden])')

async function toReport(name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Report' }).click()
  await page.getByRole('option', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible()
}

test('the simple history has every request that the servers saw, and the events of the job', async () => {
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible()
  await expect(page.getByText(`${site.requests.length + 2} rows`)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Activities over time' })).toBeVisible()
  await expect(rows('Rows').filter({ hasText: 'Job ended' })).toContainText(
    'Completed: all URLs in scope were visited.',
  )
  // Addresses are shown in full, over as many lines as they need.
  const cut = await page
    .getByRole('table', { name: 'Rows', exact: true })
    .locator('tbody td')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent))
  expect(cut).toEqual([])
  await expectAccessibleInBoth(page)
})

test('it is filtered by kind and pattern, sorted, and reports an invalid pattern', async () => {
  await page.getByRole('textbox', { name: 'URL or job matches' }).fill('robots\\.txt$')
  await expect(page.getByText('2 rows')).toBeVisible()
  await expect(rows('Rows')).toHaveCount(2)
  await page.getByRole('button', { name: 'URL or job', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'URL or job' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows('Rows').first()).toContainText('http://museum.test/robots.txt')
  await page.getByRole('textbox', { name: 'URL or job matches' }).fill('(')
  await expect(page.getByText('This parenthesis is never closed.')).toBeVisible()
  await page.getByRole('textbox', { name: 'URL or job matches' }).fill('nowhere')
  await expect(page.getByText('No results')).toBeVisible()
  await page.getByRole('textbox', { name: 'URL or job matches' }).fill('')
})

test('all rows are saved as CSV', async () => {
  await expect(page.getByText(`${site.requests.length + 2} rows`)).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe('history.csv')
  const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect(head).toBe('started,activity,job,identifier,result,bytes,took,description')
  expect(lines.length).toBe(site.requests.length + 2)
})

const reports: [name: string, holds: string | RegExp][] = [
  ['Maximum activity', /museum\.test/],
  ['Maximum bandwidth', /media\.test/],
  ['Result histogram', /200/],
  ['Queue summary', /museum\.test/],
  ['Hosts', /https:\/\/media\.test/],
  ['Media types', /text\/html/],
  ['HTTP statuses', /301/],
  ['Seeds', /http:\/\/museum\.test\//],
]
for (const [name, holds] of reports) {
  test(`${name} has a chart and an accessible table`, async () => {
    await toReport(name)
    await expect(rows(name).filter({ hasText: holds }).first()).toBeVisible()
    await expect(page.getByRole('table', { name: 'Largest values' })).toBeVisible()
    await expectAccessibleInBoth(page)
  })
}

test('document status lists documents by their states', async () => {
  await toReport('URL states')
  await expect(page.getByRole('table', { name: 'URLs by state' })).toContainText('Done')
  await page.getByRole('textbox', { name: 'Result matches' }).fill('^robots$')
  await expect(rows('Rows')).toHaveCount(1)
  await expect(rows('Rows')).toContainText('/private/portrait.png')
  await expectAccessibleInBoth(page)
})

test('the page of a job links to its reports', async () => {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().click()
  await openJobTab(page, 'Files')
  await page.getByRole('link', { name: 'Seeds', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Jobs' })).toHaveValue('1')
  await expect(rows('Seeds')).toHaveCount(1)
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
