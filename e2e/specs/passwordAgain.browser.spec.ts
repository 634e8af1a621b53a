/** An account of a server repairs a copy in a real browser: before other bytes take its place, the account gives its password again. */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { loupe as command } from '../loupeProcess.ts'
import { soundFile } from '../sites/archiveFiles.ts'
import { expectAccessibleInBoth } from './openedLoupe.ts'
import { flipOneBitOf } from './replicaDamage.ts'
import { archiveIn, folderOf, loggedIn, password, serveAccounts, type ServedAccounts } from './servedAccounts.ts'

test.describe.configure({ mode: 'serial' })

const names = ['first.warc.gz', 'second.warc.gz']
let folder: string
let served: ServedAccounts
let page: Page

const copyIn = (replica: string, name: string) => join(archiveIn(folder), 'replicas', replica, name)

test.beforeAll(async () => {
  folder = await folderOf('password')
  const archive = archiveIn(folder)
  expect((await command('--archive', archive, 'init')).code).toBe(0)
  const replicas = JSON.stringify(Object.fromEntries(['ONE', 'TWO', 'THREE'].map((name) => [name, `replicas/${name}`])))
  expect((await command('--archive', archive, 'settings', 'set', 'replicas', replicas)).code).toBe(0)
  for (const name of names) {
    await writeFile(join(folder, name), soundFile(`${name.split('.')[0]}.test`))
    expect((await command('--archive', archive, 'import', join(folder, name))).code).toBe(0)
    await flipOneBitOf(copyIn('TWO', name))
  }
  await copyFile(copyIn('TWO', 'first.warc.gz'), join(folder, 'damaged'))
  // Exit code 1: there are findings.
  expect((await command('--archive', archive, 'preserve', 'checksums')).code).toBe(1)
  served = await serveAccounts(folder)
  await served.serving.engine.services.accounts.add({ name: 'olga', roles: ['preservationOfficer'], password })
  page = await loggedIn(served, 'olga')
})
test.afterAll(() => served.close())

/** Goes through the steps of a repair to its last button. */
async function askForRepair(name: string): Promise<void> {
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  await page.getByRole('navigation', { name: 'Archive sections' }).getByRole('link', { name: 'Repair' }).click()
  await page.getByRole('link', { name: `Repair ${name} in TWO` }).click()
  await page.getByRole('button', { name: 'Enter expected checksum' }).click()
  await page.getByRole('radio', { name: 'My own records' }).check()
  const sha256 = createHash('sha256')
    .update(await readFile(copyIn('ONE', name)))
    .digest('hex')
  await page.getByRole('textbox', { name: 'Expected SHA-256' }).fill(sha256)
  await page.getByRole('button', { name: /^Verify and/ }).click()
}

const question = () => page.getByRole('dialog', { name: 'Your password again' })

test('without the password nothing is replaced', async () => {
  await askForRepair('first.warc.gz')
  await expect(question()).toBeVisible()
  await expectAccessibleInBoth(page)
  await question().getByRole('button', { name: 'Continue' }).click()
  await expect(question().getByText('Enter your password.')).toBeVisible()
  await question()
    .getByLabel(/^Password/)
    .fill('wrong horse battery staple')
  await question().getByRole('button', { name: 'Continue' }).click()
  await expect(question().getByText('The password is wrong.')).toBeVisible()
  await question()
    .getByLabel(/^Password/)
    .fill('')
  await page.keyboard.press('Escape')
  await expect(question()).toBeHidden()
  await expect(page.getByRole('alert')).toContainText('your password is needed again')
  expect(await readFile(copyIn('TWO', 'first.warc.gz'))).toEqual(await readFile(join(folder, 'damaged')))
})

test('with it the repair goes on, and the next one asks nothing for some minutes', async () => {
  await page.getByRole('button', { name: /^Verify and/ }).click()
  await question()
    .getByLabel(/^Password/)
    .fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert', { name: 'Copy repaired' })).toBeVisible()
  expect(await readFile(copyIn('TWO', 'first.warc.gz'))).toEqual(await readFile(copyIn('ONE', 'first.warc.gz')))
  await askForRepair('second.warc.gz')
  await expect(page.getByRole('alert', { name: 'Copy repaired' })).toContainText('second.warc.gz')
  await expect(question()).toBeHidden()
})

test('no bugs were reported', () => {
  expect(served.bugs).toEqual([])
})
