/** A WACZ exported by Loupe, opened by an independent reader: wabac.js, the engine of ReplayWeb.page, as the service worker of a real
 *  Chromium. It fetches the package in ranges and shows pages of it. Only its file is served; none of its code is imported.
 *  `e2e/cli/export.test.ts` verifies the package byte by byte. */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, expect, test, type Browser, type Frame, type Page } from '@playwright/test'
import { findChromium } from '../../src-main/shells/server/chromium.ts'
import { harvestOf } from '../cli/harvested.ts'
import { loupe } from '../loupeProcess.ts'
import { arcFile, harFile, pictureSize } from '../sites/archiveFiles.ts'
import { listen, type Listening } from '../sites/server.ts'
import { startTwoHosts } from '../sites/twoHosts.ts'

/** The service worker. `useHashCheck`: every part of the package that it loads is compared with the digest in the package. */
const worker = '/sw.js?useHashCheck=1'
const workerFile = join(dirname(fileURLToPath(import.meta.resolve('@webrecorder/wabac'))), 'sw.js')

let folder: string
let archive: string
let reader: Listening
let browser: Browser
let page: Page
/** The ranges of the packages that were requested. */
const ranges: string[] = []

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-exported-'))
  archive = join(folder, 'archive')
  expect((await loupe('--archive', archive, 'init')).code).toBe(0)
  reader = await listen(createServer((request, response) => void served(request, response)))
  const found = findChromium()
  if (found.path === undefined) throw new Error(found.why)
  browser = await chromium.launch({ executablePath: found.path })
  page = await browser.newPage()
  await page.goto(`http://${reader.address}/`)
  await page.evaluate(async (address) => {
    const controlled = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
    await navigator.serviceWorker.register(address)
    await controlled
  }, worker)
})
test.afterAll(async () => {
  await browser.close()
  await reader.close()
  await rm(folder, { recursive: true, force: true })
})

test.describe('a harvest', () => {
  let url: string

  test.beforeAll(async () => {
    const site = await startTwoHosts()
    url = `${site.origin}/`
    try {
      for (const name of ['first', 'second']) {
        const { code, stderr } = await loupe('--archive', archive, ...harvestOf(site), '--name', name)
        expect(code, stderr).toBe(0)
      }
    } finally {
      await site.close()
    }
  })

  test('as a signed WACZ 1.1.1: its pages with text and images, and no other URLs', async () => {
    const name = 'museum'
    await exported(name, '--jobs', '1', '--sign')
    expect(await added(name)).toBe('added')
    expect(ranges.length).toBeGreaterThan(0)
    expect(await agreedIn(name)).toEqual(['datapackage.json', 'pages/pages.jsonl', 'signature'])

    const pages = await pagesOf(name)
    expect(pages.map((row) => row.title)).toContain('Welcome – Museum of Small Things')
    expect(pages.map((row) => row.url)).toContain(`${url}about.html`)

    const { frame: welcome } = await framed(name, url)
    await expect(welcome.locator('h1')).toHaveText('Welcome')
    await expect(welcome.locator('body')).toContainText('Four paintings, and a door that is closed.')
    expect(await pictureIn(welcome, 'The house')).toEqual({ width: 320, height: 200 })
    // A script of the other host, over HTTPS, has run.
    await expect(welcome.locator('html')).toHaveClass(/ready/)

    // The reader decodes the compressed (Brotli) and chunked answers from the bytes as they were sent.
    const { frame: list } = await framed(name, `${url}collection/`)
    await expect(list.locator('li')).toHaveCount(4)
    await list.getByRole('link', { name: 'The Harbour in Winter' }).click()
    await expect(list.locator('h1')).toHaveText('The Harbour in Winter')
    const { frame: visit } = await framed(name, `${url}visit.html`)
    await expect(visit.locator('body')).toContainText('Tuesday to Sunday.')

    const unknown = await framed(name, `${url}never-there.html`)
    expect(unknown.status).toBe(404)
    await expect(unknown.frame.locator('body')).toContainText('this page was not found in this archive')
  })

  test('a harvest that stored its images as revisits, exported alone: the reader resolves them', async () => {
    await exported('again', '--jobs', '2')
    expect(await added('again')).toBe('added')
    const { frame } = await framed('again', url)
    await expect(frame.locator('h1')).toHaveText('Welcome')
    expect(await pictureIn(frame, 'The house')).toEqual({ width: 320, height: 200 })
    const stored = await loupe('--archive', archive, '--json', 'dedup', 'report', '--jobs', '2', '--by', 'type')
    const { rows } = JSON.parse(stored.stdout) as { rows: { name: string; captures: number }[] }
    expect(rows.find(({ name }) => name === 'image/png')?.captures).toBeGreaterThan(0)
  })

  // When this test fails, 1.2.0 can become the default.
  test('as WACZ 1.2.0 it cannot be opened yet, which is why 1.1.1 is the default', async () => {
    await exported('newer', '--jobs', '1', '--wacz-version', '1.2.0')
    expect(await added('newer')).toContain('Unknown package profile: wacz')
  })
})

