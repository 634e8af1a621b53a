/** Finding and repairing damage on the screens: a flipped bit, a truncated file and missing files in one archive of three replicas;
 *  refused repairs, kept copies, and the output of the command line. Then an archive without any good copy. The damage is made on the
 *  disk, outside of Loupe. */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { chromium, expect, test, type Locator, type Page } from '@playwright/test'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { findChromium } from '../../src-main/shells/server/chromium.ts'
import { loupe as command } from '../loupeProcess.ts'
import { soundFile } from '../sites/archiveFiles.ts'
import { expectAccessible, expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'
import { flipOneBitOf } from './replicaDamage.ts'

test.describe.configure({ mode: 'serial' })

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const replicas = ['ONE', 'TWO', 'THREE']
const given = ['flipped', 'truncated', 'removed', 'gone', 'lost', 'twice', 'sound'].map((name) => `${name}.warc.gz`)

let loupe: OpenedLoupe
let page: Page
const good = new Map<string, Buffer>()
const bad = new Map<string, Buffer>()

const copyIn = (replica: string, name: string) => join(loupe.archive, 'replicas', replica, name)
const goodBytes = (name: string) => good.get(name) ?? Buffer.alloc(0)
const badBytes = (name: string) => bad.get(name) ?? Buffer.alloc(0)

const status = z.object({
  fine: z.boolean(),
  findings: z.array(z.object({ replica: z.string(), name: z.string(), finding: z.string() })),
  replicas: z.array(z.object({ replica: z.string(), missing: z.number(), corrupt: z.number() })),
})

/** The status of the same archive by the command line, in a separate process. */
async function statusNow(archive: string): Promise<z.output<typeof status>> {
  const { stdout } = await command('--archive', archive, '--json', 'preserve', 'status')
  return status.parse(JSON.parse(stdout))
}

async function importInto(archive: string, folder: string, names: readonly string[], set: readonly string[]) {
  const source = join(folder, 'given')
  await mkdir(source)
  for (const name of names) await writeFile(join(source, name), soundFile(`${name.split('.')[0]}.test`))
  const places = Object.fromEntries(set.map((name) => [name, `replicas/${name}`]))
  expect((await command('--archive', archive, 'init')).code).toBe(0)
  expect((await command('--archive', archive, 'settings', 'set', 'replicas', JSON.stringify(places))).code).toBe(0)
  expect((await command('--archive', archive, 'import', source)).code).toBe(0)
}

/** Every file of every replica with its checksum: a refused repair must not change any of it. */
async function everything(archive: string): Promise<Record<string, string>> {
  const top = join(archive, 'replicas')
  const entries = await readdir(top, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const sums = await Promise.all(
    files.toSorted().map(async (path) => [relative(top, path), sha256(await readFile(path))]),
  )
  return Object.fromEntries(sums) as Record<string, string>
}

async function damage(): Promise<void> {
  await flipOneBitOf(copyIn('TWO', 'flipped.warc.gz'))
  await truncate(copyIn('TWO', 'truncated.warc.gz'), 300)
  await flipOneBitOf(copyIn('TWO', 'twice.warc.gz'))
  for (const name of ['flipped', 'truncated', 'twice'].map((each) => `${each}.warc.gz`))
    bad.set(name, await readFile(copyIn('TWO', name)))
  await rm(copyIn('TWO', 'removed.warc.gz'))
  for (const name of ['gone.warc.gz', 'lost.warc.gz']) await rm(copyIn('TWO', name))
}

test.beforeAll(async () => {
  loupe = await openLoupe('repair', (folder, archive) => importInto(archive, folder, given, replicas))
  page = loupe.page
  for (const name of given) good.set(name, await readFile(copyIn('ONE', name)))
})
test.afterAll(() => loupe.close())

const copies = () => page.getByRole('table', { name: 'Repairable copies' })
const rowOf = (name: string) => copies().getByRole('row').filter({ hasText: name })
const step = (name: string) => page.getByRole('heading', { level: 2, name, exact: true })
const conditions = () => page.getByRole('list', { name: 'Conditions' })

async function openTab(shown: Page, tab: string): Promise<void> {
  await shown.getByRole('link', { name: 'Archive', exact: true }).click()
  await shown.getByRole('navigation', { name: 'Archive sections' }).getByRole('link', { name: tab }).click()
}

/** Starts a check from the tab of repairs; the check continues when its dialog is closed. */
async function checkAllChecksums(shown: Page): Promise<void> {
  await shown.getByRole('button', { name: 'Check all checksums…' }).click()
  const dialog = shown.getByRole('dialog', { name: 'Check the archive' })
  await dialog.getByRole('button', { name: 'Start check' }).click()
  await dialog.getByRole('button', { name: 'Start check' }).waitFor({ state: 'hidden' })
  await shown.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

/** Opens a repair from the list and goes to its second step. */
async function beginRepair(shown: Page, name: string): Promise<void> {
  await openTab(shown, 'Repair')
  await shown.getByRole('link', { name: `Repair ${name} in TWO` }).click()
  await shown.getByRole('button', { name: 'Enter expected checksum' }).click()
  await expect(shown.getByRole('heading', { level: 2, name: 'Expected checksum' })).toBeFocused()
}

async function giveChecksum(shown: Page, text: string): Promise<void> {
  await shown.getByRole('textbox', { name: 'Expected SHA-256' }).fill(text)
  await verify(shown).click()
}

function verify(shown: Page): Locator {
  return shown.getByRole('button', { name: /^Verify and/ })
}

async function expectRepaired(name: string): Promise<void> {
  await expect(step('Outcome')).toBeVisible()
  await expect(page.getByRole('alert', { name: 'Copy repaired' })).toContainText('in replica TWO was repaired from')
  expect(await readFile(copyIn('TWO', name))).toEqual(goodBytes(name))
  for (const replica of replicas) expect(await readFile(copyIn(replica, name))).toEqual(goodBytes(name))
  expect((await command('--archive', loupe.archive, 'preserve', 'audit', '--verify')).code).toBe(0)
  const { findings } = await statusNow(loupe.archive)
  expect(findings.filter((finding) => finding.name === name)).toEqual([])
}

/** Expects the bad bytes of exactly these files in the attic of TWO. */
async function expectInAttic(...names: string[]): Promise<void> {
  const folder = copyIn('TWO', 'attic')
  const kept = await Promise.all(
    (await readdir(folder)).map(async (name) => sha256(await readFile(join(folder, name)))),
  )
  expect(kept.toSorted()).toEqual(names.map((name) => sha256(badBytes(name))).toSorted())
}

test('no copy needs a repair, and the page explains what to do', async () => {
  await openTab(page, 'Repair')
  await expect(page.getByRole('heading', { name: 'No known damage' })).toBeVisible()
  await expectAccessibleInBoth(page)
  expect((await statusNow(loupe.archive)).findings).toEqual([])
})

test('three kinds of damage are found by a check, and the command line names the same', async () => {
  await damage()
  await checkAllChecksums(page)
  await expect(rowOf('flipped.warc.gz')).toContainText('Damaged')
  await expect(rowOf('flipped.warc.gz')).toContainText('ReplaceONE, THREE')
  await expect(rowOf('truncated.warc.gz')).toContainText('Damaged')
  await expect(rowOf('removed.warc.gz')).toContainText('MissingRestoreONE, THREE')
  await expect(copies().getByRole('row')).toHaveCount(1 + 6)
  await expect(rowOf('sound.warc.gz')).toHaveCount(0)
  await expectAccessibleInBoth(page)
  const { fine, findings } = await statusNow(loupe.archive)
  expect(fine).toBe(false)
  const shown = await copies()
    .getByRole('link', { name: /^Repair / })
    .evaluateAll((links) => links.map((link) => link.getAttribute('aria-label') ?? ''))
  expect(shown.toSorted()).toEqual(findings.map(({ name, replica }) => `Repair ${name} in ${replica}`).toSorted())
})

test('the first step shows the stored copy, the registered checksum, the vote, and what is affected', async () => {
  await page.getByRole('link', { name: 'Repair flipped.warc.gz in TWO' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Repair flipped.warc.gz in TWO' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('a good copy is restored from ONE')
  const main = page.getByRole('main')
  await expect(main).toContainText(sha256(goodBytes('flipped.warc.gz')))
  await expect(main).toContainText(sha256(badBytes('flipped.warc.gz')))
  const votes = page.getByRole('region', { name: 'Votes' }).getByRole('listitem')
  await expect(votes).toHaveCount(4)
  await expect(votes.filter({ hasText: 'TWO' })).toContainText('Damaged')
  await expect(page.getByRole('region', { name: 'Affected captures' })).toContainText(
    '2 captures from 1 domain: flipped.test',
  )
  await expectAccessibleInBoth(page)
})

test('a wrong expected checksum is refused with its difference, never leads on, and changes no byte', async () => {
  const before = await everything(loupe.archive)
  await page.getByRole('button', { name: 'Enter expected checksum' }).click()
  await expect(step('Expected checksum')).toBeFocused()
  await expectAccessibleInBoth(page)

  await giveChecksum(page, 'abc')
  await expect(page.getByText('A SHA-256 checksum has 64 characters; this has 3.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Expected SHA-256' })).toBeFocused()

  const right = sha256(goodBytes('flipped.warc.gz'))
  const wrong = `${right.slice(0, 9)}${right[9] === '0' ? '1' : '0'}${right.slice(10)}`
  await giveChecksum(page, wrong)
  const refusal = page.getByRole('alert', { name: 'The checksum does not match. Nothing was changed.' })
  await expect(refusal).toContainText(
    'differs from the registered checksum in 1 of 64 characters, first at character 10',
  )
  await expect(step('Expected checksum')).toBeVisible()
  await expectAccessibleInBoth(page)

  await giveChecksum(page, sha256(badBytes('flipped.warc.gz')))
  await expect(refusal).toContainText('the checksum of the damaged copy')
  await expect(step('Expected checksum')).toBeVisible()

  await page.getByRole('radio', { name: /^Catalogue of this archive/ }).check()
  await page.getByRole('button', { name: 'Verify and replace' }).click()
  await expect(page.getByText('Confirm that you have verified the checksum')).toBeVisible()
  await expect(step('Expected checksum')).toBeVisible()

  expect(await everything(loupe.archive)).toEqual(before)
  const audit = await command('--archive', loupe.archive, '--json', 'preserve', 'audit')
  expect(audit.stdout.match(/repairRefused/g)).toHaveLength(2)
})

test('the flipped bit: a checksum from outside, every condition met, and the copy equals the good one', async () => {
  await page.getByRole('radio', { name: 'My own records' }).check()
  await giveChecksum(page, `${sha256(goodBytes('flipped.warc.gz')).toUpperCase()}  flipped.warc.gz`)
  await expectRepaired('flipped.warc.gz')
  const logged = page.getByRole('log', { name: 'Conditions' }).getByRole('paragraph')
  await expect(logged).toHaveCount(9)
  await expect(logged.first()).toHaveText('Met: Replica usable. Replica TWO is usable and has enough space.')
  await expectInAttic('flipped.warc.gz')
  await expect(conditions().getByRole('listitem')).toHaveCount(9)
  await expect(conditions().getByText('Met', { exact: true })).toHaveCount(9)
  await expect(page.getByRole('main')).toContainText(/Restored from\s*ONE/)
  await expect(page.getByRole('main')).toContainText(/Attic entry 1: .*replicas.TWO.attic/)
  await expect(page.getByRole('main')).toContainText(/Audit log\s*Entry \d+/)
  await expect(step('Outcome')).toBeFocused()
  await expectAccessibleInBoth(page)
})

test('a user who leaves and returns, or opens another window, sees the same', async () => {
  await page.getByRole('link', { name: 'All copies to repair' }).first().click()
  // The page that is left has no such row either, so the list must be visible first.
  await expect(copies()).toBeVisible()
  await expect(rowOf('flipped.warc.gz')).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('alert')).toContainText('This copy is intact')
  await expect(page.getByText(/^Last repair of this copy/)).toContainText('was repaired from ONE')
  await page.reload()
  await expect(page.getByText(/^Last repair of this copy/)).toContainText('was repaired from ONE')
  await openTab(page, 'Repair')
  await expect(page.getByRole('table', { name: 'Repairs since Loupe was started' })).toContainText('Repaired')
})

test('the truncated file: the registered checksum, after the user has vouched for it', async () => {
  await beginRepair(page, 'truncated.warc.gz')
  await page.getByRole('radio', { name: /^Catalogue of this archive/ }).check()
  await page.getByRole('checkbox', { name: /^I have verified/ }).check()
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Verify and replace' }).click()
  await expectRepaired('truncated.warc.gz')
  await expectInAttic('flipped.warc.gz', 'truncated.warc.gz')
})

test('the removed file: the same steps, and no file is moved to the attic', async () => {
  await beginRepair(page, 'removed.warc.gz')
  await giveChecksum(page, sha256(goodBytes('removed.warc.gz')))
  await expectRepaired('removed.warc.gz')
  await expect(conditions().getByText('Met', { exact: true })).toHaveCount(7)
  await expectInAttic('flipped.warc.gz', 'truncated.warc.gz')
})

test('several missing copies are restored in a row; a damaged one cannot be selected for that', async () => {
  await openTab(page, 'Repair')
  await expect(rowOf('twice.warc.gz')).toContainText('Individually')
  await page.getByRole('button', { name: 'Select all missing copies' }).click()
  await page.getByRole('button', { name: 'Restore 2 copies' }).click()
  const question = page.getByRole('dialog', { name: 'Restore 2 missing copies?' })
  await expect(question).toContainText('restored only if all conditions are met')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Restore 2 copies' }).click()
  await expect(page.getByText('2 copies restored.')).toBeVisible()
  for (const name of ['gone.warc.gz', 'lost.warc.gz'])
    expect(await readFile(copyIn('TWO', name))).toEqual(goodBytes(name))
  await expect(copies().getByRole('row')).toHaveCount(1 + 1)
  await expectAccessibleInBoth(page)
})

test('two windows repair the same copy at once: it is repaired once, and both show the result', async () => {
  const browser = await chromium.launch({ executablePath: findChromium().path ?? '', args: ['--no-sandbox'] })
  try {
    const other = await browser.newPage()
    await other.goto(loupe.serving.url)
    await beginRepair(page, 'twice.warc.gz')
    await beginRepair(other, 'twice.warc.gz')
    const expected = sha256(goodBytes('twice.warc.gz'))
    for (const shown of [page, other]) await shown.getByRole('textbox', { name: 'Expected SHA-256' }).fill(expected)
    // Both buttons are taken in advance: the second window may already show the progress of the first and have no button any more.
    const buttons = await Promise.all([page, other].map((shown) => verify(shown).elementHandle()))
    await Promise.all(
      buttons.map((button) =>
        button?.evaluate((element: HTMLElement) => {
          element.click()
          element.click()
        }),
      ),
    )
    for (const shown of [page, other]) {
      await expect(shown.getByRole('heading', { level: 2, name: 'Outcome' })).toBeVisible()
      await expect(shown.getByRole('main')).toContainText(/repaired|never replaced|Refresh/)
    }
    expect(await readFile(copyIn('TWO', 'twice.warc.gz'))).toEqual(goodBytes('twice.warc.gz'))
    await expectInAttic('flipped.warc.gz', 'truncated.warc.gz', 'twice.warc.gz')
  } finally {
    await browser.close()
  }
})

test('everything is right again, in the interface and on the command line', async () => {
  await openTab(page, 'Repair')
  await expect(page.getByRole('heading', { name: 'No known damage' })).toBeVisible()
  await checkAllChecksums(page)
  await expect.poll(async () => (await statusNow(loupe.archive)).fine).toBe(true)
  const after = await statusNow(loupe.archive)
  expect(after.findings).toEqual([])
  expect(after.replicas.map(({ missing, corrupt }) => missing + corrupt)).toEqual([0, 0, 0])
  await expect(page.getByRole('heading', { name: 'No known damage' })).toBeVisible()
})

test('the attic shows the details of each entry, and restores the bytes under another name', async () => {
  await openTab(page, 'Attic')
  const entry = page.getByRole('article', { name: 'Entry 1: flipped.warc.gz' })
  await expect(page.getByText(/Loupe deletes nothing from the attic/)).toBeVisible()
  await expect(page.getByRole('button', { name: /delete|remove/i })).toHaveCount(0)
  await expect(entry).toContainText(sha256(badBytes('flipped.warc.gz')))
  await expect(entry).toContainText(sha256(goodBytes('flipped.warc.gz')))
  await expect(entry).toContainText(/Its checksum is not/)
  await expect(entry).toContainText(/replicas.TWO.attic/)
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Verify the content of entry 1' }).click()
  await expect(entry).toContainText('Verified: unchanged since it was moved here.')

  await page.getByRole('button', { name: 'Restore entry 1 under another name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore entry 1 under another name' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('flipped.warc.gz')
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(/named flipped\.warc\.gz/)
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('as-it-was-found.warc.gz')
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('Stored as as-it-was-found.warc.gz')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  for (const replica of replicas)
    expect(await readFile(copyIn(replica, 'as-it-was-found.warc.gz'))).toEqual(badBytes('flipped.warc.gz'))
  await expect(entry).toContainText('as-it-was-found.warc.gz')
  await expectInAttic('flipped.warc.gz', 'truncated.warc.gz', 'twice.warc.gz')
})

test('an entry whose bytes are missing or changed shows that, and is not restored', async () => {
  const keptOf = async (name: string) => {
    const kept = (await readdir(copyIn('TWO', 'attic'))).find((each) => each.startsWith(name))
    return join(copyIn('TWO', 'attic'), kept ?? '')
  }
  await rm(await keptOf('truncated.warc.gz'))
  await flipOneBitOf(await keptOf('twice.warc.gz'))
  await page.reload()
  const gone = page.getByRole('article', { name: /truncated/ })
  await expect(gone).toContainText('is missing')
  await expect(gone.getByRole('button', { name: /^Restore entry/ })).toHaveAttribute(
    'aria-description',
    'The content is gone.',
  )
  const changed = page.getByRole('article', { name: /twice/ })
  await expect(changed).toContainText('not verified')
  await changed.getByRole('button', { name: /^Verify/ }).click()
  await expect(changed).toContainText('was changed')
  await expect(changed.getByRole('button', { name: /^Restore entry/ })).toHaveAttribute(
    'aria-description',
    'The content has changed since it was moved here.',
  )
  await expectAccessibleInBoth(page)
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())

test('two replicas that disagree, and an interrupted repair: no repair is offered, and the reason is shown', async () => {
  const disputed = await openLoupe('repair-two', async (folder, archive) => {
    await importInto(archive, folder, ['disputed.warc.gz', 'interrupted.warc.gz'], ['ONE', 'TWO'])
    const at = (replica: string, name: string) => join(archive, 'replicas', replica, name)
    await flipOneBitOf(at('ONE', 'disputed.warc.gz'))
    await truncate(at('TWO', 'disputed.warc.gz'), 300)
    // The state after a kill between moving the bad copy away and writing the good one; then the good one disappears too.
    const name = 'interrupted.warc.gz'
    const taken = Buffer.from('the bad copy')
    await mkdir(at('TWO', 'attic'))
    await rm(at('TWO', name))
    await rm(at('ONE', name))
    const kept = `attic/${name}.${sha256(taken).slice(0, 8)}`
    await writeFile(at('TWO', kept), taken)
    const database = new Database(join(archive, 'loupe.db'))
    database
      .prepare(
        `INSERT INTO attic (file_id, replica, sha256, bytes, who, reason, begun_ms, moved_to, moved_ms)
         SELECT id, 'TWO', ?, ?, 'user', 'its checksum is wrong', 0, ?, 0 FROM archive_file WHERE name = ?`,
      )
      .run(sha256(taken), taken.length, kept, name)
    database.close()
  })
  try {
    const before = await everything(disputed.archive)
    await openTab(disputed.page, 'Repair')
    const unfinished = disputed.page.getByRole('region', { name: 'Unfinished repairs' })
    await expect(unfinished).toContainText(
      'interrupted.warc.gz in TWO: moved to the attic at 1970-01-01 00:00:00 UTC as entry 1',
    )
    await checkAllChecksums(disputed.page)
    const blocked = disputed.page.getByRole('region', { name: 'Not repairable at the moment' })
    await expect(blocked).toContainText(
      'No other replica has a good copy of disputed.warc.gz. Replica TWO has a damaged copy.',
    )
    await expect(blocked).toContainText(
      'No other replica has a good copy of disputed.warc.gz. Replica ONE has a damaged copy.',
    )
    await expect(disputed.page.getByRole('table', { name: 'Repairable copies' })).toHaveCount(0)
    await expectAccessibleInBoth(disputed.page)

    await blocked.getByRole('link', { name: 'Inspect disputed.warc.gz in ONE' }).click()
    await expect(disputed.page.getByRole('alert')).toContainText('Repair is not possible at the moment')
    await expect(disputed.page.getByRole('alert')).toContainText('No checksum has a majority')
    const next = disputed.page.getByRole('button', { name: 'Enter expected checksum' })
    await expect(next).toHaveAttribute('aria-disabled', 'true')
    await next.click({ force: true })
    await expect(disputed.page.getByRole('heading', { level: 2, name: 'Problem' })).toBeVisible()
    await expectAccessibleInBoth(disputed.page)

    await openTab(disputed.page, 'Repair')
    await unfinished.getByRole('link', { name: 'Finish the repair of interrupted.warc.gz in TWO' }).click()
    await expect(
      disputed.page.getByText(/^At 1970-01-01 00:00:00 UTC the bad copy was moved to the attic/),
    ).toBeVisible()
    await expectAccessibleInBoth(disputed.page)
    expect(await everything(disputed.archive)).toEqual(before)

    // A good copy from elsewhere lets the repair be finished, step by step.
    await copyFile(
      join(disputed.folder, 'given/interrupted.warc.gz'),
      join(disputed.archive, 'replicas/ONE/interrupted.warc.gz'),
    )
    await disputed.page.getByRole('button', { name: 'Refresh' }).click()
    await disputed.page.getByRole('button', { name: 'Enter expected checksum' }).click()
    const original = await readFile(join(disputed.folder, 'given/interrupted.warc.gz'))
    await giveChecksum(disputed.page, sha256(original))
    await expect(disputed.page.getByRole('alert', { name: 'Copy repaired' })).toBeVisible()
    expect(await readFile(join(disputed.archive, 'replicas/TWO/interrupted.warc.gz'))).toEqual(original)
    await openTab(disputed.page, 'Repair')
    await expect(unfinished).toHaveCount(0)
    disputed.expectNoBugs()
  } finally {
    await disputed.close()
  }
})
