import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { textOf } from '../../contract/words/render.ts'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { realWorld } from '../../world/real.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { checksumFileName, wrongEntriesName } from './checksumFile.ts'
import { entryOf, lineBytesMax, lineCutter, lineOf, type FoundLine } from './checksumLines.ts'
import { checksumReplica } from './checksumReplica.ts'
import { folderStoreModule } from '../testing/folderStore.ts'
import { faultyReplica, type Damage } from '../testing/faultyReplica.ts'
import { folderReplica, type ReplicaParts } from './folderReplica.ts'
import { limited } from './limited.ts'
import { moduleReplica } from './moduleReplica.ts'
import { memoryReplica, type MemoryReplica } from '../testing/memoryReplica.ts'
import { observed } from './observed.ts'
import { replicaPromises, trialRules, type ReplicaTrial } from '../testing/replicaPromises.ts'
import type { FileToAdd, Replica, ReplicaKind } from './replica.ts'
import { retrying } from './retrying.ts'

const root = mkdtempSync(join(tmpdir(), 'loupe-replicas-'))
afterAll(() => rmSync(root, { recursive: true }))

const nothingExpected = { any: () => false, holds: () => false }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function fileIn(world: World, folder: string, name: string, text: string): Promise<FileToAdd> {
  const source = join(folder, `source-of-${name}`)
  await world.disk.write(source, Buffer.from(text))
  return { name, source, sha256: sha256(text), bytes: text.length }
}

async function textAt(world: World, path: string): Promise<string | undefined> {
  return (await world.disk.stat(path)) ? Buffer.from(await world.disk.read(path, 1e7)).toString() : undefined
}

