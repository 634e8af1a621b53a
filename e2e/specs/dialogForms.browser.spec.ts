/** The forms of dialogs in a real browser: input is not discarded without a question, an untouched form closes without one, and an
 *  incomplete or refused form leads to the field in question, with the error message next to it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { expect, test, type Page } from '@playwright/test'
import { soundFile } from '../sites/archiveFiles.ts'
import { linksTo } from '../sites/changing.ts'
import { listen, type Listening } from '../sites/server.ts'
import { openedForm } from './openedForm.ts'
import { expectAccessibleInBoth, importFile, openLoupe, openPart, type OpenedLoupe } from './openedLoupe.ts'
import { flipOneBitOf } from './replicaDamage.ts'

test.describe.configure({ mode: 'default' })

let loupe: OpenedLoupe
let page: Page
let site: Listening
/** A job that keeps running during this spec. */
let running: number

test.beforeAll(async () => {
  site = await listen(
    createServer((request, response) => {
      const number = Number((request.url ?? '').slice(1)) || 0
      response.writeHead(request.url === '/robots.txt' ? 404 : 200, { 'Content-Type': 'text/html' })
      response.end(linksTo(`/${number + 1}`, `/${number + 2}`))
    }),
  )
  loupe = await openLoupe('dialogForms')
  page = loupe.page
  await page.setViewportSize({ width: 1280, height: 700 })
  for (const name of ['tides', 'boats']) await importFile(loupe, `${name}.warc.gz`, soundFile(`${name}.test`))
  const { archive, harvests, viewer } = loupe.serving.engine.services
  for (const name of ['tides', 'boats']) await flipOneBitOf(copyOf(name))
  const { task } = await archive.check({ kind: 'checksums' })
  await expect.poll(async () => (await archive.checks({})).find((one) => one.task === task)?.ended).not.toBeNull()
  const found = await sha256Of(copyOf('tides'))
  const expected = await sha256Of(join(loupe.folder, 'tides.warc.gz'))
  await archive.repair({ name: 'tides.warc.gz', replica: 'TWO', expected, found })
  await viewer.open({ jobs: [1] })
  running = (await harvests.create({ seeds: [`http://${site.address}/`], name: 'Slow', delayMs: 10_000 })).job
  await page.reload()
})

test.afterAll(async () => {
  loupe.expectNoBugs()
  await loupe.close()
  await site.close()
})

const copyOf = (name: string) => join(loupe.archive, 'replicas', 'TWO', `${name}.warc.gz`)
const sha256Of = async (path: string) => createHash('sha256').update(await readFile(path)).digest('hex') // prettier-ignore
const button = (name: string) => page.getByRole('button', { name, exact: true })
const { form, question, control, discard, expectRefusedAt } = openedForm(() => page)
const submit = () => form().locator('button[type="submit"]').click()
const choose = (name: string | RegExp) => form().getByRole('radio', { name }).check()
/** Unfolds a section, or folds it again. */
const fold = (title: string) => page.locator('summary', { hasText: title }).press('Enter')
const goTo = (hash: string) => page.evaluate((wanted) => (window.location.hash = wanted), hash)

async function fromPage(hash: string, name: string): Promise<void> {
  await goTo(hash)
  await button(name).first().click()
}

interface DialogForm {
  open: () => Promise<void>
  /** The field that is filled in. */
  field: string
  text: string
  /** Steps that are needed before the field can be filled in. */
  before?: () => Promise<void>
  wrong: { type: () => Promise<unknown>; at: string; words: string | RegExp }[]
}

const nothing = async () => undefined

