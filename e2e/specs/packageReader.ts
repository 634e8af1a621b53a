/** wabac.js, the engine of ReplayWeb.page, as the service worker of a real Chromium: it fetches WACZ packages of a folder in ranges, and shows
 *  pages of them. Only its file is served; none of its code is imported. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, expect, type Frame, type Page } from '@playwright/test'
import { findChromium } from '../../src-main/shells/server/chromium.ts'
import { listen } from '../sites/server.ts'

/** The service worker. `useHashCheck`: every part of the package that it loads is compared with the digest in the package. */
const worker = '/sw.js?useHashCheck=1'
const workerFile = join(dirname(fileURLToPath(import.meta.resolve('@webrecorder/wabac'))), 'sw.js')

/** The reader, with `name.wacz` in its folder as the package `name`. */
export interface PackageReader {
  readonly page: Page
  /** The ranges of the packages that were requested. */
  readonly ranges: readonly string[]
  /** Loads a package; returns the reader's error message when it refuses the package. */
  added(name: string): Promise<string>
  pagesOf(name: string): Promise<{ url: string; title: string }[]>
  /** Shows a page of the archive in a frame, as a reader's own interface does. */
  framed(name: string, url: string): Promise<{ frame: Frame; status: number }>
  close(): Promise<void>
}

/** Starts the reader. */
export async function openPackageReader(folder: string): Promise<PackageReader> {
  const ranges: string[] = []
  const server = await listen(createServer((request, response) => void served(folder, ranges, request, response)))
  const found = findChromium()
  if (found.path === undefined) throw new Error(found.why)
  const browser = await chromium.launch({ executablePath: found.path })
  const page = await browser.newPage()
  await page.goto(`http://${server.address}/`)
  await page.evaluate(async (address) => {
    const controlled = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
    await navigator.serviceWorker.register(address)
    await controlled
  }, worker)
  return {
    page,
    ranges,
    added: (name) => added(page, name),
    pagesOf: (name) => pagesOf(page, name),
    framed: (name, url) => framed(page, `http://${server.address}/w/${name}/mp_/${url}`),
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

function added(page: Page, name: string): Promise<string> {
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

function pagesOf(page: Page, name: string): Promise<{ url: string; title: string }[]> {
  return page.evaluate(async (collection) => {
    const answer = await fetch(`/w/api/c/${collection}?all=1`)
    return ((await answer.json()) as { pages: { url: string; title: string }[] }).pages
  }, name)
}

async function framed(page: Page, address: string): Promise<{ frame: Frame; status: number }> {
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

/** The size of a picture that was loaded. */
export async function pictureIn(frame: Frame, alt: string): Promise<{ width: number; height: number }> {
  const picture = frame.getByAltText(alt)
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  return picture.evaluate((image: HTMLImageElement) => ({ width: image.naturalWidth, height: image.naturalHeight }))
}

/** Serves an empty page, the service worker, and the packages in ranges. */
async function served(
  folder: string,
  ranges: string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
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
