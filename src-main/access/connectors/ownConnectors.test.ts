/** The connectors that are part of Loupe, except for LDAP, and their files. */
import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../contract/calls/refusedValue.ts'
import { textOf } from '../../contract/words/render.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { ConnectorParts } from '../model/connector.ts'
import { fileAuthority } from './fileAuthority.ts'
import { nullAuthority } from './nullAuthority.ts'
import { patternMapper } from './patternMapper.ts'
import { readUsers } from './userFile.ts'

const { signal } = new AbortController()
const partsOf = (world: ConnectorParts['world']): ConnectorParts => ({
  ...{ world, archiveFolders: [], secretOf: () => Promise.reject(new Error('not needed')) },
})

test('the null authority returns no tokens for any user', async () => {
  const opened = nullAuthority.open({}, partsOf(seededWorld({ seed: 1 })))
  expect(await opened.ask('anna', signal)).toEqual({ status: 'OK', tokens: [] })
  expect(await opened.check(signal)).toBeUndefined()
})

describe('a file of users', () => {
  const read = (text: string) => readUsers(text, async () => undefined)

  const files: [string, string, Record<string, string[]>][] = [
    ['users with groups', 'anna,staff,curators\nben,readers\n', { anna: ['staff', 'curators'], ben: ['readers'] }],
    ['a user without groups', 'anna', { anna: [] }],
    ['a user in several lines', 'anna,a\r\nben,b\r\nanna,c,a\r\n', { anna: ['a', 'c'], ben: ['b'] }],
    ['comments, empty lines, a byte order mark', '\u{FEFF}# all\n\n  \nanna,a\n', { anna: ['a'] }],
    ['quoted fields', '"Smith, Anna","the ""A"" team" , x', { 'Smith, Anna': ['the "A" team', 'x'] }],
    ['spaces around fields', ' anna , a b ', { anna: ['a b'] }],
    ['nothing', '', {}],
  ]
  test.each(files)('has %s', async (_, text, expected) => {
    const found = await read(text)
    expect('users' in found && Object.fromEntries([...found.users].map(([user, all]) => [user, [...all]]))).toEqual(
      expected,
    )
  })

  const wrong: [string, string, RegExp][] = [
    ['no user', 'anna,a\n,b', /^Line 2 has no user/],
    ['an empty group', 'a,b\n\nanna,b,,c', /^Line 3 has an empty group for the user anna/],
    ['a comma at the end', 'anna,', /^Line 1 has an empty group/],
    ['open quotation marks', 'anna,"a', /^Line 1 has quotation marks/],
    ['quotation marks in a field', 'anna,a"b"', /^Line 1 has quotation marks/],
    ['text after quotation marks', 'anna,"a"b', /^Line 1 has quotation marks/],
  ]
  test.each(wrong)('is not used with %s', async (_, text, problem) => {
    const found = await read(text)
    expect('problem' in found && textOf(found.problem)).toMatch(problem)
  })

  test('takes time linear in the length of a line', async () => {
    for (const text of [`${' '.repeat(2_000_000)}a"`, `anna,"${'""'.repeat(1_000_000)}`, ',a'.repeat(1_000_000)])
      expect('problem' in (await read(text))).toBe(true)
  })

  test('is read with pauses, and once for all questions that come meanwhile', async () => {
    const world = seededWorld({ seed: 1 })
    let [pauses, reads] = [0, 0]
    const clock = {
      ...world.clock,
      sleep(durationMs: number) {
        pauses += 1
        return world.clock.sleep(durationMs)
      },
    }
    const disk = {
      ...world.disk,
      read(path: string, bytesMax: number) {
        reads += 1
        return world.disk.read(path, bytesMax)
      },
    }
    await world.run(world.disk.write('/users.csv', Buffer.from('ben,readers\n'.repeat(4_999) + 'anna,staff')))
    const opened = fileAuthority.open({ path: '/users.csv' }, partsOf({ ...world, clock, disk }))
    const answers = await world.run(Promise.all(['anna', 'ben', 'none'].map((user) => opened.ask(user, signal))))
    expect(answers.map(({ tokens }) => tokens)).toEqual([['staff'], ['readers'], []])
    expect([pauses, reads]).toEqual([5, 1])
  })

  test('answers for the users in it, and is read again when it changes', async () => {
    const world = seededWorld({ seed: 1 })
    const opened = fileAuthority.open({ path: '/users.csv' }, partsOf(world))
    const ask = (user: string) => world.run(opened.ask(user, signal))
    const write = (bytes: Uint8Array) => world.run(world.disk.write('/users.csv', bytes))
    const check = async () => textOf((await world.run(opened.check(signal))) ?? { code: 'connection.working' })
    expect(await ask('anna')).toMatchObject({ status: 'UNREACHABLE', tokens: ['DEAD_AUTHORITY'] })
    expect(await check()).toBe('The file /users.csv does not exist.')
    await write(Buffer.from('anna,staff'))
    expect(await ask('anna')).toEqual({ status: 'OK', tokens: ['staff'] })
    expect(await ask('Anna')).toEqual({ status: 'USERNOTFOUND', tokens: [] })
    expect(await check()).toBe('Connection working')
    await world.run(world.clock.sleep(5_000))
    await write(Buffer.from('anna,staff,more\nben'))
    expect([await ask('anna'), await ask('ben')]).toMatchObject([{ tokens: ['staff', 'more'] }, { status: 'OK' }])
    await write(Buffer.from('anna,staff,\n'))
    expect(await ask('anna')).toMatchObject({ status: 'UNREACHABLE' })
    expect(await check()).toMatch(
      /^The file \/users.csv is not used because of a mistake in it: Line 1 has an empty group/,
    )
    await write(Uint8Array.of(0x61, 0xff, 0xff, 0x0a))
    expect(await check()).toBe('The file /users.csv is not encoded in UTF-8.')
    await write(new Uint8Array(4_000_001))
    expect(await check()).toMatch(/larger than 4,000,000 bytes/)
  })

  test('has an absolute path', () => {
    const { error } = fileAuthority.settings.safeParse({ path: 'users.csv' })
    expect(error && textOf(refusalOf(error, {}))).toBe('path must be an absolute path.')
  })
})

