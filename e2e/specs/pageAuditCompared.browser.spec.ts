/** Page audits that compare pages with what the web gives now, and with what a crawler kept when it captured them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, test, type Browser } from '@playwright/test'
import type { AuditedPage, PageAuditSummary } from '../../src-main/contract/services/pageAudits.ts'
import { findChromium } from '../../src-main/shells/server/chromium.ts'
import { writeBrowsertrixFiles } from '../browsertrixFiles.ts'
import { initArchive, loupe } from '../loupeProcess.ts'
import { startChanging, type Changing } from '../sites/changing.ts'

// A harvest and some pages in a real browser, on a busy machine.
test.describe.configure({ mode: 'serial', timeout: 300_000 })

const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"><body style="margin:0">${body}`
const links = ['same', 'changed', 'forbidden', 'gone'].map((name) => `<a href="/${name}">${name}</a>`).join(' ') // prettier-ignore
const words = '<p>Ships were moored in the harbour that winter, and the sea was empty.</p>'
const block = (colour: string) => `<div style="height:700px;background:${colour}"></div>`
const body = words + block('navy')
const robots = (path: string) => ({ body: `User-agent: *\nDisallow: ${path}\n` })

let site: Changing
let browser: Browser
let folder: string
let archive: string

test.beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium().path ?? '', args: ['--no-sandbox'] })
  site = await startChanging({
    '/robots.txt': robots('/nothing'),
    '/': { body: html('Start', links + words) },
    ...Object.fromEntries(
      ['same', 'changed', 'forbidden', 'gone'].map((name) => [`/${name}`, { body: html(name, body) }]),
    ),
  })
  folder = await mkdtemp(join(tmpdir(), 'loupe-compared-'))
  archive = await initArchive(join(folder, 'archive'))
  const resolve = Object.entries(site.resolve).flatMap(([host, address]) => ['--resolve', `${host}=${address}`])
  const { code, stderr } = await loupe('--archive', archive, 'harvest', `${site.origin}/`, '--delay-ms', '0', '--exclude', '/trap/', ...resolve) // prettier-ignore
  expect(code, stderr).toBe(0)
})
test.afterAll(async () => {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
})

/** Audits all pages of the job; the pages by their paths, and what is said about those that were not compared. */
async function audited(job: number, compareWith: string) {
  const words = ['audit-pages', String(job), '--compare-with', compareWith]
  const { code, stdout, stderr } = await loupe('--archive', archive, '--json', ...words)
  expect([0, 1], stderr).toContain(code)
  const { audit, pages } = JSON.parse(stdout) as { audit: PageAuditSummary; pages: AuditedPage[] }
  const byPath = Object.fromEntries(pages.map((page) => [new URL(page.url).pathname, page]))
  return { audit, byPath, said: stderr }
}

test('pages are compared with the live web by the rules of the harvest', async () => {
  const elsewhere = await startChanging({ '/secret.png': { body: 'private' } })
  const [privateAddress] = Object.values(elsewhere.resolve)
  site.pages.set('/robots.txt', robots('/forbidden'))
  site.pages.delete('/gone')
  const probe = `<img src="/trap/1.png" alt=""><img src="http://${privateAddress}/secret.png" alt=""><script>
    new WebSocket('ws://${privateAddress}/socket'); fetch('/same', { method: 'POST', body: 'changed' }).catch(() => undefined)
  </script>`
  site.pages.set('/changed', { body: html('changed', `<p>Everything here is new today.</p>${block('gold')}${probe}`) })
  site.requests.length = 0
  site.asked.length = 0
  const { byPath, said } = await audited(1, 'live')
  await elsewhere.close()

  expect(byPath['/same']).toMatchObject({ pixelDifference: 0, textDifference: 0, notCompared: null, risk: 0 })
  expect(byPath['/changed']).toMatchObject({ notCompared: null })
  expect(byPath['/changed']?.pixelDifference).toBeGreaterThan(0.5)
  expect(byPath['/changed']?.textDifference).toBeGreaterThan(0.5)
  expect(byPath['/forbidden']).toMatchObject({ notCompared: 'robots', pixelDifference: null, textDifference: null })
  expect(byPath['/gone']).toMatchObject({ notCompared: 'errorStatus', pixelDifference: null })
  expect(said).toContain('1 page was not compared: disallowed by robots.txt.')
  expect(said).toContain('1 page was not compared: the answer there is an error.')

  // robots.txt comes first, and a second time as a page of the audit, because this site sends it as HTML; what it or a pattern forbids is not requested; nothing is sent; no host of a private address is asked.
  expect(site.asked[0]).toBe('200 /robots.txt')
  expect(site.asked.filter((asked) => asked.includes('robots'))).toHaveLength(2)
  expect(site.asked.filter((asked) => /forbidden|trap/.test(asked))).toEqual([])
  expect(new Set(site.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  expect(new Set(site.requests.map(({ userAgent }) => userAgent)).size).toBe(1)
  expect(site.requests[0]?.userAgent).toContain('Loupe')
  expect(elsewhere.requests).toEqual([])
})

test('a live web that cannot be reached is said for each page, and the audit ends', async () => {
  await site.close()
  const { audit, byPath, said } = await audited(1, 'live')
  // robots.txt of the host cannot be read any more.
  expect(byPath['/same']).toMatchObject({ state: 'DONE', pixelDifference: null, notCompared: 'refused' })
  expect(said).toContain('pages were not compared: ')
  expect(audit).toMatchObject({ filesDone: audit.filesTotal, figures: { failed: 0 } })
})

test('pages are compared with the screenshots and texts that Browsertrix kept', async () => {
  const page = await browser.newPage()
  const url = (path: string) => `http://kept.test/${path}`
  const pages = ['as-kept', 'other-now'].map((path) => ({ url: url(path), html: html(path, body) }))
  await page.setViewportSize({ width: 1_920, height: 1_080 })
  async function seen(shown: string) {
    await page.setContent(shown)
    return {
      view: await page.screenshot({ type: 'png', omitBackground: true }),
      thumbnail: await page.screenshot({ type: 'jpeg' }),
      text: await page.evaluate(() => document.body.innerText),
    }
  }
  const [asKept, otherNow] = pages
  const paths = await writeBrowsertrixFiles(folder, [
    { ...(asKept ?? { url: '', html: '' }), ...(await seen(html('as-kept', body))) },
    {
      ...(otherNow ?? { url: '', html: '' }),
      ...(await seen(html('other-now', `<p>Quite another text.</p>${block('gold')}`))),
    },
    { url: url('without'), html: html('without', body) },
  ])
  const imported = await loupe('--archive', archive, 'import', ...paths)
  expect(imported.code, imported.stderr).toBe(0)
  const { byPath, said } = await audited(2, 'crawl-time')
  expect(byPath['/as-kept']).toMatchObject({ pixelDifference: 0, textDifference: 0, notCompared: null })
  expect(byPath['/other-now']?.pixelDifference).toBeGreaterThan(0.5)
  expect(byPath['/other-now']?.textDifference).toBeGreaterThan(0.5)
  expect(byPath['/without']).toMatchObject({ pixelDifference: null, notCompared: 'notKept' })
  expect(Object.keys(byPath)).toHaveLength(3)
  expect(said).toContain('1 page was not compared: no screenshot and no text was kept when it was captured.')
})
