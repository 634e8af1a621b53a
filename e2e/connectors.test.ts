/** Each connector with the real engine and a real server or folder: the harvested and skipped resources, the
 *  resulting archive, and a job whose connector is uninstalled. */

import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import type { harvestDefinition } from '../src-main/contract/services/definition.ts'
import type { DocumentRow } from '../src-main/contract/services/documents.ts'
import type { JobWhole } from '../src-main/contract/services/jobDetails.ts'
import { textOf } from '../src-main/contract/words/render.ts'
import type { z } from 'zod'
import { listen, type Listening } from './sites/server.ts'
import { witnessFolder } from './witness.ts'

let folder: string
let engine: Engine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-connectors-'))
  engine = await openEngine({ archiveFolder: join(folder, 'archive'), shell: 'cli', version: '0.0.0', run: true })
})

afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const png = Buffer.from('89504e470d0a1a0a', 'hex')
type Page = [mediaType: string, body: string | Uint8Array]

/** A site of fixed pages. `asked` has the paths that were requested. */
async function site(
  pages: (origin: string) => Record<string, Page>,
): Promise<Listening & { origin: string; asked: string[] }> {
  const asked: string[] = []
  let known: Record<string, Page> = {}
  const listening = await listen(
    createServer((request, response) => {
      const path = request.url ?? ''
      if (path !== '/robots.txt') asked.push(path)
      const page = known[path]
      response.writeHead(page ? 200 : 404, { 'Content-Type': page?.[0] ?? 'text/plain' })
      response.end(page?.[1] ?? 'nothing')
    }),
  )
  const origin = `http://${listening.address}`
  known = pages(origin)
  return { ...listening, origin, asked }
}

const linked = '<a href="/unlisted">more</a><img src="/picture.png">'

test('a sitemap: its URLs are fetched, also from compressed parts, with their requisites and nothing beyond', async () => {
  const it = await site((origin) => ({
    '/sitemap.xml': [
      'application/xml',
      `<sitemapindex><sitemap><loc>${origin}/part.xml.gz</loc></sitemap></sitemapindex>`,
    ],
    '/part.xml.gz': [
      'application/gzip',
      gzipSync(
        `<urlset><url><loc>${origin}/one</loc><lastmod>2026-01-02</lastmod></url><url><loc>${origin}/two</loc></url>
         <url><loc>${origin}/old</loc><lastmod>2020-01-01</lastmod></url></urlset>`,
      ),
    ],
    '/one': ['text/html', linked],
    '/two': ['text/html', '<a href="/one">one</a>'],
    '/old': ['text/html', 'old'],
    '/unlisted': ['text/html', 'unlisted'],
    '/picture.png': ['image/png', png],
  }))
  const job = await harvested({
    seeds: [`${it.origin}/sitemap.xml`],
    connectors: { repository: { connector: 'sitemap', changedSince: '2025-01-01' } },
  })
  await it.close()
  expect(it.asked.toSorted()).toEqual(['/one', '/part.xml.gz', '/picture.png', '/sitemap.xml', '/two'])
  expect(job).toMatchObject({ status: 'Done', stopReason: 'DOWNLOAD_COMPLETE' })
  const rows = await documentsOf(job)
  expect(rows.find(({ url }) => url.endsWith('/unlisted'))).toMatchObject({ code: 'outOfScope' })
  const captured = (await witnessed(job))
    .filter(({ type }) => type === 'response')
    .map(({ url }) => new URL(url).pathname)
  expect(captured).toEqual(expect.arrayContaining(['/one', '/two', '/picture.png', '/part.xml.gz']))
})