describe('the pattern mapper', () => {
  const mapped = async (match: string, replacement: string, name: string) =>
    patternMapper.open({ match, replacement }, partsOf(seededWorld({ seed: 1 }))).ask(name, signal)

  const names: [string, string, string, string, string | undefined][] = [
    ['takes a group', '([^@]*)@here\\.test', '$(1)', 'anna@here.test', 'anna'],
    ['takes groups and text', '(.*)\\\\(.*)', '$(2)@$(1).test', 'HERE\\Anna', 'Anna@HERE.test'],
    ['changes the case of letters', '(.*)@(.*)', '$(1l).$(2u).$(0)', 'Anna@here', 'anna.HERE.Anna@here'],
    ['leaves out a group without a match', '(a)|(b)', 'x$(1)$(2)$(7)', 'b', 'xb'],
    ['knows no name that it does not match', '([^@]*)@here\\.test', '$(1)', 'anna@there.test', undefined],
    ['matches the whole name', '([^@]*)@here\\.test', '$(1)', 'anna@here.test.attacker.test', undefined],
    ['matches the whole name from its beginning', '[a-z]+', 'x', '0anna', undefined],
    ['takes the alternative that matches the whole name', 'a|ab', 'x', 'ab', 'x'],
    ['knows no empty name', '(.*)', '$(1)', '', undefined],
  ]
  test.each(names)('%s', async (_, match, replacement, name, expected) => {
    expect(await mapped(match, replacement, name)).toEqual({ user: expected })
  })

  test('takes time linear in the length of a name', async () => {
    expect(await mapped('(a*)*b', 'x', 'a'.repeat(100_000))).toEqual({ user: undefined })
  })

  const wrong: [string, object, RegExp][] = [
    ['an invalid pattern', { match: '(', replacement: '' }, /match is not a valid pattern/],
    ['a pattern that ends a group around it', { match: 'a)(b', replacement: '' }, /match is not a valid pattern/],
    ['an unknown letter', { match: 'a', replacement: '$(1x)' }, /replacement must be text with groups/],
    ['an open group', { match: 'a', replacement: '$(1' }, /replacement must be text with groups/],
    ['another setting', { match: 'a', replacement: '', x: '' }, /x/],
  ]
  test.each(wrong)('refuses %s', (_, settings, problem) => {
    const { error } = patternMapper.settings.safeParse(settings)
    expect(error && textOf(refusalOf(error, settings))).toMatch(problem)
  })
})
