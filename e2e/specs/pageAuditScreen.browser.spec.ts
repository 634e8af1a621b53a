/** A page audit as a user sees it: started from the page of a job, followed, its pages by risk with their pictures, one page in detail, and an audit
 *  that compares with another job. The site, the harvests, the browser and the pictures are real. */
import { expect, test, type Page } from '@playwright/test'
import { harvestDefinition } from '../../src-main/contract/services/definition.ts'
import { startPlantedSite, type PlantedSite } from '../sites/plantedFaults.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

// A dozen pages in a second browser, three times.
test.describe.configure({ mode: 'serial', timeout: 400_000 })

/** Time in which an audit of some pages ends. */
const auditMsMax = 300_000

let site: PlantedSite
let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  site = await startPlantedSite(1)
  loupe = await openLoupe('page-audit')
  page = loupe.page
  await page.setViewportSize({ width: 1500, height: 1000 })
  const { harvests, jobs } = loupe.serving.engine.services
  for (const exclude of [['hanging'], ['hanging', '/img/']]) {
    const definition = { seeds: [`${site.origin}/`], delayMs: 0, resolve: site.resolve, exclude }
    const { job } = await harvests.create(harvestDefinition.parse(definition))
    await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  }
})
test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

const goTo = (hash: string) => page.goto(`${page.url().split('#')[0]}#${hash}`)
const table = () => page.getByRole('table', { name: 'Pages', exact: true })
const row = (path: string) =>
  table()
    .getByRole('row')
    .filter({ hasText: `${site.origin}${path}` })

test('a job without an audit says what an audit is', async () => {
  await goTo('/jobs/1')
  await page.getByRole('link', { name: 'Page audits' }).click()
  await expect(page.getByRole('heading', { name: 'No page audit yet' })).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('an audit is started in a dialog and lists its pages by risk, each with its picture', async () => {
  await page.getByRole('button', { name: 'Audit pages…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Audit pages of job 1' })
  await dialog.getByRole('radio', { name: 'The first pages of each host' }).check()
  await dialog.getByRole('textbox', { name: 'Only URLs that match' }).fill('(broken|missingImage|goneImage|whole)')
  await expectAccessibleInBoth(page)
  await dialog.getByRole('button', { name: 'Start audit' }).click()
  await expect(page.locator('#root').getByText('Done, with findings').first()).toBeVisible({ timeout: auditMsMax })
  await expect(page.getByText('3 pages have faults. Resources: 5 good, 1 bad, 1 missing.')).toBeVisible()
  await expect(table().getByRole('row')).toHaveCount(5)
  await expect(table().getByRole('row').nth(1)).toContainText('/missingImage/1')
  const picture = row('/whole/1').getByRole('img')
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(320)
  await page.getByRole('switch', { name: 'Only pages with faults' }).check({ force: true })
  await expect(table().getByRole('row')).toHaveCount(4)
  await page.getByRole('switch', { name: 'Only pages with faults' }).uncheck({ force: true })
  await expectAccessibleInBoth(page)
})

test('a page shows its screenshot, what it lacks and what it printed, and leads to the viewer', async () => {
  await row('/broken/1').getByRole('button').focus()
  await page.keyboard.press('Enter')
  const details = page.getByRole('region', { name: 'Broken 1' })
  await expect(details.getByText('planted error 1')).toBeVisible()
  await expect(details.getByRole('img', { name: 'Screenshot' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await row('/missingImage/1').getByRole('button').click()
  const other = page.getByRole('region', { name: 'Missing image 1' })
  await expect(other.getByText(`(image) ${site.origin}/private/image-1.png`)).toBeVisible()
  await other.getByRole('link', { name: 'View page' }).click()
  await expect(page).toHaveURL(/viewer\?jobs=1&url=/)
  await goTo('/missing?jobs=1')
  await expect(page.getByRole('row').filter({ hasText: '/private/image-1.png' })).toContainText('Page audit')
})

test('pages are judged by keyboard alone, and the verdicts are in a file of the job', async () => {
  await goTo('/pageAudits/1')
  await row('/missingImage/1').getByRole('button').focus()
  await page.keyboard.press('Enter')
  const verdict = page.getByRole('region', { name: 'Verdict' })
  await expect(verdict.getByRole('button', { name: 'Bad', exact: true })).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('3')
  await expect(verdict.getByRole('button', { name: 'Bad', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(row('/missingImage/1')).toContainText('Bad')
  await verdict.getByRole('textbox', { name: 'Note' }).fill('a picture of private/')
  await page.keyboard.press('Tab')
  await expect(page.getByText('1 of 4 pages judged: 0 good, 0 with minor faults, 1 bad, 0 unusable.')).toBeVisible()
  await page.getByRole('switch', { name: 'Only pages without a verdict' }).check({ force: true })
  await expect(table().getByRole('row')).toHaveCount(4)
  await page.getByRole('button', { name: 'Next page' }).focus()
  await page.keyboard.press('n')
  await expect(page.getByRole('region', { name: 'Missing image 1' })).toHaveCount(0)
  await expect(verdict).toBeVisible()
  await page.keyboard.press('1')
  await expect(page.getByText('2 of 4 pages judged: 1 good,')).toBeVisible()
  await page.getByRole('group', { name: 'Verdict on the job' }).getByRole('button', { name: 'Minor faults' }).click()
  await expect(page.getByText('3 changes are not in the files of the job yet.')).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.getByRole('switch', { name: 'Only pages without a verdict' }).uncheck({ force: true })
  await goTo('/jobs/1')
  const { verdicts } = loupe.serving.engine.services
  await expect.poll(async () => (await verdicts.progress({ job: 1 })).unstored).toBe(0)
  const { rows } = await verdicts.list({ job: 1 })
  expect(rows).toMatchObject([{ verdict: 'bad', note: 'a picture of private/' }, { verdict: 'good' }])
  await goTo('/missing?jobs=1')
})

test('the picture of a page is in Missing and among the results of a search', async () => {
  const pictureOf = (path: string) =>
    page.getByRole('img', { name: `${site.origin}${path} as its last page audit saw it` })
  await page.getByRole('row').filter({ hasText: '/private/image-1.png' }).getByRole('link').hover()
  await expect(pictureOf('/missingImage/1')).toBeVisible()
  const { search } = loupe.serving.engine.services
  await search.build({ jobs: [1] })
  await expect.poll(async () => (await search.status({})).jobs).toMatchObject([{ job: 1 }])
  await goTo('/search?q=type%3Ahtml%20whole')
  await expect(pictureOf('/whole/1')).toBeVisible()
  expect(await pictureOf('/whole/1').evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(320)
  await expectAccessibleInBoth(page)
})

test('an audit that compares with another job shows what differs', async () => {
  const { pageAudits } = loupe.serving.engine.services
  const { task } = await pageAudits.start({ job: 2, pattern: '(whole|broken)/', compareWith: 1 })
  await goTo(`/pageAudits/2/${task}`)
  await expect(page.locator('#root').getByText('Done, with findings').first()).toBeVisible({ timeout: auditMsMax })
  const { rows } = await pageAudits.pages({ audit: task, sort: 'url', descending: false })
  expect(rows.map(({ pixelDifference, textDifference }) => [(pixelDifference ?? 0) > 0, textDifference])).toEqual([
    [false, 0],
    [true, 0],
  ])
  await row('/whole/1').getByRole('button').click()
  const details = page.getByRole('region', { name: 'Whole 1' })
  await expect(details.getByRole('img', { name: 'Differences in red' })).toBeVisible()
  await expectAccessibleInBoth(page)
  loupe.expectNoBugs()
})
