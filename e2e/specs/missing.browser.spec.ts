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
  await click(row().getByRole('link', { name: 'After the patch' }))
  await expect.poll(() => widthOf(portrait())).toBeGreaterThan(0)
  expect(clicks).toBeLessThanOrEqual(5)
})

test('the view names the overlay, hides it and shows it again', async () => {
  const width = () => widthOf(portrait())
  await expect(page.getByText(/^With overlay Patch of job 1, \d{4}-\d\d-\d\d$/)).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  await expect(page.getByText(/^Without overlay Patch of job 1/)).toBeVisible()
  await expect(archivedPage(page).getByRole('heading', { name: 'The Harbour in Winter' })).toBeVisible()
  await expect.poll(width).toBe(0)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect.poll(width).toBeGreaterThan(0)
  await page.getByRole('tab', { name: /^This page/ }).click()
  await expect(page.getByText('job 2 (overlay)').first()).toBeVisible()
})

test('a solved miss leads to its page before and after the patch', async () => {
  await goTo('/missing?jobs=1')
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Solved' }).click()
  await expectAccessibleInBoth(page)
  await row().getByRole('link', { name: 'Before the patch' }).click()
  await expect(archivedPage(page).getByRole('heading', { name: 'The Harbour in Winter' })).toBeVisible()
  await expect.poll(() => widthOf(portrait())).toBe(0)
  await goTo('/missing?jobs=1')
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Solved' }).click()
  await row().getByRole('link', { name: 'After the patch' }).click()
  await expect.poll(() => widthOf(portrait())).toBeGreaterThan(0)
})

test('an overlay is renamed and switched off, which is stored with the files of the job and known elsewhere', async () => {
  await goTo('/missing?jobs=1')
  const overlays = page.getByRole('table', { name: 'Overlays' })
  await overlays.getByRole('button', { name: /^Rename “Patch of job 1/ }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('The portrait')
  await expectAccessibleInBoth(page)
  await page.getByRole('form', { name: 'Rename overlay' }).getByRole('button', { name: 'Rename' }).click()
  await expect(overlays).toContainText('The portrait')
  await overlays.getByRole('switch', { name: 'Show “The portrait”' }).click()
  await expect(overlays.getByRole('switch', { name: 'Show “The portrait”' })).not.toBeChecked()
  await goTo(`/viewer?jobs=1&url=${encodeURIComponent(missing.referrer)}`)
  await expect(archivedPage(page).getByRole('heading', { name: 'The Harbour in Winter' })).toBeVisible()
  await expect.poll(() => widthOf(portrait())).toBe(0)
  await expect(page.getByText(/overlay/)).toBeHidden()
  const { archive } = loupe.serving.engine.services
  const names = async () => (await archive.files({ text: 'quality' })).rows.map(({ name }) => name)
  await expect.poll(names).toEqual(['1-quality-1.warc.gz', '1-quality-2.warc.gz', '1-quality-3.warc.gz'])
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

test('a page that the view lacks is harvested at once from the viewer, and shown when the job has ended', async () => {
  await goTo(`/viewer?jobs=1&url=${encodeURIComponent('https://media.test/credits.html')}`)
  await expect(archivedPage(page).getByRole('heading', { name: 'Not in the archive' })).toBeVisible()
  await expect(page.getByText('This page is not in the view')).toBeVisible()
  // In a frame the page has no links to commands.
  await expect(archivedPage(page).getByRole('link')).toHaveCount(0)
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Add to Missing' }).click()
  await expect(page.getByText('The URL is listed as missing from the jobs of the view.')).toBeVisible()
  await page.getByRole('button', { name: 'Harvest now' }).click()
  await expect(page.getByRole('link', { name: 'Job 3', exact: true })).toHaveAttribute('href', '#/jobs/3')
  await page.getByRole('button', { name: 'Show the page' }).click()
  await expect(archivedPage(page).getByText('Pictures: made in code.')).toBeVisible()
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
