/** Page audits with the whole program and a real Chromium: every planted fault is found and nothing else is reported, also when the audit is killed
 *  with kill -9; the results are records in a WARC file of the job that breaks no rule, and missing resources are misses. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { AuditedPage, PageAuditSummary } from '../../src-main/contract/services/pageAudits.ts'
import type { PageVerdict } from '../../src-main/contract/services/verdicts.ts'
import type { JobMiss } from '../../src-main/contract/services/misses.ts'
import { reportThumbnailsMax } from '../../src-main/quality/model/limits.ts'
import { auditResults, newestAudit, visitedIn } from '../auditResults.ts'
import { initArchive, loupe, startLoupe } from '../loupeProcess.ts'
import { startPlantedSite, type PlantedSite } from '../sites/plantedFaults.ts'

/** Ten faults each. */
const pagesPerKind = 6
/** Visited pages at which the audit is killed. */
const killsAt = [1, 4, 9]
/** Limit of each test: a harvest, and some 40 pages in a real browser, of which one reaches its time limit. */
const patienceMs = 400_000
test.describe.configure({ mode: 'serial', timeout: patienceMs })

const auditOf = (...more: string[]) => ['--archive', archive, '--json', 'audit-pages', '1', ...more]

let folder: string
let archive: string
let site: PlantedSite
let firstAudit: number

/** What `loupe audit-pages --json` prints. */
interface Printed {
  audit: PageAuditSummary
  pages: AuditedPage[]
}

test.beforeAll(async () => {
  site = await startPlantedSite(pagesPerKind)
  folder = await mkdtemp(join(tmpdir(), 'loupe-page-audit-'))
  archive = await initArchive(join(folder, 'archive'))
  const resolve = Object.entries(site.resolve).flatMap(([host, address]) => ['--resolve', `${host}=${address}`])
  const { code, stderr } = await loupe('--archive', archive, 'harvest', `${site.origin}/`, '--delay-ms', '0', ...resolve) // prettier-ignore
  // Some pages embed what is gone or forbidden.
  expect([0, 1], stderr).toContain(code)
})
test.afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

/** Faults of visited pages as the site lists them. */
function foundIn(audit: number): string[] {
  return auditResults(archive, audit).flatMap(({ url, details }) => {
    const lists = JSON.parse(details) as Partial<Record<string, ({ url: string } | string)[]>>
    const found = (kind: string, list = 'none') =>
      (lists[list] ?? []).map((one) => `${url} ${kind} ${typeof one === 'string' ? one : one.url}`)
    return [...found('missing', 'missingResources'), ...found('bad', 'badResources'), ...found('error', 'consoleMessages')] // prettier-ignore
  })
}

test('it finds exactly the planted faults, and a page that hangs does not stop it', async () => {
  const { code, stdout, stderr } = await loupe(...auditOf('--page-time', '20s'))
  expect(code, stderr).toBe(1)
  const { audit, pages } = JSON.parse(stdout) as Printed
  expect(audit).toMatchObject({ state: 'DONE_INCOMPLETE', figures: { failed: 1 } })
  firstAudit = audit.task
  expect(pages.map(({ url }) => url).toSorted()).toEqual(site.pages.toSorted())
  expect(pages[0]).toMatchObject({ url: site.hanging, state: 'FAILED', failure: 'hung', risk: 100 })

  const found = new Set(foundIn(audit.task))
  const planted = new Set(site.faults.map(({ page, fault }) => `${page} ${fault}`))
  const right = [...planted].filter((fault) => found.has(fault)).length
  const [precision, recall] = [right / found.size, right / planted.size]
  console.log(`${planted.size} planted faults, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`)
  const notPlanted = [...found].filter((fault) => !planted.has(fault))
  const notFound = [...planted].filter((fault) => !found.has(fault))
  expect({ notPlanted, notFound }).toEqual({ notPlanted: [], notFound: [] })

  const misses = (await loupe('--archive', archive, '--json', 'missing', 'list', '1')).stdout
  const { misses: rows } = JSON.parse(misses) as { misses: JobMiss[] }
  const missing = [...new Set(site.faults.flatMap(({ fault }) => /^missing (.*)$/.exec(fault)?.[1] ?? []))]
  expect(rows.filter(({ url }) => missing.includes(url)).map(({ url }) => url).toSorted()).toEqual(missing.toSorted()) // prettier-ignore

  const [file = ''] = audit.files
  expect(file).toBe('1-quality-1.warc.gz')
  const checked = await loupe('check', join(archive, 'replicas/ONE', file))
  expect(checked.code, checked.stdout).toBe(0)
  expect(await readdir(join(archive, 'pageAudits', String(audit.task)))).toEqual([])
})

