/** The file of a finished export can be downloaded from the dialog, identical to the file that was written. */
import { readFile, rename } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { startTwoHosts } from '../sites/twoHosts.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let site: Awaited<ReturnType<typeof startTwoHosts>>
let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  site = await startTwoHosts()
  loupe = await openLoupe('exports')
  page = loupe.page
  const { harvests, jobs } = loupe.serving.engine.services
  const { job } = await harvests.create({ seeds: [`${site.origin}/`], resolve: site.resolve, delayMs: 0 })
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
})

test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

test('an export that was compared can be downloaded repeatedly', async () => {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(dialog.getByText(/^Verified: /)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Download' })).toBeInViewport({ ratio: 1 })
  const [one] = await loupe.serving.engine.services.exports.list({})
  const written = await readFile(one?.request.path ?? '')
  for (let time = 0; time < 2; time += 1) {
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const download = await downloading
    expect(one?.request.path.endsWith(download.suggestedFilename())).toBe(true)
    expect(written.equals(await readFile(await download.path()))).toBe(true)
  }
  await expectAccessibleInBoth(page)
})

test('a file that was moved away is reported as missing', async () => {
  const [one] = await loupe.serving.engine.services.exports.list({})
  await rename(one?.request.path ?? '', `${one?.request.path}.moved`)
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()
  await expect(page.getByRole('alert')).toContainText('no longer exists')
  loupe.expectNoBugs()
})
