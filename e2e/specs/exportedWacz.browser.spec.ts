/** A WACZ exported by Loupe, opened by an independent reader (`packageReader.ts`).
 *  `e2e/cli/export.test.ts` verifies the package byte by byte. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { harvestOf } from '../cli/harvested.ts'
import { loupe } from '../loupeProcess.ts'
import { arcFile, harFile, pictureSize } from '../sites/archiveFiles.ts'
import { startTwoHosts } from '../sites/twoHosts.ts'
import { openPackageReader, pictureIn, type PackageReader } from './packageReader.ts'

let folder: string
let archive: string
let reader: PackageReader

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-exported-'))
  archive = join(folder, 'archive')
  expect((await loupe('--archive', archive, 'init')).code).toBe(0)
  reader = await openPackageReader(folder)
})
test.afterAll(async () => {
  await reader.close()
  await rm(folder, { recursive: true, force: true })
})

test.describe('a harvest', () => {
  let url: string

  test.beforeAll(async () => {
    const site = await startTwoHosts()
    url = `${site.origin}/`
    try {
      for (const name of ['first', 'second']) {
        const { code, stderr } = await loupe('--archive', archive, ...harvestOf(site), '--name', name)
        expect(code, stderr).toBe(0)
      }
    } finally {
      await site.close()
    }
  })

  test('as a signed WACZ 1.1.1: its pages with text and images, and no other URLs', async () => {
    const name = 'museum'
    await exported(name, '--jobs', '1', '--sign')
    expect(await reader.added(name)).toBe('added')
    expect(reader.ranges.length).toBeGreaterThan(0)
    expect(await agreedIn(name)).toEqual(['datapackage.json', 'pages/pages.jsonl', 'signature'])

    const pages = await reader.pagesOf(name)
    expect(pages.map((row) => row.title)).toContain('Welcome – Museum of Small Things')
    expect(pages.map((row) => row.url)).toContain(`${url}about.html`)

    const { frame: welcome } = await reader.framed(name, url)
    await expect(welcome.locator('h1')).toHaveText('Welcome')
    await expect(welcome.locator('body')).toContainText('Four paintings, and a door that is closed.')
    expect(await pictureIn(welcome, 'The house')).toEqual({ width: 320, height: 200 })
    // A script of the other host, over HTTPS, has run.
    await expect(welcome.locator('html')).toHaveClass(/ready/)

    // The reader decodes the compressed (Brotli) and chunked answers from the bytes as they were sent.
    const { frame: list } = await reader.framed(name, `${url}collection/`)
    await expect(list.locator('li')).toHaveCount(4)
    await list.getByRole('link', { name: 'The Harbour in Winter' }).click()
    await expect(list.locator('h1')).toHaveText('The Harbour in Winter')
    const { frame: visit } = await reader.framed(name, `${url}visit.html`)
    await expect(visit.locator('body')).toContainText('Tuesday to Sunday.')

    const unknown = await reader.framed(name, `${url}never-there.html`)
    expect(unknown.status).toBe(404)
    await expect(unknown.frame.locator('body')).toContainText('this page was not found in this archive')
  })

  test('a harvest that stored its images as revisits, exported alone: the reader resolves them', async () => {
    await exported('again', '--jobs', '2')
    expect(await reader.added('again')).toBe('added')
    const { frame } = await reader.framed('again', url)
    await expect(frame.locator('h1')).toHaveText('Welcome')
    expect(await pictureIn(frame, 'The house')).toEqual({ width: 320, height: 200 })
    const stored = await loupe('--archive', archive, '--json', 'dedup', 'report', '--jobs', '2', '--by', 'type')
    const { rows } = JSON.parse(stored.stdout) as { rows: { name: string; captures: number }[] }
    expect(rows.find(({ name }) => name === 'image/png')?.captures).toBeGreaterThan(0)
  })

  // When this test fails, 1.2.0 can become the default.
  test('as WACZ 1.2.0 it cannot be opened yet, which is why 1.1.1 is the default', async () => {
    await exported('newer', '--jobs', '1', '--wacz-version', '1.2.0')
    expect(await reader.added('newer')).toContain('Unknown package profile: wacz')
  })
})

for (const { name, file, bytes } of [
  { name: 'arc', file: 'tides.arc.gz', bytes: arcFile('arc.test') },
  { name: 'har', file: 'tides.har', bytes: harFile('har.test') },
])
  test(`an export of ${file}: its page with the image`, async () => {
    const original = join(folder, file)
    await writeFile(original, bytes)
    const { stdout, stderr } = await loupe('--archive', archive, '--json', 'import', original)
    expect(stdout, stderr).not.toBe('')
    const { job } = JSON.parse(stdout) as { job: number }
    await exported(name, '--jobs', String(job))
    expect(await reader.added(name)).toBe('added')
    const url = `http://${name}.test/`
    expect((await reader.pagesOf(name)).map((row) => row.url)).toEqual([url])
    const { frame } = await reader.framed(name, url)
    await expect(frame.locator('h1')).toHaveText('Tide table')
    expect(await pictureIn(frame, 'The tide')).toEqual(pictureSize)
    expect(await agreedIn(name)).toEqual(['pages/pages.jsonl'])
  })

async function exported(name: string, ...words: string[]): Promise<void> {
  const target = join(folder, `${name}.wacz`)
  const { code, stderr } = await loupe('--archive', archive, 'export', '--format', 'wacz', ...words, target)
  expect(code, stderr).toBe(0)
}

/** The parts that the reader compared with their digests and found correct. Its counts are not used: it counts every signature as
 *  correct, an `.idx` as wrong because it looks for its digest under another name, and blocks of the index as wrong because it takes
 *  the digest of the uncompressed block, where py-wacz and Loupe write that of the compressed one. */
function agreedIn(name: string): Promise<string[]> {
  return reader.page.evaluate(async (collection) => {
    const answered = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('no answer'))
      })
    const database = await answered(indexedDB.open(`db:${collection}`))
    const all = database.transaction('verification').objectStore('verification').getAll()
    const rows = await answered(all as IDBRequest<{ id: string; matched: boolean | null }[]>)
    database.close()
    return rows.filter(({ matched }) => matched === true).map(({ id }) => id.replace(/^default/, ''))
  }, name)
}
