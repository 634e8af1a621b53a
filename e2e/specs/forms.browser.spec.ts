/** Forms in a real browser: an error message is shown next to its field, which is scrolled into view and focused; input is not
 *  discarded without a question; and values that a run has fixed cannot be changed and give the reason. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { z } from 'zod'
import { harvestDefinition } from '../../src-main/contract/services/definition.ts'
import type { FieldPath } from '../../src-main/contract/calls/faults.ts'
import { controlOf } from '../../src-renderer/screens/harvest/harvestControls.ts'
import { en } from '../../src-renderer/words/en.ts'
import { linksTo } from '../sites/changing.ts'
import { listen, type Listening } from '../sites/server.ts'
import { openedForm } from './openedForm.ts'
import { expectAccessibleInBoth, openLoupe, openPart, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'default' })

let loupe: OpenedLoupe
let page: Page
let site: Listening

test.beforeAll(async () => {
  site = await listen(
    createServer((request, response) => {
      const number = Number((request.url ?? '').slice(1)) || 0
      response.writeHead(request.url === '/robots.txt' ? 404 : 200, { 'Content-Type': 'text/html' })
      response.end(linksTo(`/${number + 1}`, `/${number + 2}`))
    }),
  )
  loupe = await openLoupe('forms')
  page = loupe.page
  await page.setViewportSize({ width: 1280, height: 700 })
})

test.afterAll(async () => {
  loupe.expectNoBugs()
  await loupe.close()
  await site.close()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const { form, question, control, discard, expectRefusedAt } = openedForm(() => page)
const seeds = () => form().getByRole('textbox', { name: /^Seeds/ })

async function openNew(): Promise<void> {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await button('New harvest').first().click()
  await expect(seeds()).toBeFocused()
}

/** Every path at which the schema of a definition can refuse a value; for lists, the first row. */
function pathsIn(schema: z.core.JSONSchema.BaseSchema, path: FieldPath = []): FieldPath[] {
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const parts = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, part] as const)
  const row = typeof schema.items === 'object' && !Array.isArray(schema.items) ? [[0, schema.items] as const] : []
  const inside = [...parts, ...row].flatMap(([name, part]) =>
    typeof part === 'object' ? pathsIn(part, [...path, name]) : [],
  )
  return [path, ...inside, ...alternatives.flatMap((each) => pathsIn(each, path))]
}

test('every field of a definition that can be refused has its control', async () => {
  const settings = { connector: 'folder', folder: join(loupe.folder, 'copies') } as const
  await loupe.serving.engine.services.outputs.add({ name: 'Copies', settings })
  await openNew()
  await openPart(page, 'Deliveries')
  await form().getByRole('checkbox', { name: 'Copies' }).check()
  await openPart(page, 'Further runs')
  await form()
    .getByRole('radio', { name: /^Continuously/ })
    .check()
  await openPart(page, 'Throttling')
  await button('Add rule').click()
  await openPart(page, 'Login')
  await button('Add login').click()
  await form().getByRole('checkbox', { name: 'Run on a schedule instead of now' }).check()
  await form().getByText('Custom', { exact: true }).click()
  const schema = z.toJSONSchema(harvestDefinition, { io: 'input', unrepresentable: 'any' })
  const names = [
    ...new Set(
      pathsIn(schema)
        .filter((path) => path.length > 0)
        .map(controlOf),
    ),
  ]
  expect(names.length).toBeGreaterThan(50)
  const shown = new Set<string>()
  for (const source of ['Sitemap', 'Feed', 'Folder', 'Module', 'Web site']) {
    await form()
      .getByRole('radiogroup')
      .first()
      .getByRole('radio', { name: new RegExp(source, 'i') })
      .first()
      .check()
    for (const name of await form().locator('[data-field]').evaluateAll((all) => all.map((one) => one.getAttribute('data-field') ?? ''))) shown.add(name) // prettier-ignore
  }
  expect(names.filter((name) => !shown.has(name))).toEqual([])
  await discard()
})

interface Refused {
  /** Makes the input that the form refuses. */
  type: () => Promise<void>
  at: string
  words: string | RegExp
}

const fill = (name: string, text: string) => control(name).fill(text)