test('killed at several moments and resumed, an audit ends with the results of one that was not disturbed', async () => {
  const sample = ['--sample', 'random:14:7', '--pattern', '/[0-9]$']
  const whole = (await loupeJsonOf(...sample)).audit.task
  const running = startLoupe(auditOf(...sample))
  await expect.poll(() => newestAudit(archive), { intervals: [50], timeout: 120_000 }).toBeGreaterThan(whole)
  const audit = newestAudit(archive)
  const kill = async (started: typeof running, at: number) => {
    await expect.poll(() => visitedIn(archive, audit), { intervals: [20], timeout: 120_000 }).toBeGreaterThanOrEqual(at)
    started.child.kill('SIGKILL')
    expect((await started.ended).code).toBe(null)
  }
  await kill(running, killsAt[0] ?? 1)
  for (const at of killsAt.slice(1))
    await kill(startLoupe(['--archive', archive, 'tasks', 'resume', String(audit)]), at)
  expect((await loupe('--archive', archive, 'tasks', 'resume', String(audit))).code).toBe(0)
  expect(auditResults(archive, audit)).toEqual(auditResults(archive, whole))
})

test('exported as WACZ and imported elsewhere, screenshots, figures and verdicts are there', async () => {
  const judged = await loupe('--archive', archive, 'verdict', 'set', '1', 'bad', `${site.origin}/`, '--note', 'faults')
  expect(judged.code, judged.stderr).toBe(0)
  const wacz = join(folder, 'audited.wacz')
  const exported = await loupe('--archive', archive, 'export', wacz, '--jobs', '1', '--format', 'wacz')
  expect(exported.code, exported.stderr).toBe(0)
  const elsewhere = await initArchive(join(folder, 'elsewhere'))
  const imported = await loupe('--archive', elsewhere, 'import', wacz)
  expect(imported.code, imported.stderr).toBe(0)
  const listed = await loupe('--archive', elsewhere, '--json', 'verdict', 'list', '1')
  const { verdicts } = JSON.parse(listed.stdout) as { verdicts: PageVerdict[] }
  expect(verdicts).toMatchObject([{ url: `${site.origin}/`, verdict: 'bad', note: 'faults' }])
  const replica = join(elsewhere, 'replicas/ONE')
  const indexed = await Promise.all((await readdir(replica)).map((name) => loupe('index', join(replica, name))))
  const lines = indexed.flatMap(({ stdout }) => stdout.split('\n'))
  for (const kind of ['view', 'thumbnail', 'text', 'loupe:page-audit'])
    expect(lines.filter((line) => line.includes(`urn:${kind}:`)).length, kind).toBeGreaterThan(site.pages.length - 2)

  const report = await loupe('--archive', elsewhere, 'quality', 'report', join(folder, 'report.html'), '--job', '1')
  expect(report.code, report.stderr).toBe(0)
  const audit = newestAudit(elsewhere)
  // The first audit opened all pages, and the later ones found the same.
  expect(auditResults(elsewhere, audit)).toEqual(auditResults(archive, firstAudit))
  const html = await readFile(join(folder, 'report.html'), 'utf8')
  // The page that hangs is the first, and has no picture.
  expect(html.split('<img ').length - 1).toBe(reportThumbnailsMax - 1)
})

async function loupeJsonOf(...words: string[]): Promise<Printed> {
  const { stdout, stderr, code } = await loupe(...auditOf(...words))
  expect(code, stderr).toBe(1)
  return JSON.parse(stdout) as Printed
}
