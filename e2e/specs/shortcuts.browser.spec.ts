/** Keys: the list of them, a harvest that is begun and submitted without a mouse, and its job opened in the viewer. */
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
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<!doctype html><title>A page</title><h1>A page</h1>')
    }),
  )
  loupe = await openLoupe('shortcuts')
  page = loupe.page
})
test.afterAll(async () => {
  await loupe.close()
  await server.close()
})

test('a question mark lists the keys, over any screen', async () => {
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(dialog.getByRole('row', { name: 'Quick open Ctrl+K' })).toBeVisible()
  await expect(dialog.getByRole('row', { name: 'New harvest… Alt+N' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('a harvest is started by keys alone', async () => {
  await page.keyboard.press('Alt+N')
  const seeds = page.getByRole('textbox', { name: 'Seeds' })
  await expect(seeds).toBeFocused()
  // In a field it is text.
  await page.keyboard.type(`http://${server.address}/?`)
  await expect(seeds).toHaveValue(`http://${server.address}/?`)
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden()
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await loupe.serving.engine.services.jobs.list({})).length).toBe(1)
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('Ctrl+Enter submits nothing while the form is not filled in', async () => {
  await page.keyboard.press('Alt+N')
  await expect(page.getByRole('textbox', { name: 'Seeds' })).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await loupe.serving.engine.services.jobs.list({})).toHaveLength(1)
})

test('the job that is shown is opened in the viewer', async () => {
  const { jobs } = loupe.serving.engine.services
  await expect.poll(async () => (await jobs.show({ job: 1 })).ended).not.toBeNull()
  await page.evaluate(() => (location.hash = '#/jobs/1'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+O')
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'A page' })).toBeVisible()
})