const refusals: Record<string, Refused> = {
  'no seed': { type: () => seeds().fill(''), at: 'seeds', words: 'Enter at least one URL to start from.' },
  'a seed that is not a URL, by the engine': {
    type: () => seeds().fill(`http://a.test/\n\nmailto:a@b.test`),
    at: 'seeds',
    words: /^Line 3: "mailto:a@b\.test" is not a URL that can be harvested/,
  },
  'a relative path of a folder, by the engine': {
    type: async () => {
      await form().getByRole('radio', { name: 'Folder' }).check()
      await control('seeds').fill('not/absolute')
    },
    at: 'seeds',
    words: /^Line 1: "not\/absolute" is not a folder on this computer/,
  },
  'a module that does not exist, by the engine': {
    type: async () => {
      await form().getByRole('radio', { name: 'Module' }).check()
      await control('seeds').fill('cms:all')
      await fill('connector.module', '/nowhere/cms.mjs')
    },
    at: 'connector.module',
    words: 'There is no file /nowhere/cms.mjs.',
  },
  'a credential that was removed meanwhile, by the engine': {
    type: async () => {
      const { credentials } = loupe.serving.engine.services
      await credentials.set({ name: 'short-lived', user: 'someone', password: 'secret' })
      await openPart(page, 'Login')
      await button('Add login').click()
      await control('login.0.credential').click()
      await page.getByRole('option', { name: 'short-lived' }).click()
      await fill('login.0.urls', 'http://a.test/in/')
      await fill('login.0.page', 'http://a.test/login')
      await fill('login.0.userField', 'user')
      await fill('login.0.passwordField', 'password')
      await credentials.remove({ name: 'short-lived' })
    },
    at: 'login.0.credential',
    words: 'There is no credential "short-lived": create it first',
  },
  'a name too long': { type: () => fill('name', 'x'.repeat(201)), at: 'name', words: /200 characters or fewer/ },
  'a pattern': {
    type: async () => {
      await openPart(page, 'Patterns, user agent and DNS')
      await fill('exclude', 'fine\n(')
    },
    at: 'exclude',
    words: /^Line 2: This value is not a valid pattern\. "\(": This parenthesis is never closed/,
  },
  'a throttle': {
    type: async () => {
      await openPart(page, 'Throttling')
      await button('Add rule').click()
      await fill('throttle.0.match', 'a')
    },
    at: 'throttle.0.fetchesPerMinute',
    words: 'Set at least one limit, or remove the rule.',
  },
  'a year of the schedule': {
    type: async () => {
      await form().getByRole('checkbox', { name: 'Run on a schedule instead of now' }).check()
      await form().getByText('Custom', { exact: true }).click()
      await fill('schedule.0.years', 'soon')
    },
    at: 'schedule.0.years',
    words: /^Enter four-digit years/,
  },
}

for (const [what, { type, at, words }] of Object.entries(refusals)) {
  test(`a refused New harvest focuses the field: ${what}`, async () => {
    await openNew()
    await seeds().fill('http://a.test/')
    await fill('name', 'A name')
    await type()
    await form().locator('button[type="submit"]').click()
    await expectRefusedAt(at, words)
    // The same refusal leads there again.
    await form().locator('button[type="submit"]').click()
    await expectRefusedAt(at, words)
    await discard()
  })
}

test('a refused Edit job focuses the field, also one that a run has fixed meanwhile, and the change can be undone', async () => {
  const { harvests, jobs } = loupe.serving.engine.services
  const schedule = { records: [{ years: [2999] }] }
  const { job } = await harvests.create({ seeds: [`http://${site.address}/`], name: 'Waits', delayMs: 200, schedule })
  await page.evaluate((wanted) => (window.location.hash = `#/jobs/${wanted}`), job)
  await button('Edit').click()
  await seeds().fill('mailto:a@b.test')
  await button('Save changes').click()
  await expectRefusedAt('seeds', /^Line 1: "mailto:a@b\.test" is not a URL/)
  await seeds().fill(`http://${site.address}/`)
  await openPart(page, 'Politeness')
  await form().getByRole('radio', { name: 'Ignore' }).check()
  await jobs.start({ job })
  await expect(form().getByText('Changes apply to the current run.')).toBeVisible()
  await button('Save changes').click()
  await expectRefusedAt('robots', /does not allow changes to whether robots\.txt is obeyed/)
  await form().getByRole('radio', { name: 'Obey' }).click()
  await expect(form().getByRole('radio', { name: 'Obey' })).toBeDisabled()
  await fill('delayMs', '50')
  await button('Save changes').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect((await jobs.show({ job })).definition).toMatchObject({ robots: 'obey', delayMs: 50 })
})

