/** One file of the archive through the interface: found in the list, checked alone, damaged outside of Loupe and detected as damaged.
 *  The captures and hosts that its page lists are compared with a site of known content. */
import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { captured, startTwoHosts } from '../sites/twoHosts.ts'
import { expectAccessible, openLoupe, openPart, type OpenedLoupe } from './openedLoupe.ts'
import { flipOneBitOf } from './replicaDamage.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let site: Awaited<ReturnType<typeof startTwoHosts>>
/** Name of the file with the captures of the first harvest. */
let name: string
const replica = (of: string) => join(loupe.archive, 'replicas', of)

/** The captured addresses by host, with which the tables of the page are compared. */
const perDomain = Map.groupBy(captured, (url) => new URL(url).hostname)

test.beforeAll(async () => {
  loupe = await openLoupe('archived-file')
  page = loupe.page
  site = await startTwoHosts()
  await harvest(1)
  name = (await readdir(replica('ONE'))).find((entry) => /^1-(?!metadata).*\.warc\.gz$/.test(entry)) ?? ''
})

test.afterAll(async () => {
  await site.close()
  await loupe.close()
})

test('a file is found in the list, and its name leads to its page', async () => {
  await openList()
  const list = page.getByRole('table', { name: 'Files in the archive' })
  await expect(list.getByRole('row')).toHaveCount(3)
  await expectAccessible(page)
  await list.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('Not fully verified')).toBeVisible()
  await expect(copy('ONE')).toContainText('Never checked')
  await expect(page.getByRole('table', { name: 'Observations in ONE' })).toContainText('Stored')
  await expectAccessible(page)
})

test('a check of this file only confirms that it is unchanged', async () => {
  await page.getByRole('button', { name: 'Check this file' }).click()
  await expect(page.getByRole('alert')).toContainText('All 2 copies are intact.')
  await expect(page.getByText('Intact', { exact: true })).toBeVisible()
  for (const of of ['ONE', 'TWO']) {
    const seen = page.getByRole('table', { name: `Observations in ${of}` }).getByRole('row')
    await expect(seen.nth(1)).toContainText('Verified')
    await expect(seen.nth(1)).toContainText('as registered')
  }
  await expect(page.getByRole('button', { name: /^Repair the copy/ })).toHaveCount(0)
  // The check does not cover the other files.
  await openList()
  await page.getByRole('combobox', { name: 'Copy status' }).click()
  await page.getByRole('option', { name: 'Never checked' }).click()
  await expect(page.getByRole('table', { name: 'Files in the archive' }).getByRole('row')).toHaveCount(2)
  await page.goBack()
})

test('affected captures are listed by URL', async () => {
  await open(name)
  await page.getByRole('button', { name: 'Look up' }).click()
  const lost = page.getByRole('region', { name: 'Content at risk' })
  await expect(lost).toContainText(`${captured.length} captures from ${perDomain.size} domains.`)
  await expect(lost).toContainText(`${captured.length} payloads exist only in this file and would be lost.`)
  const domains = lost.getByRole('table', { name: 'Domains in this file' })
  for (const [domain, urls] of perDomain)
    await expect(domains.getByRole('row').filter({ hasText: domain })).toContainText(String(urls.length))
})

test('a second harvest has the same payloads: then nothing of the first would be lost', async () => {
  await harvest(2, async () => {
    await openPart(page, 'Deduplication')
    await page.getByRole('radio', { name: 'Off' }).check()
  })
  await page.getByRole('link', { name: 'Open in viewer' }).click()
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toBeVisible()
  await open(name)
  await page.getByRole('button', { name: 'Look up' }).click()
  const lost = page.getByRole('region', { name: 'Content at risk' })
  await expect(lost).toContainText('Every payload also exists in another file.')
})

