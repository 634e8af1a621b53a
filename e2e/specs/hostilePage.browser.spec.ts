/** An archived page in a frame of the interface that runs any script and even knows the session token. Loupe is the real one with its
 *  own window. All of the page's attempts to reach the interface, the contract and other services of the machine must fail. Each
 *  attempt is also made where it is permitted, which proves that it would have succeeded. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, type Frame, type Page } from '@playwright/test'
import { openWindow } from '../../src-main/shells/server/chromium.ts'
import { openAppWindow } from '../appWindow.ts'
import { fileOf } from '../sites/archiveFiles.ts'
import { goToArchived, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

const site = 'http://hostile.test'
const at = '2020-02-02T00:00:00Z'

let loupe: OpenedLoupe
let neighbour: Server
/** Requests to another service of this machine. */
const askedOfNeighbour: string[] = []

test.beforeAll(async () => {
  neighbour = createServer((request, response) => {
    askedOfNeighbour.push(request.url ?? '')
    const fields = { 'access-control-allow-origin': '*', 'content-type': 'text/html' }
    response.writeHead(200, fields).end('<!doctype html><title>Private</title>private')
  })
  await new Promise<void>((listening) => neighbour.listen(0, '127.0.0.1', listening))
  loupe = await openLoupe('hostile')
  const page = { url: `${site}/`, at, mediaType: 'text/html', content: '<!doctype html><title>Hostile</title>archived' }
  const script = { url: `${site}/script.js`, at, mediaType: 'text/javascript', content: '' }
  await importFile(loupe, 'hostile.warc.gz', fileOf([page, script]))
  await services().viewer.open({ jobs: [1], untilWhole: true })
  await loupe.page.reload()
  await loupe.page.getByRole('link', { name: 'Viewer', exact: true }).click()
})

test.afterAll(async () => {
  await loupe.close()
  neighbour.close()
})

const services = () => loupe.serving.engine.services
const origin = () => new URL(loupe.serving.url).origin
/** The origin of the contract, with both names under which it answers. */
const origins = () => [origin(), origin().replace('127.0.0.1', 'localhost')]
const token = () => new URLSearchParams(new URL(loupe.serving.url).hash.slice(1)).get('token') ?? ''
const portOfNeighbour = () => (neighbour.address() as AddressInfo).port
const isRecording = async () => (await services().viewer.current({}))?.isRecording

/** Loads the page again for each test. */
async function archived(): Promise<Frame> {
  const { page } = loupe
  await goToArchived(page, `${site}/`)
  await expect.poll(() => page.frame({ url: `${site}/` })?.title()).toBe('Hostile')
  return page.frame({ url: `${site}/` })!
}

/** Makes a call that changes something and returns as much of the answer as the caller may read. */
function callOf(where: Page | Frame, at: string, headers: Record<string, string>): Promise<string[]> {
  return where.evaluate(
    async ([url, sent]) => {
      const body = '{"input":{"isRecording":false}}'
      const answers: string[] = []
      for (const mode of ['cors', 'no-cors'] as const) {
        try {
          const answer = await fetch(url, { method: 'POST', mode, headers: sent, body })
          answers.push(`${answer.type} ${answer.status} ${await answer.text()}`)
        } catch (error) {
          answers.push(String(error))
        }
      }
      return answers
    },
    [`${at}/api/call/viewer.record`, headers] as const,
  )
}

const withToken = () => ({ authorization: `Bearer ${token()}`, 'content-type': 'application/json' })

for (const [what, headers] of [
  ['with the token', withToken],
  ['as a simple request', () => ({ 'content-type': 'text/plain' })],
] as const)
  test(`a page calls the engine ${what}, without success`, async () => {
    const frame = await archived()
    for (const at of origins())
      for (const answer of await callOf(frame, at, headers())) expect(answer, at).toMatch(/Failed to fetch|^opaque 0 $/)
    expect(await isRecording()).toBe(true)
  })