for (const { name, file, bytes } of [
  { name: 'arc', file: 'tides.arc.gz', bytes: arcFile('arc.test') },
  { name: 'har', file: 'tides.har', bytes: harFile('har.test') },
])
  test(`an export of ${file}: its page with the image`, async () => {
    const original = join(folder, file)
    await writeFile(original, bytes)
    const { stdout, stderr } = await loupe('--archive', archive, '--json', 'import', original)
    expect(stdout, stderr).not.toBe('')
    const { job } = JSON.parse(stdout) as { job: number }
    await exported(name, '--jobs', String(job))
    expect(await added(name)).toBe('added')
    const url = `http://${name}.test/`
    expect((await pagesOf(name)).map((row) => row.url)).toEqual([url])
    const { frame } = await framed(name, url)
    await expect(frame.locator('h1')).toHaveText('Tide table')
    expect(await pictureIn(frame, 'The tide')).toEqual(pictureSize)
    expect(await agreedIn(name)).toEqual(['pages/pages.jsonl'])
  })

async function exported(name: string, ...words: string[]): Promise<void> {
  const target = join(folder, `${name}.wacz`)
  const { code, stderr } = await loupe('--archive', archive, 'export', '--format', 'wacz', ...words, target)
  expect(code, stderr).toBe(0)
}

/** Loads the package into the reader; returns the reader's error message when it refuses the package. */
function added(name: string): Promise<string> {
  return page.evaluate(
    (collection) =>
      new Promise<string>((resolve) => {
        navigator.serviceWorker.addEventListener('message', function heard({ data }) {
          const { msg_type: type, name: of, error } = data as { msg_type: string; name: string; error?: string }
          if (of !== collection || (type !== 'collAdded' && !error)) return
          navigator.serviceWorker.removeEventListener('message', heard)
          resolve(error ?? 'added')
        })
        const file = { sourceUrl: new URL(`/${collection}.wacz`, location.href).href }
        navigator.serviceWorker.controller?.postMessage({ msg_type: 'addColl', name: collection, file })
      }),
    name,
  )
}

function pagesOf(name: string): Promise<{ url: string; title: string }[]> {
  return page.evaluate(async (collection) => {
    const answer = await fetch(`/w/api/c/${collection}?all=1`)
    return ((await answer.json()) as { pages: { url: string; title: string }[] }).pages
  }, name)
}

/** The parts that the reader compared with their digests and found correct. Its counts are not used: it counts every signature as
 *  correct, an `.idx` as wrong because it looks for its digest under another name, and blocks of the index as wrong because it takes
 *  the digest of the uncompressed block, where py-wacz and Loupe write that of the compressed one. */
function agreedIn(name: string): Promise<string[]> {
  return page.evaluate(async (collection) => {
    const answered = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('no answer'))
      })
    const database = await answered(indexedDB.open(`db:${collection}`))
    const all = database.transaction('verification').objectStore('verification').getAll()
    const rows = await answered(all as IDBRequest<{ id: string; matched: boolean | null }[]>)
    database.close()
    return rows.filter(({ matched }) => matched === true).map(({ id }) => id.replace(/^default/, ''))
  }, name)
}

/** Shows a page of the archive in a frame, as a reader's own interface does. */
async function framed(collection: string, url: string): Promise<{ frame: Frame; status: number }> {
  const address = `http://${reader.address}/w/${collection}/mp_/${url}`
  const [response] = await Promise.all([
    page.waitForResponse((answer) => answer.url() === address && answer.fromServiceWorker()),
    page.evaluate((source) => {
      const frame = document.createElement('iframe')
      frame.src = source
      document.body.replaceChildren(frame)
    }, address),
  ])
  return { frame: response.frame(), status: response.status() }
}

async function pictureIn(frame: Frame, alt: string): Promise<{ width: number; height: number }> {
  const picture = frame.getByAltText(alt)
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  return picture.evaluate((image: HTMLImageElement) => ({ width: image.naturalWidth, height: image.naturalHeight }))
}

/** Serves an empty page, the service worker, and the packages in ranges. */
async function served(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://reader.test').pathname
  if (path === '/')
    return void response.setHeader('content-type', 'text/html').end('<!doctype html><title>Reader</title>')
  if (path === '/sw.js') {
    response.setHeader('content-type', 'text/javascript')
    return void createReadStream(workerFile).pipe(response)
  }
  if (!path.endsWith('.wacz')) return void response.writeHead(404).end()
  const file = join(folder, path)
  const { size } = await stat(file)
  const wanted = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const start = Number(wanted?.[1] ?? 0)
  const end = Math.min(wanted?.[2] ? Number(wanted[2]) : size - 1, size - 1)
  if (wanted) ranges.push(wanted[0])
  response.writeHead(wanted ? 206 : 200, {
    'accept-ranges': 'bytes',
    'content-type': 'application/wacz',
    'content-length': end + 1 - start,
    ...(wanted ? { 'content-range': `bytes ${start}-${end}/${size}` } : {}),
  })
  if (request.method === 'HEAD') return void response.end()
  createReadStream(file, { start, end }).pipe(response)
}