test('one flipped bit in one replica is visible: in the copy, its history, the vote and the affected captures', async () => {
  await flipOneBitOf(join(replica('TWO'), name))
  await page.getByRole('button', { name: 'Check the copy in TWO' }).click()
  await expect(page.getByRole('alert')).toContainText('The copy in TWO is damaged or missing.')
  await expect(page.getByText('Needs attention', { exact: true })).toBeVisible()
  await expect(copy('TWO')).toContainText('Damaged')
  await expect(copy('ONE')).toContainText('Good')
  await expect(page.getByRole('region', { name: 'Copies' })).toContainText('Good in ONE. Damaged in TWO.')
  const seen = page.getByRole('table', { name: 'Observations in TWO' }).getByRole('row')
  await expect(seen.nth(1)).toContainText('differs')
  await expect(seen.nth(2)).toContainText('as registered')
  await expect(page.getByRole('table', { name: 'Audit log entries' })).toContainText('TWO: Damaged')
  await expectAccessible(page)
  await expect(page.getByRole('link', { name: 'Repair the copy in ONE' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Repair the copy in TWO' }).click()
  await expect(page).toHaveURL(/#\/archive\/repair\/.*replica=TWO$/)
})

test('the list finds it by the state of its copy, and by replica', async () => {
  await openList()
  const list = page.getByRole('table', { name: 'Files in the archive' })
  await page.getByRole('combobox', { name: 'Copy status' }).click()
  await page.getByRole('option', { name: /^Damaged/ }).click()
  await expect(list.getByRole('row')).toHaveCount(2)
  await expect(list).toContainText(name)
  await page.getByRole('combobox', { name: 'Replica' }).click()
  await page.getByRole('option', { name: 'In ONE' }).click()
  await expect(page.getByRole('heading', { name: 'No files match' })).toBeVisible()
  await expect(page.getByText('No copies are known to be damaged.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all files' }).last().click()
  await expect(list.getByRole('row')).toHaveCount(5)
  await page.getByRole('textbox', { name: 'Filter Files in the archive' }).fill('METADATA')
  await expect(list.getByRole('row')).toHaveCount(3)
  await page.getByRole('textbox', { name: 'Job' }).fill('2')
  await expect(list.getByRole('row')).toHaveCount(2)
  await page.getByRole('textbox', { name: 'Filter Files in the archive' }).fill('')
  await page.getByRole('button', { name: 'Size' }).click()
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(list.getByRole('row').nth(1)).toContainText('metadata')
  await page.getByRole('button', { name: 'Size' }).click()
  await expect(list.getByRole('row').nth(2)).toContainText('metadata')
  // The address contains the whole state of the list, so that going back shows it unchanged.
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'descending')
  await expect(list.getByRole('row').nth(2)).toContainText('metadata')
})

test('a file that is not in the catalogue is listed with its path and what to do', async () => {
  await writeFile(join(replica('ONE'), 'stray.warc.gz'), 'whose is this?')
  await page.getByRole('navigation', { name: 'Archive sections' }).getByRole('link').first().click()
  await checkAllForMissing()
  await openList()
  const strays = page.getByRole('region', { name: 'Files not in the catalogue' })
  await expect(strays).toContainText('Loupe never removes or uses such files.')
  await expect(strays.getByRole('table')).toContainText(join(replica('ONE'), 'stray.warc.gz'))
  await expectAccessible(page)
})

test('a replica on a missing drive is reported as such, and nothing counts as lost', async () => {
  await rename(replica('ONE'), `${replica('ONE')}-away`)
  try {
    await page.getByRole('link', { name: 'Settings' }).click()
    await open(name)
    await expect(copy('ONE')).toContainText('This replica cannot be read')
    await expect(copy('ONE')).toContainText('Good')
    await expect(page.getByRole('button', { name: 'Check the copy in ONE' })).toHaveAttribute('aria-disabled')
    await expectAccessible(page)
  } finally {
    await rename(`${replica('ONE')}-away`, replica('ONE'))
  }
})

for (const address of ['never.warc.gz', '..%2F..%2Fetc%2Fpasswd', '%E4'])
  test(`the address ${address} is not a file, and a message says so`, async () => {
    await page.evaluate((file) => (window.location.hash = `#/archive/files/${file}`), address)
    await expect(page.getByRole('heading', { name: 'File not found in the archive' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Check this file' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Open file list' }).click()
    await expect(page.getByRole('table', { name: 'Files in the archive' })).toBeVisible()
  })

test('no bugs or page errors were reported', () => loupe.expectNoBugs())

function copy(of: string) {
  return page.getByRole('article', { name: of, exact: true })
}

async function open(file: string): Promise<void> {
  await page.evaluate((wanted) => (window.location.hash = `#/archive/files/${wanted}`), file)
  await expect(page.getByRole('region', { name: 'Copies' })).toBeVisible()
}

async function checkAllForMissing(): Promise<void> {
  await page.getByRole('button', { name: 'Check all replicas…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Missing files' }).check()
  await dialog.getByRole('button', { name: 'Start check' }).click()
  await page.getByRole('button', { name: 'Show in archive' }).click()
  await expect(dialog).toBeHidden()
}

async function openList(): Promise<void> {
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  await page.getByRole('navigation', { name: 'Archive sections' }).getByRole('link', { name: 'Files' }).click()
}

async function harvest(job: number, fill: () => Promise<void> = async () => undefined): Promise<void> {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('button', { name: 'New harvest' }).click()
  await page.getByRole('textbox', { name: 'Seeds' }).fill(`${site.origin}/`)
  await openPart(page, 'Politeness')
  await page.getByRole('textbox', { name: 'Delay (ms)' }).fill('0')
  await openPart(page, 'Patterns, user agent and DNS')
  await page.getByRole('textbox', { name: 'Hosts file' }).fill(
    Object.entries(site.resolve)
      .map((pair) => pair.join(' '))
      .join('\n'),
  )
  await fill()
  await page.getByRole('button', { name: 'Start harvest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(`^Job ${job}: `) })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open in viewer' })).toBeVisible()
}
