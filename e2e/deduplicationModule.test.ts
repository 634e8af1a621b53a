/** Deduplication with a lookup of the user's own: the module of docs/modules.md against a CDX server, and modules that fail or lie. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sourceOf } from '../src-main/formats/bytes/testing/sourceOf.ts'
import { readRecords } from '../src-main/formats/records/readRecords.ts'
import { initArchive, loupeHere } from './loupeProcess.ts'
import { listen, type Listening } from './sites/server.ts'

let folder: string
let archive: string
let site: Listening
let cdxServer: Listening
/** Lines that the CDX server has. */
let lines: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-dedup-module-'))
  site = await listen(
    createServer(({ url = '/' }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end()
      response.writeHead(200, { 'Content-Type': url === '/' ? 'text/html' : 'image/png' })
      response.end(url === '/' ? '<img src="/a.png"><img src="/b.png">' : `picture ${url} `.repeat(200))
    }),
  )
  cdxServer = await listen(
    createServer(({ url = '' }, response) => {
      const wanted = new URL(url, 'http://cdx/').searchParams.get('url') ?? ''
      response.end(lines.filter((line) => line.split(' ')[2] === wanted).join('\n'))
    }),
  )
})
afterAll(async () => {
  await site.close()
  await cdxServer.close()
  await rm(folder, { recursive: true, force: true })
})

async function archiveWith(name: string, module: string): Promise<void> {
  archive = join(folder, name)
  const path = join(folder, `${name}.mjs`)
  await writeFile(path, module)
  await mkdir(archive)
  const server = `http://${cdxServer.address}/`
  await writeFile(
    join(archive, 'loupe.toml'),
    `[harvest]\ndeduplicationIndex = ${JSON.stringify(path)}\n[harvest.deduplicationIndexSettings]\nserver = "${server}"\n`,
  )
  await initArchive(archive)
}

async function harvested(): Promise<string[]> {
  const { code, stderr } = await loupeHere(
    '--archive',
    archive,
    'harvest',
    `http://${site.address}/`,
    '--delay-ms',
    '0',
  )
  expect(code, stderr).toBe(0)
  return stderr.split('\n')
}

/** Types of the records of a job, by path. */
async function typesOf(job: number): Promise<Record<string, string>> {
  const replica = join(archive, 'replicas/ONE')
  const name = (await readdir(replica)).find((each) => each.startsWith(`${job}-${job}-`)) ?? ''
  const found: Record<string, string> = {}
  for await (const { type, url } of readRecords(sourceOf(await readFile(join(replica, name)))))
    if (type === 'response' || type === 'revisit') found[new URL(url ?? '').pathname] = type
  return found
}

async function example(): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../docs/modules.md'), 'utf8')
  const section = page.slice(page.indexOf('## A deduplication index'))
  return /```js\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
}

const stored = { '/': 'response', '/robots.txt': 'response', '/a.png': 'response', '/b.png': 'response' }

test('the module of the documentation asks a CDX server, and what it names becomes a revisit', async () => {
  await archiveWith('example', await example())
  await harvested()
  expect(await typesOf(1)).toEqual(stored)
  const path = join(folder, 'example.cdx')
  expect((await loupeHere('--archive', archive, 'export', '--jobs', '1', '--format', 'cdx', path)).code).toBe(0)
  // One of the pictures is not in the index of the server.
  lines = (await readFile(path, 'utf8')).split('\n').filter((line) => !line.includes('/b.png'))
  await harvested()
  expect(await typesOf(2)).toEqual({ ...stored, '/a.png': 'revisit' })
})

test('a module that names a wrong record causes no wrong reference', async () => {
  const [line = ''] = lines.filter((each) => each.includes('/a.png'))
  const [, , , , , , , , , offset, filename] = line.split(' ')
  await archiveWith(
    'liar',
    `export default () => ({ lookUp: () => [{ filename: '${filename}', offset: ${offset} }, { filename: 'none', offset: 3 }] })`,
  )
  await harvested()
  await harvested()
  expect(await typesOf(2)).toEqual(stored)
})

test.each([
  ['a module that throws', `export default () => ({ lookUp() { throw new Error('no connection') } })`, 'no connection'],
  ['an answer of another form', `export default () => ({ lookUp: () => 'nothing' })`, 'filename and offset'],
  ['a module without the function', `export default () => ({})`, 'lookUp'],
])('%s is named in the log of the job, and everything is stored', async (name, module, why) => {
  await archiveWith(name.replaceAll(' ', '-'), module)
  const notes = await harvested()
  expect(notes.filter((note) => note.includes(why))).toHaveLength(1)
  expect(await typesOf(1)).toEqual(stored)
})
