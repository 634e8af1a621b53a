/** Connectors are installed and deinstalled, and modules of the user are asked in real threads. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { authorityConnectionInput } from '../../contract/services/authorities.ts'
import { textOf } from '../../contract/words/render.ts'
import { openStore } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { openAuthorityConnectors } from './authorityConnectors.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-authorities-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { signal } = new AbortController()

function opened(archiveFolders: string[] = [], store = openStore(':memory:')) {
  const secretOf = () => Promise.reject(new Error('not needed'))
  return openAuthorityConnectors({ ...{ store, world: realWorld(), archiveFolders, secretOf }, countOf: () => 2 })
}

function moduleOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const authority = (connector: string, settings: object = {}) =>
  authorityConnectionInput.parse({ kind: 'authority', name: 'a', group: 'g', connector, settings })
const mapping = (connector: string, settings: object = {}) =>
  authorityConnectionInput.parse({ kind: 'mapping', name: 'm', connector, settings })

describe('a connector', () => {
  test('of Loupe is installed from the beginning, and can be deinstalled and installed again', async () => {
    const connectors = opened()
    expect(connectors.list().map(({ kind, name, state }) => `${kind} ${name} ${state}`)).toEqual([
      ...[
        'authority file INSTALLED',
        'authority ldap INSTALLED',
        'authority null INSTALLED',
        'mapping pattern INSTALLED',
      ],
    ])
    expect(connectors.list()[0]).toMatchObject({
      description: { code: 'authority.file' },
      module: null,
      connections: 2,
    })
    expect(await connectors.deinstall({ kind: 'authority', name: 'FILE' })).toMatchObject({
      name: 'file',
      state: 'DEINSTALLED',
    })
    expect(connectors.isInstalled(authority('file'))).toBe(false)
    expect(await connectors.install({ kind: 'authority', name: 'file' })).toMatchObject({ state: 'INSTALLED' })
    expect([authority('File'), authority('pattern'), mapping('file')].map(connectors.isInstalled)).toEqual([
      true,
      false,
      false,
    ])
  })

  test('of the user is installed under a name, and its functions are called', async () => {
    const [log, connectors] = [join(folder, 'log'), opened()]
    const text = (version: number) => `import { appendFileSync } from 'node:fs'
      const log = (text) => appendFileSync(${JSON.stringify(log)}, text + ' ')
      export const install = () => log('install ${version}')
      export const deinstall = () => log('deinstall ${version}')
      export default () => ({ authorize: () => [] })`
    const module = moduleOf('logs.mjs', text(1))
    const row = await connectors.install({
      kind: 'authority',
      name: 'staff',
      module,
      description: 'Staff of the library',
    })
    expect(row).toMatchObject({ name: 'staff', module, state: 'INSTALLED' })
    expect(textOf(row.description)).toBe('Staff of the library')
    expect(readFileSync(log, 'utf8')).toBe('install 1 ')
    writeFileSync(module, `${text(2)}\n`)
    await connectors.deinstall({ kind: 'authority', name: 'staff' })
    expect(connectors.isInstalled(authority('staff'))).toBe(false)
    await connectors.install({ kind: 'authority', name: 'staff' })
    expect(readFileSync(log, 'utf8')).toBe('install 1 deinstall 2 install 2 ')
    expect(connectors.list().find(({ name }) => name === 'staff')).toMatchObject({ module, state: 'INSTALLED' })
  })

  const refused: [string, (connectors: ReturnType<typeof opened>) => unknown, RegExp][] = [
    ['an unknown name', (all) => all.install({ kind: 'authority', name: 'x' }), /x/],
    ['a mapping as authority', (all) => all.install({ kind: 'authority', name: 'pattern' }), /pattern/],
    [
      'a module under a name of Loupe',
      (all) => all.install({ kind: 'authority', name: 'LDAP', module: '/a.mjs' }),
      /belongs to a connector of Loupe/,
    ],
    [
      'a module that does not exist',
      (all) => all.install({ kind: 'authority', name: 'x', module: join(folder, 'none.mjs') }),
      /There is no file/,
    ],
    [
      'a module whose installation fails',
      (all) =>
        all.install({
          kind: 'authority',
          name: 'x',
          module: moduleOf(
            'f.mjs',
            `export default () => ({}); export const install = () => { throw new Error('no table') }`,
          ),
        }),
      /cannot be used: install\(\) failed: no table/,
    ],
  ]
  test.each(refused)('is not installed: %s', async (_, act, problem) => {
    const connectors = opened()
    await expect((async () => act(connectors))()).rejects.toThrow(problem)
    expect(connectors.list()).toHaveLength(4)
  })

  test('in the archive is refused, when it is installed and when it is asked', async () => {
    const module = moduleOf('inside.mjs', 'export default () => ({ authorize: () => ["a"] })')
    const named = { kind: 'authority', name: 'own', module } as const
    await expect(opened([folder]).install(named)).rejects.toThrow(/runs nothing from an archive/)
    const store = openStore(':memory:')
    await opened([], store).install(named)
    const answer = await opened([folder], store).authorityOf(authority('own')).ask('anna', signal)
    expect([answer.status, answer.problem && textOf(answer.problem)]).toEqual([
      'UNREACHABLE',
      expect.stringMatching(/runs nothing from an archive/),
    ])
  })

  const wrong: [string, Parameters<ReturnType<typeof opened>['refuseWrong']>[0], RegExp][] = [
    ['an unknown connector', authority('none'), /none/],
    ['settings that it does not have', authority('null', { path: '/a' }), /path/],
    ['settings that it needs', authority('file'), /path is missing/],
    ['an authority for a mapping', mapping('file'), /file/],
  ]
  test.each(wrong)('refuses %s', (_, row, problem) => {
    expect(() => opened().refuseWrong(row)).toThrow(problem)
  })
})

/** Installs a module and asks it. */
async function asked(name: string, text: string, settings: object = {}) {
  const connectors = opened()
  await connectors.install({ kind: 'authority', name: 'own', module: moduleOf(name, text) })
  const connection = connectors.authorityOf(authority('own', settings))
  return { answer: await connection.ask('anna', signal), problem: await connection.check(signal) }
}