test('the interface makes the same call with success', async () => {
  const [answer] = await callOf(loupe.page, origin(), withToken())
  expect(answer).toMatch(/^basic 200 \{"value":\{/)
  expect(await isRecording()).toBe(false)
  await services().viewer.record({ isRecording: true })
})

/** Status and type of the answer, or the error. */
function listenOf(where: Page | Frame): Promise<string> {
  return where.evaluate(
    async ([url, sent]) => {
      const over = new AbortController()
      try {
        const answer = await fetch(url, { headers: { authorization: `Bearer ${sent}` }, signal: over.signal })
        return `${answer.status} ${answer.headers.get('content-type')}`
      } catch (error) {
        return String(error)
      } finally {
        over.abort()
      }
    },
    [`${origin()}/api/events`, token()] as const,
  )
}

test('a page subscribes to events without success; the interface receives them', async () => {
  expect(await listenOf(await archived())).toContain('Failed to fetch')
  expect(await listenOf(loupe.page)).toMatch(/^200 text\/event-stream/)
})

/** Whether the given page can be read in a frame, and whether the given address can be loaded as a script. */
function takingIn(frame: Frame, page: string, script: string): Promise<{ frame: string; script: string }> {
  return frame.evaluate(
    async ([inFrame, asScript]) => {
      const element = document.createElement('iframe')
      element.src = inFrame
      document.body.append(element)
      await new Promise((resolve) => element.addEventListener('load', resolve))
      const loading = document.createElement('script')
      loading.src = asScript
      const loaded = new Promise<string>((resolve) => {
        loading.addEventListener('load', () => resolve('loaded'))
        loading.addEventListener('error', () => resolve('refused'))
      })
      document.body.append(loading)
      return { frame: element.contentDocument === null ? 'closed' : 'open', script: await loaded }
    },
    [page, script] as const,
  )
}

test('it cannot load the interface in a frame or as a script, but can load archived resources', async () => {
  const frame = await archived()
  const ofInterface = await takingIn(frame, `${origin()}/`, `${origin()}/index.html`)
  expect(ofInterface).toEqual({ frame: 'closed', script: 'refused' })
  const ofArchive = await takingIn(frame, `${site}/`, `${site}/script.js`)
  expect(ofArchive).toEqual({ frame: 'open', script: 'loaded' })
})

test('a page gets no access to the window around it, only to its own', async () => {
  const frame = await archived()
  const seen = await frame.evaluate(() => {
    const look = (other: Window) => {
      try {
        return other.document.title
      } catch (error) {
        return (error as DOMException).name
      }
    }
    return [look(window.parent), look(window)]
  })
  expect(seen).toEqual(['SecurityError', 'Hostile'])
})

/** The answer of a service of this machine, under each of its names. */
function privateTexts(where: Page | Frame): Promise<string[]> {
  return where.evaluate(async (port) => {
    const texts: string[] = []
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `http://${host}:${port}/wanted`
      new Image().src = url
      try {
        texts.push(await (await fetch(url)).text())
      } catch (error) {
        texts.push(String(error))
      }
    }
    return texts
  }, portOfNeighbour())
}

test('a page looks for services of this machine and finds the archive', async () => {
  for (const text of await privateTexts(await archived())) expect(text).not.toContain('private')
  expect(askedOfNeighbour).toEqual([])
})

test('without the proxy the same page finds the services', async () => {
  const { engine, url } = loupe.serving
  const window = await openAppWindow((chromium, { headless }) => {
    const about = { appUrl: `http://localhost:${portOfNeighbour()}/`, appPort: Number(new URL(url).port), headless }
    const { spkiSha256, viewer } = engine
    return openWindow(chromium, { ...about, spkiSha256, proxyPort: viewer.port }, ['--no-proxy-server'])
  })
  try {
    await expect(window.page).toHaveTitle('Private')
    for (const text of await privateTexts(window.page)) expect(text).toContain('private')
    expect(askedOfNeighbour).toContain('/wanted')
  } finally {
    await window.close()
  }
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
