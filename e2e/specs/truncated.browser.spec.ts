/** Truncated captures through the interface, in a real browser: a harvest of a server that breaks a connection is not shown as
 *  successful, gives the reason and lists what is incomplete; the viewer marks it. */
import { createServer, type Server } from 'node:http'
import { expect, test, type Page } from '@playwright/test'
import { harvestDefinition } from '../../src-main/contract/services/definition.ts'
import { listen } from '../sites/server.ts'
import { expectAccessibleInBoth, goToArchived, openJobTab, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

const whole = '<!doctype html><title>Whole</title><h1>Whole</h1><a href="/cut">The other page</a><img src="/cut.png">'
const part = '<!doctype html><title>Part</title><h1>Part of a page</h1>'

let loupe: OpenedLoupe
let page: Page
let origin: string
let job: number

/** A site with an intact page and two resources whose connection breaks after a part. */
function site(): Server {
  return createServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    if (request.url === '/') return void response.setHeader('Content-Type', 'text/html').end(whole)
    const type = request.url === '/cut' ? 'text/html' : 'image/png'
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': 9_999 })
    response.write(part, () => response.destroy())
  })
}

test.beforeAll(async () => {
  const listening = await listen(site())
  origin = `http://${listening.address}`
  loupe = await openLoupe('truncated')
  page = loupe.page
  const { harvests, jobs } = loupe.serving.engine.services
  ;({ job } = await harvests.create(harvestDefinition.parse({ seeds: [`${origin}/`], delayMs: 0 })))
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  await listening.close()
})

test.afterAll(() => loupe.close())

test('the job is done, incomplete, and reports how many captures are truncated and why', async () => {
  const row = page.getByRole('table', { name: 'Jobs' }).getByRole('row').nth(1)
  await expect(row).toContainText('Done, incomplete')
  await row.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: /^Job 1: / })).toBeVisible()
  const why = 'the connection ended before the response was complete'
  await expect(page.getByRole('alert')).toContainText(`2 captures are incomplete: ${why}`)
  await expect(page.getByRole('table', { name: 'Truncated captures by reason' })).toContainText(`${why}2`)
  await expectAccessibleInBoth(page)
})

test('the list of URLs filters them, each with its reason', async () => {
  await openJobTab(page, 'URLs')
  await page.getByRole('combobox', { name: 'Result' }).click()
  await page.getByRole('option', { name: 'Truncated' }).click()
  const documents = page.getByRole('table', { name: 'URLs' })
  await expect(documents.getByRole('row')).toHaveCount(3)
  for (const path of ['/cut', '/cut.png'])
    await expect(
      documents
        .getByRole('row')
        .filter({ hasText: `${origin}${path}` })
        .first(),
    ).toContainText('Truncated')
  await expectAccessibleInBoth(page)
})

test('the viewer marks a truncated page and a truncated resource', async () => {
  await page.getByRole('link', { name: 'Open in viewer' }).click()
  await expect(page.frameLocator('iframe[title="Archived page"]').getByRole('heading', { name: 'Whole' })).toBeVisible()
  await expect(page.getByText('Truncated capture')).toBeHidden()
  const resources = page.getByRole('list', { name: 'Resources of this page' })
  await expect(resources.getByRole('button', { name: 'Truncated 1' })).toBeVisible()
  await expect(resources.getByRole('listitem').filter({ hasText: `${origin}/cut.png` })).toContainText('Truncated')
  await goToArchived(page, `${origin}/cut`)
  await expect(page.getByText('Truncated capture')).toBeVisible()
  await expectAccessibleInBoth(page)
  loupe.expectNoBugs()
})