test('a feed: its entries are fetched with their enclosures, and older parts on request', async () => {
  const it = await site((origin) => ({
    '/feed': [
      'application/atom+xml',
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><link rel="next" href="${origin}/feed2"/><link href="${origin}/"/>
       <entry><title>One</title><link href="${origin}/one"/><updated>2026-01-05T00:00:00Z</updated>
         <link rel="enclosure" href="${origin}/one.mp3"/></entry></feed>`,
    ],
    '/feed2': ['application/atom+xml', `<feed><entry><link href="${origin}/two"/></entry></feed>`],
    '/one': ['text/html', linked],
    '/one.mp3': ['audio/mpeg', 'sound'],
    '/two': ['text/html', 'two'],
    '/picture.png': ['image/png', png],
  }))
  const seeds = [`${it.origin}/feed`]
  await harvested({ seeds, connectors: { repository: { connector: 'feed' } } })
  const first = it.asked.splice(0).toSorted()
  await harvested({ seeds, connectors: { repository: { connector: 'feed', olderParts: true } } })
  await it.close()
  expect(first).toEqual(['/feed', '/one', '/one.mp3', '/picture.png'])
  expect(it.asked.toSorted()).toEqual(['/feed', '/feed2', '/one', '/one.mp3', '/picture.png', '/two'])
})

test.each<[kind: string, feed: (origin: string) => Page]>([
  [
    'RSS',
    (origin) => [
      'application/rss+xml',
      `<rss version="2.0"><channel><title>News</title><item><title>Roses &amp; rain</title><link>${origin}/one</link>
       <pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate></item><item><link>${origin}/two</link></item></channel></rss>`,
    ],
  ],
  [
    'Atom',
    (origin) => [
      'application/atom+xml',
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>Roses &amp; rain</title><link href="${origin}/one"/>
       <updated>2026-01-05T10:00:00Z</updated></entry><entry><link href="${origin}/two"/></entry></feed>`,
    ],
  ],
])(
  'a feed (%s): the metadata of an entry is recorded with its capture, and with no other capture',
  async (_kind, feed) => {
    const it = await site((origin) => ({
      '/feed': feed(origin),
      '/one': ['text/html', linked],
      '/two': ['text/html', 'two'],
      '/picture.png': ['image/png', png],
    }))
    const job = await harvested({ seeds: [`${it.origin}/feed`], connectors: { repository: { connector: 'feed' } } })
    await it.close()
    const records = await witnessed(job)
    const said = records
    .filter(({ type, url }) => type === 'metadata' && url.startsWith(it.origin))
    .map(({ url, text }) => [new URL(url).pathname, ...(text.match(/^inherited-.*$/gm) ?? []).map((line) => line.trim())]) // prettier-ignore
    expect(said.toSorted()).toEqual([
      ['/feed'],
      ['/one', 'inherited-date: 2026-01-05T10:00:00.000Z', 'inherited-title: Roses & rain'],
      ['/picture.png'],
      ['/robots.txt'],
      ['/two'],
    ])
    for (const { block } of records) expect(block.found).toBe(block.claimed)
  },
)

test('a folder: its files are archived byte for byte under their URLs; links are not followed', async () => {
  const root = join(folder, 'papers & more')
  const names = ['a.txt', 'b #1?%.html', 'ü ñ.pdf', 'line\nend', 'quo\'te"<b>']
  await mkdir(join(root, 'below/empty'), { recursive: true })
  for (const name of names)
    await writeFile(join(root, name), `this is ${name} <a href="https://elsewhere.example/">x</a>`)
  await writeFile(join(root, 'below/picture'), png)
  await writeFile(join(root, 'below/.hidden'), 'hidden')
  await writeFile(join(root, 'left out.tmp'), 'no')
  await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]), 'no name')
  await symlink('/etc', join(root, 'out'))
  await symlink('.', join(root, 'round'))
  const job = await harvested({
    seeds: [root],
    exclude: ['left out'],
    connectors: { repository: { connector: 'folder' } },
  })
  expect(job).toMatchObject({ status: 'Done', harvest: 'papers & more', stopReason: 'DOWNLOAD_COMPLETE' })
  const rows = await documentsOf(job)
  const listing = rows.find(({ url }) => url === `${pathToFileURL(root).href}/`)
  const left = listing?.reason && textOf(listing.reason)
  expect(left).toMatch(/out: symbolic link \(not followed\)/)
  expect(left).toMatch(/round: symbolic link \(not followed\)/)
  expect(left).toMatch(/the name is not valid UTF-8/)
  expect(rows.filter(({ outcome }) => outcome === 'excluded')).toMatchObject([{ code: 'excludedByPattern' }])
  const resources = (await witnessed(job)).filter(({ type, url }) => type === 'resource' && url.startsWith('file:'))
  const expected = [...names.map((name) => join(root, name)), join(root, 'below/picture')].map(
    (path) => pathToFileURL(path).href,
  )
  const files = resources.filter(({ url }) => !url.endsWith('/'))
  expect(files.map(({ url }) => url).toSorted()).toEqual(expected.toSorted())
  expect(resources.filter(({ url }) => url.endsWith('/'))).toHaveLength(3)
  expect(rows.find(({ url }) => url.endsWith('/picture'))).toMatchObject({ mediaType: 'image/png', bytes: png.length })
})

