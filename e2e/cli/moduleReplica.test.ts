/** A replica that the module in docs/modules.md keeps on a web server: stored, checked, and repaired in both directions. */
import { statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initArchive, loupeHere } from '../loupeProcess.ts'
import { listen, type Listening } from '../sites/server.ts'

let folder: string
let archive: string
let server: Listening
let isAway = false
const run = (...words: string[]) => loupeHere('--archive', archive, ...words)
const set = (setting: string, value: object) => run('settings', 'set', setting, JSON.stringify(value))
const objects = (...names: string[]) => join(folder, 'objects', ...names)
const copyIn = (name: string) => join(archive, 'replicas', 'ONE', name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-store-'))
  await mkdir(objects(), { recursive: true })
  server = await listen(createServer((request, response) => void answer(request, response)))
  archive = await initArchive(join(folder, 'archive'))
  const page = await readFile(join(import.meta.dirname, '../../docs/modules.md'), 'utf8')
  const module = join(folder, 'store.mjs')
  await writeFile(module, [...page.matchAll(/```js\n(.*?)```/gs)][1]?.[1] ?? '')
  await set('replicas', { ONE: 'replicas/ONE', CLOUD: module })
  await set('replicaSettings', { 'CLOUD.url': `http://${server.address}/` })
  await mkdir(join(folder, 'papers'))
  await writeFile(join(folder, 'papers/one.txt'), 'one '.repeat(1_000_000))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** A store as nginx offers it with dav_methods and autoindex_format json. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = objects(decodeURIComponent(request.url ?? ''))
  const end = (status: number, body: string | Buffer = '') => void response.writeHead(status).end(body)
  if (isAway) return end(503)
  const found = statSync(path, { throwIfNoEntry: false })
  if (request.method === 'PUT') {
    const bytes = await buffer(request).catch(() => undefined)
    if (bytes === undefined) return
    await writeFile(path, bytes)
    return end(201)
  }
  if (!found) return end(404)
  if (request.method === 'MOVE') {
    const to = objects(new URL(request.headers['destination'] as string).pathname)
    await mkdir(dirname(to), { recursive: true })
    await rename(path, to)
    return end(204)
  }
  if (found.isDirectory()) {
    const entries = await readdir(path, { withFileTypes: true })
    const rows = entries.map(async (entry) => ({
      name: entry.name,
      type: entry.isFile() ? 'file' : 'directory',
      size: (await stat(join(path, entry.name))).size,
    }))
    return end(200, JSON.stringify(await Promise.all(rows)))
  }
  response.setHeader('Content-Length', found.size)
  if (request.method === 'HEAD') return end(200)
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  response.setHeader('Content-Length', found.size - from)
  end(from > 0 ? 206 : 200, (await readFile(path)).subarray(from))
}

const names = async () => (await readdir(objects())).filter((name) => name.includes('warc')).toSorted()

test('files of a harvest are stored by the module, and checked by reading them again', async () => {
  const { code, stderr } = await run('harvest', join(folder, 'papers'), '--connector', 'folder')
  expect([code, stderr]).toEqual([0, expect.any(String)])
  expect(await names()).toEqual(
    (await readdir(join(archive, 'replicas/ONE'))).filter((name) => /warc/.test(name)).toSorted(),
  )
  for (const name of await names()) expect(await readFile(objects(name))).toEqual(await readFile(copyIn(name)))
  expect((await run('preserve', 'missing')).code).toBe(0)
  expect((await run('preserve', 'checksums')).code).toBe(0)
  expect((await run('preserve', 'status')).stdout).toMatch(/CLOUD/)
})

test('a lost file in a folder is restored from the module', async () => {
  const [name = ''] = await names()
  const good = await readFile(copyIn(name))
  await rm(copyIn(name))
  expect((await run('preserve', 'missing')).code).toBe(1)
  const { code, stdout } = await run('preserve', 'repair', '--yes-i-have-checked')
  expect([code, stdout]).toEqual([0, expect.any(String)])
  expect(await readFile(copyIn(name))).toEqual(good)
  expect((await readdir(join(archive, 'replicas/ONE'))).filter((each) => each.endsWith('.fetched'))).toEqual([])
})

test('a damaged copy of the module is set aside there and replaced', async () => {
  const [name = ''] = await names()
  await appendFile(objects(name), 'x')
  const bad = await readFile(objects(name))
  expect((await run('preserve', 'checksums')).code).toBe(1)
  const { code, stdout } = await run('preserve', 'repair', '--yes-i-have-checked')
  expect([code, stdout]).toEqual([0, expect.any(String)])
  expect(await readFile(objects(name))).toEqual(await readFile(copyIn(name)))
  const [kept = ''] = await readdir(objects('attic'))
  expect(await readFile(objects('attic', kept))).toEqual(bad)
  const restored = await run('preserve', 'attic', 'restore', '1', '--as', 'damaged.warc.gz')
  expect([restored.code, restored.stderr]).toEqual([0, expect.any(String)])
  expect(await readFile(copyIn('damaged.warc.gz'))).toEqual(bad)
  expect((await run('preserve', 'checksums')).code).toBe(0)
})

test('when the database and the folder are lost, the store suffices to recover both', async () => {
  for (const name of await readdir(archive)) if (name.startsWith('loupe.db')) await rm(join(archive, name))
  const kept = await names()
  for (const name of kept) await rm(copyIn(name))
  const { code, stdout, stderr } = await run('recover')
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/1 job restored/), expect.any(String)])
  for (const name of kept) expect(await readFile(copyIn(name))).toEqual(await readFile(objects(name)))
  expect((await run('preserve', 'missing')).code).toBe(0)
  expect((await run('preserve', 'checksums')).code).toBe(0)
  const job = JSON.parse((await run('--json', 'jobs', '1')).stdout) as { documents: object }
  expect(job.documents).toMatchObject({ fetched: 2 })
})

test('a store that does not answer is away: nothing counts as lost, and the reason is shown', async () => {
  isAway = true
  const missing = await run('preserve', 'missing')
  expect(missing.code).not.toBe(0)
  expect(missing.stdout + missing.stderr).toMatch(/The module of replica CLOUD failed: .* answered with 503/)
  isAway = false
  expect((await run('preserve', 'missing')).code).toBe(0)
})

test('a module in the archive, or an archive without a folder, is refused', async () => {
  const inside = join(archive, 'replicas/ONE/store.mjs')
  await writeFile(inside, 'export default () => ({})')
  const refused = await set('replicas', { ONE: 'replicas/ONE', CLOUD: inside })
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/Loupe runs nothing from an archive/)])
  const absent = await set('replicas', { ONE: 'replicas/ONE', CLOUD: '/nowhere/store.mjs' })
  expect([absent.code, absent.stderr]).toEqual([3, expect.stringMatching(/There is no file \/nowhere\/store\.mjs/)])
  const only = await set('replicas', { CLOUD: join(folder, 'store.mjs') })
  expect([only.code, only.stderr]).toEqual([
    4,
    expect.stringMatching(/at least one replica that stores files in a folder/),
  ])
})