test('fields that cannot change during a run are disabled, with the reason, and the others are not', async () => {
  await button('Edit').click()
  for (const part of ['recheck.legend', 'form.politeness', 'login.legend', 'hops.legend', 'form.output'] as const)
    await openPart(page, en[part])
  const reasons: [field: string, why: RegExp][] = [
    ['connector', /a run has one source and one output/],
    ['output', /a run has one source and one output/],
    ['maxHops', /this run did not track link depth from its start/],
    ['hops.link', /this run did not track link depth from its start/],
    ['recheck.type', /the run has already scheduled rechecks under the old rule/],
    ['robots', /the run has already visited hosts under the old rule/],
    ['login.areas', /queued pages wait for the login in progress/],
  ]
  for (const [field, why] of reasons) {
    const group = form()
      .locator('fieldset[aria-describedby]')
      .filter({ has: page.locator(`[data-field="${field}"]`) })
      .last()
    // The group is not a control itself; the controls in it are disabled.
    await expect(group).toHaveAttribute('disabled')
    await expect(group).toContainText(/This cannot be changed during a run: .*Stop the job first/)
    await expect(group).toContainText(why)
  }
  for (const field of ['seeds', 'name', 'maxObjects', 'delayMs', 'exclude']) await expect(control(field)).toBeEnabled()
  await expect(form().getByRole('radio', { name: 'Obey' })).toBeDisabled()
  await expect(control('recheck.gone').getByRole('radio').first()).toBeEnabled()
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await button('Stop').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop job' }).click()
  await expect(page.getByText('Stopped', { exact: true })).toBeVisible()
})

/** Each way in which a form can be left. */
const ways: Record<string, () => Promise<unknown>> = {
  Escape: () => page.keyboard.press('Escape'),
  'its close button': () => form().getByRole('button', { name: 'Close', exact: true }).click(),
  'the backdrop': () => page.mouse.click(20, 400),
  'the way back': () => page.goBack(),
  'another address': () => page.evaluate(() => (window.location.hash = '#/settings')),
}

for (const [how, leave] of Object.entries(ways)) {
  test(`a form left by ${how} asks when something was typed, and only then`, async () => {
    await page.getByRole('link', { name: 'Schedule', exact: true }).click()
    await openNew()
    if (how !== 'the way back' && how !== 'another address') {
      await leave()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await button('New harvest').first().click()
    }
    await seeds().fill('http://a.test/')
    await seeds().fill('')
    await seeds().fill('http://b.test/')
    const before = page.url()
    await leave()
    await expect(question()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question()).toBeHidden()
    // A dialog that fades out still takes clicks.
    await expect(page.locator('.mantine-Modal-overlay')).toHaveCount(0)
    await expect(seeds()).toHaveValue('http://b.test/')
    expect(page.url()).toBe(before)
    await leave()
    await question().getByRole('button', { name: 'Keep editing' }).click()
    await expect(page.locator('.mantine-Modal-overlay')).toHaveCount(0)
    await expect(seeds()).toHaveValue('http://b.test/')
    await leave()
    await question().getByRole('button', { name: 'Discard', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
}

test('undone input does not count as a change, and a window with unsaved input asks before it closes', async () => {
  await openNew()
  await seeds().fill('http://b.test/')
  const asked = page.waitForEvent('dialog')
  const reloaded = page.evaluate(() => window.location.reload()).catch(() => undefined)
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await reloaded
  await expect(seeds()).toHaveValue('http://b.test/')
  await seeds().fill('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('Settings asks before discarding unsaved edits, and shows which saved ones need a restart', async () => {
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  const port = page.getByRole('textbox', { name: 'viewer.port', exact: true })
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'History', exact: true })).toBeVisible()
  await page.goBack()
  await port.fill('18080')
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await question().getByRole('button', { name: 'Keep editing' }).click()
  await expect(port).toHaveValue('18080')
  await page
    .getByRole('form', { name: /viewer\.port/ })
    .getByRole('button', { name: 'Save', exact: true })
    .click()
  const note = page.getByRole('status').filter({ hasText: 'Restart Loupe to apply the new settings' })
  await expect(note).toContainText('takes effect after a restart: viewer.port.')
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'History', exact: true })).toBeVisible()
})

test('Ctrl+E exports the selected jobs, or else the job that is shown', async () => {
  const { harvests, jobs } = loupe.serving.engine.services
  const made = async (name: string) => {
    const { job } = await harvests.create({ seeds: [`http://${site.address}/`], name, maxObjects: 1, delayMs: 0 })
    await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
    return job
  }
  const older = await made('Older')
  const newer = await made('Newer')
  const chosen = (job: number) => form().getByText(new RegExp(`^${job} · `))
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('checkbox', { name: `Select job ${older}: Older` }).check()
  await page.keyboard.press('Control+e')
  await expect(chosen(older)).toBeVisible()
  await expect(chosen(newer)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.evaluate((job) => (window.location.hash = `#/jobs/${job}`), older)
  await expect(page.getByRole('heading', { name: /Older/ })).toBeVisible()
  await page.keyboard.press('Control+e')
  await expect(chosen(older)).toBeVisible()
  await expect(chosen(newer)).toHaveCount(0)
  await page.keyboard.press('Escape')
})
