/** Prepares and verifies a harvest that is killed. In the end the archive must hold every address of the site exactly once, all
 *  digests must be correct, and both replicas must be equal. The tests decide when to kill it. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { JobSummary } from '../src-main/contract/services/jobSummary.ts'
import type { Loupe } from '../src-main/contract/contract.ts'
import { openSession } from '../src-main/shells/cli/session/session.ts'
import { initArchive } from './loupeProcess.ts'
import type { ManyPages } from './sites/manyPages.ts'
import { witnessFolder } from './witness.ts'

/** The arguments of `loupe` for a harvest of the whole site, without delays and with four connections. */
export function harvestOf(archive: string, site: ManyPages): string[] {
  const [address] = Object.entries(site.resolve).map(([host, target]) => `${host}=${target}`)
  return [
    '--archive',
    archive,
    'harvest',
    `${site.origin}/`,
    '--delay-ms',
    '0',
    '--connections-per-host',
    '4',
    '--resolve',
    address ?? '',
  ]
}

/** Whether the job ended before the kill; if so, the same command would start another harvest. */
export async function isFinished(archive: string): Promise<boolean> {
  const jobs = await jobsOf(archive)
  return jobs.length > 0 && jobs.every(({ ended }) => ended !== null)
}

/** Creates an archive whose jobs write several small WARC files each, so that kills also occur between two files. */
export async function prepared(archive: string, { fileBytesMax = 60_000 } = {}): Promise<void> {
  await mkdir(archive, { recursive: true })
  await writeFile(join(archive, 'loupe.toml'), `[harvest]\nfileBytesMax = ${fileBytesMax}\n`)
  await initArchive(archive)
}

/** Opens the archive as `loupe jobs` does, but in this process: it is called between any two kills. */
async function looking<T>(archive: string, look: (services: Loupe) => Promise<T>): Promise<T> {
  const bugs: unknown[] = []
  const { signal } = new AbortController()
  const session = await openSession({
    archiveFolder: archive,
    accepts: 'archive',
    version: '0.0.0',
    run: false,
    signal,
    onBug: (error) => bugs.push(error),
    onNotice: () => undefined,
  })
  try {
    return await look(session.services)
  } finally {
    await session.close()
    expect(bugs).toEqual([])
  }
}

/** The jobs of the archive, read as `loupe jobs` does. */
export function jobsOf(archive: string): Promise<JobSummary[]> {
  return looking(archive, ({ jobs }) => jobs.list({}))
}

/** Expects a complete archive: equal replicas, correct digests, every address of the site once, and no leftovers of unfinished files. */
export async function expectWhole(archive: string, site: ManyPages): Promise<void> {
  const replicas = ['ONE', 'TWO'].map((name) => join(archive, 'replicas', name))
  const [one = '', two = ''] = replicas
  expect(await checksums(one)).toEqual(await checksums(two))
  const records = await witnessFolder(one)
  expect(
    records.filter(({ block, payload }) => block.claimed !== block.found || payload?.claimed !== payload?.found),
  ).toEqual([])
  const responses = records.filter(({ type }) => type === 'response').map(({ url }) => url)
  expect(responses.toSorted()).toEqual(site.urls)
  expect(records.filter(({ type }) => type === 'request')).toHaveLength(site.urls.length)
  const { jobs, whole } = await looking(archive, async ({ jobs }) => ({
    jobs: await jobs.list({}),
    whole: await jobs.show({ job: 1 }),
  }))
  expect(jobs).toHaveLength(1)
  expect(whole).toMatchObject({ status: 'Done', stopReason: 'DOWNLOAD_COMPLETE', reason: null, queued: 0 })
  expect(whole.documents).toMatchObject({ total: site.urls.length, fetched: site.urls.length, failed: 0, excluded: 0 })
  expect(whole.files.filter(({ stored }) => !stored)).toEqual([])
  expect(whole.files.filter(({ kind }) => kind === 'content').length).toBeGreaterThan(1)
  expect(whole.files.map(({ name }) => name)).toContain('1-metadata-1.warc')
  const left = (await readdir(join(archive, 'jobs', '1'))).filter((name) => /\.(open|body|warc|gz|cdxj)$/.test(name))
  expect(left).toEqual([])
}

async function checksums(replica: string): Promise<string[]> {
  const names = (await readdir(replica)).filter((name) => !name.startsWith('.')).sort()
  return Promise.all(
    names.map(
      async (name) =>
        `${createHash('sha256')
          .update(await readFile(join(replica, name)))
          .digest('hex')} ${name}`,
    ),
  )
}

/** Mulberry32, a small random number generator that returns the same numbers on every platform. The result is below `bound`. */
export function randomFrom(start: number): (bound: number) => number {
  let state = start >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}
