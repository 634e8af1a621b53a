/** A view that is opened while its index is being built: the indexed part is shown; a page that is not yet indexed says so with the
 *  progress, asks again by itself and becomes the archived page; nothing of it counts as missing. The index is delayed as in normal
 *  use: all threads are busy. */
import { expect, test, type Page } from '@playwright/test'
import { busyThreads } from '../busyThreads.ts'
import { soundFile } from '../sites/archiveFiles.ts'
import {
  archivedPage,
  chooseJobs,
  expectAccessibleInBoth,
  goToArchived,
  importFile,
  openLoupe,
  type OpenedLoupe,
} from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let setFree: () => Promise<void>

test.beforeAll(async () => {
  loupe = await openLoupe('growing')
  page = loupe.page
  for (const name of ['first', 'second']) await importFile(loupe, `${name}.warc.gz`, soundFile(`${name}.test`))
  // Indexes the first job, which is the part of the index that is ready when both are opened.
  await loupe.serving.engine.services.viewer.open({ jobs: [1], untilWhole: true })
  setFree = await busyThreads()
  await page.reload()
})

test.afterAll(async () => {
  await setFree()
  await loupe.close()
})

const badge = () => page.getByText('Indexing: 1 of 2 files', { exact: true })
const tides = () => archivedPage(page).getByRole('heading', { name: 'Tide table' })
const answersOf = async (url: string) =>
  (await loupe.serving.engine.services.viewer.answers({})).filter((answer) => answer.url === url)

test('indexed captures are shown, with the progress of the index', async () => {
  await page.getByRole('link', { name: 'Viewer', exact: true }).click()
  await page.getByRole('button', { name: 'Job 1', exact: true }).click()
  const form = page.getByRole('form', { name: 'Choose what to view' })
  await chooseJobs(form, 1, [2])
  await form.getByRole('button', { name: 'Open viewer' }).click()
  await expect(tides()).toBeVisible()
  await expect(badge()).toBeVisible()
})

test('a capture that is not indexed yet shows the progress and requests itself again', async () => {
  await goToArchived(page, 'http://second.test/')
  await expect(archivedPage(page).getByText('1 of 2 files and 1 of 2 jobs done, 2 captures so far')).toBeVisible()
  await expect(page.getByText('Not indexed yet', { exact: true })).toBeVisible()
  const { length } = await answersOf('http://second.test/')
  await expect.poll(async () => (await answersOf('http://second.test/')).length).toBeGreaterThan(length)
  await expectAccessibleInBoth(page)
})

test('when the index is complete the archived page appears by itself, and the badge disappears', async () => {
  await setFree()
  await expect(tides()).toBeVisible()
  await expect(badge()).toHaveCount(0)
  await expect(page.getByText('Captured 2024-05-17 08:30:00 UTC')).toBeVisible()
  await expect(page.getByText('Not indexed yet')).toHaveCount(0)
  const answers = await answersOf('http://second.test/')
  expect(new Set(answers.map(({ by, status }) => `${status} ${by}`))).toEqual(
    new Set(['503 growing', '200 exactCapture']),
  )
  expect(await loupe.serving.engine.services.missing.list({})).toEqual([])
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
