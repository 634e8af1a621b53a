/** Output connections in the settings, their choice in the form of a harvest, and deliveries on the page of a job. Includes axe. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
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
  loupe = await openLoupe('outputs', async (folder) => {
    for (const name of ['papers', 'copies']) await mkdir(join(folder, name))
    for (const name of ['one', 'two', 'three']) await writeFile(join(folder, `papers/${name}.txt`), name)
    await writeFile(
      join(folder, 'shelf.mjs'),
      'export const version = 1\nexport default () => ({ send() {}, remove() {} })\n',
    )
  })
  page = loupe.page
})
test.afterAll(() => loupe.close())

const dialog = () => page.getByRole('dialog')
const row = (name: string) => page.getByRole('group', { name, exact: true })
const outputs = () => page.getByRole('region', { name: 'Output connections' })
const save = () => dialog().getByRole('button', { name: 'Save output connection' }).click()

async function choose(field: string, option: string): Promise<void> {
  await dialog().getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('an output connection is added, and errors are next to their fields', async () => {
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(outputs()).toContainText('There are no output connections.')
  await outputs().getByRole('button', { name: 'Add output connection' }).click()
  await save()
  await expect(dialog().getByRole('textbox', { name: 'Output name' })).toBeFocused()
  await dialog().getByRole('textbox', { name: 'Output name' }).fill('Copies')
  await dialog().getByRole('textbox', { name: 'URL', exact: true }).fill('solr')
  await save()
  await expect(dialog().getByRole('textbox', { name: 'URL', exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expectAccessibleInBoth(page)
  await choose('Kind of output', 'Folder')
  await dialog().getByRole('textbox', { name: 'Folder for copies' }).fill(join(loupe.folder, 'copies'))
  await save()
  await expect(dialog()).toHaveCount(0)
  await expect(row('Copies')).toContainText('Folder · no job delivers to it')
  await expect(row('Copies')).toContainText('Connection working')
  await outputs().getByRole('button', { name: 'Add output connection' }).click()
  await dialog().getByRole('textbox', { name: 'Output name' }).fill('copies')
  await choose('Kind of output', 'Folder')
  await dialog().getByRole('textbox', { name: 'Folder for copies' }).fill('/nowhere')
  await save()
  await expect(dialog().getByText(/already an output connection "copies"/)).toBeVisible()
  await dialog().getByRole('textbox', { name: 'Output name' }).fill('Nowhere')
  await save()
  await expect(row('Nowhere')).toContainText('The folder /nowhere does not exist.')
  await expectAccessible(page)
})

test('a module is registered as a connector, and a wrong one is refused at its field', async () => {
  await outputs().getByRole('textbox', { name: 'Connector name' }).fill('Shelf')
  await outputs().getByRole('textbox', { name: 'Path of the module' }).fill(join(loupe.folder, 'papers/one.txt'))
  await outputs().getByRole('button', { name: 'Register module' }).click()
  await expect(outputs().getByText(/one\.txt/)).toBeVisible()
  await outputs().getByRole('textbox', { name: 'Path of the module' }).fill(join(loupe.folder, 'shelf.mjs'))
  await outputs().getByRole('button', { name: 'Register module' }).click()
  await expect(row('Shelf')).toContainText('Installed')
  await expect(row('Shelf')).toContainText('version 1 · not used')
  await row('Shelf').getByRole('button', { name: 'Deregister Shelf' }).click()
  await page.getByRole('button', { name: 'Deregister', exact: true }).click()
  await expect(outputs()).toContainText('No modules are registered.')
})

test('a harvest delivers its documents, and its page shows how many', async () => {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('button', { name: 'New harvest' }).first().click()
  await dialog().getByRole('radio', { name: 'Folder' }).check()
  await dialog().getByRole('textbox', { name: 'Folders' }).fill(join(loupe.folder, 'papers'))
  await openPart(page, 'Deliveries')
  await dialog().getByRole('checkbox', { name: 'Copies' }).check()
  await dialog().getByRole('textbox', { name: 'Media types' }).fill('text')
  await dialog().getByRole('button', { name: 'Start harvest' }).click()
  await expect(dialog().getByRole('textbox', { name: 'Media types' })).toHaveAttribute('aria-invalid', 'true')
  await dialog().getByRole('textbox', { name: 'Media types' }).fill('text/*')
  await dialog().getByRole('button', { name: 'Start harvest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Job 1: papers' })).toBeVisible()
  await openJobTab(page, 'Files')
  const deliveries = page.getByRole('region', { name: 'Deliveries' })
  await expect(deliveries.getByRole('row', { name: /Copies/ })).toContainText(/Copies.*3.*Told/s)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(row('Copies')).toContainText('1 job delivers to it')
  await expect(row('Copies')).toContainText('3 delivered')
  await page.getByRole('button', { name: 'Remove Copies' }).click()
  await page.getByRole('button', { name: 'Remove output connection' }).click()
  await expect(row('Copies')).toContainText('cannot be removed: the job 1 (papers) delivers to it')
})

test('documents of a deleted job leave the output', async () => {
  const { services } = loupe.serving.engine
  await expect.poll(async () => (await services.jobs.show({ job: 1 })).state).toBe('INACTIVE')
  await services.jobs.delete({ job: 1 })
  await expect.poll(async () => (await services.outputs.show({ name: 'Copies' })).counts.removed).toBe(3)
  const left = await readdir(join(loupe.folder, 'copies'), { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
  await expect(row('Copies')).toContainText('3 removed')
})
