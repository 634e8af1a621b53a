import { describe, expect, test } from 'vitest'
import { authorityConnectionInput } from '../contract/services/authorities.ts'
import { securityRuleInput } from '../contract/services/security.ts'
import { textOf } from '../contract/words/render.ts'
import { openStore } from '../storage/storage.ts'
import { seededWorld } from '../world/testing/seeded.ts'
import { openAccess } from './access.ts'

async function opened() {
  const world = seededWorld({ seed: 1 })
  const bugs: unknown[] = []
  const access = openAccess({
    ...{ store: openStore(':memory:'), world, archiveFolders: [] },
    settings: () => ({ workers: 10, mappingWorkers: 10 }),
    secretOf: () => Promise.reject(new Error('not needed')),
    onBug: (error) => bugs.push(error),
  })
  const write = (path: string, text: string) => world.run(world.disk.write(path, Buffer.from(text)))
  const add = (name: string, more: object = {}) =>
    access.connections.add(
      authorityConnectionInput.parse({ kind: 'authority', name, connector: 'file', group: 'g', ...more }),
    )
  const map = (name: string, match: string) =>
    access.connections.add(
      authorityConnectionInput.parse({
        kind: 'mapping',
        name,
        connector: 'pattern',
        settings: { match, replacement: '$(1l)' },
      }),
    )
  const tokensOf = async (user: string) => (await world.run(access.ask({ users: [{ user, domain: '' }] }))).tokens
  access.groups.add({ name: 'g', description: '' })
  await write('/staff.csv', 'anna,staff\n')
  await write('/more.csv', 'anna,more\n')
  return { world, access, bugs, write, add, map, tokensOf }
}

const authority = (name: string) => ({ kind: 'authority', name }) as const
const staff = { settings: { path: '/staff.csv' } }

describe('the authority service', () => {
  test('gives the tokens of a user from all connections, after their mappings', async () => {
    const { add, map, tokensOf } = await opened()
    map('lower', '(.*)@here\\.test')
    add('staff', { ...staff, mapping: 'lower' })
    add('more', { settings: { path: '/more.csv' } })
    expect(await tokensOf('Anna@here.test')).toEqual(['g:staff'])
    expect(await tokensOf('anna')).toEqual(['g:more'])
  })

  test('answers differently as soon as a connection has changed', async () => {
    const { access, add, map, tokensOf } = await opened()
    add('staff', staff)
    expect(await tokensOf('anna')).toEqual(['g:staff'])
    access.connections.edit(authority('STAFF'), { settings: { path: '/more.csv' } })
    expect(await tokensOf('anna')).toEqual(['g:more'])
    map('none', '(nobody)')
    access.connections.edit(authority('staff'), { mapping: 'none' })
    expect(await tokensOf('anna')).toEqual([])
    access.connections.edit({ kind: 'mapping', name: 'none' }, { settings: { match: '(.*)', replacement: '$(1)' } })
    expect(await tokensOf('anna')).toEqual(['g:more'])
    access.connections.remove(authority('staff'))
    expect(await tokensOf('anna')).toEqual([])
    add('staff', staff)
    expect(await tokensOf('anna')).toEqual(['g:staff'])
  })

  test('keeps answers of a file for their time', async () => {
    const { world, add, write, tokensOf } = await opened()
    add('staff', { ...staff, cacheSeconds: 30 })
    await tokensOf('anna')
    await write('/staff.csv', 'anna,other\n')
    expect(await tokensOf('anna')).toEqual(['g:staff'])
    await world.run(world.clock.sleep(31_000))
    expect(await tokensOf('anna')).toEqual(['g:other'])
  })

  test('refuses a request while a connector is not installed, and grants nothing', async () => {
    const { access, add, tokensOf } = await opened()
    add('staff', staff)
    await access.connectors.deinstall(authority('file'))
    await expect(tokensOf('anna')).rejects.toMatchObject({ code: 'notAllowed' })
    expect(textOf((await access.connections.check(authority('staff'))).status)).toMatch(
      /needs the connector "file", which is not installed/,
    )
    await access.connectors.install(authority('file'))
    expect(await tokensOf('anna')).toEqual(['g:staff'])
  })

  test('checks connections', async () => {
    const { world, access, add, map } = await opened()
    add('staff', staff)
    add('none', { settings: { path: '/none.csv' } })
    map('lower', '(.*)')
    const check = async (kind: 'authority' | 'mapping', name: string) => {
      const { isWorking, status } = await world.run(access.connections.check({ kind, name }))
      return [isWorking, textOf(status)]
    }
    expect(await check('authority', 'staff')).toEqual([true, 'Connection working'])
    expect(await check('authority', 'none')).toEqual([false, 'The file /none.csv does not exist.'])
    expect(await check('mapping', 'lower')).toEqual([true, 'Connection working'])
  })

  test('refuses settings that a connector does not have, when one is added and when it is changed', async () => {
    const { access, add } = await opened()
    expect(() => add('staff', { settings: { path: 'relative.csv' } })).toThrow(/path must be an absolute path/)
    expect(() => add('staff', { connector: 'none' })).toThrow(/none/)
    add('staff', staff)
    expect(() => access.connections.edit(authority('staff'), { connector: 'null' })).toThrow(/path/)
    expect(access.connections.edit(authority('staff'), { connector: 'null', settings: {} })).toMatchObject({
      connector: 'null',
    })
  })
})