function spoiled(bytes: Uint8Array, how: Damage): Uint8Array | undefined {
  if (how === 'lost') return undefined
  if (how === 'truncated') return bytes.subarray(0, Math.floor(bytes.length / 2))
  const copy = Uint8Array.from(bytes)
  const at = Math.floor(copy.length / 2)
  // Keeps a digit a digit, so that a line of checksums stays one.
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

interface Setting {
  trial: ReplicaTrial
  run<T>(act: Promise<T>): Promise<T>
}

type Made = (parts: ReplicaParts) => Replica

function onDisk(world: World, home: string, kind: ReplicaKind, made: Made): ReplicaTrial {
  const folder = join(home, 'replica')
  const replica = made({ world, place: { name: 'one', folder }, expected: nothingExpected, rules: trialRules })
  const path = (name: string) => join(folder, kind === 'files' ? name : checksumFileName)
  const rewrite = async (name: string, change: (text: string) => string | undefined) => {
    const before = (await textAt(world, path(name))) ?? ''
    const after = change(before)
    if (after !== undefined) await world.disk.write(path(name), Buffer.from(after))
    else await world.disk.remove(path(name))
  }
  const lineOfName = (text: string, name: string) => text.split('\n').find((line) => line.endsWith(` ${name}`)) ?? ''
  return {
    replica,
    fileOf: (name, text) => fileIn(world, home, name, text),
    async contentOf(name) {
      const text = await textAt(world, path(name))
      return kind === 'files' ? text : entryOf(lineOfName(text ?? '', name))?.sha256
    },
    async put(name, text) {
      await replica.problem()
      if (kind === 'files') await world.disk.write(path(name), Buffer.from(text))
      else await rewrite(name, (before) => before + lineOf({ name, sha256: sha256(text) }))
    },
    async damage(name, how) {
      if (kind === 'files') {
        const after = spoiled(Buffer.from((await textAt(world, path(name))) ?? ''), how)
        if (after) await world.disk.write(path(name), after)
        else await world.disk.remove(path(name))
        return
      }
      await rewrite(name, (text) => {
        const line = lineOfName(text, name)
        if (how === 'flipped') return text.replace(line, `${line.startsWith('0') ? '1' : '0'}${line.slice(1)}`)
        return text.replace(`${line}\n`, how === 'lost' ? '' : `${line.slice(0, 30)}\n`)
      })
    },
  }
}

function onReal(kind: ReplicaKind, made: Made): Setting {
  return { trial: onDisk(realWorld(), mkdtempSync(join(root, 'case-')), kind, made), run: (act) => act }
}

function onSeeded(kind: ReplicaKind, made: Made): Setting {
  const world = seededWorld({ seed: 1 })
  const trial = onDisk(world, '/', kind, made)
  return { trial: { ...trial, leave: (bytes) => (world.disk.freeBytesLeft = bytes) }, run: (act) => world.run(act) }
}

function inMemory(around: (replica: MemoryReplica, world: World) => Replica): Setting {
  const world = seededWorld({ seed: 1 })
  let bytesMax = 2 ** 40
  const inner = memoryReplica({ world, name: 'one', rules: trialRules, bytesMax: () => bytesMax })
  return {
    run: (act) => world.run(act),
    trial: {
      replica: around(inner, world),
      fileOf: (name, text) => fileIn(world, '/', name, text),
      contentOf: async (name) => {
        const bytes = inner.held.get(name)
        return bytes && Buffer.from(bytes).toString()
      },
      put: async (name, text) => void inner.held.set(name, Buffer.from(text)),
      damage: async (name, how) => damageIn(inner, name, how),
      leave: (bytes) => (bytesMax = bytes),
    },
  }
}

function damageIn({ held }: MemoryReplica, name: string, how: Damage): void {
  const bytes = held.get(name)
  const after = bytes && spoiled(bytes, how)
  if (after) held.set(name, after)
  else held.delete(name)
}

/** A replica in a store of the user, whose module is real. */
function inStore(): Setting {
  const home = mkdtempSync(join(root, 'store-'))
  const [path, objects] = [join(home, 'store.mjs'), join(home, 'objects')]
  writeFileSync(path, folderStoreModule)
  const module = { path, settings: { home: objects }, archiveFolders: [] }
  const place = { name: 'one', folder: `module:${path}`, module }
  const world = realWorld()
  const trial = onDisk(world, home, 'files', (parts) => moduleReplica({ ...parts, place }))
  const at = (name: string) => join(objects, name)
  return {
    run: (act) => act,
    trial: {
      ...trial,
      contentOf: (name) => textAt(world, at(name)),
      async put(name, text) {
        await trial.replica.problem()
        writeFileSync(at(name), text)
      },
      async damage(name, how) {
        const after = spoiled(readFileSync(at(name)), how)
        if (after) writeFileSync(at(name), after)
        else rmSync(at(name))
      },
      leave: (bytes) => writeFileSync(`${objects}.free`, String(bytes)),
    },
  }
}

const never = { at: Infinity, fault: { kind: 'fails' } } as const
const decorated: Made = (parts) => {
  const { clock } = parts.world
  const slow = limited(folderReplica(parts), clock, { bytesPerSecondMax: 1e9, operationsAtOnceMax: 3 })
  return observed(retrying(slow, clock, { retriesMax: 1, delayMs: 1 }), clock)
}
const unbroken = (inner: MemoryReplica, { clock }: World) =>
  faultyReplica({ inner, clock, ...never, damage: () => undefined })

describe.each<[string, () => Setting]>([
  ['a folder', () => onReal('files', folderReplica)],
  ['a folder on a seeded disk', () => onSeeded('files', folderReplica)],
  ['a folder under all decorators', () => onSeeded('files', decorated)],
  ['checksums', () => onReal('checksums', checksumReplica)],
  ['checksums on a seeded disk', () => onSeeded('checksums', checksumReplica)],
  ['a store of the user', inStore],
  ['memory', () => inMemory((replica) => replica)],
  ['memory, with a fault that never occurs', () => inMemory(unbroken)],
])('%s', (_, settingOf) => {
  test.for(replicaPromises)('$promise', async ({ keep, needsRoom }, { skip }) => {
    const { trial, run } = settingOf()
    skip(needsRoom === true && !trial.leave, 'a real disk cannot be made as full as one likes')
    const { found, expected } = await run(keep(trial))
    expect(found).toEqual(expected)
  })
})

describe('a store of the user', () => {
  const storeOf = (text: string, archiveFolders: string[] = [], world: World = realWorld()) => {
    const home = mkdtempSync(join(root, 'away-'))
    const path = join(home, 'store.mjs')
    writeFileSync(path, text)
    const place = { name: 'one', folder: `module:${path}`, module: { path, settings: {}, archiveFolders } }
    return moduleReplica({ world, place, expected: nothingExpected, rules: trialRules })
  }
  const whole = (stat: string) =>
    `export default () => ({ list: () => [], stat: ${stat}, write() {}, read: async function* () {}, move() {} })`

  test.each([
    ['that fails', whole(`() => { throw new Error('no route') }`), /failed: no route/],
    ['without a function', 'export default () => ({})', /cannot be used: what it returns has no function list/],
    ['that gives no length', whole(`() => 'large'`), /gave no length for \.loupe-replica/],
  ])('one %s cannot be used, and says why', async (_, text, why) => {
    const replica = storeOf(text)
    const problem = await replica.problem()
    expect(problem && textOf(problem)).toMatch(why)
    expect(await replica.add({ name: 'a.warc', source: '/nowhere', sha256: sha256(''), bytes: 0 })).toMatchObject({
      kind: 'refused',
      code: 'unreachable',
    })
  })

  test('one that never answers is away after half a minute', async () => {
    const world = realWorld()
    // No test waits so long: the time is over at once.
    const clock = {
      ...world.clock,
      sleep: (ms: number, signal?: AbortSignal) => world.clock.sleep(ms / 30_000, signal),
    }
    const problem = await storeOf(whole('() => new Promise(() => {})'), [], { ...world, clock }).problem()
    expect(problem && textOf(problem)).toMatch(/did not answer within 30 seconds/)
  })

  test('one in the archive is not run', async () => {
    const replica = storeOf(whole('() => undefined'), [root])
    const problem = await replica.problem()
    expect(problem && textOf(problem)).toMatch(/Loupe runs nothing from an archive/)
  })
})

describe('lines of checksums', () => {
  const sum = sha256('x')
  test.each([
    [`${sum}  a.warc`, 'a.warc'],
    [`${sum} *a.warc`, 'a.warc'],
    [`${sum.toUpperCase()}  a.warc\r`, 'a.warc'],
    [`${sum} a.warc`, undefined],
    [`${sum}  a b`, undefined],
    [`${sum}  `, undefined],
    [`${sum.slice(1)}  a.warc`, undefined],
    [`\\${sum}  a\\nb`, undefined],
    ['', undefined],
    ['# a comment', undefined],
  ])('%j names %j', (line, name) => {
    expect(entryOf(line)).toEqual(name === undefined ? undefined : { name, sha256: sum })
  })
  test('a written line is parsed to the same entry', () => {
    expect(entryOf(lineOf({ name: 'a.warc', sha256: sum }).trimEnd())).toEqual({ name: 'a.warc', sha256: sum })
  })

  const whole =
    ['a.warc', 'b.warc'].map((name) => lineOf({ name, sha256: sum })).join('') +
    `${'y'.repeat(lineBytesMax * 2)}\n\nend`
  const cutIn = (pieces: Uint8Array[]) => {
    const cutter = lineCutter()
    const lines: FoundLine[] = pieces.flatMap((piece) => cutter.cut(piece))
    return { lines, torn: cutter.torn() }
  }
  test('byte by byte gives the same lines', () => {
    const bytes = Buffer.from(whole)
    const atOnce = cutIn([bytes])
    expect(atOnce.lines.map(({ entry }) => entry?.name)).toEqual(['a.warc', 'b.warc', undefined, undefined])
    expect(atOnce.torn).toBe(3)
    expect(cutIn([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(atOnce)
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length })), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
        expect(cutIn(places.slice(1).map((end, index) => bytes.subarray(places[index], end)))).toEqual(atOnce)
      }),
    )
  })
  test('truncated at every byte gives only complete lines', () => {
    const bytes = Buffer.from(whole)
    const lines = cutIn([bytes]).lines
    for (let end = 0; end <= bytes.length; end += 1) {
      const found = cutIn([bytes.subarray(0, end)])
      expect(found.lines).toEqual(lines.slice(0, found.lines.length))
      expect(found.lines.reduce((sum, line) => sum + line.bytes, 0) + found.torn).toBe(end)
    }
  })
})

