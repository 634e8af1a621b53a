import { createServer, type Server, type Socket } from 'node:net'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realWorld } from './real.ts'
import { connectionOver } from './realNetwork.ts'
import { seededWorld, type SeededWorld } from './testing/seeded.ts'
import type { Handler, Trouble } from './testing/seededNetwork.ts'
import {
  DiskFault,
  NetworkFault,
  ProgramFault,
  type Connection,
  type Entry,
  type Program,
  type Target,
  type World,
} from './world.ts'

/** A world under test: how its promises are awaited, where its files are, how a server is set up in it. */
interface Trial {
  world: World
  run<T>(act: Promise<T>): Promise<T>
  folder(): Promise<string>
  serve(handler: Handler): Promise<Target>
  /** Permissions of a file and of a folder that any other program makes here. */
  usualModes(): Promise<string>
  /** A program that prints its input and an error message and exits with code 3, or one that never ends. */
  program(how: 'answers' | 'hangs'): Pick<Program, 'name' | 'words'>
  end(): Promise<void>
}

function realTrial(): Trial {
  const folders: string[] = []
  const servers: Server[] = []
  const world = realWorld()
  return {
    world,
    run: (act) => act,
    async folder() {
      const folder = await mkdtemp(join(tmpdir(), 'loupe-world-'))
      folders.push(folder)
      return folder
    },
    async serve(handler) {
      const server = createServer((socket) => void attend(socket, handler))
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('no port')
      return { host: '127.0.0.1', port: address.port, tls: false, connectMsMax: 10_000, privateAllowed: true }
    },
    async usualModes() {
      const folder = join(await this.folder(), 'usual')
      await mkdir(folder)
      await writeFile(join(folder, 'file'), '')
      const modes = await Promise.all(
        [join(folder, 'file'), folder].map(async (path) => (await stat(path)).mode & 0o777),
      )
      return modes.map((mode) => mode.toString(8)).join(' ')
    },
    program: (how) => ({
      name: process.execPath,
      words: ['-e', how === 'hangs' ? 'setInterval(() => 0, 1000)' : answering],
    }),
    async end() {
      for (const server of servers) server.close()
      for (const folder of folders) await rm(folder, { recursive: true })
    },
  }
}

const answering =
  "let heard = ''; process.stdin.on('data', (part) => (heard += part)).on('end', () => { console.log('heard ' + heard); console.error('but'); process.exitCode = 3 })"

/** The other end of a conversation: the same interface over the server's socket. */
async function attend(socket: Socket, handler: Handler): Promise<void> {
  try {
    await handler(connectionOver(socket))
  } catch (error) {
    if (!(error instanceof NetworkFault)) throw error
  }
  socket.end()
}

function seededTrial(seed: number): Trial {
  const world = seededWorld({ seed })
  let port = 1000
  let folders = 0
  return {
    world,
    run: (act) => world.run(act),
    async folder() {
      const folder = join('/', `trial${(folders += 1)}`)
      await world.run(world.disk.makeFolder(folder))
      return folder
    },
    async serve(handler) {
      world.network.serve('server.test', (port += 1), handler)
      return { host: 'server.test', port, tls: false, connectMsMax: 10_000, privateAllowed: true }
    },
    usualModes: async () => '644 755',
    program(how) {
      world.programs.offer('answers', ({ input }) => ({ exitCode: 3, output: `heard ${input}\n`, errors: 'but\n' }))
      world.programs.offer('hangs', () => 'hangs')
      return { name: how, words: [] }
    },
    end: async () => undefined,
  }
}

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString()
const bytes = (text: string) => new TextEncoder().encode(text)

