/** From a missing URL to the mended page in a real browser: what was missed while browsing, groups, notes, ignore rules, and a patch job,
 *  in at most five clicks. The site, the harvests and the archived page are real. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { harvestDefinition } from '../../src-main/contract/services/definition.ts'
import { missing, startTwoHosts } from '../sites/twoHosts.ts'
import { archivedPage, expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let site: Awaited<ReturnType<typeof startTwoHosts>>
let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  site = await startTwoHosts()
  loupe = await openLoupe('missing')
  page = loupe.page
  await page.setViewportSize({ width: 1500, height: 1000 })
  const { harvests, jobs } = loupe.serving.engine.services
  const definition = { seeds: [`${site.origin}/`], delayMs: 0, resolve: site.resolve }
  const { job } = await harvests.create(harvestDefinition.parse(definition))
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
})
test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

const goTo = (hash: string) => page.goto(`${page.url().split('#')[0]}#${hash}`)
const table = () => page.getByRole('table', { name: 'Missing URLs', exact: true })
const row = () => table().getByRole('row').filter({ hasText: 'portrait.png' })
const portrait = () => archivedPage(page).getByRole('img', { name: 'Portrait of the painter' })
const widthOf = (image: Locator) => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)

test('a job that was not browsed lacks nothing, and the screen says what to do', async () => {
  await goTo('/missing')
  await expect(page.getByRole('heading', { name: 'No missing URLs' })).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('what a page of the job lacks is listed with its reason and the page, and leads to the workbench', async () => {
  await goTo(`/viewer?jobs=1&url=${encodeURIComponent(missing.referrer)}`)
  await expect(archivedPage(page).getByRole('heading', { name: 'The Harbour in Winter' })).toBeVisible()
  expect(await widthOf(portrait())).toBe(0)
  await page.getByRole('tab', { name: /^All missing \(1\)/ }).click()
  await page.getByRole('link', { name: 'Ignore or patch these URLs' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Missing from job 1' })).toBeVisible()
  await expect(row()).toContainText('Not fetched: disallowed by robots.txt (line 2: Disallow: /private/).')
  await expect(row()).toContainText('image')
  await expect(row().getByRole('link', { name: missing.referrer })).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Groups' }).getByRole('button', { name: 'museum.test 1' }),
  ).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('groups filter the list', async () => {
  const groups = page.getByRole('region', { name: 'Groups' })
  await groups.getByRole('combobox', { name: 'Group by' }).click()
  await page.getByRole('option', { name: 'Path' }).click()
  await groups.getByRole('button', { name: '/private/*.png 1' }).click()
  await expect(row()).toBeVisible()
  await page.getByRole('textbox', { name: 'Filter missing URLs' }).fill('nothing')
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Filter missing URLs' }).fill('')
  await table().getByRole('button', { name: 'Reason' }).click()
  await expect(table().getByRole('columnheader', { name: 'Reason' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(row()).toBeVisible()
})

test('a note is kept, and an ignore rule hides a URL until it is removed', async () => {
  await row().getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Note…' }).click()
  await page.getByRole('textbox', { name: 'Note' }).fill('ask the museum')
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(row()).toContainText('ask the museum')
  await row().getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Ignore…' }).click()
  const pattern = page.getByRole('textbox', { name: 'Regular expression' })
  await expect(pattern).toHaveValue(String.raw`^http://museum\.test/private/portrait\.png$`)
  await pattern.fill('/private/')
  await page.getByRole('button', { name: 'Add rule' }).click()
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Ignore rules' })).toContainText('/private/11')
  await page.getByRole('button', { name: 'Remove rule /private/' }).click()
  await expect(row()).toBeVisible()
  await expect(page.getByRole('table', { name: 'Ignore rules' })).toBeHidden()
})

test('five clicks lead from the miss to the mended page', async () => {
  let clicks = 0
  const click = async (what: Locator) => {
    clicks += 1
    await what.click()
  }
  await click(row().getByRole('checkbox'))
  await click(page.getByRole('button', { name: 'Patch…' }))
  await click(page.getByRole('checkbox', { name: 'Ignore robots.txt' }))
  await click(page.getByRole('button', { name: 'Make patch job' }))
  await expect(row()).toContainText('Solved')
  await expectAccessibleInBoth(page)
  await click(row().getByRole('link', { name: missing.referrer }))
  await expect.poll(() => widthOf(portrait())).toBeGreaterThan(0)
  expect(clicks).toBeLessThanOrEqual(5)
})

test('the patch job is linked to the job that it patches, and captured nothing else of the site', async () => {
  await goTo('/missing?jobs=1')
  const patches = page.getByRole('table', { name: 'Patch jobs' })
  await expect(patches).toContainText('Job 2')
  await expect(patches.getByRole('link', { name: 'View job 1 with patch job 2' })).toHaveAttribute(
    'href',
    '#/viewer?jobs=1,2',
  )
  const { rows } = await loupe.serving.engine.services.jobs.documents({ job: 2, outcome: 'fetched' })
  expect(rows.map(({ url }) => url)).toEqual([missing.url])
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
