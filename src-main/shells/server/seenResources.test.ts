import { expect, test } from 'vitest'
import type { DevToolsPage } from './devToolsPipe.ts'
import { seenResources } from './seenResources.ts'

/** Resources of a page in a tab that sends the events of the test, as Chromium does. */
function observed() {
  const listeners = new Map<string, (payload: object) => void>()
  const tab: Pick<DevToolsPage, 'on'> = {
    on: (name, listener) => void listeners.set(name, listener as (payload: object) => void),
  }
  const resources = seenResources('viewer.test')
  resources.observe(tab as DevToolsPage, '')
  const send = (name: string, payload: object) => listeners.get(`Network.${name}`)?.(payload)
  const request = (requestId: string, type: string) =>
    send('requestWillBeSent', { requestId, type, request: { url: `http://a.test/${requestId}`, method: 'GET' } })
  const missing = (requestId: string) =>
    send('responseReceivedExtraInfo', { requestId, statusCode: 404, headers: { 'X-Loupe': 'not-in-archive' } })
  return { resources, send, request, missing }
}

const isMeant = () => true

test('the answer of a refused style sheet is waited for, and then it is missing', async () => {
  const { resources, send, request, missing } = observed()
  request('style', 'Stylesheet')
  send('loadingFailed', { requestId: 'style', canceled: true })
  expect(resources.list()).toEqual([])
  let isOver = false
  const waiting = resources.answered(isMeant).then(() => (isOver = true))
  await Promise.resolve()
  expect(isOver).toBe(false)
  missing('style')
  await waiting
  const style = { url: 'http://a.test/style', type: 'style', method: 'GET', status: null, found: 'missing' }
  expect(resources.list()).toEqual([style])
})

const unanswered: [what: string, type: string, failed: object][] = [
  ['a policy of the page forbids', 'Image', { canceled: false, blockedReason: 'csp' }],
  ['a script of the page aborts', 'Fetch', { canceled: true }],
]
test.each(unanswered)('no answer is waited for where %s a request', async (_what, type, failed) => {
  const { resources, send, request } = observed()
  request('never', type)
  send('loadingFailed', { requestId: 'never', ...failed })
  let isOver = false
  void resources.answered(isMeant).then(() => (isOver = true))
  await Promise.resolve()
  expect(isOver).toBe(true)
  expect(resources.list()).toEqual([])
})

test('requests that are not meant are not waited for', async () => {
  const { resources, send, request } = observed()
  request('style', 'Stylesheet')
  send('loadingFailed', { requestId: 'style', canceled: true })
  await resources.answered((url) => url === 'http://a.test/other')
})