const dialogs: Record<string, DialogForm> = {
  'rejecting from a queue': {
    open: () => fromPage(`#/jobs/${running}/urls`, 'Reject…'),
    field: 'pattern',
    text: '/calendar/',
    wrong: [
      { type: nothing, at: 'pattern', words: 'Enter a pattern.' },
      { type: () => control('pattern').fill('('), at: 'pattern', words: /This parenthesis is never closed/ },
    ],
  },
  'deleting from a queue': {
    open: () => fromPage(`#/jobs/${running}/urls`, 'Delete…'),
    field: 'host',
    text: 'a.test',
    wrong: [{ type: nothing, at: 'pattern', words: 'Enter a pattern or a host.' }],
  },
  'putting first or last': {
    open: () => fromPage(`#/jobs/${running}/urls`, 'Change priority…'),
    field: 'pattern',
    text: '/news/',
    wrong: [{ type: nothing, at: 'pattern', words: 'Enter a pattern or a host.' }],
  },
  budgets: {
    open: () => fromPage(`#/jobs/${running}/urls`, 'Budgets…'),
    field: 'budgets',
    text: 'a.test 1 -',
    wrong: [
      { type: nothing, at: 'budgets', words: 'Enter at least one domain.' },
      { type: () => control('budgets').fill('a.test many'), at: 'budgets', words: /^Line 1, "a.test many"/ },
      { type: () => control('budgets').fill('http:// 1 -'), at: 'budgets', words: /is not a domain. Enter one like/ },
    ],
  },
  'an export': {
    open: async () => {
      await goTo('#/jobs')
      await page.keyboard.press('Control+e')
      await expect(control('path')).not.toHaveValue('')
    },
    field: 'path',
    text: '/nowhere/a.wacz',
    wrong: [
      { type: () => form().getByRole('combobox', { name: 'Jobs' }).press('Backspace'), at: 'jobs', words: 'Select a job or a file.' }, // prettier-ignore
      { type: () => control('path').fill(''), at: 'path', words: 'Enter a path for the output file.' },
      { type: () => control('path').fill('a.wacz'), at: 'path', words: /^a\.wacz is not an absolute path/ },
      { type: () => control('path').fill('/nowhere/a.wacz'), at: 'path', words: 'There is no folder /nowhere.' },
      {
        type: async () => {
          await fold('Filters and options')
          await control('url').fill('http://')
          await fold('Filters and options')
        },
        at: 'url',
        words: /is not a URL/,
      },
    ],
  },
  'a check': {
    open: () => fromPage('#/archive', 'Check all replicas…'),
    before: () => form().getByText('By name', { exact: true }).click(),
    field: 'files',
    text: '^tides',
    wrong: [
      { type: nothing, at: 'files', words: 'Enter a pattern.' },
      {
        type: async () => {
          await control('files').fill('nothing like it')
          await expect(form().getByText('Matches no files')).toBeVisible()
        },
        at: 'files',
        words: 'No file name matches.',
      },
      {
        type: async () => {
          await form().getByText('Random sample', { exact: true }).click()
          await control('sample').fill('some')
        },
        at: 'sample',
        words: 'Enter a whole number, 1 or more.',
      },
    ],
  },
  'the choice of the viewer': {
    open: () => fromPage('#/viewer', 'Job 1'),
    before: () => choose('Show the capture nearest to a time'),
    field: 'withinDays',
    text: '12',
    wrong: [
      { type: nothing, at: 'at', words: 'Enter a date and time.' },
      { type: () => form().getByRole('combobox', { name: 'Jobs' }).press('Backspace'), at: 'jobs', words: 'Select a job or a file.' }, // prettier-ignore
    ],
  },
  'the attic': {
    open: () => fromPage('#/archive/attic', 'Restore entry 1 under another name'),
    field: 'as',
    text: 'found.warc.gz',
    wrong: [
      { type: () => control('as').fill('../x'), at: 'as', words: /is not a valid file name in the archive/ },
      { type: () => control('as').fill('tides.warc.gz'), at: 'as', words: /already has a different file named tides/ },
    ],
  },
}

