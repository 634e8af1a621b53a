/** The pictures of the README, taken from the running application: `npm run screenshots`. It opens the sample as a newcomer
 *  would, so that what the pictures show is what everybody gets. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { serve } from '../src-main/shells/server/serve.ts'
import { build } from '../src-main/shells/launch/build.ts'
import { openAppWindow } from './appWindow.ts'
import { damagedFile, soundFile } from './sites/archiveFiles.ts'

const top = join(import.meta.dirname, '..')
const pictures = join(top, 'resources', 'screenshots')

const failed = await build(top)
if (failed !== undefined) throw new Error(failed)
await mkdir(pictures, { recursive: true })
const folder = await mkdtemp(join(tmpdir(), 'loupe-pictures-'))
const serving = await serve({
  archiveFolder: folder,
  version: '0.1.0',
  port: 0,
  onBug: (error) => console.error(error),
  log: () => undefined,
})
const window = await openAppWindow(serving.openWindow)
try {
  await takeAll(window.page)
} finally {
  await window.close()
  await serving.close()
  await rm(folder, { recursive: true, force: true })
}

async function takeAll(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await take(page, 'start')
  await page.getByRole('button', { name: 'Open the sample' }).click()
  await expect(page.getByRole('button', { name: 'Open in viewer' })).toBeEnabled({ timeout: 60_000 })
  await expect(page.getByRole('table', { name: 'Why not fetched' })).toContainText('robots.txt')
  await take(page, 'job')
  await page.getByRole('button', { name: 'Open in viewer' }).click()
  const archived = page.frameLocator('iframe[title="Archived page"]')
  await archived
    .getByRole('link', { name: /replay/i })
    .first()
    .click()
  await expect(page.getByRole('combobox', { name: 'Address' })).toHaveValue(/replay/)
  await page.getByRole('tab', { name: /^Missing \(/ }).click()
  await page.mouse.click(600, 600) // away from the tab, whose focus ring is not what the picture is about
  await take(page, 'viewer')
  await page.getByRole('link', { name: 'Archive' }).click()
  await page.getByRole('button', { name: 'Check all checksums in all replicas' }).click()
  await expect(page.getByText(/^Nothing wrong was found/)).toBeVisible()
  await expect(page.getByRole('article', { name: 'TWO' })).toContainText('Sound')
  await take(page, 'archive')
  await takeImport(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('Dark', { exact: true }).click()
  await page.getByRole('link', { name: 'Jobs' }).click()
  await expect(page.getByRole('table', { name: 'Jobs' })).toBeVisible()
  await take(page, 'jobs-dark')
}

/** A file with three faults among two sound ones: what a curator sees of what others harvested. */
async function takeImport(page: Page): Promise<void> {
  const given = join(folder, 'given')
  await mkdir(given)
  await writeFile(join(given, 'harbour-2011-00000.warc.gz'), soundFile('harbour.example'))
  await writeFile(join(given, 'harbour-2011-00001.warc.gz'), damagedFile('tides.example'))
  await writeFile(join(given, 'lighthouse.warc.gz'), soundFile('lighthouse.example'))
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.keyboard.press('Control+i')
  const dialog = page.getByRole('dialog', { name: 'Import files' })
  await dialog.getByRole('textbox').fill(given)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Open in viewer' })).toBeEnabled({ timeout: 30_000 })
  const places = page.getByRole('article', { name: 'Payload digest wrong' })
  await places.getByRole('button', { name: 'Show the places' }).click()
  await expect(places.getByRole('table')).toBeVisible()
  await take(page, 'import')
  await places.getByRole('link', { name: /^Inspect the record at/ }).click()
  await expect(page.getByRole('table', { name: 'Digests' })).toContainText('Wrong')
  await take(page, 'record')
}

async function take(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
}
