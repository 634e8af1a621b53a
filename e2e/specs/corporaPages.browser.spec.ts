/** Imports the sample archives that hold pages and shows them in a real Chromium: the archived resources of a page must load, and the
 *  viewer must list exactly the requests without a capture as missing. That is computed independently of the viewer, from the
 *  requests that the browser reports and the bytes of the archive (`corpora/heldIn.ts`). The expected results are in
 *  `corpora/expected.ts`. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, test, type Browser } from '@playwright/test'
import { openEngine, type Engine } from '../../src-main/app/engine.ts'
import { textOf } from '../../src-main/contract/words/render.ts'
import { openWindow } from '../../src-main/shells/server/chromium.ts'
import { sampleOf } from '../../src-main/world/testing/sample.ts'
import { openAppWindow, type AppWindow } from '../appWindow.ts'
import { archivesRefused, archivesShown } from './corpora/expected.ts'
import { heldIn, pagesOf } from './corpora/heldIn.ts'
import { truthOf } from './corpora/truth.ts'
import { visit } from './corpora/visit.ts'
import { corporaFolder, corporaHint, hasCorpora } from '../../src-main/formats/testing/corpora.ts'

/** Number of pages visited per archive, spread evenly over the file: seven of the archives hold 12 to 94 pages, and visiting all of
 *  them would take as long as all the rest. */
const pagesMax = 6

test.skip(!hasCorpora(), corporaHint)

let folder: string
let engine: Engine
let window: AppWindow
let browser: Browser
/** The job of each archive that has been imported, by path. */
const jobs = new Map<string, Promise<number>>()

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-corpora-'))
  engine = await openEngine({ archiveFolder: join(folder, 'archive'), shell: 'server', version: '0.0.0', run: true })
  const { spkiSha256, viewer } = engine
  const ports = { appPort: viewer.port, proxyPort: viewer.port }
  window = await openAppWindow((chromium, { headless }) =>
    openWindow(chromium, { appUrl: 'about:blank', ...ports, spkiSha256, headless }),
  )
  const found = window.page.context().browser()
  if (!found) throw new Error('the window is of no browser')
  browser = found
})

