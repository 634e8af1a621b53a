/** Takes the pictures of the README from the running application (`npm run screenshots`). It opens the sample as a new user would, so
 *  that the pictures show what every user sees. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { serve } from '../src-main/shells/server/serve.ts'
import { build } from '../src-main/shells/launch/build.ts'
import { searchServer } from '../src-main/delivery/testing/searchServer.ts'
import { openAppWindow } from './appWindow.ts'
import { damagedFile, soundFile } from './sites/archiveFiles.ts'
import { listen } from './sites/server.ts'
import { flipOneBitOf } from './specs/replicaDamage.ts'

const top = join(import.meta.dirname, '..')
const pictures = join(top, 'resources', 'screenshots')

const failed = await build(top)
if (failed !== undefined) throw new Error(failed)
await mkdir(pictures, { recursive: true })
const folder = await mkdtemp(join(tmpdir(), 'loupe-pictures-'))
const serving = await serve({
  archiveFolder: folder,
  version: '0.1.0',
  port: 0,
  onBug: (error) => console.error(error),
  log: () => undefined,
})
const window = await openAppWindow(serving.openWindow)
try {
  await takeAll(window.page)
} finally {
  await window.close()
  await serving.close()
  await rm(folder, { recursive: true, force: true })
}

async function takeAll(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('button', { name: 'Open sample' })).toBeVisible()
  await take(page, 'start')
  await page.getByRole('button', { name: 'Open sample' }).click()
  await expect(page.getByRole('link', { name: 'Open in viewer' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('table', { name: 'Not captured, by reason' })).toContainText('robots.txt')
  await take(page, 'job')
  await page.getByRole('link', { name: 'Open in viewer' }).click()
  const archived = page.frameLocator('iframe[title="Archived page"]')
  await archived
    .getByRole('link', { name: /replay/i })
    .first()
    .click()
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toHaveValue(/replay/)
  await page.getByRole('tab', { name: /^This page \(/ }).click()
  await page.mouse.click(600, 600) // move away from the tab, whose focus ring would draw attention
  await take(page, 'viewer')
  await takeMissing(page)
  await takeHarvesting(page)
  await takeImport(page)
  await takeArchive(page)
  await takeHarvests(page)
  await takePlans(page)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByText('Dark', { exact: true }).click()
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Jobs' })).toBeVisible()
  await take(page, 'jobs-dark')
}

/** Takes what the browsed page of the sample lacks. */
async function takeMissing(page: Page): Promise<void> {
  await page.goto(`${page.url().split('#')[0]}#/missing?jobs=1`)
  await expect(page.getByRole('table', { name: 'Missing URLs' })).toContainText('robots')
  await take(page, 'missing')
}

/** Takes the form of a harvest, a schedule for every Monday night, and the history of the sample. */
async function takeHarvesting(page: Page): Promise<void> {
  await serving.engine.services.schedules.set({
    job: 1,
    schedule: { records: [{ daysOfWeek: [1], hours: [2], durationMinutes: 180, timeZone: 'Europe/Berlin' }] },
  })
  await page.getByRole('link', { name: 'Schedule', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Upcoming runs' })).toBeVisible()
  await take(page, 'schedule')
  await page.getByRole('button', { name: 'New harvest' }).click()
  const form = page.getByRole('dialog', { name: 'New harvest' })
  await form.getByRole('textbox', { name: 'Seeds' }).fill('https://example.org/')
  await form.locator('summary').last().scrollIntoViewIfNeeded()
  await take(page, 'harvest')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Discard' }).click()
  await expect(form).toBeHidden()
  await serving.engine.services.schedules.set({ job: 1, schedule: null })
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Activities over time' })).toBeVisible()
  await take(page, 'history')
}

/** Takes a harvest of two domains after three runs, the last of which found much less. */
async function takeHarvests(page: Page): Promise<void> {
  let pages = 40
  const site = await listen(
    createServer((request, response) => {
      const links = Array.from({ length: pages }, (_, at) => `<a href="/page${at}">Page ${at}</a>`)
      response.writeHead(200, { 'Content-Type': 'text/html' })
      response.end(request.url === '/' ? links.join('') : `Page ${request.url} of ${request.headers.host}`.repeat(40))
    }),
  )
  const { domains, templates, harvestDefinitions, harvestStatistics } = serving.engine.services
  await domains.addList({ text: 'harbour.example\nlighthouse.example' })
  const resolve = ['harbour', 'lighthouse'].map((name) => `"www.${name}.example" = "${site.address}"`)
  const toml = `scope = "domain"\nrobots = "ignore"\ndelayMs = 0\n[resolve]\n${resolve.join('\n')}\n`
  await templates.edit({ name: 'default', toml })
  const { harvest } = await harvestDefinitions.add({
    ...{
      name: 'Coast, weekly',
      kind: 'selective',
      schedule: 'Weekly',
      comments: 'Sites of the coast, for the museum.',
    },
    configurations: [{ domain: 'harbour.example' }, { domain: 'lighthouse.example' }],
  })
  for (const found of [40, 44, 4]) {
    pages = found
    const counted = new Set<number>()
    const stop = harvestStatistics.counted(({ job }) => counted.add(job))
    const { jobs } = await harvestDefinitions.run({ harvest })
    await expect.poll(() => jobs.every((job) => counted.has(job)), { timeout: 60_000 }).toBe(true)
    stop()
  }
  await harvestDefinitions.activate({ harvest })
  await page.getByRole('link', { name: 'Harvests', exact: true }).click()
  await page.getByRole('link', { name: 'Coast, weekly' }).click()
  await expect(page.getByText('Too small').first()).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 1180 })
  await take(page, 'harvests')
  await page.setViewportSize({ width: 1280, height: 800 })
  await site.close()
}

