import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { firstPage, openPage } from './devToolsPipe.ts'

type Asked = { id: number; method: string; sessionId?: string }

/** A browser as far as the protocol goes; `pieces`: into which its words fall. */
async function connected(answer: (asked: Asked) => object | undefined, pieceBytes = 1_000) {
  const { pipes, fromBrowser, say } = browser(answer, pieceBytes)
  return { page: await openPage(pipes), fromBrowser, say }
}

function browser(answer: (asked: Asked) => object | undefined, pieceBytes = 1_000) {
  const [toBrowser, fromBrowser] = [new PassThrough(), new PassThrough()]
  const say = (message: object) => {
    const bytes = Buffer.from(`${JSON.stringify(message)}\0`)
    for (let at = 0; at < bytes.length; at += pieceBytes) fromBrowser.write(bytes.subarray(at, at + pieceBytes))
  }
  toBrowser.setEncoding('utf8').on('data', (text: string) => {
    for (const one of text.split('\0').filter(Boolean)) {
      const asked = JSON.parse(one) as Asked
      const known = { 'Target.createTarget': { targetId: 't' }, 'Target.attachToTarget': { sessionId: 's' } }
      const result = known[asked.method as keyof typeof known]
      const said = result ? { result } : answer(asked)
      if (said) say({ id: asked.id, ...said })
    }
  })
  return { pipes: { toBrowser, fromBrowser }, fromBrowser, say }
}

test.each([1, 7, 1_000])('distinguishes calls from events in chunks of %i bytes', async (pieceBytes) => {
  const { page, say } = await connected(
    ({ method, sessionId }) => ({ result: { heard: `${method} in ${sessionId}`, zażółć: '\u0001' } }),
    pieceBytes,
  )
  const heard: unknown[] = []
  page.on('Page.loadEventFired', (payload) => heard.push(payload))
  say({ method: 'Page.loadEventFired', sessionId: 'another', params: { at: 1 } })
  say({ method: 'Page.loadEventFired', sessionId: 's', params: { at: 2 } })
  const answers = await Promise.all([page.send('A.a'), page.send('B.b', { with: 'something' })])
  expect(answers).toMatchObject([{ heard: 'A.a in s', zażółć: '\u0001' }, { heard: 'B.b in s' }])
  expect(heard).toEqual([{ at: 2 }])
})

test('a refusal of the browser is passed on in its words', async () => {
  const { page } = await connected(() => ({ error: { message: 'no such thing' } }))
  await expect(page.send('A.a')).rejects.toThrow('no such thing')
})

test('a browser that ends rejects all waiting requests, and gets no new ones', async () => {
  const { page, fromBrowser } = await connected(() => undefined)
  const waiting = page.send('A.a')
  fromBrowser.destroy()
  await expect(waiting).rejects.toThrow('the browser has ended')
  await expect(page.send('B.b')).rejects.toThrow('the browser has ended')
})

test('the page that a browser started with gets messages until it is closed', async () => {
  const asked: string[] = []
  const { pipes, say } = browser(({ method, sessionId }) => {
    asked.push(`${method} in ${sessionId}`)
    return { result: {} }
  })
  const opening = firstPage(pipes)
  for (const [type, sessionId] of [
    ['browser_ui', 'none'],
    ['page', 'first'],
    ['page', 'second'],
  ])
    say({ method: 'Target.attachedToTarget', params: { sessionId, targetInfo: { type } } })
  const page = await opening
  await page.send('A.a')
  await page.leave()
  const attaching = 'Target.setAutoAttach in undefined'
  expect(asked).toEqual([attaching, 'A.a in first', attaching])
})