describe('a module of the user', () => {
  const answers: [string, string, object][] = [
    ['tokens', 'authorize: (user) => [user, at]', { status: 'OK', tokens: ['anna', 'here'] }],
    ['a promise of tokens', 'authorize: async () => []', { status: 'OK', tokens: [] }],
    ['an answer', `authorize: () => ({ status: 'USERUNAUTHORIZED' })`, { status: 'USERUNAUTHORIZED', tokens: [] }],
    ['no user', 'authorize: () => undefined', { status: 'USERNOTFOUND', tokens: [] }],
    ['an exception', `authorize() { throw new Error('boom') }`, { status: 'UNREACHABLE', tokens: ['DEAD_AUTHORITY'] }],
    ['something else', `authorize: () => ({ tokens: 'a' })`, { status: 'UNREACHABLE' }],
    ['a function', 'authorize: () => [() => {}]', { status: 'UNREACHABLE' }],
    ['the end of its thread', 'authorize: () => process.exit(1)', { status: 'UNREACHABLE' }],
  ]
  test.each(answers)('answers with %s', async (what, text, expected) => {
    const { answer, problem } = await asked(`${what}.mjs`, `export default ({ at }) => ({ ${text} })`, { at: 'here' })
    expect([answer, problem]).toMatchObject([expected, undefined])
  })

  test('that lacks its function cannot be used', async () => {
    const { answer, problem } = await asked('lacks.mjs', 'export default () => ({})')
    expect(answer).toMatchObject({ status: 'UNREACHABLE' })
    expect(problem && textOf(problem)).toMatch(/what it returns has no function authorize/)
  })

  test('that never returns is terminated when the request is aborted', async () => {
    const connectors = opened()
    const module = moduleOf('loops.mjs', 'export default () => ({ authorize() { for (;;); } })')
    await connectors.install({ kind: 'authority', name: 'own', module })
    const stop = new AbortController()
    const asking = connectors.authorityOf(authority('own')).ask('anna', stop.signal)
    stop.abort(new Error('late'))
    expect(await asking).toMatchObject({ status: 'UNREACHABLE' })
  })

  test('maps names', async () => {
    const connectors = opened()
    const text = (result: string) => `export default () => ({ map: (user) => ${result} })`
    const mapped = async (result: string) => {
      await connectors.install({ kind: 'mapping', name: 'own', module: moduleOf(`maps.mjs`, text(result)) })
      return connectors.mappingOf(mapping('own')).ask('Anna', signal)
    }
    expect(await mapped('user.toLowerCase()')).toEqual({ user: 'anna' })
    expect(await mapped('undefined')).toEqual({ user: undefined })
    expect(await mapped('7')).toMatchObject({ problem: { code: 'authority.module.answer' } })
  })
})
