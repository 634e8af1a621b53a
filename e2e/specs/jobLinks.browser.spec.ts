/** Links between the hosts of a job in a real browser: counted on demand, drawn, listed, and saved for programs that draw graphs. */
import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { harvestDefinition } from '../../src-main/contract/services/definition.ts'
import type { NamedSite } from '../sites/server.ts'
import { startTwoHosts } from '../sites/twoHosts.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let site: NamedSite

test.beforeAll(async () => {
  site = await startTwoHosts()
  loupe = await openLoupe('jobLinks')
  page = loupe.page
  await page.setViewportSize({ width: 1280, height: 1000 })
})
test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

async function harvested(more: object): Promise<number> {
  const { harvests, jobs } = loupe.serving.engine.services
  const definition = { seeds: [`${site.origin}/`], delayMs: 0, resolve: site.resolve, ...more }
  const { job } = await harvests.create(harvestDefinition.parse(definition))
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  return job
}

const section = () => page.getByRole('region', { name: 'Links between hosts' })
const table = () => section().getByRole('table', { name: 'Links between hosts' })
const open = async (job: number) => {
  await page.goto(`${page.url().split('#')[0]}#/jobs/${job}/urls`)
  await section().getByRole('button', { name: 'Count links' }).click()
}

/** Links of the row between two hosts. */
async function linksBetween(source: string, target: string): Promise<number> {
  const row = table()
    .getByRole('row')
    .filter({ hasText: new RegExp(`${source}.*${target}`) })
  return Number(await row.getByRole('cell').last().textContent())
}

test('a job has the links by which its URLs were found; one with limits of the distance has all', async () => {
  await open(await harvested({}))
  await expect(section()).toContainText('Of each URL only the link by which it was found.')
  const first = await linksBetween('museum.test', 'media.test')
  expect(first).toBeGreaterThan(0)
  await expect(section().getByRole('img', { name: /^2 hosts and the links between them/ })).toBeVisible()
  await expectAccessibleInBoth(page)
  await open(await harvested({ maxHops: 5 }))
  await expect(section()).toContainText('All links between URLs of the job.')
  // Several pages have the same style sheet.
  expect(await linksBetween('museum.test', 'media.test')).toBeGreaterThan(first)
})

test('the graph is saved as GraphML, GEXF and CSV', async () => {
  const links = await linksBetween('museum.test', 'media.test')
  for (const [button, name, weight] of [
    ['Save as GraphML', 'job-2-links.graphml', `<data key="weight">${links}</data>`],
    ['Save as GEXF', 'job-2-links.gexf', `weight="${links}"`],
    ['Save as CSV', 'Links between hosts.csv', `museum.test,media.test,${links}`],
  ] as const) {
    const saved = page.waitForEvent('download')
    await section().getByRole('button', { name: button }).click()
    const download = await saved
    expect(download.suggestedFilename()).toBe(name)
    expect(await readFile(await download.path(), 'utf8')).toContain(weight)
  }
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
