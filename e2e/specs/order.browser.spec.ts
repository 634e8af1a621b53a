/** The order of documents in WARC files, chosen in the form: two harvests of a site with random response times have the same records in the
 *  same order. */
import { createServer } from 'node:http'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { listen, type Listening } from '../sites/server.ts'
import { witnessFile } from '../witness.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

const pages = 60
let loupe: OpenedLoupe
let page: Page
let server: Listening

test.beforeAll(async () => {
  server = await listen(
    createServer(({ url = '/' }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end()
      const number = Number(url.slice(1))
      const links = Array.from({ length: 8 }, (_, at) => number * 8 + at + 1).filter((to) => to <= pages)
      const body = links.map((to) => `<a href="/${to}">${to}</a>`).join('')
      setTimeout(() => {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>${number}</title>${body}`)
      }, Math.random() * 40)
    }),
  )
  loupe = await openLoupe('order')
  page = loupe.page
})
test.afterAll(async () => {
  await loupe.close()
  await server.close()
})

async function harvested(order: 'As they were found' | 'As their responses arrive'): Promise<string[]> {
  const { jobs } = loupe.serving.engine.services
  const job = (await jobs.list({})).length + 1
  await page.getByRole('link', { name: 'Jobs' }).first().click()
  await page.getByRole('button', { name: 'New harvest' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Seeds' }).fill(`http://${server.address}/`)
  await dialog.getByText('Order of documents', { exact: true }).first().click()
  await dialog.getByRole('radio', { name: order }).check()
  await dialog.getByText('Deduplication', { exact: true }).click()
  await dialog.getByRole('radio', { name: 'Off', exact: true }).check()
  await dialog.getByText('Politeness', { exact: true }).click()
  await dialog.getByLabel('Delay (ms)', { exact: true }).fill('0')
  await dialog.getByLabel('Connections per host', { exact: true }).fill('8')
  await dialog.getByRole('button', { name: 'Start harvest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(`^Job ${job}: `) })).toBeVisible()
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  const replica = join(loupe.archive, 'replicas/ONE')
  const names = (await readdir(replica)).filter((name) => name.startsWith(`${job}-`) && name.endsWith('.warc.gz'))
  const records = (await Promise.all(names.toSorted().map((name) => witnessFile(join(replica, name))))).flat()
  return records.filter(({ type }) => type !== 'warcinfo').map(({ type, url }) => `${type} ${url}`)
}

test('two harvests in scheduled order have the same records in the same order', async () => {
  const first = await harvested('As they were found')
  expect(first.length).toBeGreaterThan(3 * pages)
  expect(await harvested('As they were found')).toEqual(first)
})

test('as responses arrive, the same records have another order', async () => {
  const scheduled = await harvested('As they were found')
  const fetched = await harvested('As their responses arrive')
  expect(fetched).not.toEqual(scheduled)
  expect(fetched.toSorted()).toEqual(scheduled.toSorted())
})

test('the job shows the order that was chosen', async () => {
  await page.goto(`${page.url().split('#')[0]}#/jobs/1/definition`)
  await expect(page.getByText('As they were found')).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
