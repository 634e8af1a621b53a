/** Deduplication through the interface, in a real browser: a harvest that continues another, chosen in the form, and the page that says what
 *  was saved, what refers to what, and what no longer resolves. */
import { rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { harvestDefinition } from '../../src-main/contract/services/definition.ts'
import { listen, type Listening } from '../sites/server.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

const images = 12
let loupe: OpenedLoupe
let page: Page
let server: Listening

test.beforeAll(async () => {
  server = await listen(
    createServer(({ url = '/' }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end()
      const isPage = url === '/'
      response.writeHead(200, { 'Content-Type': isPage ? 'text/html' : 'image/png' })
      const list = Array.from({ length: images }, (_, at) => `<img src="/${at}.png" alt="">`).join('')
      response.end(
        isPage
          ? `<!doctype html><title>Pictures</title>${list}`
          : Buffer.alloc(40_000, `${url} `).map((byte, at) => byte ^ (at * 7919)),
      )
    }),
  )
  loupe = await openLoupe('deduplication')
  page = loupe.page
})
test.afterAll(async () => {
  await loupe.close()
  await server.close()
})

async function harvested(more: object = {}): Promise<number> {
  const { harvests, jobs } = loupe.serving.engine.services
  const { job } = await harvests.create(
    harvestDefinition.parse({ seeds: [`http://${server.address}/`], delayMs: 0, ...more }),
  )
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  return job
}

test('an archive in which nothing was deduplicated says so', async () => {
  await harvested()
  await page.goto(`${page.url().split('#')[0]}#/archive/deduplication`)
  await expect(page.getByRole('heading', { name: 'Every capture has its own content' })).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('the harvest form offers what is compared, and explains a wrong value at its field', async () => {
  await page.getByRole('link', { name: 'Jobs' }).first().click()
  await page.getByRole('button', { name: 'New harvest' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Seeds' }).fill(`http://${server.address}/`)
  await dialog.getByText('Deduplication', { exact: true }).click()
  await expect(dialog.getByRole('radio', { name: 'By URL and content' })).toBeChecked()
  const types = dialog.getByLabel('Always store in full')
  await expect(types).toHaveValue('text/*')
  await types.fill('pictures')
  await dialog.getByRole('button', { name: 'Start harvest' }).click()
  await expect(types).toHaveAccessibleDescription(/media type such as image\/png/)
  await types.fill('text/*')
  await dialog.getByRole('radio', { name: 'By content', exact: true }).check()
  await dialog.getByLabel('Compare with jobs').fill('1')
  await dialog.getByRole('button', { name: 'Start harvest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Job 2: / })).toBeVisible()
  const { jobs } = loupe.serving.engine.services
  await expect.poll(async () => (await jobs.show({ job: 2 })).ended).not.toBeNull()
  expect((await jobs.show({ job: 2 })).definition.deduplication).toEqual({
    match: 'payload',
    jobs: [1],
    excludedTypes: ['text/*'],
  })
})

test('the page shows what was saved by job, host and media type, and what refers to what', async () => {
  await harvested()
  await page.goto(`${page.url().split('#')[0]}#/archive/deduplication`)
  await expect(page.getByText('Every capture resolves')).toBeVisible()
  const saved = page.getByRole('region', { name: 'Saved' })
  await expect(saved.getByRole('row').filter({ hasText: 'Job 2' })).toContainText(`in ${images} captures`)
  await expect(saved.getByRole('row').filter({ hasText: 'Job 3' })).toContainText(`in ${images} captures`)
  await saved.getByText('Media type').click()
  await expect(saved.getByRole('row').filter({ hasText: 'image/png' })).toContainText(`in ${2 * images} captures`)
  const references = page.getByRole('table', { name: 'What refers to what' })
  await expect(references.getByRole('row')).toHaveCount(3)
  await expect(references.getByRole('row').nth(1)).toContainText('1-1-')
  await expectAccessibleInBoth(page)
})

test('the page of a file says which captures of other jobs would be lost with it', async () => {
  await page.getByRole('table', { name: 'What refers to what' }).getByRole('link', { name: /^1-1-/ }).first().click()
  await page.getByRole('button', { name: 'Look up' }).click()
  const referring = page.getByRole('table', { name: 'Captures in other records whose content is in this file' })
  await expect(referring.getByRole('row')).toHaveCount(3)
  await expect(referring.getByRole('row').filter({ hasText: 'Job 2' })).toContainText(`${images}`)
  await expectAccessibleInBoth(page)
  await page.goBack()
})

test('captures whose content is lost are named, with the reason', async () => {
  const { archive } = loupe.serving.engine.services
  const [file] = (await archive.files({ job: 1, limit: 1 })).rows
  const copies = ['ONE', 'TWO'].map((replica) => join(loupe.archive, 'replicas', replica, file?.name ?? ''))
  for (const copy of copies) await rename(copy, `${copy}.away`)
  await page.reload()
  await expect(page.getByText(`${2 * images} captures have no content`)).toBeVisible()
  const lost = page.getByRole('table', { name: 'Captures without content' })
  await expect(lost.getByRole('row').nth(1)).toContainText(
    `No replica can provide ${file?.name}, which has its content. Connect the replica, or repair the file.`,
  )
  await expectAccessibleInBoth(page)
  for (const copy of copies) await rename(`${copy}.away`, copy)
})
