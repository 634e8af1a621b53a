/** Delivery plans in a real browser: a plan is written in the editor, delivers the captures of a real harvest to a real server that refuses
 *  some of them, and what was refused is retried when the server accepts it. */
import { expect, test, type Page } from '@playwright/test'
import { searchServer, type SearchServer } from '../../src-main/delivery/testing/searchServer.ts'
import type { DeliveryState } from '../../src-main/contract/states/deliveryStates.ts'
import type { NamedSite } from '../sites/server.ts'
import { startTwoHosts } from '../sites/twoHosts.ts'
import { expectAccessible, expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let site: NamedSite
let solr: SearchServer
let hook: SearchServer
/** Whether Solr refuses some documents. */
let isPicky = true
const isBad = (id: string) => isPicky && id.includes('.css')

test.beforeAll(async () => {
  site = await startTwoHosts()
  solr = await searchServer({ isBad, isTolerant: true })
  hook = await searchServer()
  loupe = await openLoupe('plans')
  page = loupe.page
  await page.setViewportSize({ width: 1280, height: 900 })
  const { harvests, jobs } = loupe.serving.engine.services
  const { job } = await harvests.create({ seeds: [`${site.origin}/`], delayMs: 0, resolve: site.resolve })
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
})
test.afterAll(async () => {
  await loupe.close()
  await Promise.all([solr.close(), hook.close(), site.close()])
})

const text = () => page.getByRole('textbox', { name: 'Plan as TOML' })
const drawing = () => page.getByRole('group', { name: 'Drawing of the plan' })
const stepRow = (name: string) =>
  page.getByRole('table', { name: 'Steps with their numbers in the run' }).getByRole('row').filter({ hasText: name })

function planText(more = ''): string {
  const step = (name: string, kind: string, lines: string) =>
    `[[steps]]\nname = "${name}"\nkind = "${kind}"\n${lines}\n`
  return [
    '# The museum, for its catalogue.\nname = "museum"\n',
    step('scan', 'captures', `settings = { jobs = [1] }\n${more}`),
    step('titles', 'title', 'after = ["scan"]'),
    step(
      'pictures',
      'drop',
      'after = ["titles"]\nsettings = { field = "url", pattern = "png$" }\nrouter = { kind = "all" }',
    ),
    step('catalogue', 'solr', `after = ["pictures"]\nbatchDelayMs = 50\nsettings = { url = "${solr.url}/solr/pages" }`),
    step('announce', 'webhook', `after = ["pictures"]\nsettings = { url = "${hook.url}/hook" }`),
  ].join('')
}

test('without a plan the screen says what to do next', async () => {
  await page.getByRole('link', { name: 'Plans', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No delivery plans yet' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New plan' }).first().click()
  await expect(text()).toHaveValue(/jobs = \[1\]/)
  await expect(page.getByText('The plan has no faults.')).toBeVisible()
  await expect(
    drawing().getByRole('button', { name: /^Destination search, kind openSearch, idempotent/ }),
  ).toBeVisible()
})

test('the editor names faults while the text is typed, and draws it when there is none', async () => {
  await text().fill(planText().replace('after = ["titles"]', 'after = ["title"]'))
  await expect(page.getByText('Step pictures: there is no step title that it could come after.')).toBeVisible()
  await expect(page.getByText('The drawing shows the last text without faults.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveAttribute(
    'aria-description',
    'Correct the faults first.',
  )
  await expectAccessible(page)
  await text().fill(planText())
  await expect(
    drawing().getByRole('button', { name: /^Processor pictures, kind drop, safe, preserving/ }),
  ).toBeVisible()
  await expect(drawing().getByRole('button', { name: /^Destination announce, kind webhook, potent/ })).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('what was typed is not lost by accident', async () => {
  await page.getByRole('link', { name: 'Plans', exact: true }).click()
  await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Keep editing' }).click()
  await expect(text()).toHaveValue(planText())
})

test('Ctrl+Enter saves the plan, and its screen shows it stopped', async () => {
  await text().press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'museum', level: 1 })).toBeVisible()
  await expect(page.getByText('Stopped', { exact: true })).toBeVisible()
  await expect(page.getByText('Lines have no numbers, because this version has not run')).toBeVisible()
  await expect(page.getByText('No document has reached the plan yet.')).toBeVisible()
})

test('a run shows the documents on each line, what was dropped, and what was refused', async () => {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const counts = page.getByRole('table', { name: 'Documents by status' })
  await expect(page.getByText('in the last run, from')).toBeVisible()
  const total = hook.accepted.size + (await documentsIn('DROPPED', 'announce')).length
  const styles = [...hook.accepted.keys()].filter(isBad).length
  expect(styles).toBeGreaterThan(1)
  await expect(stepRow('scan').first()).toContainText(`titles (${total})`)
  const dropped = total - hook.accepted.size
  expect(dropped).toBeGreaterThan(0)
  await expect(
    drawing().getByRole('button', { name: new RegExp(`^Processor pictures.* ${dropped} dropped`) }),
  ).toBeVisible()
  await expect(drawing().getByText(String(hook.accepted.size), { exact: true }).first()).toBeVisible()
  await expect(counts.getByRole('link', { name: `catalogue, Refused: ${styles}` })).toBeVisible()
  await expect(counts.getByRole('link', { name: `announce, Delivered: ${hook.accepted.size}` })).toBeVisible()
  await expectAccessibleInBoth(page)
})

/** Documents that are in the status at the destination. */
async function documentsIn(state: DeliveryState, destination: string): Promise<string[]> {
  const { deliveries } = loupe.serving.engine.services
  const found = (await deliveries.counts({ name: 'museum' })).find((each) => each.destination === destination)
  const rows = await deliveries.documents({ destination: found?.id ?? 0, state })
  return rows.map(({ document }) => document)
}

test('a step is chosen with the keyboard, and its side effect is explained in words', async () => {
  await drawing()
    .getByRole('button', { name: /^Destination announce/ })
    .focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('region', { name: 'Step announce' })
  await expect(panel).toContainText('Potent: every repetition counts.')
  await expect(panel).toContainText('At most once')
})

test('a notification leads to the documents that were refused', async () => {
  await page.getByRole('link', { name: 'System', exact: true }).click()
  const notified = page.getByRole('row').filter({ hasText: 'Delivery plan museum: catalogue has refused documents' })
  await notified.getByRole('link', { name: 'Show documents' }).click()
  await expect(page.getByRole('combobox', { name: 'Destination' })).toHaveValue('catalogue')
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue(/^Refused \(ERROR_DOC\)/)
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeInViewport()
})

test('refused documents are selected and retried; when the server accepts them, they are delivered', async () => {
  const refused = [...hook.accepted.keys()].filter(isBad)
  const documents = page.getByRole('table', { name: 'Documents', exact: true })
  await page.getByRole('link', { name: /^catalogue, Refused/ }).click()
  await expect(documents.getByRole('row')).toHaveCount(refused.length + 1)
  await expect(documents.getByText(/refused|status 400/).first()).toBeVisible()
  const [first = '', second = ''] = refused
  await page.getByRole('checkbox', { name: `Select ${first}` }).check()
  await page.getByRole('checkbox', { name: `Select ${second}` }).check()
  isPicky = false
  await page.getByRole('button', { name: 'Retry 2 selected…' }).click()
  await page.getByRole('dialog', { name: 'Retry 2 documents?' }).getByRole('button', { name: 'Retry 2' }).click()
  await expect(
    page.getByText('2 documents were changed. The plan is stopped: they are sent with its next run.'),
  ).toBeVisible()
  await expect(documents.getByRole('row')).toHaveCount(refused.length - 1)
  await page.getByRole('button', { name: 'Run once' }).click()
  await expect.poll(() => solr.accepted.get(first)).toBe(1)
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: /^Delivered \(INDEXED\)/ }).click()
  await expect(documents.getByText(first)).toBeVisible()
  expect(hook.accepted.get(first)).toBe(1)
})