describe.each([
  ['real', realTrial],
  ['seeded 1', () => seededTrial(1)],
  ['seeded 2', () => seededTrial(2)],
])('the %s world', (_, trialOf) => {
  const trial = trialOf()
  const { world } = trial
  const { disk, clock, network, threads, chance } = world
  let folder = ''
  beforeAll(async () => {
    folder = await trial.folder()
  })
  afterAll(() => trial.end())

  /** Adds a test whose `act` gets its own folder. */
  function promise(what: string, act: (folder: string) => Promise<void>): void {
    test(what, async () => {
      const own = join(folder, what.replaceAll(/\W+/g, '-'))
      await trial.run(disk.makeFolder(own).then(() => act(own)))
    })
  }
  async function diskFault(act: Promise<unknown>, code: string, path?: string): Promise<void> {
    const fault = await caught(act)
    expect(fault).toBeInstanceOf(DiskFault)
    expect(fault).toMatchObject(path === undefined ? { code } : { code, path })
  }

  describe('programs', () => {
    promise('a program gets its input, and its output and exit code are returned', async () => {
      const end = await world.programs.run({ ...trial.program('answers'), input: 'a word', runMsMax: 60_000 })
      expect(end).toEqual({ exitCode: 3, output: 'heard a word\n', errors: 'but\n' })
    })
    promise('a missing program and one that exceeds its time limit are faults', async () => {
      const absent = { name: 'no-such-program-of-loupe', words: [], input: '', runMsMax: 60_000 }
      const faultOf = async (program: Program) => {
        const error = await caught(world.programs.run(program))
        return error instanceof ProgramFault ? error.code : error
      }
      expect(await faultOf(absent)).toBe('absent')
      expect(await faultOf({ ...trial.program('hangs'), input: '', runMsMax: 100 })).toBe('timeout')
    })
  })

  describe('clock and random numbers', () => {
    promise('a sleep lasts at least its duration, also one of 0', async () => {
      const [startMs, startElapsedMs] = [clock.now(), clock.elapsed()]
      await clock.sleep(0)
      await clock.sleep(5)
      expect(clock.now() - startMs).toBeGreaterThanOrEqual(4)
      expect(clock.elapsed() - startElapsedMs).toBeGreaterThanOrEqual(4)
    })
    promise('the monotonic clock is the same in all threads', async () => {
      const beforeMs = clock.elapsed()
      const module = new URL('./testing/conformanceTask.ts', import.meta.url)
      const inThreadMs = await threads.run<object, number>(module, { action: 'elapsed', value: 0 })
      expect(inThreadMs).toBeGreaterThanOrEqual(beforeMs)
      expect(inThreadMs).toBeLessThanOrEqual(clock.elapsed())
    })
    promise('a sleep ends with the reason of its signal, before and during', async () => {
      const reason = new Error('the reason')
      await expect(clock.sleep(3_600_000, AbortSignal.abort(reason))).rejects.toBe(reason)
      const stop = new AbortController()
      const sleep = caught(clock.sleep(2 ** 40, stop.signal))
      await clock.sleep(1)
      stop.abort(reason)
      expect(await sleep).toBe(reason)
    })
    promise('random numbers are below their bound, and each of them occurs', async () => {
      const seen = new Set(Array.from({ length: 300 }, () => chance.below(4)))
      expect([...seen].sort()).toEqual([0, 1, 2, 3])
      expect(chance.below(1)).toBe(0)
      for (let draw = 0; draw < 20; draw++) {
        expect(chance.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      }
    })
  })

  describe('disk', () => {
    promise('write replaces the whole file and leaves no other file', async (own) => {
      const path = join(own, 'a')
      await disk.write(path, bytes('first and longer'))
      await disk.write(path, bytes('second'))
      expect(text(await disk.read(path, 6))).toBe('second')
      expect((await disk.list(own)).map(({ name, kind, bytes }) => ({ name, kind, bytes }))).toEqual([
        { name: 'a', kind: 'file', bytes: 6 },
      ])
    })
    promise('writes of one file at the same time each replace it completely', async (own) => {
      const path = join(own, 'a')
      const contents = Array.from({ length: 8 }, (_, at) => `${at}`.repeat(1 + at * 10_000))
      await Promise.all(contents.map((content) => disk.write(path, bytes(content))))
      expect(contents).toContain(text(await disk.read(path, 100_000)))
      expect((await disk.list(own)).map(({ name }) => name)).toEqual(['a'])
    })
    promise('write to an impossible path leaves no file', async (own) => {
      await disk.makeFolder(join(own, 'taken'))
      await disk.write(join(own, 'taken', 'below'), bytes('x'))
      await diskFault(disk.write(join(own, 'taken'), bytes('x')), 'failed', join(own, 'taken'))
      expect((await disk.list(own)).map(({ name }) => name)).toEqual(['taken'])
    })
    promise('read refuses a file above its limit', async (own) => {
      await disk.write(join(own, 'a'), bytes('1234'))
      await diskFault(disk.read(join(own, 'a'), 3), 'tooLarge', join(own, 'a'))
    })
    promise('an operation on a missing file is a fault with the code absent', async (own) => {
      const path = join(own, 'absent')
      await diskFault(disk.read(path, 1), 'absent', path)
      await diskFault(disk.openRead(path), 'absent', path)
      await diskFault(disk.list(path), 'absent', path)
      await diskFault(disk.remove(path), 'absent', path)
      await diskFault(disk.syncFolder(path), 'absent', path)
      await diskFault(disk.freeBytes(path), 'absent', path)
      await diskFault(disk.deviceOf(path), 'absent', path)
      await diskFault(disk.rename(path, join(own, 'b')), 'absent', path)
      await diskFault(disk.openWrite(join(path, 'below'), 'append'), 'absent')
      await diskFault(disk.write(join(path, 'below'), bytes('')), 'absent')
      expect(await disk.stat(path)).toBeUndefined()
      await disk.write(path, bytes(''))
      expect(await disk.stat(join(path, 'below'))).toBeUndefined()
      await diskFault(disk.read(join(path, 'below'), 1), 'absent')
    })
    promise('an operation on a folder instead of a file, or the reverse, is a fault', async (own) => {
      const [file, below] = [join(own, 'file'), join(own, 'folder')]
      await disk.makeFolder(below)
      await disk.write(file, bytes('x'))
      await diskFault(disk.read(below, 1), 'failed', below)
      await diskFault(disk.remove(below), process.platform === 'darwin' ? 'denied' : 'failed', below)
      await diskFault(disk.openWrite(below, 'append'), 'failed', below)
      await diskFault(disk.list(file), 'absent', file)
      await diskFault(disk.makeFolder(file), 'exists', file)
      await diskFault(disk.makeFolder(join(file, 'below')), 'absent')
      await diskFault(disk.rename(file, below), 'failed', file)
      await diskFault(disk.rename(below, file), 'absent', below)
    })
    promise('create refuses an existing file, append continues it', async (own) => {
      const path = join(own, 'a')
      const made = await disk.openWrite(path, 'create')
      expect(made.position).toBe(0)
      await made.append([bytes('one '), bytes(''), bytes('two ')])
      expect(made.position).toBe(8)
      await made.close()
      await diskFault(disk.openWrite(path, 'create'), 'exists', path)
      const more = await disk.openWrite(path, 'append')
      expect(more.position).toBe(8)
      await more.append([bytes('three')])
      await more.sync()
      await more.truncate(7)
      expect(more.position).toBe(7)
      await more.append([bytes('!')])
      await more.truncate(10)
      await more.close()
      expect(text(await disk.read(path, 100))).toBe('one two!\0\0')
      await (await disk.openWrite(join(own, 'b'), 'append')).close()
      expect(await disk.stat(join(own, 'b'))).toMatchObject({ name: 'b', kind: 'file', bytes: 0 })
    })
    promise('many chunks in one append are written in order', async (own) => {
      // More than IOV_MAX (1024) in one call.
      const chunks = Array.from({ length: 3000 }, (_, index) => bytes(`${index},`))
      const file = await disk.openWrite(join(own, 'a'), 'create')
      await file.append(chunks)
      await file.close()
      expect(text(await disk.read(join(own, 'a'), 1e6))).toBe(Buffer.concat(chunks).toString())
      expect(file.position).toBe(Buffer.concat(chunks).length)
    })
    promise('a read fills its buffer, except at the end of the file', async (own) => {
      await disk.write(join(own, 'a'), bytes('0123456789'))
      const file = await disk.openRead(join(own, 'a'))
      expect(await file.bytes()).toBe(10)
      for (const [position, length, expected] of [
        [0, 4, '0123'],
        [8, 4, '89'],
        [10, 4, ''],
        [99, 4, ''],
        [3, 0, ''],
      ] as const) {
        const into = new Uint8Array(length)
        expect(text(into.subarray(0, await file.read(into, position)))).toBe(expected)
      }
      await file.close()
      await diskFault(file.read(new Uint8Array(1), 0), 'failed')
    })
    promise('an open file can be read after it was removed', async (own) => {
      await disk.write(join(own, 'a'), bytes('still here'))
      const file = await disk.openRead(join(own, 'a'))
      await disk.remove(join(own, 'a'))
      const into = new Uint8Array(5)
      expect(await file.read(into, 0)).toBe(5)
      expect(text(into)).toBe('still')
      await file.close()
    })
    promise('rename moves a file, replaces another one, and moves a folder with its content', async (own) => {
      await disk.makeFolder(join(own, 'x', 'y'))
      await disk.write(join(own, 'x', 'y', 'a'), bytes('a'))
      await disk.write(join(own, 'b'), bytes('b'))
      await disk.rename(join(own, 'b'), join(own, 'x', 'y', 'a'))
      await disk.rename(join(own, 'x', 'y', 'a'), join(own, 'x', 'y', 'a'))
      await disk.rename(join(own, 'x', 'y'), join(own, 'z'))
      await disk.syncFolder(own)
      expect(text(await disk.read(join(own, 'z', 'a'), 1))).toBe('b')
      expect((await disk.list(own)).map(({ name, kind }) => [name, kind])).toEqual([
        ['x', 'folder'],
        ['z', 'folder'],
      ])
      expect(await disk.list(join(own, 'x'))).toEqual([])
    })
    promise('a list is sorted by name', async (own) => {
      for (const name of ['b', 'B', 'a10', 'a9', 'ä', '.hidden']) await disk.write(join(own, name), bytes(name))
      expect((await disk.list(own)).map(({ name }) => name)).toEqual(['.hidden', 'B', 'a10', 'a9', 'b', 'ä'])
    })
    promise('the pages of a folder contain each entry once, whatever their number', async (own) => {
      const names = Array.from({ length: 600 }, (_, index) => `${index}.warc`)
      for (const name of names) await (await disk.openWrite(join(own, name), 'create')).close()
      await disk.makeFolder(join(own, 'folder'))
      await disk.write(join(own, 'long'), bytes('1234'))
      const found: [string, string, number][] = []
      let pages = 0
      for await (const page of disk.pages(own)) {
        pages += 1
        found.push(...page.map((entry): [string, string, number] => [entry.name, entry.kind, entry.bytes]))
      }
      expect(pages).toBeGreaterThan(1)
      expect(found.filter(([name]) => name === 'folder' || name === 'long').sort()).toEqual([
        ['folder', 'folder', 0],
        ['long', 'file', 4],
      ])
      expect(found.map(([name]) => name).sort()).toEqual([...names, 'folder', 'long'].sort())
    })
    promise('reading pages can end early; a missing folder is absent', async (own) => {
      for (const name of ['a', 'b', 'c']) await disk.write(join(own, name), bytes(name))
      for await (const page of disk.pages(own)) {
        expect(page.length).toBeGreaterThan(0)
        break
      }
      await diskFault(disk.pages(join(own, 'absent'))[Symbol.asyncIterator]().next(), 'absent', join(own, 'absent'))
    })
    promise('the real path of a folder does not depend on the links that lead to it', async (own) => {
      await disk.makeFolder(join(own, 'x', 'y'))
      const real = await disk.realPath(join(own, 'x'))
      expect(await disk.realPath(`${own}/x/y/../../x`)).toBe(real)
      expect(await disk.realPath(real)).toBe(real)
      await expect(disk.realPath(join(own, 'nothing'))).rejects.toMatchObject({ code: 'absent' })
      expect(await Promise.all(['x', 'nothing'].map((name) => disk.isTaken(join(own, name))))).toEqual([true, false])
    })
    promise('makeFolder creates missing parents and accepts an existing folder', async (own) => {
      await disk.makeFolder(join(own, 'x', 'y', 'z'))
      await disk.makeFolder(join(own, 'x', 'y'))
      expect(await disk.stat(join(own, 'x', 'y', 'z'))).toMatchObject({ name: 'z', kind: 'folder', bytes: 0 })
    })
    promise('syncFile does not change a file, and creates none', async (own) => {
      await disk.write(join(own, 'a'), bytes('one'), 0o444)
      await disk.syncFile(join(own, 'a'))
      expect(text(await disk.read(join(own, 'a'), 100))).toBe('one')
      await diskFault(disk.syncFile(join(own, 'b')), 'absent', join(own, 'b'))
      expect((await disk.list(own)).map(({ name }) => name)).toEqual(['a'])
    })
    if (process.platform !== 'win32') {
      const modeOf = async (path: string) => ((await disk.stat(path))?.mode ?? -1).toString(8)
      /** Permissions of everything that the disk creates in a folder with these permissions, starting with the folder itself. */
      const madeIn = async (own: string, mode: number) => {
        const folder = join(own, mode.toString(8))
        await disk.makeFolder(folder, mode)
        const [written, secret, created, appended, moved] = ['w', 's', 'c', 'a', 'm'].map((name) => join(folder, name))
        await disk.write(written!, bytes('x'))
        await disk.write(secret!, bytes('x'), 'closed')
        await (await disk.openWrite(created!, 'create')).close()
        await (await disk.openWrite(appended!, 'append')).close()
        await disk.makeFolder(join(folder, 'x', 'y'))
        await disk.write(join(folder, 'x', 'y', 'deep'), bytes('x'))
        await disk.rename(join(folder, 'x', 'y', 'deep'), moved!)
        const paths = [
          folder,
          written!,
          created!,
          appended!,
          moved!,
          join(folder, 'x'),
          join(folder, 'x', 'y'),
          secret!,
        ]
        return (await Promise.all(paths.map(modeOf))).join(' ')
      }
      promise('files and folders inherit the restrictions of a folder that other accounts cannot read', async (own) => {
        expect(await madeIn(own, 0o700)).toBe('700 600 600 600 600 700 700 600')
        expect(await madeIn(own, 0o2770)).toBe('2770 660 660 660 660 2770 2770 660')
        expect(await madeIn(own, 0o750)).toBe('750 640 640 640 640 750 750 640')
      })
      promise('in a folder that other accounts can read the umask applies, except to secrets', async (own) => {
        const [folder, ...made] = (await madeIn(own, 0o755)).split(' ')
        expect([folder, made.at(-1)]).toEqual(['755', '600'])
        const [file, below] = (await trial.usualModes()).split(' ')
        expect(made.slice(0, -1)).toEqual([file, file, file, file, below, below])
      })
      promise('permissions can be changed, are listed, and are kept by an append', async (own) => {
        const [file, folder] = [join(own, 'a'), join(own, 'x')]
        await disk.write(file, bytes('x'), 0o640)
        await disk.makeFolder(folder)
        expect(await modeOf(file)).toBe('640')
        await disk.setMode(file, 0o604)
        await disk.setMode(folder, 0o711)
        await (await disk.openWrite(file, 'append')).close()
        await disk.makeFolder(folder, 0o700)
        const told = (entries: Entry[]) => entries.map(({ name, mode }) => `${name} ${mode?.toString(8)}`).sort()
        expect(told(await disk.list(own))).toEqual(['a 604', 'x 711'])
        const paged: Entry[] = []
        for await (const page of disk.pages(own)) paged.push(...page)
        expect(told(paged)).toEqual(['a 604', 'x 711'])
        await diskFault(disk.setMode(join(own, 'absent'), 0o600), 'absent', join(own, 'absent'))
      })
    }
    promise('free space is reported', async (own) => {
      expect(await disk.freeBytes(own)).toBeGreaterThan(0)
    })
    promise('a file is on the same device as its folder', async (own) => {
      await disk.write(join(own, 'a'), bytes('one'))
      expect(await disk.deviceOf(join(own, 'a'))).toBe(await disk.deviceOf(own))
    })
    promise('modifiedAtMs is about now', async (own) => {
      await disk.write(join(own, 'a'), bytes(''))
      const entry = await disk.stat(join(own, 'a'))
      expect(Math.abs((entry?.modifiedAtMs ?? 0) - clock.now())).toBeLessThan(60_000)
    })
  })

  describe('network', () => {
    /** A server in this world and a connection to it. */
    function conversation(
      what: string,
      server: Handler,
      client: (connection: Connection, target: Target) => Promise<void>,
    ): void {
      test(what, async () => {
        const target = await trial.serve(server)
        await trial.run(
          network.connect(target).then(async (connection) => {
            await client(connection, target)
            connection.close()
          }),
        )
      })
    }
    const large = Buffer.alloc(3_000_000, '0123456789abcdef')

    conversation(
      'bytes arrive both ways, whole and in order',
      async (far) => {
        const asked = await readBytes(far, 5)
        await far.write(asked)
        await far.write(large)
      },
      async (near) => {
        await near.write(bytes('hel'))
        await near.write(bytes('lo'))
        expect(near.remoteAddress).not.toBe('')
        expect(near.security).toBeUndefined()
        const all = await readAll(near)
        expect(all.length).toBe(5 + large.length)
        expect(all.equals(Buffer.concat([bytes('hello'), large]))).toBe(true)
        expect(await near.read()).toBeUndefined()
      },
    )
    conversation(
      'a slow reader gets all bytes',
      (far) => far.write(large),
      async (near) => {
        const parts: Uint8Array[] = []
        for (;;) {
          await clock.sleep(1)
          const part = await near.read()
          if (!part) break
          parts.push(part)
        }
        expect(Buffer.concat(parts).equals(large)).toBe(true)
      },
    )
    conversation(
      'an aborted read loses nothing',
      async (far) => {
        await readBytes(far, 1)
        await far.write(bytes('late'))
        await readBytes(far, 1)
      },
      async (near) => {
        expect(await networkFault(near.read(AbortSignal.abort()))).toBe('aborted')
        for (let round = 0; round < 30; round++) {
          const stop = new AbortController()
          const read = networkFault(near.read(stop.signal))
          await clock.sleep(0)
          stop.abort()
          expect(await read).toBe('aborted')
        }
        await near.write(bytes('.'))
        expect(text(await readBytes(near, 4))).toBe('late')
      },
    )
    conversation(
      'close ends a pending read and can be repeated',
      async (far) => void (await far.read()),
      async (near) => {
        const read = near.read()
        await clock.sleep(1)
        near.close()
        near.close()
        expect(await read).toBeUndefined()
        expect(await near.read()).toBeUndefined()
        expect(await networkFault(near.write(bytes('x')))).toBe('aborted')
      },
    )
    conversation(
      'bytes that a server sent before it closed still arrive',
      async (far) => {
        await far.write(bytes('last words'))
      },
      async (near) => {
        await clock.sleep(50)
        expect((await readAll(near)).toString()).toBe('last words')
      },
    )
    conversation(
      'writing to a connection that the other end has closed ends with a fault',
      async () => undefined,
      async (near) => {
        await readAll(near)
        const write = async () => {
          for (;;) {
            await near.write(bytes('is anybody there?'))
            await clock.sleep(1)
          }
        }
        expect(await networkFault(write())).toMatch(/reset|failed/)
      },
    )

    test('a port without a listener: refused', async () => {
      const target = await closedTarget(trial)
      expect(await trial.run(networkFault(network.connect(target)))).toBe('refused')
    })
    test.each([
      '127.0.0.1',
      '::1',
      '169.254.169.254',
      '::ffff:10.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::1',
      'fec0::1',
    ])('an address that is not on the public Internet is refused unless it is allowed: %s', async (address) => {
      let reached = 0
      const target = { ...(await trial.serve(async () => void (reached += 1))), privateAllowed: false }
      expect(await trial.run(networkFault(network.connect({ ...target, address })))).toBe('private')
      expect(await trial.run(networkFault(network.connect({ ...target, host: address })))).toBe('private')
      expect(reached).toBe(0)
    })
    test('an aborted connect', async () => {
      const target = await trial.serve(async () => undefined)
      expect(await trial.run(networkFault(network.connect(target, AbortSignal.abort())))).toBe('aborted')
      const stop = new AbortController()
      const connect = networkFault(network.connect(target, stop.signal))
      stop.abort()
      expect(await trial.run(connect)).toBe('aborted')
    })
    test('an IP address bypasses the resolver', async () => {
      const target = await trial.serve((far) => far.write(bytes('here')))
      const address = await trial.run(
        network.connect(target).then((connection) => (connection.close(), connection.remoteAddress)),
      )
      const near = await trial.run(network.connect({ ...target, host: 'nowhere.invalid', address }))
      expect((await trial.run(readAll(near))).toString()).toBe('here')
      near.close()
    })
    test('plain text where TLS is expected', async () => {
      const target = await trial.serve(async (far) => {
        await readBytes(far, 1)
        await far.write(bytes('HTTP/1.1 400 Bad Request\r\n\r\n'))
      })
      expect(await trial.run(networkFault(network.connect({ ...target, tls: true })))).toBe('tlsFailed')
    })
  })

  describe('threads', () => {
    const module = new URL('./testing/conformanceTask.ts', import.meta.url)
    const ask = (action: string, value: string | number = 0, options = {}) =>
      threads.run(module, { action, value }, options)

    test('more tasks than threads: each gets its own result', async () => {
      const values = Array.from({ length: 24 }, (_, index) => index)
      const outputs = await trial.run(Promise.all(values.map((value) => ask('echo', value))))
      const echo = { bytes: new Uint8Array([1, 2, 3]), when: new Date(0), map: new Map([[1, undefined]]) }
      expect(outputs).toEqual(values.map((value) => ({ value, ...echo })))
    })
    test('reports arrive in order and before the result', async () => {
      const reports: number[] = []
      await trial.run(ask('countTo', 5, { onReport: (report: number) => reports.push(report) }))
      expect(reports).toEqual([1, 2, 3, 4, 5])
    })
    test('faults keep class, code, path and causes', async () => {
      const disk = await trial.run(caught(ask('diskFault', '/a/b')))
      expect(disk).toBeInstanceOf(DiskFault)
      expect(disk).toMatchObject({
        name: 'DiskFault',
        code: 'full',
        path: '/a/b',
        message: 'disk full: /a/b',
      })
      expect(disk).toMatchObject({ cause: { name: 'TypeError', message: 'the cause', cause: { message: 'the root' } } })
      const network = await trial.run(caught(ask('networkFault', 'gone')))
      expect(network).toBeInstanceOf(NetworkFault)
      expect(network).toMatchObject({
        name: 'NetworkFault',
        code: 'reset',
        where: 'gone',
        message: 'connection reset: gone',
      })
      expect(await trial.run(caught(ask('readAbsent', '/nowhere/at/all')))).toMatchObject({
        code: 'absent',
        path: '/nowhere/at/all',
      })
    })
    test('other errors keep name, text, stack and properties that can be cloned', async () => {
      const error = await trial.run(caught(ask('error', 'too far')))
      expect(error).toMatchObject({ name: 'RangeError', message: 'too far', code: 'E_TRIAL', at: ['a', 1] })
      expect(error).not.toHaveProperty('unclonable')
      expect(error instanceof Error && error.stack).toContain('conformanceTask.ts')
      expect(await trial.run(caught(ask('text', 'only text')))).toMatchObject({ message: 'only text' })
    })
    test('refuses what cannot be cloned, in both directions, and the pool continues', async () => {
      expect(await trial.run(caught(threads.run(module, { action: 'echo', value: () => 1 })))).toMatchObject({
        name: 'DataCloneError',
      })
      expect(await trial.run(caught(ask('unclonable')))).toMatchObject({ name: 'DataCloneError' })
      expect(await trial.run(ask('echo', 1))).toMatchObject({ value: 1 })
    })
    test('a module without a task, and a missing module', async () => {
      expect(await trial.run(caught(threads.run(new URL('./world.ts', import.meta.url), 0)))).toBeInstanceOf(Error)
      expect(await trial.run(caught(threads.run(new URL('./absent.thread.ts', import.meta.url), 0)))).toBeInstanceOf(
        Error,
      )
    })
    test('abort: before the start, while waiting, while running', async () => {
      const reason = new Error('no longer wanted')
      expect(await trial.run(caught(ask('echo', 1, { signal: AbortSignal.abort(reason) })))).toBe(reason)
      const stops = Array.from({ length: 20 }, () => new AbortController())
      const ends = stops.map(({ signal }) => caught(ask('untilAborted', 0, { signal })))
      for (const stop of stops.toReversed()) stop.abort(reason)
      expect(await trial.run(Promise.all(ends))).toEqual(stops.map(() => reason))

      const stop = new AbortController()
      const begun = ask('untilAborted', 0, { signal: stop.signal, onReport: () => stop.abort(reason) })
      expect(await trial.run(caught(begun))).toBe(reason)
      // A late word of the task before must not reach the one that has the thread now.
      expect(await trial.run(Promise.all([ask('echo', 1), ask('echo', 2)]))).toMatchObject([{ value: 1 }, { value: 2 }])
    })
    test('a dedicated thread keeps its memory between tasks, and does nothing more once it is closed', async () => {
      const own = threads.own({ heapBytesMax: 64 * 2 ** 20, stopMsMax: 10 })
      const reason = new Error('no longer wanted')
      const tell = (action: string, value: string, options = {}) => own.run(module, { action, value }, options)
      const [first] = await trial.run(tell('remember', 'own 1').then((all) => (all as string[]).slice(-1)))
      expect(first).toBe('own 1')
      expect(await trial.run(tell('remember', 'own 2'))).toEqual(expect.arrayContaining(['own 1', 'own 2']))
      expect(await trial.run(caught(tell('error', 'broken')))).toMatchObject({ name: 'RangeError', message: 'broken' })
      expect(await trial.run(caught(tell('echo', '', { signal: AbortSignal.abort(reason) })))).toBe(reason)
      expect([own.ended, threads.count > 0]).toEqual([false, true])
      own.close()
      own.close()
      expect(own.ended).toBe(true)
      expect(String(await trial.run(caught(tell('echo', ''))))).toContain('this thread has ended')
    })
  })
})

describe('real world only', () => {
  const trial = realTrial()
  const { disk, network, threads } = trial.world
  afterAll(() => trial.end())

  test.runIf(process.platform === 'linux')('a full disk', async () => {
    // /dev/full takes nothing: full(4).
    const file = await disk.openWrite('/dev/full', 'append')
    const fault = await caught(file.append([bytes('x')]))
    expect(fault).toBeInstanceOf(DiskFault)
    expect(fault).toMatchObject({ code: 'full', path: '/dev/full' })
    expect(file.position).toBe(0)
    await file.close()
  })
  test.runIf(process.platform === 'linux')('an operation that no account is permitted is denied', async () => {
    // Not even root may unlink in /proc.
    expect(await caught(disk.remove('/proc/version'))).toMatchObject({ code: 'denied', path: '/proc/version' })
  })
  test.skipIf(process.platform === 'win32')(
    'the mode applies from the first byte, also if an interrupted write left a file',
    async () => {
      const folder = await trial.folder()
      const { stat, writeFile } = await import('node:fs/promises')
      await writeFile(join(folder, `.secret.${threadId}-0.part`), 'interrupted', { mode: 0o644 })
      await disk.write(join(folder, 'secret'), bytes('key'), 0o600)
      expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600)
      expect((await disk.list(folder)).map(({ name }) => name)).toEqual(['secret'])
    },
  )
  test.skipIf(process.platform === 'win32')('a link is followed to its target', async () => {
    const folder = await trial.folder()
    const { symlink } = await import('node:fs/promises')
    await symlink(folder, join(folder, 'self'))
    expect(await disk.realPath(join(folder, 'self'))).toBe(await disk.realPath(folder))
    await symlink(join(folder, 'nothing'), join(folder, 'nowhere'))
    expect(await disk.stat(join(folder, 'nowhere'))).toBeUndefined()
    expect(await disk.isTaken(join(folder, 'nowhere'))).toBe(true)
  })
  test.skipIf(process.platform === 'win32')('a pipe blocks no reader', async () => {
    const path = join(await trial.folder(), 'pipe.warc')
    const { execFileSync } = await import('node:child_process')
    execFileSync('mkfifo', [path])
    expect(await caught(disk.openRead(path))).toMatchObject({ code: 'failed', path })
  })
  test('a host name that does not exist', async () => {
    const target = { host: 'nowhere.invalid', port: 80, tls: false, connectMsMax: 10_000, privateAllowed: true }
    expect(await networkFault(network.connect(target))).toBe('unknownHost')
  })
  test('a thread that dies rejects only its own task, and the pool continues', async () => {
    const module = new URL('./testing/conformanceTask.ts', import.meta.url)
    const [dead, alive] = await Promise.all([
      caught(threads.run(module, { action: 'die', value: 3 })),
      threads.run(module, { action: 'echo', value: 'alive' }),
    ])
    expect(String(dead)).toContain('ended with code 3 while running')
    expect(alive).toMatchObject({ value: 'alive' })
    expect(await threads.run(module, { action: 'echo', value: 'after' })).toMatchObject({ value: 'after' })
  })

  describe('a dedicated thread dies alone', () => {
    const module = new URL('./testing/conformanceTask.ts', import.meta.url)
    const open = () => threads.own({ heapBytesMax: 64 * 2 ** 20, stopMsMax: 10 })
    test.each([
      ['fill', /memory limit/],
      ['die', /ended with code 3/],
    ])('%s', async (action, text) => {
      const own = open()
      const other = open()
      const ends = [caught(own.run(module, { action, value: 3 })), other.run(module, { action: 'remember', value: 1 })]
      const [dead, alive] = await Promise.all(ends)
      expect(String(dead)).toMatch(text)
      expect([own.ended, other.ended, alive]).toEqual([true, false, [1]])
      other.close()
    })
    test('a thread that ignores its abort signal is terminated', async () => {
      const own = open()
      const stop = new AbortController()
      const onReport = () => stop.abort(new Error('long enough'))
      const spun = own.run(module, { action: 'spin', value: 0 }, { signal: stop.signal, onReport })
      expect(String(await caught(spun))).toBe('Error: long enough')
      expect(String(await caught(own.run(module, { action: 'echo', value: 0 })))).toMatch(/ended/)
    })
    test('output is kept for its task up to a limit', async () => {
      const own = open()
      const print = (value: string) => own.run<unknown, string[]>(module, { action: 'print', value })
      expect(await print('said')).toEqual(['', 'said\nand said\nbytes', ''])
      expect((await print('x'.repeat(100_000)))[1]).toHaveLength(65_536)
      own.close()
    })
    test('an error between two tasks is reported to the next task', async () => {
      const own = open()
      await own.run(module, { action: 'throwLater', value: 'rejected later' })
      for (let thrown: unknown; !own.ended || thrown === undefined;) {
        thrown = await caught(
          own.run(module, { action: 'echo', value: 0 }).then(() => Promise.reject(new Error('again'))),
        )
        if (String(thrown) !== 'Error: again') expect(String(thrown)).toBe('Error: rejected later')
      }
      expect(String(await caught(own.run(module, { action: 'echo', value: 0 })))).toBe('Error: rejected later')
    })
  })
})

