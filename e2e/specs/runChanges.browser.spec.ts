/** What each run of a harvest changed, on the page of its job: a site that changes between two runs, the numbers of each run, and the list
 *  of URLs to which each number leads. */
import { createServer } from 'node:http'
import { expect, test, type Page } from '@playwright/test'
import { listen } from '../sites/server.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

/** The pages of the site in each run; all that are missing are answered with 404. */
const pages: Record<string, string>[] = [
  { '/': '<a href="/a">a</a> <a href="/b">b</a> <a href="/c">c</a>', '/a': 'A', '/b': 'B', '/c': 'C' },
  {
    '/': '<a href="/a">a</a> <a href="/b">b</a> <a href="/c">c</a> <a href="/d">d</a>',
    '/a': 'A',
    '/b': 'B2',
    '/d': 'D',
  },
]
let visited = pages[0]
let site: Awaited<ReturnType<typeof listen>>
let loupe: OpenedLoupe
let page: Page
let job: number

test.beforeAll(async () => {
  site = await listen(
    createServer((request, response) => {
      const body = visited?.[request.url ?? '']
      response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'text/html' })
      response.end(body ?? 'Not here')
    }),
  )
  loupe = await openLoupe('run-changes')
  page = loupe.page
  const { harvests, jobs } = loupe.serving.engine.services
  const seeds = [`http://${site.address}/`]
  ;({ job } = await harvests.create({ seeds, delayMs: 0, name: 'Changing' }))
  const hasEnded = (run: number) =>
    expect
      .poll(async () => (await jobs.show({ job })).runs.find((each) => each.run === run && each.ended !== null))
      .toBeDefined()
  await hasEnded(1)
  visited = pages[1]
  await jobs.start({ job })
  await hasEnded(2)
})
test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

const run = (number: number) =>
  page
    .getByRole('table', { name: 'Runs', exact: true })
    .locator('tbody tr:not([aria-hidden])')
    .nth(2 - number)
const rows = () => page.getByRole('table', { name: 'Rows', exact: true }).locator('tbody tr:not([aria-hidden])')

async function openJob(): Promise<void> {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('table', { name: 'Jobs' }).getByRole('link', { name: 'Changing' }).click()
  await expect(page.getByRole('heading', { name: 'Runs' })).toBeVisible()
}

test('each run says what changed, and what the words mean', async () => {
  await openJob()
  // The seed has a further link; robots.txt is missing in both runs.
  await expect(run(2)).toContainText('2 unchanged, 1 new, 1 gone, 2 changed')
  await expect(run(1)).toContainText('5 new')
  await expect(run(2).getByTitle('Gone: now not found (404 or 410)', { exact: false })).toHaveText('1 gone')
  await expectAccessibleInBoth(page)
})

const lists: [run: number, link: string, paths: string[]][] = [
  [2, '2 unchanged', ['/a', '/robots.txt']],
  [2, '1 new', ['/d']],
  [2, '1 gone', ['/c']],
  [2, '2 changed', ['/', '/b']],
  [1, '5 new', ['/', '/a', '/b', '/c', '/robots.txt']],
]
for (const [number, link, paths] of lists) {
  test(`“${link}” of run ${number} leads to these URLs`, async () => {
    await openJob()
    await run(number).getByRole('link', { name: link }).click()
    await expect(page.getByRole('heading', { level: 2, name: 'Changes of a run' })).toBeVisible()
    await expect(rows()).toHaveCount(paths.length)
    const urls = await rows().locator('td:first-child').allTextContents()
    expect(urls.map((url) => url.trim()).toSorted()).toEqual(paths.map((path) => `http://${site.address}${path}`))
  })
}

test('the list is filtered by run and by change', async () => {
  await page.getByRole('textbox', { name: 'Run', exact: true }).fill('2')
  await expect(page.getByRole('textbox', { name: 'URL or job matches' })).toBeVisible()
  await expect(rows()).toHaveCount(1)
  await page.getByLabel('Clear changes').click()
  await expect(rows()).toHaveCount(6)
  await expectAccessibleInBoth(page)
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