test('delivered documents are forced: they are sent again although they have not changed', async () => {
  const [first = '', second = ''] = [...solr.accepted.keys()].filter((id) => id.includes('.css'))
  const before = new Map(solr.accepted)
  await page.getByRole('checkbox', { name: `Select ${first}` }).check()
  await expect(page.getByRole('button', { name: 'Drop 1 selected…' })).toHaveAttribute(
    'aria-description',
    'Not possible for documents in this status.',
  )
  await page.getByRole('button', { name: 'Force 1 selected…' }).click()
  await page.getByRole('dialog', { name: 'Force 1 document?' }).getByRole('button', { name: 'Force 1' }).click()
  await expect(page.getByRole('checkbox', { name: `Select ${first}` })).toBeHidden()
  expect(await documentsIn('FORCE', 'catalogue')).toEqual([first])
  await page.getByRole('button', { name: 'Run once' }).click()
  await expect.poll(() => solr.accepted.get(first)).toBe((before.get(first) ?? 0) + 1)
  await expect.poll(() => documentsIn('FORCE', 'catalogue')).toEqual([])
  expect(solr.accepted.get(second)).toBe(before.get(second))
})

test('forced documents are dropped before the run: they are not sent any more', async () => {
  const [first = '', second = ''] = [...solr.accepted.keys()].filter((id) => id.includes('.css'))
  const before = new Map(solr.accepted)
  for (const id of [first, second]) await page.getByRole('checkbox', { name: `Select ${id}` }).check()
  await page.getByRole('button', { name: 'Force 2 selected…' }).click()
  await page.getByRole('dialog', { name: 'Force 2 documents?' }).getByRole('button', { name: 'Force 2' }).click()
  await expect(page.getByRole('checkbox', { name: `Select ${first}` })).toBeHidden()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: /\(FORCE\)/ }).click()
  await page.getByRole('checkbox', { name: `Select ${first}` }).check()
  await page.getByRole('button', { name: 'Drop 1 selected…' }).click()
  await page.getByRole('dialog', { name: 'Drop 1 document?' }).getByRole('button', { name: 'Drop 1' }).click()
  await expect(page.getByText('1 document was changed.', { exact: true })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: `Select ${first}` })).toBeHidden()
  expect(await documentsIn('DROPPED', 'catalogue')).toContain(first)
  await page.getByRole('button', { name: 'Run once' }).click()
  await expect.poll(() => solr.accepted.get(second)).toBe((before.get(second) ?? 0) + 1)
  await expect(page.getByText('Stopped', { exact: true })).toBeVisible()
  expect(solr.accepted.get(first)).toBe(before.get(first))
  expect(await documentsIn('DROPPED', 'catalogue')).toContain(first)
})