test('a dry run counts everything, writes nothing, and is not stored at the next start', async () => {
  const it = await site(() => ({
    '/': ['text/html', linked],
    '/picture.png': ['image/png', png],
    '/unlisted': ['text/html', 'x'],
  }))
  const job = await harvested({ seeds: [it.origin], connectors: { output: 'null' } })
  await it.close()
  expect(job).toMatchObject({ status: 'Done', files: [], stopReason: 'DOWNLOAD_COMPLETE' })
  expect(job.documents.fetched).toBe(4)
  expect(job.findings).toMatchObject([{ level: 'note' }])
  expect(await readdir(join(folder, 'archive/jobs', String(job.job))).catch(() => [])).toEqual([])
})

test('a further run requests only what its list reports as changed, and keeps the rest', async () => {
  let changed = '2026-01-02'
  const it = await site((origin) => ({
    '/one': ['text/html', linked],
    '/two': ['text/html', 'two'],
    '/undated': ['text/html', 'undated'],
    '/picture.png': ['image/png', png],
    get '/sitemap.xml'(): Page {
      const dated = (path: string, day: string) => `<url><loc>${origin}${path}</loc><lastmod>${day}</lastmod></url>`
      const undated = `<url><loc>${origin}/undated</loc></url>`
      return ['text/xml', `<urlset>${dated('/one', '2026-01-01')}${dated('/two', changed)}${undated}</urlset>`]
    },
  }))
  const seeds = [`${it.origin}/sitemap.xml`]
  const first = await harvested({ seeds, connectors: { repository: { connector: 'sitemap' } } })
  expect(it.asked.splice(0)).toHaveLength(5)
  await again(first)
  expect(it.asked.splice(0).toSorted()).toEqual(['/picture.png', '/sitemap.xml', '/undated'])
  changed = '2026-01-03'
  const third = await again(first)
  await it.close()
  expect(it.asked.toSorted()).toEqual(['/picture.png', '/sitemap.xml', '/two', '/undated'])
  expect(third.documents).toMatchObject({ fetched: 6, failed: 0 })
})

