import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { z } from 'zod'
import { call, event } from '../../src-main/contract/service.ts'
import { openWindow } from '../../src-main/shells/server/chromium.ts'
import { openPort, serveContract, type Served } from '../../src-main/shells/server/httpServer.ts'
import { openAppWindow, type AppWindow } from '../appWindow.ts'

/** An archived page lies in a frame of the interface and runs whatever it likes; it even knows the token. Everything that it
 *  tries must find a closed door, in a real browser with the application's own flags. */
const contract = { safe: { open: call(z.object({}), z.string()), opened: event(z.object({})) } } as const

const token = 'known to the attacker'
let calls = 0
let folder: string
let served: Served
let viewer: Server
let neighbour: Server
let window: AppWindow
let page: Page
const asked: string[] = []

const archivedPage = '<!doctype html><title>Archived</title><body>archived</body>'

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-hostile-'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><title>Loupe</title><iframe src="http://archived.example/" sandbox="allow-scripts allow-same-origin allow-forms"></iframe>',
  )
  // Stands for the viewer proxy: every host is archived, and shows the same page.
  viewer = await listening((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('content-type', 'text/html').end(archivedPage)
  })
  // Stands for any service of this machine.
  neighbour = await listening((_request, response) =>
    response.setHeader('access-control-allow-origin', '*').end('private'),
  )
  served = await serveContract({
    at: await openPort(0),
    contract,
    services: { safe: { open: async () => `opened ${(calls += 1)} times`, opened: () => () => undefined } },
    token,
    rendererFolder: folder,
    onBug: (error) => console.error(error),
    log: () => undefined,
  })
  const proxyPort = portOf(viewer)
  window = await openAppWindow((chromium, { headless }) =>
    openWindow(chromium, { appUrl: served.url, appPort: served.port, proxyPort, spkiSha256: '', headless }),
  )
  page = window.page
})

test.afterAll(async () => {
  await window.close()
  await served.close()
  viewer.close()
  neighbour.close()
  await rm(folder, { recursive: true })
})

async function archived() {
  await expect(page.frameLocator('iframe').locator('body')).toHaveText('archived')
  const frame = page.frame({ url: 'http://archived.example/' })
  if (!frame) throw new Error('the archived page is not shown')
  return frame
}

test('the archived page is shown, out of the proxy', async () => {
  await archived()
  expect(asked).toContain('http://archived.example/')
})

for (const [what, headers] of [
  ['with the token', { authorization: `Bearer ${token}`, 'content-type': 'application/json' }],
  ['as a simple request', { 'content-type': 'text/plain' }],
] as const) {
  test(`it calls the engine ${what}, in vain`, async () => {
    const frame = await archived()
    const outcome = await frame.evaluate(
      async ([url, sent]) => {
        const answers = []
        for (const mode of ['cors', 'no-cors'] as const) {
          try {
            const answer = await fetch(url, { method: 'POST', mode, headers: sent, body: '{"input":{}}' })
            answers.push(`${answer.type} ${answer.status} ${await answer.text()}`)
          } catch (error) {
            answers.push(String(error))
          }
        }
        return answers
      },
      [`${served.origin}/api/call/safe.open`, headers] as const,
    )
    for (const answer of outcome) expect(answer).toMatch(/Failed to fetch|^opaque 0 $/)
    expect(calls).toBe(0)
  })
}

test('it listens to the events, in vain', async () => {
  const frame = await archived()
  const outcome = await frame.evaluate(async (url) => {
    try {
      return (await fetch(url, { headers: { authorization: 'Bearer known to the attacker' } })).type
    } catch (error) {
      return String(error)
    }
  }, `${served.origin}/api/events`)
  expect(outcome).toContain('Failed to fetch')
})

test('it takes the interface into a frame or as a script, in vain', async () => {
  const frame = await archived()
  const outcome = await frame.evaluate(async (origin) => {
    const inFrame = document.createElement('iframe')
    inFrame.src = `${origin}/`
    document.body.append(inFrame)
    await new Promise((resolve) => inFrame.addEventListener('load', resolve))
    const script = document.createElement('script')
    script.src = `${origin}/index.html`
    const loaded = new Promise((resolve) => {
      script.addEventListener('load', () => resolve('loaded'))
      script.addEventListener('error', () => resolve('refused'))
    })
    document.body.append(script)
    return { frame: inFrame.contentDocument === null ? 'closed' : 'open', script: await loaded }
  }, served.origin)
  expect(outcome).toEqual({ frame: 'closed', script: 'refused' })
})

test('it looks for services of this machine, and finds the archive', async () => {
  const frame = await archived()
  const text = await frame.evaluate(
    async (url) => {
      try {
        return await (await fetch(url)).text()
      } catch (error) {
        return String(error)
      }
    },
    `http://127.0.0.1:${portOf(neighbour)}/`,
  )
  expect(text).not.toContain('private')
})

test('the interface itself is answered', async () => {
  const answer = await page.evaluate(async (sent) => {
    const response = await fetch('/api/call/safe.open', {
      method: 'POST',
      headers: { authorization: `Bearer ${sent}`, 'content-type': 'application/json' },
      body: '{"input":{}}',
    })
    return response.json() as Promise<unknown>
  }, token)
  expect(answer).toEqual({ value: 'opened 1 times' })
})

function listening(answer: RequestListener): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(answer)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