test('the history of a document is that of all destinations, and leads to its capture', async () => {
  const [first = ''] = [...hook.accepted.keys()].filter((id) => id.includes('.css'))
  await page.getByRole('textbox', { name: 'Id of a document' }).fill(first)
  await page.getByRole('button', { name: 'Show history' }).click()
  const history = page.getByRole('dialog', { name: 'History of a document' })
  const rows = history.getByRole('table', { name: 'History at all destinations' }).getByRole('row')
  await expect(rows.filter({ hasText: 'catalogue' }).last()).toContainText('DROPPED')
  await expect(rows.filter({ hasText: 'FORCE' })).toHaveCount(2)
  await expect(rows.filter({ hasText: 'ERROR_DOC' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'announce' }).last()).toContainText('INDEXED')
  await expectAccessibleInBoth(page)
  await history.getByRole('link', { name: 'Open capture' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('.warc.gz')
  await page.goBack()
})

test('a new version asks what it takes over, and keeps comments and statuses', async () => {
  await page.goto(`${page.url().split('#')[0]}#/plans/museum/edit`)
  await expect(text()).toHaveValue(planText())
  await text().fill(planText('intervalSeconds = 1'))
  await page.getByRole('button', { name: 'Save…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save version 2 of museum' })
  await expect(dialog.getByRole('radio', { name: 'Keep all statuses' })).toBeChecked()
  await dialog.getByRole('radio', { name: 'Keep documents in some statuses' }).check()
  await expect(dialog.getByRole('checkbox', { name: /^Delivered \(INDEXED\)/ })).toBeChecked()
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: 'Keep all statuses' }).check()
  await dialog.getByRole('button', { name: 'Save version 2' }).click()
  await expect(page.getByRole('link', { name: /^announce, Delivered/ })).toBeVisible()
})

test('a plan that runs is stopped from the list', async () => {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('Running', { exact: true })).toBeVisible()
  await expect(page.getByText('since the run began')).toBeVisible()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await text().press('End')
  await page.keyboard.type('# more')
  await expect(page.getByRole('button', { name: 'Save…' })).toHaveAttribute('aria-description', /is running: stop it/)
  await expect(page.getByRole('button', { name: 'Stop museum' })).toBeVisible()
  await page.getByRole('link', { name: '← Back to museum' }).click()
  await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('since the run began')).toBeVisible()
  await page.getByRole('link', { name: 'Plans', exact: true }).click()
  const plans = page.getByRole('table', { name: 'Delivery plans' })
  await expect(plans.getByRole('row').filter({ hasText: 'museum' })).toContainText('Running')
  await expectAccessibleInBoth(page)
  await plans.getByRole('button', { name: 'Stop museum' }).click()
  await page.getByRole('dialog', { name: 'Stop museum?' }).getByRole('button', { name: 'Stop' }).click()
  await expect(plans.getByRole('row').filter({ hasText: 'museum' })).toContainText('Stopped')
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
