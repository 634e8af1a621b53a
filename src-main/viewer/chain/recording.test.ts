import { describe, expect, test } from 'vitest'
import type { Asking } from '../testing/viewerFixture.ts'
import { page, viewer, newest, ask, text, asPage, current, withChain } from './testing/chainFixture.ts'

withChain()

test('a denied resource of a good page is not an archived error', async () => {
  const { view } = await viewer.open(newest([2]))
  expect((await ask(page, { headers: { range: 'bytes=500-' } })).status).toBe(416)
  expect(viewer.errors(view)).toEqual([])
  await viewer.open(newest([1]))
})

describe('what is recorded', () => {
  test('a missing URL with its referrer, its page and its resource type', async () => {
    const style = 'http://site.example/style.css'
    await ask(page, asPage)
    await ask(style, { headers: { referer: page, accept: 'text/css,*/*' } })
    await ask('http://site.example/font.woff', { headers: { referer: style, 'sec-fetch-dest': 'font' } })
    const missed = viewer.misses(current())
    expect(missed.find(({ url }) => url === style)).toMatchObject({
      referrer: page,
      initiator: page,
      resourceType: 'style',
    })
    expect(missed.at(-1)).toMatchObject({ referrer: style, initiator: page, resourceType: 'font', times: 1 })
  })

  describe('the page that requested a cross-origin resource, when the browser sends only its origin', () => {
    const part = 'http://other.example/part.png'
    const [error, same] = [`${page}gone`, `${page}same`]
    const visit = (url: string, as: Asking['as'], referer?: string, further: Record<string, string> = {}) =>
      ask(url, {
        ...(as && { as }),
        headers: { ...asPage.headers, ...(referer !== undefined && { referer }), ...further },
      })
    const askPart = (url: string, as: Asking['as'], referer: string) =>
      ask(url, { ...(as && { as }), headers: { referer } })
    /** Headers that browsers send over https. */
    const frame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }
    const rows: [string, (as: Asking['as']) => Promise<unknown>, string][] = [
      ['the current page, not the front page', (as) => visit(same, as), same],
      ['the front page, when that is the current page', (as) => visit(page, as), page],
      [
        'the page opened by a link, although it has requested nothing yet',
        (as) => visit(page, as).then(() => visit(same, as, page)),
        same,
      ],
      ['the later of two pages', (as) => visit(same, as).then(() => visit(error, as)), error],
      [
        'a page that requested its own URL by script',
        (as) => visit(page, as).then(() => askPart(page, as, page)),
        page,
      ],
      [
        'the page around a frame that has requested nothing yet',
        (as) => visit(page, as).then(() => visit(same, as, page, frame)),
        page,
      ],
      [
        'the latest frame, once it has requested something',
        async (as) => {
          await visit(page, as)
          await visit(same, as, page, frame)
          await askPart(`${page}x.png`, as, same)
        },
        same,
      ],
      [
        'the page around a frame, which sent more requests after the frame had loaded',
        async (as) => {
          await visit(page, as)
          await visit(same, as, page, frame)
          await askPart(`${page}x.png`, as, page)
        },
        page,
      ],
      [
        'the target of a link in the frame of the interface, where browsers request every page as a frame',
        async (as) => {
          await visit(page, as, undefined, { ...frame, 'sec-fetch-site': 'cross-site' })
          await visit(same, as, page, { ...frame, 'sec-fetch-user': '?1' })
        },
        same,
      ],
      ['a page that the browser has cached', (as) => visit(page, as).then(() => visitAgain(page, as)), page],
      ['none, when no page is known', async () => undefined, ''],
      ['never a page that is missing', (as) => visit(page, as).then(() => visit(`${page}none`, as)), page],
      [
        'a page that keeps sending requests after another was opened from it',
        async (as) => {
          await visit(page, as)
          await visit(same, as, page)
          await askPart(`${page}x.png`, as, page)
        },
        same,
      ],
    ]
    async function visitAgain(url: string, as: Asking['as']): Promise<void> {
      const { headers } = await visit(url, as)
      const again = await visit(url, as, undefined, { 'if-none-match': String(headers.etag) })
      expect(again.status).toBe(304)
    }
    test.each(rows)('%s', async (_, before, initiator) => {
      const own = await viewer.openOwn(newest([1]), page)
      await before(own)
      await ask(part, { as: own, headers: { referer: page } })
      const style = 'http://other.example/style.css'
      await ask(style, { as: own, headers: { referer: page } })
      await ask('http://other.example/font.woff', { as: own, headers: { referer: style } })
      const missed = viewer.misses(own.view, own.user).filter(({ url }) => url.startsWith('http://other.example/'))
      expect(missed.map((miss) => miss.initiator)).toEqual([initiator, initiator, initiator])
      viewer.leave(own.user)
    })

    test('requests by a style sheet: cross-origin, and from the cache of the previous page', async () => {
      const as = await viewer.openOwn(newest([1]), page)
      const sheet = 'http://styles.example/a.css'
      const initiatorOf = (url: string) => viewer.misses(as.view, as.user).find((miss) => miss.url === url)?.initiator
      await visit(page, as)
      await askPart(sheet, as, page)
      await ask('http://fonts.example/a.woff', { as, headers: { referer: 'http://styles.example/' } })
      expect(initiatorOf('http://fonts.example/a.woff')).toBe(page)
      await visit(same, as)
      await ask('http://styles.example/b.png', { as, headers: { referer: sheet } })
      expect(initiatorOf('http://styles.example/b.png')).toBe(same)
      viewer.leave(as.user)
    })
  })

  test('downloads are marked, and a revalidation has the status of the capture', async () => {
    const { headers } = await ask('http://site.example/save')
    const told = { mediaType: 'text/plain', isAttachment: true }
    expect(viewer.answers(0).at(-1)).toMatchObject({ ...told, status: 200, bytes: 5 })
    const revalidated = await ask('http://site.example/save', { headers: { 'if-none-match': String(headers.etag) } })
    expect(revalidated.status).toBe(304)
    expect(viewer.answers(0).at(-1)).toMatchObject({ ...told, status: 200, bytes: null })
    await ask(page)
    expect(viewer.answers(0).at(-1)).toMatchObject({ isAttachment: false })
  })

  test('archived errors and unreadable bodies are findings, not missing URLs', async () => {
    expect((await ask('http://site.example/gone')).status).toBe(410)
    expect(await text('http://site.example/torn')).toBe('the one before')
    const errors = viewer.errors(current())
    expect(errors).toMatchObject([
      { kind: 'archivedError', url: 'http://site.example/gone', status: 410, file: '1-1-a.warc.gz' },
      { kind: 'unreadable', url: 'http://site.example/torn', file: '1-2-a.warc.gz', offset: 0 },
    ])
    expect(errors[1]?.detail).toMatch(/1-2-a\.warc\.gz/)
    expect(viewer.misses(current()).map(({ url }) => url)).not.toContain('http://site.example/gone')
  })
})
