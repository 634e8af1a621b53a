/** Editing the definition of a job in a real browser: the form is filled with the current values, changes are kept, and a job that
 *  cannot be changed gives the reason. Also restarting a run that is in progress, with the button next to it. */
import { createServer } from 'node:http'
import { expect, test, type Page } from '@playwright/test'
import { linksTo } from '../sites/changing.ts'
import { listen, type Listening } from '../sites/server.ts'
import { expectAccessibleInBoth, openJobTab, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let site: Listening
let job: number

test.beforeAll(async () => {
  site = await listen(
    createServer((request, response) => {
      const number = Number((request.url ?? '').slice(1)) || 0
      response.writeHead(request.url === '/robots.txt' ? 404 : 200, { 'Content-Type': 'text/html' })
      response.end(linksTo(`/${number + 1}`, `/${number + 2}`))
    }),
  )
  loupe = await openLoupe('editing')
  page = loupe.page
  await page.setViewportSize({ width: 1500, height: 950 })
})

test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

async function toJob(): Promise<void> {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.evaluate((wanted) => (window.location.hash = `#/jobs/${wanted}`), job)
}

const dialog = () => page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('an ended job: the form has its definition, and changes apply from the next run', async () => {
  const { harvests } = loupe.serving.engine.services
  const seeds = [`http://${site.address}/`]
  job = (await harvests.create({ seeds, name: 'The numbers', delayMs: 0, maxObjects: 3, exclude: ['/99$'] })).job
  await toJob()
  await expect(page.getByText('Done', { exact: true })).toBeVisible()
  await button('Edit').click()
  await expect(dialog()).toContainText('Changes apply from the next run.')
  await expect(dialog().getByRole('textbox', { name: /^Seeds/ })).toHaveValue(seeds.join('\n'))
  await expect(dialog().getByRole('textbox', { name: 'Max. URLs' })).toHaveValue('3')
  await expectAccessibleInBoth(page)
  await dialog().getByRole('textbox', { name: 'Name' }).fill('The next numbers')
  await dialog().getByRole('textbox', { name: 'Max. URLs' }).fill('5')
  await button('Save changes').click()
  await expect(dialog()).toBeHidden()
  await expect(page.getByRole('heading', { name: /The next numbers/ })).toBeVisible()
  await openJobTab(page, 'Definition and schedule')
  await expect(
    page.getByText('The definition was changed after the last run and applies from the next run.'),
  ).toBeVisible()
  const { definition, ranWith } = await loupe.serving.engine.services.jobs.show({ job })
  expect(definition).toMatchObject({ seeds, maxObjects: 5, delayMs: 0, exclude: ['/99$'] })
  expect(ranWith).toMatchObject({ name: 'The numbers', maxObjects: 3 })
  await button('Run again').click()
  await expect(page.getByText('The definition was changed after the last run')).toBeHidden()
  await expect.poll(async () => (await loupe.serving.engine.services.jobs.show({ job })).documents.fetched).toBe(5)
})

test('a run in progress accepts what it can, and the form reports what it cannot', async () => {
  const { harvests } = loupe.serving.engine.services
  job = (await harvests.create({ seeds: [`http://${site.address}/`], name: 'Without end', delayMs: 100 })).job
  await toJob()
  await expect(button('Restart')).toBeEnabled()
  await expect(page.getByText('Running', { exact: true })).toBeVisible()
  await button('Edit').click()
  await expect(dialog()).toContainText('Changes apply to the current run.')
  await dialog().getByText('Politeness', { exact: true }).click()
  await expect(dialog().getByRole('radio', { name: 'Ignore' })).toBeDisabled()
  await expect(dialog().getByText(/the run has already visited hosts under the old rule/)).toBeVisible()
  await dialog().getByRole('textbox', { name: 'Delay (ms)' }).fill('50')
  await button('Save changes').click()
  await expect(dialog()).toBeHidden()
  await openJobTab(page, 'Log')
  await expect(page.getByText('Definition changed: the delay. The change applies immediately.')).toBeVisible()
})

test('Restart ends the current run after confirmation, and the next one starts by itself', async () => {
  await button('Restart').click()
  await expect(dialog()).toContainText('Captures made so far are stored first')
  await button('Cancel').click()
  await expect(page.getByText(/Run 2 started/)).toBeHidden()
  await button('Restart').click()
  await button('Restart job').click()
  await expect(page.getByText(/Run 2 started with 1 seed/)).toBeVisible()
  await expect(page.getByText('Running', { exact: true })).toBeVisible()
  await button('Stop and run incremental').click()
  await button('Restart job').click()
  await expect(page.getByText(/Run 3 started with 1 seed/)).toBeVisible()
  await button('Stop').click()
  await dialog().getByRole('button', { name: 'Stop job' }).click()
  await expect(page.getByText('Stopped', { exact: true })).toBeVisible()
})