describe('seeded world only', () => {
  const serving = (seed: number, trouble: Trouble | undefined) => {
    const world = seededWorld({ seed })
    world.network.serve('a.test', 80, async (far) => {
      await readBytes(far, 1)
      await far.write(bytes('0123456789'))
    })
    world.network.trouble('a.test', 80, trouble)
    return { world, target: { host: 'a.test', port: 80, tls: false, connectMsMax: 5_000, privateAllowed: true } }
  }
  const ask = async (world: SeededWorld, target: Target) => {
    const near = await world.network.connect(target)
    await near.write(bytes('?'))
    const parts: Uint8Array[] = []
    const code = await networkFault(readInto(near, parts))
    return { got: Buffer.concat(parts).toString(), code }
  }
  for (const [trouble, expected] of [
    [{ kind: 'refuse' }, 'refused'],
    [{ kind: 'unreachable' }, 'unreachable'],
    [{ kind: 'noConnection' }, 'timeout'],
  ] as const) {
    test(`trouble: ${trouble.kind}`, async () => {
      const { world, target } = serving(1, trouble)
      const startMs = world.clock.now()
      expect(await world.run(networkFault(world.network.connect(target)))).toBe(expected)
      expect(world.clock.now() - startMs).toBeLessThanOrEqual(5_000)
      world.network.trouble('a.test', 80, undefined)
      expect(await world.run(ask(world, target))).toEqual({ got: '0123456789', code: undefined })
    })
  }
  test('trouble: a reset after a number of bytes, which arrive first', async () => {
    const { world, target } = serving(2, { kind: 'reset', afterBytes: 7 })
    expect(await world.run(ask(world, target))).toEqual({ got: '0123456', code: 'reset' })
  })
  test('trouble: no answer; time passes and the reader gives up', async () => {
    const { world, target } = serving(3, { kind: 'noAnswer' })
    const stop = new AbortController()
    const patience = world.clock.sleep(60_000).then(() => stop.abort())
    const read = world.network.connect(target).then((near) => networkFault(near.read(stop.signal)))
    expect(await world.run(read)).toBe('aborted')
    await world.run(patience)
  })
  test('reports a wait that can never end', async () => {
    const { world, target } = serving(4, { kind: 'noAnswer' })
    const read = world.network.connect(target).then((near) => near.read())
    await expect(world.run(read)).rejects.toThrow('stands still')
  })
  test('TLS is only a label, and plain text to a port with TLS breaks the connection', async () => {
    const world = seededWorld({ seed: 5 })
    const security = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', trusted: true, problem: undefined }
    world.network.serve('s.test', 443, (far) => far.write(bytes('secret')), security)
    const target = { host: 's.test', port: 443, tls: true, connectMsMax: 1000, privateAllowed: true }
    const near = await world.run(world.network.connect(target))
    expect(near.security).toEqual(security)
    expect((await world.run(readAll(near))).toString()).toBe('secret')
    const plain = await world.run(world.network.connect({ ...target, tls: false }))
    expect(await world.run(networkFault(plain.read()))).toBe('reset')
    expect(await world.run(networkFault(world.network.connect({ ...target, host: 'other.test' })))).toBe('unknownHost')
  })
  test('a bug of a server ends the run with it', async () => {
    const world = seededWorld({ seed: 6 })
    world.network.serve('a.test', 80, async () => {
      throw new TypeError('a bug')
    })
    const read = world.network
      .connect({ host: 'a.test', port: 80, tls: false, connectMsMax: 1000, privateAllowed: true })
      .then((near) => near.read())
    await expect(world.run(read)).rejects.toThrow('a bug')
  })
  test('equal seeds give equal runs, and other seeds others', async () => {
    const story = async (seed: number) => {
      const { world, target } = serving(seed, undefined)
      const lines: string[] = []
      await world.run(
        Promise.all(
          ['a', 'b', 'c', 'd'].map(async (name) => {
            await world.disk.write(`/${name}`, bytes(name))
            lines.push(`${name} written ${world.clock.now()} ${world.chance.below(1000)}`)
            await ask(world, target)
            lines.push(`${name} answered ${world.clock.now()} ${world.chance.uuid()}`)
          }),
        ),
      )
      return lines
    }
    expect(await story(7)).toEqual(await story(7))
    expect(await story(7)).not.toEqual(await story(8))
  })
})

