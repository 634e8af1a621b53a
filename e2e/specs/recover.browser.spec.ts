/** A lost database, in the application's window: the archive lists the files it does not know, and one button restores them. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { loupe as command } from '../loupeProcess.ts'
import { soundFile } from '../sites/archiveFiles.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
const verdict = () => page.getByRole('region', { name: 'Archive status' })
const recovery = () => page.getByRole('region', { name: 'File recovery' })

test.beforeAll(async () => {
  loupe = await openLoupe('recover', async (folder, archive) => {
    const source = join(folder, 'given')
    await mkdir(source)
    await writeFile(join(source, 'harbour.warc.gz'), soundFile('harbour.test'))
    expect((await command('--archive', archive, 'init')).code).toBe(0)
    expect((await command('--archive', archive, 'import', source)).code).toBe(0)
    for (const name of await readdir(archive)) if (name.startsWith('loupe.db')) await rm(join(archive, name))
  })
  page = loupe.page
})

test.afterAll(() => loupe.close())

test('files that are not in the database are reported with a way to recover them', async () => {
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  await expect(verdict()).toContainText('not in the catalogue')
  await expect(verdict().getByRole('button', { name: 'Recover files' })).toBeVisible()
})

test('they are restored with their job, and the archive says so', async () => {
  await verdict().getByRole('button', { name: 'Recover files' }).click()
  await expect(recovery()).toContainText('2 files were added to the catalogue, 1 job restored.')
  await expect(verdict()).not.toContainText('does not know')
  await expectAccessibleInBoth(page)
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('Import of given')
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
