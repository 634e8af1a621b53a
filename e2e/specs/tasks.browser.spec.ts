/** The panel of tasks in a real browser: a slow harvest and a slow check run, are paused, continued and stopped from any screen, and the panel
 *  leads to their results. A speed limit keeps the check running. */
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { harvestDefinition } from '../../src-main/contract/services/definition.ts'
import { fileOf } from '../sites/archiveFiles.ts'
import { startManyPages, type ManyPages } from '../sites/manyPages.ts'
import { expectAccessibleInBoth, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let site: ManyPages
let job: number

test.beforeAll(async () => {
  site = await startManyPages(500)
  loupe = await openLoupe('tasks', async (_, archive) => {
    await mkdir(archive)
    await writeFile(join(archive, 'loupe.toml'), '[preservation]\nbytesPerSecondMax = 5000\n')
  })
  page = loupe.page
})
test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

const panel = () => page.getByRole('dialog', { name: 'Tasks' })
const running = () => panel().getByRole('region', { name: 'Running' })
const ended = () => panel().getByRole('region', { name: 'Ended' })
const button = () => page.getByRole('button', { name: /Tasks$/ })

test('an archive in which nothing was done says what the panel is for', async () => {
  await button().click()
  await expect(running()).toContainText('Nothing is running')
  await expect(ended()).toHaveCount(0)
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  await expect(panel()).toBeHidden()
})

test('a harvest and a check are counted at the button and in the title, and listed with their progress', async () => {
  const sounds = { url: 'http://harbour.test/sounds', at: '2026-05-03T10:00:00Z', mediaType: 'audio/ogg' }
  await importFile(loupe, 'harbour.warc.gz', fileOf([{ ...sounds, content: randomBytes(150_000) }]))
  const { harvests, archive } = loupe.serving.engine.services
  const { origin, resolve } = site
  const definition = { seeds: [`${origin}/`], name: 'Many', delayMs: 1_000, robots: 'ignore', resolve }
  job = (await harvests.create(harvestDefinition.parse(definition))).job
  await archive.check({ kind: 'checksums' })
  await expect(button()).toHaveAccessibleDescription('2 tasks are running')
  await expect(page).toHaveTitle(/^\(2\) /)
  await page.keyboard.press('Alt+t')
  const harvest = running().getByRole('listitem', { name: `Job ${job}: Many` })
  await expect(harvest.getByRole('progressbar')).toBeVisible()
  await expect(running().getByRole('listitem', { name: /^Checksum check: / })).toContainText('left')
  await expect(ended().getByRole('listitem', { name: /^Import: .*job 1$/ })).toContainText('Done')
  await expectAccessibleInBoth(page)
})

test('both are paused and continued where they are listed', async () => {
  const { jobs, tasks } = loupe.serving.engine.services
  const harvest = running().getByRole('listitem', { name: `Job ${job}: Many` })
  await harvest.getByRole('button', { name: 'Pause' }).click()
  await expect.poll(async () => (await jobs.show({ job })).state).toBe('PAUSED')
  await harvest.getByRole('button', { name: 'Resume' }).click()
  await expect(harvest.getByRole('button', { name: 'Pause' })).toBeEnabled()
  const check = running().getByRole('listitem', { name: /^Checksum check: / })
  await check.getByRole('button', { name: 'Pause' }).click()
  await expect(check).toContainText('Paused')
  await check.getByRole('button', { name: 'Resume' }).click()
  await expect(check.getByRole('button', { name: 'Pause' })).toBeVisible()
  const [newest] = await tasks.list({ kind: 'checksums' })
  expect(newest?.state).toBe('RUNNING')
})

test('a harvest is stopped after a question, a check at once, and both lead to what they have done', async () => {
  const harvest = running().getByRole('listitem', { name: `Job ${job}: Many` })
  await harvest.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('dialog', { name: /Stop/ }).getByRole('button', { name: 'Stop' }).click()
  await expect(harvest).toHaveCount(0)
  await running()
    .getByRole('listitem', { name: /^Checksum check: / })
    .getByRole('button', { name: 'Stop' })
    .click()
  const check = ended().getByRole('listitem', { name: /^Checksum check: / })
  await expect(check).toContainText('Stopped')
  await expect(check.getByRole('button', { name: 'Resume' })).toBeVisible()
  await expect(running()).toContainText('Nothing is running')
  await expect(page).toHaveTitle(/^[^(]/)
  await ended()
    .getByRole('listitem', { name: /^Import: .*job 1$/ })
    .getByRole('button', { name: 'Show' })
    .click()
  await expect(panel()).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: /^Job 1: / })).toBeVisible()
  loupe.expectNoBugs()
})
