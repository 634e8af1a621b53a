/** The source of a harvest is chosen in the form; connectors are enabled and disabled in the settings, and a job whose connector is
 *  missing says so. Includes keyboard operation and axe. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import {
  expectAccessible,
  expectAccessibleInBoth,
  openJobTab,
  openLoupe,
  openPart,
  type OpenedLoupe,
} from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  loupe = await openLoupe('connectors', async (folder) => {
    await mkdir(join(folder, 'papers'))
    await writeFile(join(folder, 'papers/one.txt'), 'one')
  })
  page = loupe.page
})
test.afterAll(() => loupe.close())

test('the form shows the fields of each connector, and no others', async () => {
  await page.getByRole('button', { name: 'New harvest' }).click()
  await expect(page.getByRole('radiogroup', { name: 'Scope' })).toBeVisible()
  await page.getByRole('radio', { name: 'Sitemap' }).check()
  await expect(page.getByRole('radiogroup', { name: 'Scope' })).toBeHidden()
  await page.getByRole('textbox', { name: 'Sitemap URLs' }).fill('https://a.example/sitemap.xml')
  await page.getByRole('textbox', { name: 'Only pages changed since' }).fill('monday')
  await page.getByRole('button', { name: 'Start harvest' }).click()
  await expect(page.getByText(/must be a date such as/)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Only pages changed since' })).toBeFocused()
  await expectAccessible(page)
})

test('a dry run of a folder is marked as one, and stores nothing', async () => {
  await page.getByRole('radio', { name: 'Folder' }).check()
  await page.getByRole('textbox', { name: 'Folders' }).fill(join(loupe.folder, 'papers'))
  await openPart(page, 'Output')
  await page.getByRole('radio', { name: 'Dry run' }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Start harvest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Job 1: papers' })).toBeVisible()
  await openJobTab(page, 'Log')
  await expect(page.getByRole('list', { name: 'Log' })).toContainText('nothing was archived')
})

test('a module of the user is harvested, and its documents are shown in the viewer', async () => {
  const module = join(loupe.folder, 'cms.mjs')
  await writeFile(
    module,
    `export default ({ site }) => ({
       read: (url, { isList }) =>
         isList
           ? { body: '<a href="hall">The hall</a>', mediaType: 'text/html', links: [{ url: 'cms:hall' }] }
           : { body: 'The hall of the ' + site, mediaType: 'text/plain' },
     })`,
  )
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('button', { name: 'New harvest' }).click()
  await page.getByRole('radio', { name: 'Module' }).check()
  await page.getByRole('textbox', { name: 'Lists' }).fill('cms:all')
  await page.getByRole('textbox', { name: 'Path of the module' }).fill(module)
  await page.getByRole('textbox', { name: 'Settings of the module' }).fill('site = museum')
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Start harvest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Job 2: cms:all' })).toBeVisible()
  await openJobTab(page, 'Log')
  await expect(page.getByRole('list', { name: 'Log' })).toContainText('All files are stored in all replicas.')
  await page.getByRole('link', { name: 'Open in viewer' }).click()
  const archived = page.frameLocator('iframe[title="Archived page"]')
  await archived.getByRole('link', { name: 'The hall' }).click()
  await expect(archived.getByText('The hall of the museum')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toHaveValue('cms:hall')
})

test('a connector is uninstalled in the settings; its job waits and says what to do', async () => {
  await page.getByRole('link', { name: 'Settings' }).click()
  const folder = page.getByRole('group', { name: 'Folder' })
  await expect(folder).toContainText('used by 1 job')
  await folder.getByRole('button', { name: 'Uninstall Folder' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Uninstall' }).click()
  await expect(folder).toContainText('Not installed')
  await expectAccessibleInBoth(page)
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('button', { name: 'New harvest' }).click()
  const form = page.getByRole('dialog', { name: 'New harvest' })
  await expect(form.getByRole('status')).toHaveCount(0)
  await form.getByRole('radio', { name: 'Folder' }).check()
  await expect(form.getByRole('status')).toContainText('“Folder” is not installed.')
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  const { job } = await loupe.serving.engine.services.harvests.create({
    seeds: [join(loupe.folder, 'papers')],
    connectors: { repository: { connector: 'folder' } },
  })
  await page.goto(page.url().replace(/#.*/, `#/jobs/${job}`))
  await expect(page.getByText('No connector').first()).toBeVisible()
  await expect(page.getByText(/"Folder" is not installed\. Install it/).first()).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(folder).toContainText(`Waiting jobs: job ${job}`)
  await expect(page.getByRole('group', { name: 'Archive', exact: true })).not.toContainText('Waiting jobs')
  await page.getByRole('button', { name: 'Install Folder' }).click()
  await expect(folder).toContainText('Installed')
  await page.goto(page.url().replace(/#.*/, `#/jobs/${job}`))
  await expect(page.getByText('Done').first()).toBeVisible()
  loupe.expectNoBugs()
})