async function readInto(connection: Connection, parts: Uint8Array[]): Promise<void> {
  for (let part = await connection.read(); part; part = await connection.read()) parts.push(part)
}

async function readAll(connection: Connection): Promise<Buffer> {
  const parts: Uint8Array[] = []
  await readInto(connection, parts)
  return Buffer.concat(parts)
}

/** Exactly so many bytes, which must not come together with others. */
async function readBytes(connection: Connection, count: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  while (parts.reduce((sum, part) => sum + part.length, 0) < count) {
    const part = await connection.read()
    if (!part) throw new NetworkFault('reset')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function caught(act: Promise<unknown>): Promise<unknown> {
  try {
    await act
  } catch (error) {
    return error
  }
  return undefined
}

/** The code of the fault, undefined when all went well; anything but a `NetworkFault` is a bug. */
async function networkFault(act: Promise<unknown>): Promise<string | undefined> {
  const error = await caught(act)
  if (error !== undefined && !(error instanceof NetworkFault)) throw new Error('no network fault', { cause: error })
  return error?.code
}

/** A target whose port no server listens on any more. */
async function closedTarget(trial: Trial): Promise<Target> {
  if (trial.world.network instanceof Object && 'serve' in trial.world.network) {
    const { port, ...rest } = await trial.serve(async () => undefined)
    return { ...rest, port: port + 1000 }
  }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { host: '127.0.0.1', port: address.port, tls: false, connectMsMax: 10_000, privateAllowed: true }
}
