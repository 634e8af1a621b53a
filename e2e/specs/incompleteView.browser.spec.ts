/** An incomplete view says so: a job without files in the archive, a file that is missing from every replica since the index was
 *  built, and damaged records. The dialog of the badge names each with its reason, a link to it and what can be done; when the file
 *  is back, it is no longer listed. */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { askOver } from '../../src-main/viewer/testing/viewerFixture.ts'
import { damagedFile, soundFile } from '../sites/archiveFiles.ts'
import {
  archivedPage,
  expectAccessibleInBoth,
  goToArchived,
  importFile,
  openLoupe,
  type OpenedLoupe,
} from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

const lost = 'lost.warc.gz'
let loupe: OpenedLoupe
let page: Page
/** The paths of the file, one per replica. */
let places: string[]

test.beforeAll(async () => {
  loupe = await openLoupe('incomplete')
  page = loupe.page
  await importFile(loupe, 'sound.warc.gz', soundFile('sound.test'))
  await importFile(loupe, lost, soundFile('lost.test'))
  await importFile(loupe, 'damaged.warc.gz', damagedFile('damaged.test'))
  const { archive, viewer } = loupe.serving.engine.services
  // The index is built while everything is present, and is used again later.
  expect((await viewer.open({ jobs: [1, 2, 3], untilWhole: true })).filesMissing.count).toBe(0)
  places = (await archive.replicas({})).map(({ folder }) => join(folder, lost))
  for (const place of places) await rename(place, `${place}.elsewhere`)
  await page.reload()
})

test.afterAll(() => loupe.close())

const badge = (parts: string) => page.getByRole('button', { name: `Incomplete: ${parts}`, exact: true })
const dialog = () => page.getByRole('dialog', { name: 'Missing from this view' })
/** The part of the dialog under this heading. */
const part = (title: string): Locator =>
  dialog()
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title }) })

/** Adds a job that does not exist, as a curator's script can do. */
async function alsoJob9(): Promise<void> {
  const { viewer, commandHost } = loupe.serving.engine
  const jobs = [1, 2, 3, 9].map((job) => `jobID=${job}`).join('&')
  const command = `http://${commandHost}/changeIndex?${jobs}&label=all&returnURL=http://sound.test/`
  const { commandUser: user, commandToken: password } = await loupe.serving.engine.services.system.about({})
  expect((await askOver(viewer, command, { as: { user, password } })).status).toBe(303)
}

test('a selection with a lost file and damaged records says so as soon as it is opened', async () => {
  await page.getByRole('link', { name: 'Viewer', exact: true }).click()
  await page.getByRole('button', { name: 'Jobs 1, 2, 3', exact: true }).click()
  await page.getByRole('form', { name: 'Choose what to view' }).getByRole('button', { name: 'Open viewer' }).click()
  await expect(badge('1 file, 2 findings')).toBeVisible()
})

test('the badge opens a list of what is missing, why, and what to do', async () => {
  await alsoJob9()
  await badge('1 job, 1 file, 2 findings').click()
  const jobs = part('Jobs without files in the archive')
  await expect(jobs).toContainText('import them')
  await expect(jobs.getByRole('listitem')).toHaveText(['Job 9 does not exist in this archive.'])
  const files = part('Files without a readable copy')
  await expect(files).toContainText('repair the replicas')
  await expect(files.getByRole('listitem')).toHaveCount(1)
  for (const place of places) await expect(files.getByRole('listitem')).toContainText(place)
  const records = part('Unreadable records and index entries')
  const place = records
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: /^damaged\.warc\.gz at / }) })
  await expect(place).toContainText('The file ends inside a compressed record.')
  await expectAccessibleInBoth(page)
})

test('each part links to a page with more details', async () => {
  await part('Files').getByRole('link', { name: lost }).click()
  await expect(page.getByRole('heading', { level: 1, name: lost })).toBeVisible()
  await page.goBack()
  await badge('1 job, 1 file, 2 findings').click()
  await part('Files').getByRole('link', { name: 'Open repair' }).click()
  await expect(page.getByRole('button', { name: 'Check all checksums…' })).toBeVisible()
  await page.goBack()
  await badge('1 job, 1 file, 2 findings').click()
  await part('Jobs').getByRole('button', { name: 'Import files…' }).click()
  await expect(page.getByRole('dialog', { name: 'Import files' })).toBeVisible()
  await page.keyboard.press('Escape')
})

test('a page from the lost file is answered with an error that names the file', async () => {
  await goToArchived(page, 'http://sound.test/')
  await expect(archivedPage(page).getByRole('heading', { name: 'Tide table' })).toBeVisible()
  await goToArchived(page, 'http://lost.test/')
  await expect(archivedPage(page).locator('body')).toContainText(lost)
  await expect(page.getByText('Captured, but unreadable', { exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Resources of this page' })).toContainText('Unreadable')
  await page.getByRole('tab', { name: /^All errors/ }).click()
  await expect(page.getByRole('list', { name: 'Errors in this view' })).toContainText(`No replica can provide ${lost}`)
})

test('when the file is back the page is shown at once, and the badge of the next view has one entry less', async () => {
  for (const place of places) await rename(`${place}.elsewhere`, place)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(archivedPage(page).getByRole('heading', { name: 'Tide table' })).toBeVisible()
  await alsoJob9()
  await expect(badge('1 job, 2 findings')).toBeVisible()
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