for (const [what, { open, before = nothing, field, text, wrong }] of Object.entries(dialogs)) {
  test(`the dialog of ${what} asks before it discards typed input, and only then`, async () => {
    await open()
    await expect(form()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => form().getByRole('button', { name: 'Close', exact: true }).first().click(),
      () => page.mouse.click(60, 690),
    ]) {
      await open()
      await before()
      await control(field).fill(text)
      await leave()
      await question().getByRole('button', { name: 'Keep editing' }).click()
      // A dialog that fades out still takes clicks and keys.
      await expect(page.locator('.mantine-Modal-overlay')).toHaveCount(1)
      await expect(control(field)).toHaveValue(text)
      await discard()
    }
    await open()
    await before()
    if (before !== nothing) return discard()
    await expect(control(field)).not.toHaveValue(text)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test(`the dialog of ${what} focuses the field that is missing, wrong or refused`, async () => {
    for (const { type, at, words } of wrong) {
      await open()
      await before()
      await type()
      await submit()
      await expectRefusedAt(at, words)
      // The same refusal leads there again.
      await submit()
      await expectRefusedAt(at, words)
      await expectAccessibleInBoth(page)
      if (type === nothing && before === nothing) await page.keyboard.press('Escape')
      else await discard()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  })
}

test('the link to the settings also asks before it discards input in the check dialog', async () => {
  await fromPage('#/archive', 'Check all replicas…')
  await form().getByText('By name', { exact: true }).click()
  await control('files').fill('^tides')
  await form().getByRole('link', { name: 'Change in Settings' }).click()
  await question().getByRole('button', { name: 'Keep editing' }).click()
  await expect(control('files')).toHaveValue('^tides')
  await form().getByRole('link', { name: 'Change in Settings' }).click()
  await question().getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('an import keeps its paths when it is closed, and requires paths when there is nothing to import', async () => {
  await page.keyboard.press('Control+i')
  await submit()
  await expectRefusedAt('paths', 'Drop or choose files, or enter a path.')
  await control('paths').fill('/somewhere/a.warc.gz')
  await expect(form().getByText('Drop or choose files, or enter a path.')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Control+i')
  await expect(control('paths')).toHaveValue('/somewhere/a.warc.gz')
  await control('paths').fill('')
  await page.keyboard.press('Escape')
})

test('a batch job focuses its invalid field, also by Enter and from the engine, and asks before it is left', async () => {
  await goTo('#/archive/batch')
  const batch = page.getByRole('form', { name: 'New batch job' })
  const named = (name: string) => batch.locator(`[data-field="${name}"]`)
  const rows: [type: () => Promise<unknown>, at: string, words: string | RegExp][] = [
    [() => batch.getByRole('radio', { name: 'Custom module' }).check(), 'module', 'Enter the path of the module.'],
    [() => named('module').fill('/mine.js'), 'module', 'A module must be an .mjs file.'],
    [() => named('module').fill('mine.mjs'), 'module', /^mine\.mjs is not an absolute path/],
    [() => named('module').fill('/nowhere/mine.mjs'), 'module', 'There is no file /nowhere/mine.mjs.'],
    [
      async () => {
        await batch.getByRole('radio').first().check()
        await fold('Files and time limits')
        await named('files').fill('nothing like it')
      },
      'files',
      /^No file name matches nothing like it/,
    ],
    [
      async () => {
        await named('files').fill('')
        await named('fileTimeoutSeconds').fill('')
      },
      'fileTimeoutSeconds',
      'Enter 1 to 33,333 minutes.',
    ],
  ]
  for (const [type, at, words] of rows) {
    await type()
    await batch.getByRole('button', { name: 'Run', exact: true }).click()
    await expectRefusedAt(at, words, batch)
    if (at === 'module') await named(at).press('Enter')
    await expectRefusedAt(at, words, batch)
  }
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await question().getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
})

test('a new credential reports what is missing, also by Enter, and does not submit the harvest around it', async () => {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await button('New harvest').first().click()
  await openPart(page, 'Login')
  await button('Add login').click()
  const credential = form().getByRole('group', { name: 'New credential…' }).last()
  await credential.locator('[data-field="name"]').fill('account')
  await credential.locator('[data-field="name"]').press('Enter')
  await expectRefusedAt('user', 'Enter the user name.', credential)
  await credential.locator('[data-field="user"]').fill('someone')
  await button('Save credential').click()
  await expectRefusedAt('password', 'Enter the password.', credential)
  await discard()
})

test('an expected checksum is asked about before it is discarded, also when going back to the first step', async () => {
  await goTo('#/archive/repair')
  await page.getByRole('link', { name: 'Repair boats.warc.gz in TWO' }).click()
  await button('Enter expected checksum').click()
  const field = page.getByRole('textbox', { name: 'Expected SHA-256' })
  await field.fill('abc')
  await button('Back').last().click()
  await question().getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await question().getByRole('button', { name: 'Keep editing' }).click()
  await expect(field).toHaveValue('abc')
  await button('Back').last().click()
  await question().getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(button('Enter expected checksum')).toBeVisible()
})

test('when a run fixes a field with the focus, the focus moves to the reason', async () => {
  const { harvests, jobs } = loupe.serving.engine.services
  const schedule = { records: [{ years: [2999] }] }
  const { job } = await harvests.create({
    seeds: [`http://${site.address}/`],
    name: 'Fixed',
    delayMs: 10_000,
    schedule,
  })
  await goTo(`#/jobs/${job}`)
  await button('Edit').click()
  await openPart(page, 'Politeness')
  const obey = form().getByRole('radio', { name: 'Obey' })
  await obey.focus()
  await jobs.start({ job })
  await expect(obey).toBeDisabled()
  await expect(form().locator('.fixed-why:focus')).toContainText('This cannot be changed during a run')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
