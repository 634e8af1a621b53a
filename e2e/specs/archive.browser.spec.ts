/** Looking after an archive of three replicas (one of checksums only) on the screens: new copies; a check with its cost, progress,
 *  stop and continuation; its findings in a replica that was damaged outside of Loupe; a spot check; a disconnected drive; and the
 *  menu. A speed limit and a large file keep the first check running until it is stopped; it is resumed without the limit. */
import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { loupe as command } from '../loupeProcess.ts'
import { fileOf, soundFile } from '../sites/archiveFiles.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'
import { flipOneBitOf } from './replicaDamage.ts'

test.describe.configure({ mode: 'serial' })

const given = Array.from({ length: 8 }, (_, index) => `harbour-${index}.warc.gz`)
const large = 'harbour-8.warc.gz'
const settings = `
[replicas]
ONE = "replicas/ONE"
TWO = "replicas/TWO"
[checksumReplicas]
SUMS = "replicas/SUMS"
[places]
ONE = "Aarhus, server room"
`
/** The large file alone takes a minute. */
const speedLimit = `[preservation]\nbytesPerSecondMax = 5000\n`

let loupe: OpenedLoupe
let page: Page
const replica = (name: string) => join(loupe.archive, 'replicas', name)
const card = (name: string) => page.getByRole('article', { name, exact: true })
const verdict = () => page.getByRole('region', { name: 'Archive status' })
const dialog = () => page.getByRole('dialog', { name: 'Check the archive' })
const tally = (name: string, of: string) =>
  card(name)
    .getByLabel(`Copies in ${name} that need attention`)
    .locator('div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${of}$`) }) })
const history = (name: string) => card(name).getByRole('list', { name: `History of ${name}, oldest first` })
/** The numbers of the checks of a kind, the last one first: those of their tasks, which exports and imports share. */
async function numbersOf(kind: 'checksums' | 'spot'): Promise<number[]> {
  const tasks = await loupe.serving.engine.services.tasks.list({})
  return tasks.flatMap((one) => (one.kind === kind ? [one.task] : []))
}

test.beforeAll(async () => {
  loupe = await openLoupe('archive', async (folder, archive) => {
    const source = join(folder, 'given')
    await mkdir(source)
    await mkdir(archive)
    await writeFile(join(archive, 'loupe.toml'), `${settings}${speedLimit}`)
    for (const name of given) await writeFile(join(source, name), soundFile(`${name.split('.')[0]}.test`))
    const sounds = { url: 'http://harbour-8.test/sounds', at: '2026-05-03T10:00:00Z', mediaType: 'audio/ogg' }
    await writeFile(join(source, large), fileOf([{ ...sounds, content: randomBytes(150_000) }]))
    expect((await command('--archive', archive, 'init')).code).toBe(0)
    expect((await command('--archive', archive, 'import', source)).code).toBe(0)
  })
  page = loupe.page
})

test.afterAll(() => loupe.close())

test('new copies, which were verified when stored, are fine, and their first check has a date', async () => {
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  await expect(verdict()).toContainText('The archive is intact: all 10 files are in all 3 replicas')
  await expect(verdict()).toContainText(
    /30 new copies are waiting for the first fixity check, due by 20\d\d-\d\d-\d\d\./,
  )
  await expect(card('ONE')).toContainText('Intact')
  await expect(card('ONE').locator('[data-tone="attention"]')).toHaveCount(0)
  await expect(card('ONE')).toContainText('Aarhus, server room')
  await expect(card('TWO')).toContainText('No location set')
  await expect(card('SUMS')).toContainText('Checksums only')
  await expect(tally('ONE', 'Never checked')).toContainText('10')
  await expect(card('ONE')).toContainText('No activity yet.')
  await expect(page.getByRole('table', { name: 'Overdue copies' })).toHaveCount(0)
  await expectAccessibleInBoth(page)
})

test('the dialog explains what each check proves and costs, how a pattern works, and the speed limit', async () => {
  await page.getByRole('button', { name: 'Check all replicas…' }).click()
  await expect(dialog().getByRole('radio', { name: /^Checksums/ })).toBeChecked()
  await expect(dialog().getByRole('radio', { name: /^Checksums/ })).toBeFocused()
  await expect(dialog()).toContainText('30 copies of 10 files')
  await expect(dialog()).toContainText('at the speed limit of 5 kB/s')
  await expect(dialog()).toContainText('as set in Settings')
  await dialog().getByText('By name', { exact: true }).click()
  const pattern = dialog().getByRole('textbox', { name: 'File name pattern' })
  await pattern.fill('^harbour-[12')
  await expect(dialog()).toContainText('This bracket is never closed.')
  await dialog().getByRole('button', { name: 'Start check' }).click()
  await expect(pattern).toBeFocused()
  await pattern.fill('^harbour-[12]')
  await expect(dialog()).toContainText(/Matches 2 files: harbour-[12].warc.gz, harbour-[12].warc.gz/)
  await expect(dialog()).toContainText('6 copies of 2 files')
  await pattern.fill('nothing like it')
  await expect(dialog()).toContainText('Matches no files')
  await dialog().getByRole('button', { name: 'Start check' }).click()
  await expect(pattern).toBeFocused()
  await expect(dialog()).toContainText('No file name matches.')
  await dialog().getByText('Random sample', { exact: true }).click()
  await dialog().getByRole('textbox', { name: 'Sample size (files)' }).fill('4')
  await expect(dialog()).toContainText('12 copies of 4 files')
  await expectAccessibleInBoth(page)
  await dialog()
    .getByRole('radio', { name: /^Missing files/ })
    .check()
  await expect(dialog()).toContainText('no content is read')
  await expectAccessibleInBoth(page)
})

test('a check continues when its page is left, can be stopped, and resumes where it stopped', async () => {
  await dialog()
    .getByRole('radio', { name: /^Checksums/ })
    .check()
  await dialog().getByText('All', { exact: true }).click()
  await dialog().getByRole('button', { name: 'Start check' }).click()
  await expect(dialog()).toContainText('No problems so far')
  await expect(dialog()).toContainText(/[\d.]+\skB of [\d.]+\skB · .*\/s · .* left/)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  const [check] = await numbersOf('checksums')
  await page.getByRole('button', { name: `Stop check ${check}`, exact: true }).click()
  const stopped = `^Check ${check} \\(checksums\\) stopped on .* of 30 copies, with no problems so far`
  await expect(page.getByText(new RegExp(stopped))).toBeVisible()
  await expect(verdict()).toContainText(/new cop(y is|ies are) waiting for the first fixity check, due by/)
  await expectAccessibleInBoth(page)
  await loupe.restart(() => writeFile(join(loupe.archive, 'loupe.toml'), settings))
  page = loupe.page
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  await page
    .getByRole('alert')
    .getByRole('button', { name: `Resume check ${check}`, exact: true })
    .click()
  await expect(page.getByText('No problems found in 30 copies checked.')).toBeVisible()
  await expect(verdict()).toContainText('The archive is intact: all 10 files are in all 3 replicas')
  for (const name of ['ONE', 'TWO', 'SUMS']) await expect(card(name)).toContainText('Intact')
  await expect(verdict()).not.toContainText('first fixity check')
  await expectAccessibleInBoth(page)
})

test('a spot check reports for each file whether the replicas hold the same bytes, and what to do', async () => {
  await flipOneBitOf(join(replica('TWO'), 'harbour-3.warc.gz'))
  await rm(join(replica('TWO'), 'harbour-5.warc.gz'))
  await page.getByRole('button', { name: 'Spot check…' }).click()
  await dialog().getByRole('textbox', { name: 'Number of files' }).fill('1001')
  await expect(dialog()).toContainText('Must be 1,000 or less.')
  await dialog().getByRole('textbox', { name: 'Number of files' }).fill('10')
  await dialog().getByRole('button', { name: 'Start check' }).click()
  await expect(dialog()).toContainText('2 files got different answers, or a replica could not answer.')
  const [spotCheck] = await numbersOf('spot')
  const answers = dialog().getByRole('table', { name: `Spot check ${spotCheck}`, exact: true })
  const rowOf = (name: string) => answers.getByRole('row').filter({ hasText: name })
  await expect(answers.getByRole('row').nth(1)).toContainText('Differ')
  await expect(rowOf('harbour-3.warc.gz')).toContainText('Differ')
  await expect(dialog()).toContainText('to find out which copy is good')
  await expect(rowOf('harbour-5.warc.gz')).toContainText('no answer')
  await expect(rowOf('harbour-1.warc.gz')).toContainText('Agree')
  await expect(rowOf('harbour-1.warc.gz')).toContainText('not checked')
  await expectAccessibleInBoth(page)
  await rowOf('harbour-3.warc.gz').getByRole('link').click()
  await expect(dialog()).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'harbour-3.warc.gz' })).toBeVisible()
})

