/** One suite for every kind of key store. Those of other systems use an imitation of their program; the real secret-tool is tested
 *  where it is installed and answers. */
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realWorld } from '../../../../world/real.ts'
import { seededWorld, type SeededWorld } from '../../../../world/testing/seeded.ts'
import type { OfferedProgram } from '../../../../world/testing/seededPrograms.ts'
import type { Disk, Programs } from '../../../../world/world.ts'
import { dataProtectionFile, plainFile, sealedFile } from './fileStores.ts'
import { KeyStoreFault, type KeyStore } from './keyStore.ts'
import { keychain, secretTool } from './programStores.ts'

/** Arguments of command lines, which every user of a machine can read. */
const saidAloud: string[] = []

function program(answer: OfferedProgram): OfferedProgram {
  return (asked) => {
    saidAloud.push(asked.words.join(' '))
    return answer(asked)
  }
}

function fakeSecretTool(): OfferedProgram {
  const entries = new Map<string, string>()
  return program(({ words, input }) => {
    const [verb, ...rest] = words
    const key = rest.filter((word) => !word.startsWith('--')).join(' ')
    if (verb === 'store') entries.set(key, input)
    if (verb === 'clear') return { exitCode: entries.delete(key) ? 0 : 1, output: '', errors: '' }
    const found = entries.get(key)
    return { exitCode: verb === 'store' || found !== undefined ? 0 : 1, output: found ?? '', errors: '' }
  })
}

function fakeSecurity(): OfferedProgram {
  const entries = new Map<string, string>()
  const absent = {
    exitCode: 44,
    output: '',
    errors: 'security: The specified item could not be found in the keychain.',
  }
  const ok = { exitCode: 0, output: '', errors: '' }
  return program(({ words, input }) => {
    const said = words[0] === '-i' ? [...input.trim().matchAll(/"([^"]*)"/g)].map(([, word = '']) => word) : words
    const entry = said[said.indexOf('-a') + 1] ?? ''
    if (said[0] === 'add-generic-password') entries.set(entry, said[said.indexOf('-w') + 1] ?? '')
    else if (said[0] === 'delete-generic-password') return entries.delete(entry) ? ok : absent
    else if (said[0] === 'find-generic-password') {
      const found = entries.get(entry)
      return found === undefined ? absent : { ...ok, output: `${found}\n` }
    }
    return ok
  })
}

const fakePowerShell = program(({ words, input }) => {
  const isSealing = words.at(-1)?.includes('ConvertFrom-SecureString') === true
  const output = isSealing ? Buffer.from(input).toString('hex') : Buffer.from(input, 'hex').toString()
  return { exitCode: 0, output: `${output}\r\n`, errors: '' }
})

interface Trial {
  store: KeyStore
  again(): KeyStore
  run<T>(act: Promise<T>): Promise<T>
}

function seededTrial(make: (disk: Disk, programs: Programs) => KeyStore, system: string): Trial {
  const world: SeededWorld = seededWorld({ seed: 5 })
  world.programs.offer('secret-tool', fakeSecretTool())
  world.programs.offer('security', fakeSecurity())
  world.programs.offer('powershell.exe', fakePowerShell)
  const open = () => make(world.disk, { ...world.programs, system })
  return { store: open(), again: open, run: (act) => world.run(act) }
}

const place = (disk: Disk) => ({ disk, folder: '/' })
const trials: [kind: string, trial: Trial][] = [
  ['a plain file', seededTrial((disk) => plainFile(place(disk)), 'linux')],
  ['an encrypted file', seededTrial((disk) => sealedFile(place(disk), new Uint8Array(32).fill(7)), 'linux')],
  ['secret-tool', seededTrial((_disk, programs) => secretTool(programs), 'linux')],
  ['the keychain', seededTrial((_disk, programs) => keychain(programs), 'darwin')],
  ['data protection', seededTrial((disk, programs) => dataProtectionFile(place(disk), programs), 'win32')],
]

const real = realWorld()
const realSecretTool = secretTool(real.programs)
if (await realSecretTool.answers()) {
  trials.push([
    'the real secret-tool',
    { store: realSecretTool, again: () => secretTool(real.programs), run: (act) => act },
  ])
}

describe.each(trials)('%s', (_kind, { store, again, run }) => {
  const secret = `secret-${Buffer.from('Jäsøn:"\\ \n').toString('base64')}`

  test('a stored secret is read back, and a removed one is gone', async () => {
    expect(await run(store.answers())).toBe(true)
    expect(await run(store.get('one'))).toBeUndefined()
    await run(store.put('one', secret))
    await run(store.put('two', 'other'))
    expect(await run(again().get('one'))).toBe(secret)
    await run(store.put('one', 'newer'))
    expect(await run(again().get('one'))).toBe('newer')
    await run(store.remove('one'))
    await run(store.remove('one'))
    expect(await run(again().get('one'))).toBeUndefined()
    expect(await run(again().get('two'))).toBe('other')
    await run(store.remove('two'))
  })

  test('two concurrent writes are both stored', async () => {
    await run(Promise.all([store.put('a', '1'), store.put('b', '2')]))
    expect([await run(again().get('a')), await run(again().get('b'))]).toEqual(['1', '2'])
    await run(Promise.all([store.remove('a'), store.remove('b')]))
  })
})

test('no secret is passed on a command line', () => {
  expect(saidAloud.length).toBeGreaterThan(10)
  expect(saidAloud.filter((words) => /secret-|other|newer/.test(words.replace('secret-tool', '')))).toEqual([])
})

test.each<[what: string, offered: OfferedProgram | undefined, system: string]>([
  ['is missing', undefined, 'linux'],
  ['does not answer', () => 'hangs', 'linux'],
  [
    'has no secret service running',
    () => ({ exitCode: 1, output: '', errors: 'Cannot autolaunch D-Bus without X11' }),
    'linux',
  ],
  ['is of another system', fakeSecretTool(), 'freebsd'],
])('a secret-tool that %s is not available, and using it anyway is a fault', async (_what, offered, system) => {
  const world = seededWorld({ seed: 1 })
  world.programs.offer('secret-tool', offered)
  const store = secretTool({ ...world.programs, system })
  expect(await world.run(store.answers())).toBe(false)
  if (system === 'linux') await expect(world.run(store.get('x'))).rejects.toBeInstanceOf(KeyStoreFault)
})

test('an encrypted file cannot be read with another key, and a damaged file is reported', async () => {
  const { disk, ...world } = seededWorld({ seed: 1 })
  await world.run(sealedFile(place(disk), new Uint8Array(32)).put('one', 'open sesame'))
  const text = Buffer.from(await world.run(disk.read('/credentials.sealed.json', 10_000))).toString()
  expect(text).not.toContain('sesame')
  await expect(world.run(sealedFile(place(disk), new Uint8Array(32).fill(1)).get('one'))).rejects.toThrow(/another key/)
  await world.run(disk.write('/credentials.json', Buffer.from('{')))
  await expect(world.run(plainFile(place(disk)).get('one'))).rejects.toThrow(/is damaged/)
})

test('only the owner may read the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-keys-'))
  await plainFile({ disk: real.disk, folder }).put('one', 'x')
  if (process.platform !== 'win32') expect(statSync(join(folder, 'credentials.json')).mode & 0o777).toBe(0o600)
})
