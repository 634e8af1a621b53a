/** Every screen in narrow windows: nothing makes the page scroll sideways, and every control can be reached. Wide tables scroll in their own frames. */
import { expect, test, type Page } from '@playwright/test'
import { accessTabs, archiveTabs, harvestTabs, hrefOf, jobTabs, type Route } from '../../src-renderer/routes/routes.ts'
import { startTwoHosts } from '../sites/twoHosts.ts'
import { openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let site: Awaited<ReturnType<typeof startTwoHosts>>
let loupe: OpenedLoupe
let page: Page
let file: string
const job = 1

test.beforeAll(async () => {
  site = await startTwoHosts()
  loupe = await openLoupe('widths')
  page = loupe.page
  const { harvests, jobs } = loupe.serving.engine.services
  await harvests.create({ seeds: [`${site.origin}/`], resolve: site.resolve, delayMs: 0 })
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  const { files } = await jobs.show({ job })
  file = files[0]?.name ?? ''
})
test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

/** Every place with all of its tabs. */
function routes(): Route[] {
  return [
    { place: 'start' },
    ...harvestTabs.map((tab): Route => ({ place: 'harvests', tab })),
    { place: 'template', template: 'default' },
    ...jobTabs.map((tab): Route => ({ place: 'job', job, tab })),
    { place: 'capture', job, url: `${site.origin}/` },
    { place: 'viewer', jobs: [] },
    { place: 'viewer', jobs: [job] },
    { place: 'missing', jobs: [] },
    { place: 'missing', jobs: [job] },
    { place: 'search' },
    ...archiveTabs.map((tab): Route => ({ place: 'archive', tab })),
    { place: 'file', file },
    { place: 'record', file, offset: null, number: null },
    { place: 'history' },
    { place: 'history', filter: 'report=changes&jobs=1' },
    { place: 'schedule' },
    { place: 'plans' },
    { place: 'newPlan' },
    ...accessTabs.map((tab): Route => ({ place: 'access', tab })),
    { place: 'system' },
    { place: 'settings' },
  ]
}

/** Lists what makes the page or its main part scroll sideways, and the controls that are outside of the window; called in the page. A part that
 *  scrolls sideways by itself, such as a table, may be wider than the window. */
function faults(): string[] {
  const wide = [document.scrollingElement, document.querySelector('main')].filter(
    (element) => element !== null && element.scrollWidth > element.clientWidth,
  )
  const scrolls = (element: Element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
  const isInScroller = (element: Element): boolean => {
    const { parentElement: above } = element
    if (above === null || above.matches('main, body')) return false
    return scrolls(above) || isInScroller(above)
  }
  const controls = [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter((control) => {
    const { left, right, width, height } = control.getBoundingClientRect()
    const isShown = width > 1 && height > 1 && control.checkVisibility({ visibilityProperty: true })
    return isShown && (left < -1 || right > window.innerWidth + 1) && !isInScroller(control)
  })
  return [
    ...wide.map((element) => `${element?.tagName} is ${element?.scrollWidth} of ${element?.clientWidth} pixels wide`),
    ...controls.map((control) => `outside: ${control.outerHTML.slice(0, 160)}`),
  ]
}

/** Goes to a place and resolves when it was painted; called in the page. */
function show(hash: string): Promise<void> {
  window.location.assign(hash)
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
}

test('a part that is too wide and a control outside of the window would be found', async () => {
  await page.evaluate(show, hrefOf({ place: 'settings' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  expect(await page.evaluate(faults)).toEqual([])
  await page.evaluate(() => {
    const wide = document.createElement('div')
    wide.innerHTML = '<div style="width: 3000px"><button style="margin-left: 2900px">x</button></div>'
    document.querySelector('main')?.append(wide)
  })
  expect(await page.evaluate(faults)).toEqual([
    expect.stringMatching(/^MAIN is 3\d{3} of /),
    expect.stringMatching(/^outside: <button/),
  ])
  await page.evaluate(() => document.querySelector('main')?.lastElementChild?.remove())
})

/** The second one is 1280 x 800 at a zoom of 200 %. */
const windows = [
  { name: 'a window of 1024 pixels', width: 1024, height: 768 },
  { name: 'a zoom of 200 %', width: 640, height: 400 },
  { name: 'a window of 360 pixels', width: 360, height: 740 },
]
for (const { name, ...size } of windows) {
  test(`every screen fits into ${name}`, async () => {
    await page.setViewportSize(size)
    const found: Record<string, string[]> = {}
    for (const route of routes()) {
      const hash = hrefOf(route)
      await page.evaluate(show, hash)
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
      await expect(page.getByText('Loading…', { exact: true })).toHaveCount(0)
      const here = await page.evaluate(faults)
      if (here.length > 0) found[hash] = here
    }
    expect(found).toEqual({})
  })
}

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