describe('a checksum replica', () => {
  const filled = async () => {
    const setting = onReal('checksums', checksumReplica)
    const { replica, fileOf } = setting.trial
    for (const name of ['a.warc', 'b.warc', 'c.warc']) await replica.add(await fileOf(name, name))
    const path = join(replica.folder, checksumFileName)
    return { ...setting.trial, path, text: () => readFileSync(path, 'utf8') }
  }
  const namesOf = async (replica: Replica) => {
    const names: string[] = []
    for await (const page of replica.list()) names.push(...page.map(({ name }) => name))
    return names
  }

  // Systems without the tool (Windows, older macOS) skip it: the form of the lines is held above.
  const hasTool = spawnSync('sha256sum', ['--version']).status === 0
  test.skipIf(!hasTool)('its file is what sha256sum checks', async () => {
    const { path } = await filled()
    for (const name of ['a.warc', 'b.warc', 'c.warc']) writeFileSync(join(dirname(path), name), name)
    const said = execFileSync('sha256sum', ['--check', '--strict', checksumFileName], { cwd: dirname(path) })
    expect(said.toString()).toBe('a.warc: OK\nb.warc: OK\nc.warc: OK\n')
  })
  test('a wrong entry is kept in a second file', async () => {
    const { replica, text } = await filled()
    const kept = await replica.setAside('b.warc', { sha256: sha256('b.warc') })
    expect(readFileSync(kept, 'utf8')).toBe(lineOf({ name: 'b.warc', sha256: sha256('b.warc') }))
    expect(text()).not.toContain('b.warc')
    expect(await namesOf(replica)).toEqual(['a.warc', 'c.warc'])
  })
  test('malformed lines are ignored and kept', async () => {
    const { replica, path, text, fileOf } = await filled()
    writeFileSync(path, `# by hand\n${text()}torn`)
    await replica.setAside('b.warc', { sha256: sha256('b.warc') })
    expect(text().split('\n')[0]).toBe('# by hand')
    await replica.add(await fileOf('d.warc', 'd'))
    expect(await namesOf(replica)).toEqual(['a.warc', 'c.warc', 'd.warc'])
    expect(readFileSync(join(dirname(path), wrongEntriesName), 'utf8')).toContain('torn\n')
  })
  test('an incomplete last line is ignored, and the next entry does not join it', async () => {
    const { replica, path, text, fileOf } = await filled()
    const before = text()
    const line = lineOf({ name: 'd.warc', sha256: sha256('d') })
    for (let bytes = 1; bytes < line.length; bytes += 1) {
      writeFileSync(path, before + line.slice(0, bytes))
      expect(await replica.checksum('d.warc')).toBeUndefined()
      expect((await replica.add(await fileOf('d.warc', 'd'))).kind).toBe('added')
      expect(text()).toBe(before + line)
    }
  })
  test('a file with two checksums for a name gives neither', async () => {
    const { replica, path, fileOf } = await filled()
    appendFileSync(path, lineOf({ name: 'b.warc', sha256: sha256('other') }))
    await expect(replica.checksum('b.warc')).rejects.toMatchObject({ code: 'refused' })
    await expect(replica.add(await fileOf('b.warc', 'b.warc'))).rejects.toMatchObject({ code: 'refused' })
    expect((await replica.checksum('a.warc'))?.sha256).toBe(sha256('a.warc'))
  })
  test('a repeated entry counts once', async () => {
    const { replica, path, text } = await filled()
    writeFileSync(path, text() + text())
    expect(await namesOf(replica)).toEqual(['a.warc', 'b.warc', 'c.warc'])
    await replica.setAside('b.warc', { sha256: sha256('b.warc') })
    expect(await replica.checksum('b.warc')).toBeUndefined()
  })
  test('entries added by another program are noticed', async () => {
    const { replica, path } = await filled()
    const twin = checksumReplica({
      world: realWorld(),
      place: { name: 'one', folder: dirname(path) },
      expected: nothingExpected,
    })
    expect(await namesOf(twin)).toHaveLength(3)
    appendFileSync(path, lineOf({ name: 'd.warc', sha256: sha256('d') }))
    expect((await twin.checksum('d.warc'))?.sha256).toBe(sha256('d'))
    await replica.setAside('a.warc', { sha256: sha256('a.warc') })
    expect((await twin.checksum('c.warc'))?.sha256).toBe(sha256('c.warc'))
    expect(await twin.checksum('a.warc')).toBeUndefined()
  })
})

