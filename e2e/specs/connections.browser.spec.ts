/** Connections in the settings, and their choice in the form of a harvest. Includes axe. */
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
  loupe = await openLoupe('connections', async (folder) => {
    await mkdir(join(folder, 'papers'))
    await writeFile(join(folder, 'papers/one.txt'), 'one')
  })
  page = loupe.page
})
test.afterAll(() => loupe.close())

const dialog = () => page.getByRole('dialog')
const row = (name: string) => page.getByRole('group', { name, exact: true })
const connections = () => page.getByRole('region', { name: 'Connections', exact: true })

async function choose(field: string, option: string): Promise<void> {
  await dialog().getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a connection is added, and errors are next to their fields', async () => {
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(connections()).toContainText('There are no connections.')
  await connections().getByRole('button', { name: 'Add connection' }).click()
  await dialog().getByRole('button', { name: 'Save connection' }).click()
  await expect(dialog().getByRole('textbox', { name: 'Connection name' })).toBeFocused()
  await dialog().getByRole('textbox', { name: 'Connection name' }).fill('Papers')
  await choose('Connector', 'Folder')
  await dialog().getByRole('textbox', { name: 'Maximum at once' }).fill('2')
  await dialog().getByRole('button', { name: 'Add rule' }).click()
  await dialog().getByRole('textbox', { name: 'Host pattern' }).fill('^file')
  await dialog().getByRole('textbox', { name: 'What this rule is for' }).fill('an old disk')
  await dialog().getByRole('button', { name: 'Save connection' }).click()
  await expect(dialog().getByText('Set at least one limit, or remove the rule.')).toBeVisible()
  await dialog().getByRole('textbox', { name: 'Connections', exact: true }).fill('1')
  await expectAccessibleInBoth(page)
  await dialog().getByRole('button', { name: 'Save connection' }).click()
  await expect(dialog()).toHaveCount(0)
  await expect(row('Papers')).toContainText(
    'Source · Folder · at most 2 uses at once · 1 throttle · not used by any job',
  )
  await expect(row('Papers')).toContainText('Connection working')
  await expectAccessible(page)
  const { services } = loupe.serving.engine
  expect(await services.connections.show({ name: 'Papers' })).toMatchObject({
    throttles: [{ match: '^file', description: 'an old disk', connections: 1 }],
  })
})

test('a name that is taken is refused at its field', async () => {
  await connections().getByRole('button', { name: 'Add connection' }).click()
  await dialog().getByRole('textbox', { name: 'Connection name' }).fill('papers')
  await dialog().getByRole('button', { name: 'Save connection' }).click()
  await expect(dialog().getByText(/already a connection "papers"/)).toBeVisible()
  await dialog().getByRole('textbox', { name: 'Connection name' }).fill('Trials')
  await choose('Connector', 'Dry run')
  await dialog().getByRole('button', { name: 'Save connection' }).click()
  await expect(row('Trials')).toContainText('Output · Dry run')
})

test('a harvest is started with connections, and names them', async () => {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('button', { name: 'New harvest' }).first().click()
  await choose('Source connection', 'Papers')
  await expect(dialog().getByRole('radio', { name: 'Sitemap' })).toHaveCount(0)
  await dialog().getByRole('textbox', { name: 'Folders' }).fill(join(loupe.folder, 'papers'))
  await openPart(page, 'Output')
  await choose('Storage connection', 'Trials')
  await dialog().getByRole('button', { name: 'Start harvest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Job 1: papers' })).toBeVisible()
  await openJobTab(page, 'Log')
  await expect(page.getByRole('list', { name: 'Log' })).toContainText('nothing was archived')
  const { services } = loupe.serving.engine
  expect((await services.jobs.show({ job: 1 })).definition.connectors).toMatchObject({
    ...{ repositoryConnection: 'Papers', outputConnection: 'Trials', output: 'null' },
  })
})

test('a connection in use is changed, and cannot be removed', async () => {
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(row('Papers').getByRole('link', { name: 'papers' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit Papers' }).click()
  await expect(dialog().getByRole('textbox', { name: 'Connection name' })).toBeDisabled()
  await dialog().getByRole('textbox', { name: 'Maximum at once' }).fill('1')
  await dialog().getByRole('button', { name: 'Save connection' }).click()
  await expect(row('Papers')).toContainText('1 use at once')
  await page.getByRole('button', { name: 'Remove Papers' }).click()
  await dialog().getByRole('button', { name: 'Remove connection' }).click()
  await expect(row('Papers')).toContainText('the job 1 (papers) uses it')
  await page.getByRole('button', { name: 'Uninstall Folder' }).click()
  await dialog().getByRole('button', { name: 'Uninstall' }).click()
  await page.getByRole('button', { name: 'Check Papers again' }).click()
  await expect(row('Papers')).toContainText('"Folder" is not installed')
  loupe.expectNoBugs()
})