test('a further run of a folder reads only the files that have changed', async () => {
  const root = join(folder, 'changing')
  await mkdir(root)
  for (const name of ['same', 'changed', 'gone']) await writeFile(join(root, name), name)
  const first = await harvested({ seeds: [root], connectors: { repository: { connector: 'folder' } } })
  await writeFile(join(root, 'changed'), 'changed since')
  await writeFile(join(root, 'new'), 'new')
  await rm(join(root, 'gone'))
  const second = await again(first)
  expect(second.documents).toMatchObject({ fetched: 4, failed: 0 })
  const taken = (await witnessed(second)).filter(({ type, url }) => type === 'resource' && /changing\/./.test(url))
  const names = taken.map(({ url }) => url.replace(/.*\//, '')).toSorted()
  expect(names).toEqual(['changed', 'changed', 'gone', 'new', 'same'])
})

test('the module in docs/modules.md harvests a CMS, and then only what has changed', async () => {
  const changed: Record<string, string> = { one: '1', two: '1', gone: '1' }
  const asked: string[] = []
  const cms = await listen(
    createServer((request, response) => {
      const path = request.url ?? ''
      asked.push(path)
      const id = path.replace('/api/pages/', '')
      const pages = Object.entries(changed).map(([id, version]) => ({ id, changed: version }))
      if (path === '/api/pages') return void response.end(JSON.stringify(pages))
      const isThere = Object.hasOwn(changed, id) && id !== 'gone'
      response.writeHead(isThere ? 200 : 404, { 'Content-Type': 'text/html' })
      response.end(`<p>${id}, version ${changed[id]}</p>`)
    }),
  )
  const page = await readFile(join(import.meta.dirname, '../docs/modules.md'), 'utf8')
  const module = join(folder, 'cms.mjs')
  await writeFile(module, /```js\n(.*?)```/s.exec(page)?.[1] ?? '')
  const settings = { site: `http://${cms.address}` }
  const repository = { connector: 'module', module, settings } as const
  const first = await harvested({ seeds: ['cms:all'], connectors: { repository } })
  expect(first.documents).toMatchObject({ fetched: 3, failed: 1 })
  expect((await documentsOf(first)).find(({ url }) => url === 'cms:page/gone')).toMatchObject({ code: 'notInSource' })
  const resources = (await witnessed(first)).filter(({ type, url }) => type === 'resource' && url.startsWith('cms:'))
  expect(resources.map(({ url }) => url).toSorted()).toEqual(['cms:all', 'cms:page/one', 'cms:page/two'])
  asked.length = 0
  changed['two'] = '2'
  const second = await again(first)
  expect(asked.toSorted()).toEqual(['/api/pages', '/api/pages/gone', '/api/pages/two'])
  expect(second.documents).toMatchObject({ fetched: 3, failed: 1 })
  await cms.close()
})

test('a module that cannot be used is refused before the harvest exists', async () => {
  const jobs = await engine.services.jobs.list({})
  const module = join(folder, 'archive/jobs/evil.mjs')
  await writeFile(module, 'export default () => ({ read() {} })')
  const create = (path: string) =>
    engine.services.harvests.create({
      seeds: ['cms:all'],
      connectors: { repository: { connector: 'module', module: path } },
    })
  await expect(create(module)).rejects.toMatchObject({
    code: 'refused',
    fields: [['connectors', 'repository', 'module']],
  })
  await expect(create('/nowhere/cms.mjs')).rejects.toThrow('There is no file /nowhere/cms.mjs.')
  expect(await engine.services.jobs.list({})).toEqual(jobs)
})

test('a job whose connector is uninstalled waits, reports it, and continues when it is installed again', async () => {
  const pages = Array.from({ length: 12 }, (_, at) => `/${at}`)
  const it = await site((origin) => ({
    '/list.txt': ['text/plain', pages.map((path) => `${origin}${path}\n`).join('')],
    ...Object.fromEntries(pages.map((path): [string, Page] => [path, ['text/plain', path]])),
  }))
  const { connectors, jobs, harvests } = engine.services
  const { job } = await harvests.create({
    seeds: [`${it.origin}/list.txt`],
    delayMs: 100,
    connectors: { repository: { connector: 'sitemap' } },
  })
  await until(() => it.asked.length >= 3)
  expect(await connectors.deinstall({ name: 'sitemap' })).toMatchObject({ state: 'DEINSTALLED', waiting: [job] })
  const waiting = await jobs.show({ job })
  expect(waiting.state).toBe('ACTIVE_UNINSTALLED')
  expect(waiting.reason && textOf(waiting.reason)).toMatch(/"Sitemap" is not installed\. Install it/)
  // Another harvest of the same kind waits from its start.
  const { job: second } = await harvests.create({
    seeds: [`${it.origin}/list.txt?2`],
    connectors: { repository: { connector: 'sitemap' } },
  })
  await until(async () => (await jobs.show({ job: second })).state === 'ACTIVE_UNINSTALLED')
  const asked = it.asked.length
  // Requests in progress when it was deinstalled may still be sent, during a complete harvest of the web.
  await harvested({ seeds: [`${it.origin}/0`], scope: 'page' })
  expect(it.asked.length - asked).toBeLessThanOrEqual(2)
  expect(it.asked).not.toContain('/list.txt?2')
  expect(await connectors.install({ name: 'sitemap' })).toMatchObject({ state: 'INSTALLED', waiting: [] })
  await until(async () => (await jobs.show({ job })).ended !== null)
  await until(async () => (await jobs.show({ job: second })).ended !== null)
  await it.close()
  expect(await jobs.show({ job })).toMatchObject({ status: 'Done', queued: 0 })
  expect(new Set(it.asked)).toEqual(new Set(['/list.txt', '/list.txt?2', ...pages]))
})

async function harvested(asked: z.input<typeof harvestDefinition>): Promise<JobWhole> {
  const { job } = await engine.services.harvests.create({ delayMs: 0, ...asked })
  await until(async () => (await engine.services.jobs.show({ job })).ended !== null)
  return engine.services.jobs.show({ job })
}

async function again({ job }: JobWhole): Promise<JobWhole> {
  await engine.services.jobs.start({ job })
  await until(async () => (await engine.services.jobs.show({ job })).state === 'INACTIVE')
  return engine.services.jobs.show({ job })
}

async function documentsOf({ job }: JobWhole): Promise<DocumentRow[]> {
  return (await engine.services.jobs.documents({ job, limit: 1000 })).rows
}

async function witnessed({ files }: JobWhole) {
  const names = files.map(({ name }) => name)
  const all = await witnessFolder(join(folder, 'archive/replicas/ONE'))
  return all.filter(({ file }) => names.some((name) => file.endsWith(name)))
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 30))
}