describe.skipIf(process.platform === 'win32')('a link in the place of a file', () => {
  test.each([
    ['to a file', (folder: string) => join(folder, 'elsewhere')],
    ['to a folder', (folder: string) => folder],
    ['to a relative path outside of the replica', () => '../sibling'],
    ['that leads nowhere', () => 'nowhere'],
    ['to itself', () => 'a.warc'],
  ])('%s is set aside as a link, and never followed', async (_, target) => {
    const { trial } = onReal('files', folderReplica)
    const { replica, fileOf } = trial
    await replica.problem()
    const outside = dirname(replica.folder)
    writeFileSync(join(outside, 'elsewhere'), 'untouched')
    const link = join(replica.folder, 'a.warc')
    const to = target(outside)
    symlinkSync(to, link)
    expect((await replica.add(await fileOf('a.warc', 'a'))).kind).toBe('occupied')
    await expect(replica.checksum('a.warc')).rejects.toMatchObject({ code: 'refused' })
    const kept = await replica.setAside('a.warc', 'unreadable')
    expect(readlinkSync(kept)).toBe(to)
    expect(readFileSync(join(outside, 'elsewhere'), 'utf8')).toBe('untouched')
    expect(await replica.kept('a.warc')).toEqual([{ where: kept, sha256: null, bytes: null }])
    symlinkSync(to, link)
    expect(await replica.setAside('a.warc', 'unreadable')).not.toBe(kept)
    expect(await replica.kept('a.warc')).toHaveLength(2)
    expect((await replica.add(await fileOf('a.warc', 'a'))).kind).toBe('added')
  })
})

