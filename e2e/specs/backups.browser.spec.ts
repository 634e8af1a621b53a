/** The backups of the database on the screen: the first one, one without changes, one that was damaged outside of Loupe, their part
 *  in the archive's status and report, and the displayed command that restores one. */
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { loupe as command } from '../loupeProcess.ts'
import { soundFile } from '../sites/archiveFiles.ts'
import { expectAccessibleInBoth, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
const table = () => page.getByRole('table', { name: 'All backups' })
const rows = () => table().locator('tbody tr')
const overview = () => page.getByRole('region', { name: 'Database backups' })
const backUp = () => page.getByRole('button', { name: 'Back up now' }).click()

test.beforeAll(async () => {
  loupe = await openLoupe('backups', async (_, archive) => {
    await mkdir(archive)
    // Disables the schedule, which would make a backup during a test.
    await writeFile(join(archive, 'loupe.toml'), '[backup]\neveryHours = 0\n')
  })
  page = loupe.page
  await importFile(loupe, 'harbour.warc.gz', soundFile('harbour.test'))
})
test.afterAll(() => loupe.close())

async function open(tab: string): Promise<void> {
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  await page.getByRole('navigation', { name: 'Archive sections' }).getByRole('link', { name: tab }).click()
}

test('before the first backup the page shows when and where it will be made', async () => {
  await open('Backups')
  await expect(page.getByRole('heading', { name: 'No backups yet' })).toBeVisible()
  await expect(overview()).toContainText('None yet')
  await expect(overview()).toContainText('Schedule is off')
  await expect(overview()).toContainText('Not created yet')
  await expect(overview()).toContainText(join(loupe.archive, 'backups'))
  await expectAccessibleInBoth(page)
})

test('a backup is made, verified and listed; without a change no further one is written', async () => {
  await backUp()
  await expect(overview()).toContainText('Backup created and verified.')
  await expect(rows()).toHaveCount(1)
  await expect(rows().first()).toContainText('Intact')
  await expect(overview()).toContainText('1 backup, ')
  await expect(overview()).toContainText('the newest 7 and all from the last 30 days')
  await expect(overview()).toContainText('Shared')
  await backUp()
  await expect(overview()).toContainText('Nothing has changed since the last backup,')
  await expect(rows()).toHaveCount(1)
  await expect(overview()).toContainText('Unchanged until')
  await expectAccessibleInBoth(page)
})

test('after a change there is a second one', async () => {
  await importFile(loupe, 'lighthouse.warc.gz', soundFile('lighthouse.test'))
  await backUp()
  await expect(rows()).toHaveCount(2)
})

test('a damaged backup is found by verification, and status and report link to it', async () => {
  const folder = join(loupe.archive, 'backups')
  const [oldest = ''] = (await readdir(folder)).filter((name) => name.endsWith('.db')).toSorted()
  await appendFile(join(folder, oldest), 'x')
  await page.getByRole('button', { name: 'Verify all' }).click()
  await expect(overview()).toContainText('1 backup is damaged or missing.')
  await expect(table().getByText('Damaged')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText(`then remove ${oldest}`)
  await expect(page.getByRole('button', { name: `Restore ${oldest}…` })).toHaveCount(0)
  await expectAccessibleInBoth(page)

  await open('Replicas')
  const verdict = page.getByRole('region', { name: 'Archive status' })
  await expect(verdict).toContainText('database backups need attention')
  await verdict.getByRole('link', { name: 'Show backups' }).click()
  await expect(page.getByRole('alert')).toContainText('A backup is damaged')
  await open('Report')
  await expect(page.getByRole('region', { name: 'Database backups' })).toContainText('A backup is damaged')

  for (const name of [oldest, `${oldest}.sha256`]) await rm(join(folder, name))
  await open('Backups')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(rows()).toHaveCount(1)
})

test('a backup is restored by the command that is shown, once Loupe is closed', async () => {
  await importFile(loupe, 'museum.warc.gz', soundFile('museum.test'))
  await page.getByRole('button', { name: /^Restore loupe-/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore a backup' })
  const shown = (await dialog.locator('code').textContent()) ?? ''
  expect(shown).toMatch(/^loupe --archive \S+ backup restore loupe-\S+\.db$/)
  await expect(dialog).toContainText('Data stored after')
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  expect(await command(...shown.split(' ').slice(1), '--yes')).toMatchObject({ code: 5 })
  await loupe.restart(async () => {
    expect(await command(...shown.split(' ').slice(1), '--yes')).toMatchObject({ code: 0 })
  })
  page = loupe.page
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await expect(page.getByText('lighthouse').first()).toBeVisible()
  await expect(page.getByText('museum')).toHaveCount(0)
  await open('Audit log')
  await expect(page.getByText('Database backup restored').first()).toBeVisible()
  loupe.expectNoBugs()
})