/** Takes a plan that delivers the sample to a catalogue, which refuses some pages, and to a folder. */
async function takePlans(page: Page): Promise<void> {
  const catalogue = await searchServer({ isBad: (id) => id.includes('replay'), isTolerant: true })
  const step = (name: string, kind: string, after: string, lines: string) =>
    `[[steps]]\nname = "${name}"\nkind = "${kind}"\nafter = [${after}]\n${lines}\n`
  const isPage = 'settings = { field = "mediaType", pattern = "html", unless = true }'
  const toml = [
    'name = "Catalogue and copies"\n',
    step('scan', 'captures', '', 'settings = { jobs = [1] }\nintervalSeconds = 3600\nrouter = { kind = "all" }'),
    step('pages', 'drop', '"scan"', isPage),
    step('titles', 'title', '"pages"', ''),
    step('catalogue', 'solr', '"titles"', `batchDelayMs = 50\nsettings = { url = "${catalogue.url}/solr/pages" }`),
    step('copies', 'folder', '"scan"', `settings = { folder = ${JSON.stringify(join(folder, 'copies'))} }`),
  ].join('')
  const { deliveries } = serving.engine.services
  await deliveries.save({ toml })
  await deliveries.run({ name: 'Catalogue and copies' })
  await page.getByRole('link', { name: 'Plans', exact: true }).click()
  await page.getByRole('link', { name: 'Catalogue and copies' }).click()
  await page.getByRole('button', { name: /^Destination catalogue/ }).click()
  await expect(page.getByRole('link', { name: /^catalogue, Refused/ })).toBeVisible()
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  await page.setViewportSize({ width: 1280, height: 1180 })
  await page.getByRole('heading', { name: 'Catalogue and copies', level: 1 }).scrollIntoViewIfNeeded()
  await take(page, 'plans')
  await page.setViewportSize({ width: 1280, height: 800 })
  await deliveries.stop({ name: 'Catalogue and copies' })
  await catalogue.close()
}

/** Takes the import of three files, one of them with faults, as a curator sees files that others harvested. */
async function takeImport(page: Page): Promise<void> {
  const given = join(folder, 'given')
  await mkdir(given)
  await writeFile(join(given, 'harbour-2011-00000.warc.gz'), soundFile('harbour.example'))
  await writeFile(join(given, 'harbour-2011-00001.warc.gz'), damagedFile('tides.example'))
  await writeFile(join(given, 'lighthouse.warc.gz'), soundFile('lighthouse.example'))
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.keyboard.press('Control+i')
  const dialog = page.getByRole('dialog', { name: 'Import files' })
  await dialog.getByRole('textbox').fill(given)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Open in viewer' })).toBeVisible({ timeout: 30_000 })
  const places = page.getByRole('article', { name: 'Payload digest wrong' })
  await places.getByRole('button', { name: 'Show occurrences' }).click()
  await expect(places.getByRole('table')).toBeVisible()
  await take(page, 'import')
  await places.getByRole('link', { name: /^Inspect record at/ }).click()
  await expect(page.getByRole('table', { name: 'Digests' })).toContainText('Mismatch')
  await take(page, 'record')
}

/** Takes the check, repair and report of a replica in which one file has a flipped bit and another is missing. */
async function takeArchive(page: Page): Promise<void> {
  const inTwo = (name: string) => join(folder, 'replicas', 'TWO', name)
  const flipped = 'harbour-2011-00000.warc.gz'
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  await check(page)
  const expected = sha256(await readFile(inTwo(flipped)))
  await flipOneBitOf(inTwo(flipped))
  await rm(inTwo('lighthouse.warc.gz'))
  await check(page)
  await expect(page.getByRole('article', { name: 'TWO' })).toContainText('Needs attention')
  await page.getByRole('heading', { name: 'Archive', level: 1 }).scrollIntoViewIfNeeded()
  await take(page, 'archive')
  await page.getByRole('link', { name: flipped, exact: true }).first().click()
  await expect(page.getByText('differs', { exact: true })).toBeVisible()
  await take(page, 'file')
  await page.getByRole('link', { name: 'Repair the copy in TWO' }).click()
  await page.getByRole('button', { name: 'Enter expected checksum' }).click()
  await page.getByRole('textbox', { name: 'Expected SHA-256' }).fill(expected)
  await page.getByRole('button', { name: /^Verify and/ }).click()
  await expect(page.getByRole('alert', { name: 'Copy repaired' })).toBeVisible()
  await take(page, 'repair')
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  await page.getByRole('link', { name: 'Report', exact: true }).click()
  await expect(page.getByRole('article', { name: 'Storage' })).toBeVisible()
  await take(page, 'report')
}

async function check(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check all replicas…' }).click()
  await page.getByRole('button', { name: 'Start check' }).click()
  await page.getByRole('button', { name: 'Show in archive' }).click()
  await expect(page.getByText(/No problems found|^\d+ findings?/).first()).toBeVisible()
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function take(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
}