describe('power failure at every call', () => {
  const made = { files: folderReplica, checksums: checksumReplica }
  const replicaOf = (world: World, kind: ReplicaKind) =>
    made[kind]({ world, place: { name: 'one', folder: '/replica' }, expected: nothingExpected, rules: trialRules })

  async function cutEverywhere(
    kind: ReplicaKind,
    act: (replica: Replica, world: World) => Promise<unknown>,
    after: (world: SeededWorld, replica: Replica, isWhole: boolean) => Promise<void>,
  ): Promise<number> {
    for (let calls = 1; ; calls += 1) {
      const world = seededWorld({ seed: calls })
      const replica = replicaOf(world, kind)
      await world.run(fileIn(world, '/', 'a.warc', 'the file').then((file) => replica.add(file)))
      await world.run(fileIn(world, '/', 'b.warc', 'the next'))
      const whole = await world.runUntilCut(act(replica, world), calls)
      const next = world.crash()
      await after(next, replicaOf(next, kind), whole !== undefined)
      if (whole) return calls
    }
  }

  test.each(['files', 'checksums'] as const)(
    'adding to %s: the file is there as a whole or not at all',
    async (kind) => {
      const next = { name: 'b.warc', source: '/source-of-b.warc', sha256: sha256('the next'), bytes: 8 }
      const cuts = await cutEverywhere(
        kind,
        (replica) => replica.add(next),
        async (world, replica, isWhole) => {
          const sums = await world.run(Promise.all([replica.checksum('a.warc'), replica.checksum('b.warc')]))
          expect(sums[0]?.sha256).toBe(sha256('the file'))
          expect([sha256('the next'), ...(isWhole ? [] : [undefined])]).toContain(sums[1]?.sha256)
          const again = await world.run(replica.add(next))
          expect(again.kind).toBe(sums[1] && kind === 'files' ? 'occupied' : 'added')
          // A file that already existed may have a temporary file next to it, which can be removed; nothing else is left.
          const left = await world.run(replica.leftovers())
          expect(left).toEqual(sums[1] ? left.filter((name) => name === 'b.warc') : [])
          for (const name of left) await world.run(replica.removeLeftover(name))
          expect(await world.run(replica.leftovers())).toEqual([])
        },
      )
      expect(cuts).toBeGreaterThan(8)
    },
  )
  test.each([
    ['sync', /SHA256SUMS$/],
    ['append', /SHA256SUMS$/],
    ['syncFolder', /^\/replica$/],
  ] as const)('a file added after a failure of %s survives a power cut', async (action, path) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const world = seededWorld({ seed })
      const replica = replicaOf(world, 'checksums')
      const file = await world.run(fileIn(world, '/', 'a.warc', 'the file'))
      await world.run(replica.problem())
      world.disk.fail({ path, calls: [action], code: 'denied', times: 1 })
      await expect(world.run(replica.add(file))).rejects.toBeInstanceOf(DiskFault)
      expect(await world.run(replica.add(file))).toEqual({ kind: 'added' })
      const next = world.crash()
      expect((await next.run(replicaOf(next, 'checksums').checksum('a.warc')))?.sha256).toBe(file.sha256)
    }
  })
  test.each(['files', 'checksums'] as const)('setting aside from %s: it is in one of the two places', async (kind) => {
    const wrong = { sha256: sha256('the file') }
    const cuts = await cutEverywhere(
      kind,
      (replica) => replica.setAside('a.warc', wrong),
      async (world, replica, isWhole) => {
        const there = await world.run(replica.checksum('a.warc'))
        const path =
          kind === 'files' ? `/replica/attic/a.warc.${wrong.sha256.slice(0, 8)}` : `/replica/${wrongEntriesName}`
        const kept = await world.run(textAt(world, path))
        const isKept = kept === (kind === 'files' ? 'the file' : lineOf({ name: 'a.warc', ...wrong }))
        expect(there?.sha256 === wrong.sha256 || isKept).toBe(true)
        if (isWhole) expect([there, isKept]).toEqual([undefined, true])
      },
    )
    expect(cuts).toBeGreaterThan(5)
  })
})