test('a checksum check names the damage, the votes, and the way to the repair', async () => {
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  await expect(verdict()).toContainText('the spot check of 2 files got different answers, or none')
  await verdict().getByRole('button', { name: 'Check all checksums…' }).click()
  await dialog().getByRole('button', { name: 'Start check' }).click()
  await expect(dialog()).toContainText('2 findings in 30 copies checked.')
  await dialog().getByRole('button', { name: 'Show in archive' }).click()
  await expect(dialog()).toBeHidden()
  await expect(verdict()).toContainText('Action needed: 1 copy has changed or cannot be read, in TWO.')
  await expect(verdict()).toContainText('1 copy is missing, in TWO.')
  await expect(verdict().getByRole('link', { name: 'Repair…' }).first()).toHaveAttribute('href', '#/archive/repair')
  await expect(card('ONE')).toContainText('Intact')
  await expect(card('TWO')).toContainText('Needs attention')
  await expect(tally('TWO', 'Damaged')).toContainText('1')
  await expect(tally('TWO', 'Missing')).toContainText('1')
  const wrong = page.getByRole('table', { name: 'Current problems' })
  const row = wrong.getByRole('row').filter({ hasText: 'harbour-3.warc.gz' })
  await expect(row).toContainText('Good in ONE, SUMS. Damaged in TWO.')
  await expect(row.getByRole('link', { name: 'harbour-3.warc.gz', exact: true })).toHaveAttribute(
    'href',
    '#/archive/files/harbour-3.warc.gz',
  )
  await expect(row.getByRole('link', { name: 'Repair harbour-3.warc.gz in TWO' })).toHaveAttribute(
    'href',
    '#/archive/repair/harbour-3.warc.gz?replica=TWO',
  )
  await expectAccessibleInBoth(page)
})

