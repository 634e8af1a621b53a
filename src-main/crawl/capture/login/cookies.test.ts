/** Which cookies are sent to which URL, how long they last, and which survive a kill. */
import { expect, test } from 'vitest'
import { frontierFixture } from '../../frontier/testing/frontierFixture.ts'
import { openCookies, type Cookies } from './cookies.ts'

const hosts = new Set(['www.site.example', 'login.site.example', 'localhost', 'a.co.uk', '127.0.0.1'])

function jar() {
  const { world, store, job } = frontierFixture()
  const open = (): Cookies => openCookies({ store, job, clock: world.clock, hosts })
  return { world, store, job, open, cookies: open() }
}

const site = 'https://www.site.example/a/b'
const rows: [what: string, set: [from: string, line: string][], asked: string, sent: string | undefined][] = [
  ['sent back to its host', [[site, 's=1']], site, 's=1'],
  ['not sent to another host of the domain', [[site, 's=1']], 'https://login.site.example/a/b', undefined],
  ['sent to the domain that it names', [[site, 's=1; Domain=site.example']], 'https://login.site.example/a/', 's=1'],
  ['never sent to a host without a login', [[site, 's=1; Domain=site.example']], 'https://ads.site.example/a/', undefined],
  ['not accepted from a host without a login', [['https://ads.site.example/', 's=1; Domain=site.example']], site, undefined],
  ['limited to its folder by default', [[site, 's=1']], 'https://www.site.example/c', undefined],
  ['sent to the path that it names', [[site, 's=1; Path=/']], 'https://www.site.example/c', 's=1'],
  ['a path matches whole segments only', [[site, 's=1; Path=/a']], 'https://www.site.example/ab', undefined],
  ['Secure: not sent without TLS', [[site, 's=1; Secure; Path=/']], 'http://www.site.example/', undefined],
  ['not accepted for a public suffix', [['https://a.co.uk/', 's=1; Domain=co.uk']], 'https://a.co.uk/', undefined],
  ['not accepted for another domain', [[site, 's=1; Domain=other.example']], site, undefined],
  ['__Host- not accepted with a domain', [[site, '__Host-s=1; Secure; Domain=site.example; Path=/']], site, undefined],
  ['the cookie with the longest path is sent first', [[site, 'a=1; Path=/'], [site, 'b=2; Path=/a']], site, 'b=2; a=1'],
  ['a newer cookie replaces the older one', [[site, 's=1'], [site, 's=2']], site, 's=2'],
  ['removed by its server', [[site, 's=1'], [site, 's=; Max-Age=0']], site, undefined],
  ['removed by a date in the past', [[site, 's=1'], [site, 's=; Expires=Thu, 01 Jan 1970 00:00:00 GMT']], site, undefined],
  ['shared by all ports of a host', [['http://127.0.0.1:81/', 's=1']], 'http://127.0.0.1:82/', 's=1'],
  ['accepted from a server on this machine', [['http://localhost/', 's=1']], 'http://localhost/x', 's=1'],
  ['malformed fields are ignored', [[site, ''], [site, ';;;'], [site, 's=1']], site, 's=1'],
  ['too large', [[site, `s=${'x'.repeat(5000)}`]], site, undefined],
] // prettier-ignore

test.each(rows)('%s', (_what, set, asked, sent) => {
  const { cookies } = jar()
  for (const [from, line] of set) cookies.take(from, [line])
  expect(cookies.fieldFor(asked)).toBe(sent)
})

test('Max-Age counts from the time at which the cookie was received', async () => {
  const { world, cookies } = jar()
  cookies.take(site, ['a=1; Max-Age=60', `b=2; Expires=${new Date(world.clock.now() + 30_000).toUTCString()}`, 'c=3'])
  const after = async (durationMs: number) => {
    await world.run(world.clock.sleep(durationMs))
    return cookies.fieldFor(site)
  }
  expect(await after(20_000)).toBe('a=1; b=2; c=3')
  expect(await after(20_000)).toBe('a=1; c=3')
  expect(await after(19_000)).toBe('a=1; c=3')
  expect(await after(2_000)).toBe('c=3')
})

test('stored cookies survive a kill and are deleted when the run ends', () => {
  const { store, job, cookies, open } = jar()
  cookies.take(site, ['a=1', 'b=2', 'c=3; Max-Age=60; Secure; Path=/'])
  store.transaction(() => cookies.writeDown())
  cookies.take(site, ['b=; Max-Age=0', 'd=4'])
  expect(open().fieldFor(site)).toBe('a=1; b=2; c=3')
  store.transaction(() => cookies.writeDown())
  expect(open().fieldFor(site)).toBe('a=1; d=4; c=3')
  // The triggers on the states of jobs are removed, since this test does not depend on how a run ends.
  const guards = store.statement<object, { name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'job' AND name NOT LIKE 'cookie%'",
  )
  for (const { name } of guards.all({})) store.statement(`DROP TRIGGER ${name}`).run({})
  store.statement<{ job: number }>("UPDATE job SET state = 'INACTIVE' WHERE id = @job").run({ job })
  expect(open().fieldFor(site)).toBeUndefined()
  expect(open().values()).toEqual([])
})

test('the number of cookies of a server is bounded', () => {
  const { cookies } = jar()
  cookies.take(
    site,
    Array.from({ length: 3_100 }, (_, at) => `n${at}=1; Path=/`),
  )
  expect(cookies.values()).toHaveLength(3_000)
})