describe('decorators', () => {
  const setting = async () => {
    const world = seededWorld({ seed: 3 })
    const folder = folderReplica({
      world,
      place: { name: 'one', folder: '/replica' },
      expected: nothingExpected,
      rules: trialRules,
    })
    const file = await world.run(fileIn(world, '/', 'a.warc', 'x'.repeat(10_000)))
    return { world, folder, file }
  }

  test.each([
    ['failed', 2, 'added'],
    ['failed', 3, 'failed'],
    ['denied', 1, 'denied'],
    ['full', 1, 'full'],
  ] as const)('retrying: %s %i times ends in %s', async (code, times, end) => {
    const { world, folder, file } = await setting()
    const replica = retrying(folder, world.clock, { retriesMax: 2, delayMs: 100 })
    world.disk.fail({ path: /^\/replica\/\.a/, calls: ['append'], code, times })
    const startedMs = world.clock.now()
    const ended = await world.run(
      replica.add(file).then(
        ({ kind }) => kind,
        (error: unknown) => (error instanceof DiskFault ? error.code : 'bug'),
      ),
    )
    expect(ended).toBe(end)
    const waitedMs = world.clock.now() - startedMs
    expect(waitedMs >= 300).toBe(code === 'failed')
    expect(await world.run(folder.leftovers())).toEqual([])
  })
  test('retrying: never restarts a list halfway, which would look like its end', async () => {
    const { world, folder } = await setting()
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await world.run(fileIn(world, '/', name, name).then((file) => folder.add(file)))
    const replica = retrying(folder, world.clock, { retriesMax: 5, delayMs: 1 })
    const names = async () => {
      let count = 0
      for await (const page of replica.list()) {
        count += page.length
        if (count === 1) world.disk.fail({ path: /^\/replica$/, calls: ['pages'], code: 'failed', times: 1 })
      }
      return count
    }
    await expect(world.run(names())).rejects.toBeInstanceOf(DiskFault)
    expect(await world.run(names().catch(() => 'again'))).toBe('again')
  })
  test('limited: all operations together stay below the rate, and a stop ends a wait', async () => {
    const { world, folder, file } = await setting()
    const replica = limited(folder, world.clock, { bytesPerSecondMax: 2_000, operationsAtOnceMax: 2 })
    const spentMs = async (act: Promise<unknown>) => {
      const startedMs = world.clock.now()
      await world.run(act)
      return world.clock.now() - startedMs
    }
    // Alone it has its part of the rate, for the writing and again for the reading.
    expect(await spentMs(replica.add(file))).toBeGreaterThanOrEqual(20_000)
    const reads = Promise.all(Array.from({ length: 4 }, () => replica.checksum('a.warc')))
    expect(await spentMs(reads)).toBeGreaterThanOrEqual(20_000)
    const opened = await world.run(replica.open('a.warc'))
    expect(await spentMs(opened.read(Buffer.alloc(3_000), 0))).toBeGreaterThanOrEqual(3_000)
    const stop = new AbortController()
    const stopped = replica.checksum('a.warc', { signal: stop.signal })
    const reason = new Error('enough')
    void world.clock.sleep(50).then(() => stop.abort(reason))
    await expect(world.run(stopped)).rejects.toBe(reason)
  })
  test('without a limit the replica itself is returned', async () => {
    const { world, folder } = await setting()
    expect(limited(folder, world.clock, { bytesPerSecondMax: 0, operationsAtOnceMax: 2 })).toBe(folder)
  })
  test('observed: counts operations, bytes and time, and keeps the last fault', async () => {
    const { world, folder, file } = await setting()
    const replica = observed(folder, world.clock)
    await world.run(replica.add(file))
    await world.run(replica.add(file))
    await world.run(replica.checksum('a.warc'))
    await world.run(replica.checksum('b.warc'))
    await world.run(replica.open('b.warc').catch(() => undefined))
    const { operations, lastFailure } = replica.history()
    expect(operations.add).toMatchObject({ count: 2, failures: 1, bytes: 10_000 })
    expect(operations.checksum).toMatchObject({ count: 2, failures: 0, bytes: 10_000 })
    expect(operations.add?.durationMs).toBeGreaterThan(0)
    expect(lastFailure).toMatchObject({ operation: 'open', file: 'b.warc' })
    expect(lastFailure && textOf(lastFailure.message)).toContain('does not exist')
    world.disk.fail({ path: /^\/replica$/, calls: ['stat'], code: 'failed' })
    await world.run(replica.problem())
    expect(replica.history().lastFailure).toMatchObject({ operation: 'problem', file: null })
  })
  test('observed: a stop is not a failure', async () => {
    const { world, folder, file } = await setting()
    const replica = observed(folder, world.clock)
    const stopped = replica.add(file, { signal: AbortSignal.abort(new Error('enough')) })
    await expect(world.run(stopped)).rejects.toThrow('enough')
    expect(replica.history()).toMatchObject({ operations: { add: { count: 1, failures: 0 } }, lastFailure: undefined })
  })
})