test('the history strip can be used by keyboard, has every mark as text, and links to its check', async () => {
  await expect(history('TWO').getByRole('listitem')).toHaveCount(3)
  // A check is opened on this screen; a spot check and a repair have screens of their own, so their marks are links.
  const marks = history('TWO').getByRole('button').or(history('TWO').getByRole('link'))
  const [last, first] = await numbersOf('checksums')
  const [spotCheck] = await numbersOf('spot')
  await expect(marks.last()).toHaveAccessibleName(
    new RegExp(`^Checksums ${last}, .* UTC, started manually: 2 findings, 10 of 10 copies\\.$`),
  )
  await marks.last().hover()
  await expect(page.getByRole('tooltip')).toContainText(`Checksums ${last}, `)
  await page.mouse.move(0, 0)
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await marks.last().focus()
  await page.keyboard.press('ArrowLeft')
  await expect(marks.nth(1)).toBeFocused()
  await expect(page.getByRole('tooltip')).toContainText(`Spot check ${spotCheck}, `)
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Home')
  await expect(marks.first()).toHaveAccessibleName(
    new RegExp(`^Checksums ${first}, .*: no problems, 10 of 10 copies\\.$`),
  )
  await page.keyboard.press('Enter')
  await expect(page.getByText('No problems found in 30 copies checked.')).toBeVisible()
})

test('a missing replica is not reported as lost, and is checked again', async () => {
  await rename(replica('SUMS'), join(loupe.folder, 'away'))
  await page.reload()
  await expect(verdict()).toContainText('1 replica is not reachable: SUMS.')
  await expect(card('SUMS')).toContainText('Not reachable')
  await expect(card('SUMS')).toContainText('Connect the drive')
  await card('SUMS').getByRole('button', { name: 'Check SUMS…' }).click()
  await expect(dialog().getByRole('combobox', { name: 'Replicas' })).toHaveValue('SUMS (not reachable)')
  await expect(dialog().getByRole('button', { name: 'Start check' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await expectAccessibleInBoth(page)
  await rename(join(loupe.folder, 'away'), replica('SUMS'))
  const isIntact = () => expect(card('SUMS')).toContainText('Intact')
  // The page may notice by itself before the click.
  await Promise.any([isIntact(), verdict().getByRole('button', { name: 'Refresh' }).click()])
  await isIntact()
})

const dialogs = [
  ['Check for missing files', /^Missing files/],
  ['Check all checksums', /^Checksums/],
  ['Spot check…', /^Salted spot check/],
] as const
test('the menu of a browser window opens every check in its dialog, from any place', async () => {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  for (const [item, radio] of dialogs) {
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await expect(dialog().getByRole('radio', { name: radio })).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(dialog()).toBeHidden()
  }
})

const places = [
  ['Repair…', '#/archive/repair'],
  ['Attic', '#/archive/attic'],
  ['Preservation report', '#/archive/report'],
  ['Audit log', '#/archive/audit'],
] as const
test('the archive page links to the repair, the attic, the report and the audit log', async () => {
  for (const [item, address] of places) {
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await expect.poll(() => page.evaluate(() => window.location.hash)).toBe(address)
  }
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Repair…' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
