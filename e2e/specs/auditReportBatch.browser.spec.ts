/** The proofs of the state of an archive, in a real browser: the audit log with its chain, the preservation report as a page and as
 *  files, and batch jobs. The audit log is forged here as anyone with access to the database and a tool could do it. */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import Database from 'better-sqlite3'
import { preservationReport, type PreservationReport } from '../../src-main/contract/services/archiveStatus.ts'
import { textOf } from '../../src-main/contract/words/render.ts'
import { exampleModule } from '../../src-renderer/screens/batch/exampleModule.ts'
import { en } from '../../src-renderer/words/en.ts'
import { soundFile } from '../sites/archiveFiles.ts'
import { expectAccessible, expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

/** An A4 sheet with margins of one centimetre at 96 dots per inch. */
const sheetOfPaper = { width: 718, height: 1047 }
const wideWindow = { width: 1280, height: 900 }
const files = ['harbour.warc.gz', 'lights.warc.gz', 'tides.warc.gz']
let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  loupe = await openLoupe('audit', async (folder) => {
    for (const name of files) await writeFile(join(folder, name), soundFile(name.replace('.warc.gz', '.test')))
  })
  page = loupe.page
  const { uploads } = loupe.serving.engine.services
  const { task } = await uploads.start({ paths: files.map((name) => join(loupe.folder, name)) })
  await expect.poll(async () => (await uploads.list({})).find((row) => row.task === task)?.state).toBe('DONE')
})

test.afterAll(() => loupe.close())

const entries = () => page.getByRole('table', { name: 'Entries' }).getByRole('row')

async function toTab(name: 'Replicas' | 'Audit log' | 'Report' | 'Batch'): Promise<void> {
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  await page.getByRole('navigation', { name: 'Archive sections' }).getByRole('link', { name }).click()
}

