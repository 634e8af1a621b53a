/** A HAR as a browser really writes it, converted by `loupe` to a WARC and read by an independent reader. */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, expect, test } from '@playwright/test'
import { WARCParser } from 'warcio'
import { findChromium } from '../../src-main/shells/server/chromium.ts'
import { loupe } from '../loupeProcess.ts'

/** The HAR contains redirects, cookies, a compressed page, a picture, a submitted form, and a request without an answer. */
const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const page = '<meta charset="utf-8"><p>hé</p><img src="/picture.png">'

const site = createServer((request, response) => {
  if (request.url === '/moved') return void response.writeHead(302, { location: '/' }).end()
  if (request.url === '/picture.png') return void response.setHeader('content-type', 'image/png').end(picture)
  if (request.url === '/form') return void response.setHeader('content-type', 'text/plain').end('thanks')
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'gzip',
    'set-cookie': ['a=1', 'b=2'],
  })
  response.end(gzipSync(page))
})

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-har-'))
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
})
test.afterAll(async () => {
  site.close()
  await rm(folder, { recursive: true, force: true })
})

test('what Chromium exported as HAR is read as WARC', async () => {
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const har = join(folder, 'visit.har')
  const found = findChromium()
  if (found.path === undefined) throw new Error(found.why)
  const browser = await chromium.launch({ executablePath: found.path })
  const context = await browser.newContext({ recordHar: { path: har } })
  const tab = await context.newPage()
  await tab.goto(`${address}/moved`)
  await tab.evaluate(async () =>
    (await fetch('/form', { method: 'POST', body: new URLSearchParams({ a: 'ä' }) })).text(),
  )
  // No server listens on port 1; Chromium does not even connect to it.
  await tab.evaluate(() => fetch('http://127.0.0.1:1/').catch(() => undefined))
  await context.close()
  await browser.close()

  const target = join(folder, 'visit.warc.gz')
  const { code, stdout } = await loupe('--json', 'convert', har, target)
  expect(code).toBe(0)
  const [file] = (JSON.parse(stdout) as { files: { kind: string; findings: { items: { rule: string }[] } }[] }).files
  expect(file?.kind).toBe('HAR')
  expect(file?.findings.items.map(({ rule }) => rule)).toContain('harFailed')

  const seen = new Map<string, string>()
  const cookies: string[] = []
  for await (const record of new WARCParser(createReadStream(target))) {
    const body = Buffer.from(await record.readFully(true))
    const path = (record.warcTargetURI ?? '').replace(address, '')
    const status = record.warcType === 'response' ? ` ${record.httpHeaders?.statusCode}` : ''
    seen.set(`${record.warcType} ${path}${status}`, body.toString('latin1'))
    if (record.warcType === 'response' && path === '/')
      cookies.push(
        record.httpHeaders?.headers.get('set-cookie') ?? '',
        record.httpHeaders?.headers.get('x-archive-orig-content-encoding') ?? '',
      )
  }
  expect(seen.get('response / 200')).toBe(Buffer.from(page).toString('latin1'))
  expect(seen.get('response /picture.png 200')).toBe(picture.toString('latin1'))
  expect(seen.get('response /form 200')).toBe('thanks')
  expect(seen.get('request /form')).toBe('a=%C3%A4')
  expect([...seen.keys()]).toContain('response /moved 302')
  expect(cookies[0]).toMatch(/a=1[\s\S]*b=2|b=2/)
  expect(cookies[1]).toBe('gzip')
})