test.afterAll(async () => {
  await window.close()
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

test('every archive that holds pages is in the table', async () => {
  const holding: string[] = []
  // Includes derived text and metadata files (WET, WAT), which hold no pages.
  for (const archive of await archivesNamed(/\.(w?arc(\.w[ae]t)?(\.gz)?|wacz)$/))
    if (pagesOf(await heldIn(await readFile(join(corporaFolder, archive)))).length > 0) holding.push(archive)
  expect(archivesShown.map(({ archive }) => archive).toSorted()).toEqual(holding.toSorted())
})

test('files compressed with bzip2 or lz4 are rejected with an explanation', async () => {
  const archives = await archivesNamed(/\.w?arc\.(bz2|lz4|xz|7z)$/)
  expect(archives.toSorted()).toEqual(Object.keys(archivesRefused))
  const files = await engine.services.harvests.imported({ job: await importOf(archives) })
  const told = files.map(({ from, state, message: why }) => [
    ...[relative(corporaFolder, from), state],
    why && textOf(why),
  ])
  expect(told.toSorted()).toEqual(
    Object.entries(archivesRefused).map(([archive, word]) => [archive, 'REJECTED', `Not an archive file: ${word}.`]),
  )
})

const shown = sampleOf(archivesShown, Math.ceil(archivesShown.length / 3))

for (const [index, { archive, ...expected }] of shown.entries())
  test(`${archive}, at most ${pagesMax} of its pages`, async () => {
    const held = await heldIn(await readFile(join(corporaFolder, archive)))
    const { viewer, missing } = engine.services
    await viewer.open({ ...(await filesOf(await imported(archive))), untilWhole: true })
    // The next archive is imported in the meantime; an error is reported by its own test.
    imported(shown[index + 1]?.archive ?? archive).catch(() => undefined)
    const visited = await visit(browser, spread(pagesOf(held)))
    const { counts, ...truth } = truthOf(held, visited)
    const misses = await missing.list({})
    const errors = await viewer.errors({})

    // Everything that the page names and the archive holds is shown, with the exceptions of the table.
    expect(truth.notShown).toEqual(expected.notShown?.urls ?? [])
    // All answers came from the viewer.
    expect(truth.notOfViewer).toEqual([])
    // Every request in the list of misses is missing …
    const said = misses.map(({ method, url, referrer }) => `${method} ${url} for ${referrer}`)
    expect(said.filter((miss) => !truth.mayBeMissing.has(miss))).toEqual([])
    // … and every missing request is in the list.
    expect([...truth.missing].filter((miss) => !said.includes(miss))).toEqual([])
    expect(expected.inexact?.urls ?? []).toEqual(expect.arrayContaining(truth.inexact))
    // An archived error does not count as missing.
    const archivedErrors = errors
      .filter(({ kind }) => kind === 'archivedError')
      .map(({ url, status }) => `${status} ${url}`)
    expect(archivedErrors).toEqual(expect.arrayContaining([...truth.archivedErrors]))
    expect(archivedErrors.filter((error) => !truth.mayBeArchivedErrors.has(error))).toEqual([])
    const unreadable = errors.filter(({ kind }) => kind === 'unreadable').map(({ url }) => url)
    expect(unreadable).toEqual(expected.unreadable?.urls ?? [])
    // The type of a missing resource is known when the browser sends it or the address has a known ending, and is correct.
    for (const { url, resourceType } of misses) {
      if (!mayBeUntold(url)) expect(resourceType, url).not.toBe('')
      expect(['', ...(truth.resourceTypes.get(url) ?? [resourceType])], url).toContain(resourceType)
    }
    for (const what of ['documents', 'images', 'styles', 'missing'] as const)
      expect(counts[what], what).toBeGreaterThanOrEqual(expected.least[what])
  })

/** Whether the viewer may not know the type of a resource: over http a browser does not send its destination. */
function mayBeUntold(url: string): boolean {
  const { protocol, pathname } = new URL(url)
  return protocol === 'http:' && !/\.(js|css|png|jpg|gif|svg|woff2?|ttf|mp4|mp3)$/i.test(pathname)
}

async function archivesNamed(name: RegExp): Promise<string[]> {
  const files = await readdir(corporaFolder, { recursive: true, withFileTypes: true })
  const archives = files.filter((file) => file.isFile() && name.test(file.name))
  return archives.map((file) => relative(corporaFolder, join(file.parentPath, file.name)))
}

function spread(pages: readonly string[]): string[] {
  const step = Math.max(1, pages.length / pagesMax)
  return Array.from({ length: Math.min(pages.length, pagesMax) }, (_, index) => pages[Math.floor(index * step)] ?? '')
}

function imported(archive: string): Promise<number> {
  const job = jobs.get(archive) ?? importOf([archive])
  jobs.set(archive, job)
  return job
}

/** The job and the files that hold an import. A file that an earlier archive held too belongs to the job of that one. */
async function filesOf(job: number): Promise<{ jobs: number[]; files: string[] }> {
  const files = await engine.services.harvests.imported({ job })
  const isOwn = files.some(({ state }) => state === 'IMPORTED')
  return { jobs: isOwn ? [job] : [], files: files.flatMap(({ archived }) => archived?.name ?? []) }
}

async function importOf(archives: readonly string[]): Promise<number> {
  const { harvests, jobs: all } = engine.services
  const { job } = await harvests.import({ paths: archives.map((archive) => join(corporaFolder, archive)) })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = () => all.show({ job }).then(({ ended }) => (ended === null ? undefined : resolve()), reject)
  const unsubscribe = all.changed((changed) => (changed.job === job ? void look() : undefined))
  void look()
  await promise
  unsubscribe()
  return job
}