async function saved(button: Locator): Promise<{ name: string; text: string }> {
  const saving = page.waitForEvent('download')
  await button.click()
  const download = await saving
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

/** Parses CSV by RFC 4180, independently of Loupe. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = []
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    const row = rows.at(-1)
    const value = quoted?.replaceAll('""', '"') ?? plain ?? ''
    if (row && row.at(-1) === ',') row.splice(-1, 1, value)
    else rows.push([value])
    if (end === ',') rows.at(-1)?.push(',')
  }
  return rows
}

test.describe('the audit log', () => {
  test('has an entry for each file that was stored, and for a check when it was made', async () => {
    await toTab('Audit log')
    await expect(entries()).toHaveCount(1 + files.length)
    await expect(page.getByText(en['audit.none'], { exact: true })).toHaveCount(0)
    const { archive } = loupe.serving.engine.services
    await archive.check({ kind: 'checksums' })
    await expect(entries()).toHaveCount(1 + files.length + 2)
    await expect(entries().nth(1)).toContainText('Check completed')
    await expect(entries().nth(1)).toContainText('6 of 6 copies; no problems')
    await expect(entries().nth(2)).toContainText('Checksum check started')
    await expect(entries().last()).toContainText('File stored')
    await expect(entries().last()).toContainText('Upload')
    await expect(entries().last()).toContainText(`${userInfo().username}, server`)
    await expectAccessibleInBoth(page)
  })

  test('is filtered by action, actor and subject', async () => {
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'File stored' }).click()
    await expect(entries()).toHaveCount(1 + files.length)
    await page.getByRole('textbox', { name: 'Subject begins with' }).fill('tid')
    await expect(entries()).toHaveCount(2)
    await expect(entries().last().getByRole('link', { name: 'tides.warc.gz' })).toHaveAttribute(
      'href',
      '#/archive/files/tides.warc.gz',
    )
    await page.getByRole('combobox', { name: 'Actor' }).click()
    await page.getByRole('option', { name: 'User' }).click()
    await expect(page.getByText('No entries match')).toBeVisible()
    await page.getByRole('button', { name: 'Anyone', includeHidden: true }).click()
    await page.getByRole('button', { name: 'Any action', includeHidden: true }).click()
    await page.getByRole('textbox', { name: 'Subject begins with' }).fill('')
    await expect(entries()).toHaveCount(1 + files.length + 2)
  })

  test('shows all fields of an entry, with its hash and that of the one before', async () => {
    const { rows } = await loupe.serving.engine.services.archive.auditLog({})
    await page.getByRole('button', { name: 'Details of entry 2', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Details of entry 2' })
    const second = rows.find(({ number }) => number === 2)
    await expect(dialog).toContainText(second?.hash ?? 'no entry')
    await expect(dialog).toContainText(second?.previous ?? 'no entry')
    await expect(dialog).toContainText('ONE\nTWO')
    await expect(dialog).toContainText(`${userInfo().username} on ${hostname()}, server`)
    await expectAccessibleInBoth(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  test('is saved as CSV with every hash', async () => {
    const { text } = await saved(page.getByRole('button', { name: 'Save as CSV' }))
    const [head, ...rows] = rowsOf(text)
    expect(head?.slice(0, 7)).toEqual(['entry', 'at', 'who', 'account', 'host', 'shell', 'what'])
    for (const row of rows) expect(row.slice(3, 6)).toEqual([userInfo().username, hostname(), 'server'])
    expect(rows.map(([number]) => number)).toEqual(['5', '4', '3', '2', '1'])
    expect(rows.every((row) => row.length === head?.length)).toBe(true)
    for (const [at, row] of rows.entries()) expect(row.at(-2)).toBe(rows[at + 1]?.at(-1) ?? '0'.repeat(64))
  })

  test('passes verification', async () => {
    await page.getByRole('button', { name: 'Verify log' }).click()
    await expect(page.getByText('All 5 entries are unchanged')).toBeVisible()
    await expect(page.getByText('loupe.audit confirms the last entry.')).toBeVisible()
    await expectAccessibleInBoth(page)
  })

  test('shows where it was forged, and what to do', async () => {
    await loupe.restart(() => {
      const raw = new Database(join(loupe.archive, 'loupe.db'))
      raw.exec('DROP TRIGGER audit_is_not_changed')
      raw.prepare(`UPDATE audit SET subject = 'another.warc.gz' WHERE number = 3`).run()
      raw.close()
    })
    page = loupe.page
    await toTab('Audit log')
    await page.getByRole('button', { name: 'Verify log' }).click()
    await expect(page.getByText('Broken')).toBeVisible()
    await expect(page.getByText('Entry 3 was changed')).toBeVisible()
    await expect(page.getByText('The 2 entries before it are intact.')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'as evidence' })).toBeVisible()
    await expectAccessibleInBoth(page)
    await page.getByRole('button', { name: 'Show entry 3' }).click()
    await expect(page.getByRole('dialog', { name: 'Details of entry 3' })).toContainText('another.warc.gz')
    await page.keyboard.press('Escape')
  })

  test('a truncated log contradicts the file next to the database', async () => {
    await loupe.restart(() => {
      const raw = new Database(join(loupe.archive, 'loupe.db'))
      const stored = raw.prepare<[], { subject: string }>(`SELECT subject FROM audit WHERE number = 2`).get()
      const first = raw.prepare<[], { subject: string }>(`SELECT subject FROM audit WHERE number = 1`).get()
      const lost = files.find((name) => name !== stored?.subject && name !== first?.subject)
      raw.prepare(`UPDATE audit SET subject = ? WHERE number = 3`).run(lost)
      raw.exec('DROP TRIGGER audit_is_not_removed; DELETE FROM audit WHERE number > 4')
      raw.close()
    })
    page = loupe.page
    await toTab('Audit log')
    await page.getByRole('button', { name: 'Verify log' }).click()
    await expect(page.getByText('Broken')).toBeVisible()
    await expect(page.getByText(/^loupe.audit names a different entry 5/)).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'restored from a backup' })).toBeVisible()
  })
})

test.describe('the report', () => {
  let shown: PreservationReport

  test('shows the numbers, the level of each area, and what the next one needs', async () => {
    await toTab('Report')
    await expect(page.getByText('Action needed')).toBeVisible()
    shown = (await loupe.serving.engine.services.archive.report({})).data
    const replicas = page.getByRole('table', { name: 'Replicas' })
    await expect(replicas.getByRole('row').filter({ hasText: 'TWO' })).toContainText('not set')
    for (const { area, level, conditions } of shown.levels) {
      const name = { storage: 'Storage', integrity: 'Integrity (fixity)', metadata: 'Metadata' }[area]
      const card = page.getByRole('article', { name })
      await expect(card).toContainText(level === 0 ? 'Below level 1' : `Level ${level} of 4`)
      const lacking = conditions.filter((row) => row.level === level + 1 && row.state === 'notMet')
      await expect(card.getByRole('listitem')).toHaveCount(lacking.filter(({ isChecked }) => isChecked).length)
      await expect(card.getByRole('checkbox', { checked: false })).toHaveCount(
        conditions.filter((row) => row.isDeclarable && row.state === 'notMet' && row.level <= level + 1).length,
      )
      for (const { requirement } of lacking) await expect(card).toContainText(textOf(requirement))
      const rows = page.getByRole('table', { name: `Conditions for ${name}` }).getByRole('row')
      await expect(rows).toHaveCount(1 + conditions.length)
    }
    await expectAccessibleInBoth(page)
  })

  const declared = async (): Promise<unknown> => {
    const { settings } = loupe.serving.engine.services
    return (await settings.list({})).find(({ path }) => path === 'preservation.declared')?.value
  }

  test('links an unmet condition to the screen where it is met', async () => {
    const storage = page.getByRole('article', { name: 'Storage' })
    await expect(storage.getByRole('link', { name: 'Open settings' }).first()).toHaveAttribute('href', '#/settings')
    const { settings } = loupe.serving.engine.services
    await settings.set({ path: 'places', value: { ONE: 'Town hall, disk', TWO: 'Harbour office, tape' } })
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await expect(storage).toContainText('Only declarations are missing.')
  })

  test('saves a declared condition at once, counts it, and records it in the audit log', async () => {
    const storage = page.getByRole('article', { name: 'Storage' })
    const stable = storage.getByRole('checkbox', { name: 'All content is in stable storage.' })
    await stable.check()
    await expect(storage).toContainText('Level 1 of 4')
    await expect(stable).toBeChecked()
    expect(await declared()).toEqual(['stableStorage'])
    const conditions = page.getByRole('table', { name: 'Conditions for Storage' })
    await expect(conditions.getByRole('row').filter({ hasText: 'stable storage' })).toContainText(
      'Declared by the institution',
    )
    const virus = page.getByRole('article', { name: 'Integrity' }).getByRole('checkbox', { name: /viruses/ })
    await virus.check()
    await expect.poll(declared).toEqual(['stableStorage', 'virusChecked'])
    await virus.uncheck()
    await expect.poll(declared).toEqual(['stableStorage'])
    await expect(virus).not.toBeChecked()
    const { rows: trail } = await loupe.serving.engine.services.archive.auditLog({ what: 'settings' })
    const values = trail.map(({ became }) => (became as Record<string, unknown>)['preservation.declared'])
    expect(values.slice(0, 3)).toEqual([['stableStorage'], ['stableStorage', 'virusChecked'], ['stableStorage']])
    await expectAccessibleInBoth(page)
  })

  test('shows why a declaration was not saved, and leaves it unchanged', async () => {
    await page.route('**/api/call/settings.set', (route) => route.abort())
    const media = page.getByRole('article', { name: 'Storage' }).getByRole('checkbox', { name: /dependencies/ })
    await media.click()
    await expect(page.getByRole('alert').filter({ hasText: 'Not saved: Loupe cannot be reached' })).toBeVisible()
    await expect(media).not.toBeChecked()
    expect(await declared()).toEqual(['stableStorage'])
    await page.unroute('**/api/call/settings.set')
  })

  test('is saved as JSON, CSV and HTML with the same content', async () => {
    const json = await saved(page.getByRole('button', { name: 'Save as JSON' }))
    expect(json.name).toMatch(/^preservation-\d{4}-\d\d-\d\d\.json$/)
    const data = preservationReport.parse(JSON.parse(json.text))
    expect(data.levels.map(({ area, level }) => [area, level])).toEqual([
      ['storage', 1],
      ...shown.levels.slice(1).map(({ area, level }) => [area, level]),
    ])

    const csv = rowsOf((await saved(page.getByRole('button', { name: 'Save as CSV' }))).text)
    expect(csv[0]).toEqual(['section', 'replica', 'subject', 'item', 'value', 'note'])
    expect(csv.every((row) => row.length === 6)).toBe(true)
    expect(csv.find((row) => row[0] === 'ndsa' && row[2] === 'storage' && row[3] === 'level')?.[4]).toBe('1')
    expect(csv.find((row) => row[1] === 'TWO' && row[3] === 'place')?.[4]).toBe('Harbour office, tape')

    const html = await saved(page.getByRole('button', { name: 'Save as HTML' }))
    await expect(page.getByText(`Saved as ${html.name}.`)).toBeVisible()
    const asked: string[] = []
    const paper = await page.context().newPage()
    await paper.route('**', (route) => (asked.push(route.request().url()), route.abort()))
    await paper.setContent(html.text)
    await expect(paper.getByRole('heading', { name: 'NDSA level of storage: 1' })).toBeVisible()
    await expectAccessible(paper)
    expect(asked).toEqual([])
    await paper.close()
  })

  test('prints as the report and nothing around it', async () => {
    await page.evaluate(() => {
      window.print = () => void (document.title = 'printed')
    })
    await page.getByRole('button', { name: 'Print', exact: true }).click()
    await expect(page).toHaveTitle('printed')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.getByRole('navigation', { name: 'Main navigation' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeHidden()
    await expect(page.getByRole('heading', { name: 'NDSA Levels of Digital Preservation' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Preservation report', exact: true })).toBeVisible()
    // Paper does not scroll: everything must fit on the sheet, vertically and horizontally.
    await page.setViewportSize(sheetOfPaper)
    const { beside, below } = await page.evaluate(() => {
      const sheet = document.documentElement
      const tables = [...document.querySelectorAll('.report table')].map((table) => table.getBoundingClientRect())
      return {
        beside: tables.filter(({ right }) => right > sheet.clientWidth).length,
        below: tables.filter(({ bottom }) => bottom > sheet.scrollHeight).length,
      }
    })
    expect([beside, below]).toEqual([0, 0])
    await page.setViewportSize(wideWindow)
    await expectAccessible(page)
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  })
})

test.describe('batch jobs', () => {
  /** Number of the last task before these tests; runs of batch jobs have the numbers of their tasks. */
  let before = 0
  const numberOf = (nth: number) => before + nth
  const run = (nth: number) => page.getByRole('article', { name: new RegExp(`^Run ${numberOf(nth)}: `) })

  async function beginOwn(name: string, text: string): Promise<void> {
    const path = join(loupe.folder, name)
    await writeFile(path, text)
    await page.getByRole('radio', { name: 'Custom module' }).check()
    await page.getByRole('textbox', { name: 'Module' }).fill(path)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
  }

  test('a built-in one gives the same checksums as other tools', async () => {
    const [last] = await loupe.serving.engine.services.tasks.list({ limit: 1 })
    before = last?.task ?? 0
    await toTab('Batch')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(run(1)).toContainText('All 3 files were processed.')
    await run(1)
      .getByRole('button', { name: `Show the output of run ${numberOf(1)}` })
      .click()
    const folder = join(loupe.archive, 'replicas', 'ONE')
    const sums = await Promise.all(
      files.map(async (name) => {
        const bytes = await readFile(join(folder, name))
        return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`
      }),
    )
    await expect(run(1).getByRole('group', { name: `Output of run ${numberOf(1)}` })).toHaveText(sums.join(''))
    const { text } = await saved(run(1).getByRole('button', { name: `Save the output of run ${numberOf(1)}` }))
    expect(text).toBe(sums.join(''))
    await expectAccessibleInBoth(page)
  })

  test('a custom module shows a warning; an error in one file is reported for that file', async () => {
    await page.getByRole('radio', { name: 'Custom module' }).check()
    await expect(page.getByRole('note')).toContainText('without a sandbox')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(page.getByText('Enter the path of the module.')).toBeVisible()
    await beginOwn(
      'picky.mjs',
      `export async function processFile(file, context) {
        if (file.name.startsWith('lights')) throw new Error('no lights are wanted')
        await context.write(file.name + '\\n')
      }`,
    )
    await expect(run(2)).toContainText('All 3 files were processed; 1 failed.')
    await run(2)
      .getByRole('button', { name: `Show the errors of run ${numberOf(2)}` })
      .click()
    const errors = run(2).getByRole('list', { name: `Errors of run ${numberOf(2)}` })
    await expect(errors.getByRole('link')).toHaveText(['lights.warc.gz'])
    await expect(errors).toContainText('no lights are wanted')
    await run(2)
      .getByRole('button', { name: `Show the output of run ${numberOf(2)}` })
      .click()
    await expect(run(2).getByRole('group', { name: `Output of run ${numberOf(2)}` })).toHaveText(
      'harbour.warc.gz\ntides.warc.gz\n',
    )
    await expectAccessibleInBoth(page)
  })

  test('an endless one is stopped, and its meaning is explained', async () => {
    await beginOwn('endless.mjs', 'export function processFile() { for (;;); }')
    await expect(run(3)).toContainText('Running')
    await run(3)
      .getByRole('button', { name: `Stop run ${numberOf(3)}` })
      .click()
    await expect(run(3)).toContainText('Stopped. The output covers 0 of 3 files')
    await expect(run(3).getByRole('button', { name: `Run again: run ${numberOf(3)}` })).toBeEnabled()
    await expect(run(3).getByRole('button', { name: `Show the output of run ${numberOf(3)}` })).toHaveAttribute(
      'aria-description',
      'The run wrote no output.',
    )
  })

  test('refused modules give the reason: one that cannot be loaded, and one inside the archive', async () => {
    await beginOwn('wrong.mjs', 'export const nothing = 1')
    await expect(run(4).getByRole('alert')).toContainText('it exports no function processFile(file, context)')
    await expect(run(4).getByRole('alert')).toContainText('run it again')
    const module = page.getByRole('textbox', { name: 'Module' })
    await module.fill(join(loupe.archive, 'from-the-web.mjs'))
    await writeFile(join(loupe.archive, 'from-the-web.mjs'), 'export function processFile() {}')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(module).toHaveAccessibleDescription(/runs nothing from an archive/)
    await expect(module).toBeFocused()
    await expectAccessibleInBoth(page)
  })

  test('the example module runs unchanged on the selected files', async () => {
    await expect(page.getByRole('group', { name: 'Example module' })).toHaveText(exampleModule)
    await page.getByText('Files and time limits').click()
    await page.getByRole('textbox', { name: 'File name pattern' }).fill('^(tides|lights)')
    await beginOwn('media-types.mjs', exampleModule)
    await expect(run(5)).toContainText('All 2 files were processed.')
    await expect(run(5)).toContainText('names matching ^(tides|lights)')
    await run(5)
      .getByRole('button', { name: `Show the output of run ${numberOf(5)}` })
      .click()
    await expect(run(5).getByRole('group', { name: `Output of run ${numberOf(5)}` })).toHaveText(
      'media type\tcaptures\nimage/png\t2\ntext/html\t2\n',
    )
  })

  test('every run left its two files in the archive, and nothing else', async () => {
    const left = await readdir(join(loupe.archive, 'batch'))
    expect(left.filter((name) => !/^(checksums|picky|endless|wrong|media-types)-\d+\.(out|err)$/.test(name))).toEqual(
      [],
    )
    expect(left).toHaveLength(10)
  })
})

test('no bugs or page errors were reported', () => {
  loupe.expectNoBugs()
})
