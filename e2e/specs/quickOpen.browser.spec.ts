/** Quick open: jobs, files, pages, commands, screens and settings by their names, with the keyboard alone. */
import { createServer } from 'node:http'
import { expect, test, type Page } from '@playwright/test'
import { listen, type Listening } from '../sites/server.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let server: Listening

test.beforeAll(async () => {
  server = await listen(
    createServer(({ url }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end()
      const links = '<a href="/museum/">Museum</a><a href="/theatre/">Theatre</a>'
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>${url}</title>${links}`)
    }),
  )
  loupe = await openLoupe('quickOpen')
  page = loupe.page
  const { harvests, jobs, viewer, domains } = loupe.serving.engine.services
  const { job } = await harvests.create({ seeds: [`http://${server.address}/`], delayMs: 0 })
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  await viewer.open({ jobs: [job] })
  await domains.addList({ text: 'museum.example\ntheatre.example' })
})
test.afterAll(async () => {
  await loupe.close()
  await server.close()
})

const dialog = () => page.getByRole('dialog')
const search = () => page.getByPlaceholder('Jobs, harvests, domains, files, pages, commands, settings')

async function openQuickly(text: string): Promise<void> {
  await page.keyboard.press('Control+K')
  await expect(search()).toBeFocused()
  await page.keyboard.type(text)
}

test('begins with commands and what is newest, and is accessible', async () => {
  await page.keyboard.press('Control+K')
  await expect(dialog().getByText('New harvest…')).toBeVisible()
  await expect(dialog().getByText(/^Job 1: /)).toBeVisible()
  await expect(dialog().getByText('theatre.example')).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  await expect(search()).toBeHidden()
})

test('a domain by the beginning of its name', async () => {
  await openQuickly('muse')
  await expect(dialog().getByText('museum.example')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'museum.example' })).toBeVisible()
})

test('a job, and the keys choose among what was found', async () => {
  await openQuickly('job 1')
  await expect(dialog().getByText(/^Job 1: /)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /^Job 1: / })).toBeVisible()
})

test('a page of the view opens in a tab', async () => {
  await openQuickly('/museum/')
  await dialog().getByText(`http://${server.address}/museum/`).click()
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toHaveValue(`http://${server.address}/museum/`)
})

test('a command opens its dialog, and a setting is shown', async () => {
  await openQuickly('new har')
  await page.keyboard.press('Enter')
  await expect(dialog().getByRole('textbox', { name: 'Seeds' })).toBeVisible()
  await page.keyboard.press('Escape')
  await openQuickly('harvest.delay')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'harvest.delayMs', exact: true })).toBeInViewport()
})

test('says so when nothing has such a name', async () => {
  await openQuickly('qqqqzzzz')
  await expect(dialog().getByText('Nothing has such a name.')).toBeVisible()
  await page.keyboard.press('Escape')
})