describe('security rules', () => {
  const given = (changes: object) => securityRuleInput.parse({ group: 'g', allow: ['staff'], ...changes })
  const capture = { job: 1, url: 'http://example.com/' }

  test('ask no authority while there are none', async () => {
    const { access, add } = await opened()
    add('staff', staff)
    await access.connectors.deinstall(authority('file'))
    expect(await access.security.sightOf({ users: [{ user: 'anna', domain: '' }] })).toMatchObject({ everything: true })
  })

  test('are replaced where job, prefix, level and group are the same, listed in order, and removed', async () => {
    const { access } = await opened()
    const { rules, set, remove } = access.security
    const first = set(given({ surtPrefix: 'COM,Example', allow: ['a', 'a'] }))
    expect(first).toMatchObject({ job: null, surtPrefix: 'com,example', level: 'share', group: 'g', allow: ['a'] })
    expect(set(given({ surtPrefix: 'com,example', group: 'G', deny: ['guest'] }))).toMatchObject({
      ...{ rule: first.rule, allow: ['staff'], deny: ['guest'] },
    })
    const ofJob = set(given({ job: 2 }))
    const other = set(given({ job: 3 }))
    expect(rules().map(({ rule }) => rule)).toEqual([first.rule, ofJob.rule, other.rule])
    expect(rules(2).map(({ rule }) => rule)).toEqual([first.rule, ofJob.rule])
    remove(ofJob.rule)
    expect(rules(2)).toHaveLength(1)
    expect(() => remove(ofJob.rule)).toThrow(`no security rule ${ofJob.rule}`)
  })

  test('need tokens and a group that exists, which then cannot be removed', async () => {
    const { access } = await opened()
    expect(() => access.security.set(given({ allow: [] }))).toThrow('at least one token')
    expect(() => access.security.set(given({ group: 'x' }))).toThrow('no authority group "x"')
    access.security.set(given({}))
    expect(access.groups.list()).toMatchObject([{ name: 'g', rules: 1 }])
    expect(() => access.groups.remove('g')).toThrow('a security rule names it')
  })

  test('a user with the tokens sees a capture, a changed rule applies at once, and the reason is given', async () => {
    const { world, access, add } = await opened()
    add('staff', staff)
    const seenBy = async (user: string) =>
      (await world.run(access.security.sightOf({ users: [{ user, domain: '' }] }))).capture(capture)
    const why = async (user: string) => {
      const { maySee, message } = await world.run(access.security.decide({ users: [{ user, domain: '' }] }, capture))
      return [maySee, textOf(message)]
    }
    expect(await why('otto')).toEqual([true, 'Nothing secures this capture, so everyone sees it.'])
    access.security.set(given({}))
    expect([await seenBy('anna'), await seenBy('otto')]).toEqual([true, false])
    expect(await why('anna')).toEqual([true, 'The user may see this capture.'])
    expect(await why('otto')).toEqual([false, 'The user may not see this capture: the group g does not agree.'])
    access.security.set(given({ deny: ['staff'] }))
    expect(await seenBy('anna')).toBe(false)
  })

  test('show nothing to anyone while the connector of an authority is not installed', async () => {
    const { world, access, add } = await opened()
    add('staff', staff)
    access.security.set(given({}))
    await access.connectors.deinstall(authority('file'))
    await expect(world.run(access.security.sightOf({ users: [{ user: 'anna', domain: '' }] }))).rejects.toThrow(
      'which is not installed',
    )
  })
})
