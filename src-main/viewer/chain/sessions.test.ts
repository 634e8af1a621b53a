import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { y2020, y2021, page, viewer, newest, nearest, ask, text, current, withChain } from './testing/chainFixture.ts'

withChain()

describe('viewing sessions', () => {
  test('with different names, dates and jobs stay separate on one port', async () => {
    const first = await viewer.openOwn(nearest(y2020), page)
    const second = await viewer.openOwn(newest([2]), page)
    expect(await text(page, { as: first })).toContain('2020')
    expect(await text(page, { as: second })).toBe('of job 2')
    expect(await text(page)).toContain('2022')
    await Promise.all([ask(`${page}a`, { as: first }), ask(`${page}b`, { as: second }), ask(`${page}c`)])
    const missed = [first, second].map(({ view, user }) => viewer.misses(view, user).map(({ url }) => url))
    expect(missed).toEqual([[`${page}a`], [`${page}b`]])
    expect(viewer.own().map(({ user, jobs }) => [user, jobs])).toEqual([
      [first.user, [1]],
      [second.user, [2]],
    ])
    expect(viewer.leave(first.user)).toBe(true)
    expect((await ask(page, { as: first })).status).toBe(407)
    expect(viewer.leave(first.user)).toBe(false)
    viewer.leave(second.user)
  })

  test('with the same selection have separate lists and counts, as does the interface', async () => {
    const shared = viewer.current()
    const first = await viewer.openOwn(newest([1]), page)
    const second = await viewer.openOwn(newest([1]), page)
    expect([first.view, second.view]).toEqual([shared?.view, shared?.view])
    const before = [viewer.misses(current()), viewer.errors(current())]
    for (const as of [first, first, second]) await ask(`${page}in-both`, { as, headers: { referer: page } })
    await ask(`${page}alone`, { as: first })
    await ask('http://site.example/gone', { as: second })
    const rows = ({ view, user }: { view: number; user: string }) =>
      viewer.misses(view, user).map(({ url, times, viewing }) => [url, times, viewing])
    expect(rows(first)).toEqual([
      [`${page}in-both`, 2, first.user],
      [`${page}alone`, 1, first.user],
    ])
    expect(rows(second)).toEqual([[`${page}in-both`, 1, second.user]])
    expect(viewer.own()).toMatchObject([
      { misses: 2, errors: 0 },
      { misses: 1, errors: 1 },
    ])
    expect([viewer.misses(current()), viewer.errors(current())]).toEqual(before)

    expect(viewer.clearFindings(first.view, first.user)).toBe(2)
    expect([rows(first), rows(second)]).toEqual([[], [[`${page}in-both`, 1, second.user]]])
    expect(viewer.errors(second.view, second.user)).toMatchObject([{ kind: 'archivedError', viewing: second.user }])
    for (const { user } of [first, second]) viewer.leave(user)
    expect([viewer.misses(current()), viewer.errors(current())]).toEqual(before)
  })

  test('do not attribute requests to pages of another session', async () => {
    const first = await viewer.openOwn(newest([1]), page)
    const second = await viewer.openOwn(newest([1]), page)
    const style = `${page}style.css`
    await ask(style, { as: first, headers: { referer: `${page}of-the-first` } })
    await ask(style, { as: second, headers: { referer: `${page}of-the-second` } })
    await ask(`${page}font.woff`, { as: first, headers: { referer: style } })
    expect(viewer.misses(first.view, first.user).at(-1)).toMatchObject({ initiator: `${page}of-the-first` })
    for (const { user } of [first, second]) viewer.leave(user)
  })

  test('delete their lists when they end', async () => {
    const own = await viewer.openOwn(newest([1]), page)
    await ask(`${page}absent`, { as: own })
    expect(viewer.misses(own.view, own.user)).toHaveLength(1)
    viewer.leave(own.user)
    expect(viewer.misses(own.view, own.user)).toEqual([])
  })

  test('refuse a wrong password with a new challenge and show no content', async () => {
    const own = await viewer.openOwn(newest([2]), page)
    const got = await ask(page, { as: { ...own, password: 'guessed' } })
    expect([got.status, got.body.length, got.headers['proxy-authenticate']]).toEqual([
      407,
      0,
      'Basic realm="Loupe", charset="UTF-8"',
    ])
    viewer.leave(own.user)
  })

  test('open no tunnel for a wrong password, since browsers expect no challenge inside', async () => {
    const socket = connect(viewer.proxy.port, viewer.proxy.host)
    const wrong = Buffer.from('nobody:knows').toString('base64')
    socket.end(`CONNECT site.example:443 HTTP/1.1\r\nHost: site.example\r\nProxy-Authorization: Basic ${wrong}\r\n\r\n`)
    let said = ''
    for await (const chunk of socket) said += String(chunk)
    expect(said).toMatch(/^HTTP\/1\.1 407 [^\r]*\r\nProxy-Authenticate: Basic realm="Loupe"/)
  })

  test('challenge a browser for its name at its first page, and then redirect', async () => {
    const own = await viewer.openOwn(newest([2]), page)
    expect((await ask(own.enter)).status).toBe(407)
    const entered = await ask(own.enter, { as: own })
    expect([entered.status, entered.headers.location]).toEqual([303, page])
    viewer.leave(own.user)
  })

  test('leave no state if they cannot be opened', async () => {
    await expect(viewer.openOwn(newest([99]), page)).rejects.toMatchObject({ code: 'notFound' })
    expect(viewer.own()).toEqual([])
  })

  test('save a selection under a unique name', async () => {
    const { view } = await viewer.open(nearest(y2021, 86_400_000))
    viewer.keep(view, 'spring')
    const other = await viewer.open(newest([1]))
    expect(viewer.kept()).toEqual([
      { view, name: 'spring', isExact: false, files: [], all: false, overlays: [], ...nearest(y2021, 86_400_000) },
    ])
    viewer.keep(other.view, 'spring')
    expect(viewer.kept().map((kept) => kept.view)).toEqual([other.view])
    viewer.forget('spring')
    expect(viewer.kept()).toEqual([])
  })
})
