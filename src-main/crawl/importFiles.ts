/** Takes WARC files from elsewhere into a job: each is copied into the job's folder, read through once, and from there goes
 *  the way of every file that a job wrote. The originals are only read. Begun again after a kill it goes on where it was. */
import { basename, join } from 'node:path'
import type { Archive } from '../archive/archive.ts'
import { nameProblem } from '../archive/names.ts'
import { harvestDefinition } from '../contract/contract.ts'
import { parseCdxjLine } from '../formats/cdx/cdxj.ts'
import { indexFile } from '../files/indexFile.ts'
import { linesOf } from '../files/lineFile.ts'
import { DiskFault } from '../world/world.ts'
import { frontierStatements } from './frontier.sql.ts'
import { noCounts } from './frontier.ts'
import { adoptFile, closedFiles, jobOfFile, type FileSetting } from './harvestFile.ts'
import { jobStatements } from './jobs.sql.ts'

export interface ImportSetting extends FileSetting {
  archive: Archive
  signal: AbortSignal
  say(level: 'info' | 'warning' | 'error', text: string): void
}

const copyChunkBytes = 1_048_576
/** Where a viewing may begin: as many pages of an import are offered as its seeds. */
const seedsMax = 5

export async function importFiles(setting: ImportSetting): Promise<void> {
  const { store, job, signal, say } = setting
  for (const { path } of jobStatements(store).importsOf.all({ job })) {
    for await (const file of filesUnder(setting, path)) {
      if (signal.aborted) return
      const name = basename(file)
      const problem = await problemOf(setting, file, name)
      if (problem !== undefined) {
        say('error', `${file} was not imported: ${problem}.`)
        continue
      }
      const taken = closedFiles(store, job).find((known) => known.name === name)
      if (!taken) await take(setting, file, name)
      // Begun again after a kill it meets what it took; another file of that name it must not pass over.
      else if ((await setting.world.disk.stat(file))?.bytes !== taken.bytes) {
        say('error', `${file} was not imported: this import has another file of its name already.`)
      }
    }
  }
}

async function* filesUnder({ world, say }: Pick<ImportSetting, 'world' | 'say'>, path: string): AsyncGenerator<string> {
  const entry = await world.disk.stat(path)
  if (!entry) say('error', `${path} was not imported: there is no such file or folder.`)
  else if (entry.kind === 'file') yield path
  else {
    for (const { name, kind } of await world.disk.list(path)) {
      if (kind === 'folder' || /\.warc(\.gz)?$/i.test(name)) yield* filesUnder({ world, say }, join(path, name))
    }
  }
}

async function problemOf(
  { world, archive, job, store }: ImportSetting,
  path: string,
  name: string,
): Promise<string | undefined> {
  const known = archive.file(name)
  if (known && known.job !== job) return 'the archive has a file of this name already'
  const importing = jobOfFile(store, name)
  if (importing !== undefined && importing !== job) return `job ${importing} has a file of this name already`
  const unfit = nameProblem(name)
  if (unfit !== undefined) return unfit
  const file = await world.disk.openRead(path)
  try {
    const first = new Uint8Array(5)
    await file.read(first, 0)
    const isGzip = first[0] === 0x1f && first[1] === 0x8b
    return isGzip || Buffer.from(first).toString('latin1') === 'WARC/' ? undefined : 'it is no WARC file, plain or gzip'
  } finally {
    await file.close()
  }
}

async function take(setting: ImportSetting, path: string, name: string): Promise<void> {
  const { store, world, folder, job, signal, say } = setting
  const local = join(folder, name)
  try {
    const bytes = await copied(setting, path, local)
    const target = `${local}.cdxj`
    const outcome = await indexFile(world, { path: local, filename: name, target, digests: 'verify' }, { signal })
    if (outcome.kind === 'unreadable') return say('error', `${path} was not imported: ${outcome.text}.`)
    const pages = await firstPages(setting, target)
    await world.disk.remove(target)
    const { captures, complaints } = outcome
    store.transaction(() => {
      adoptFile(store, { job, name, bytes, records: captures })
      frontierStatements(store).count.run({ ...noCounts, job, total: captures, fetched: captures, bytes })
      offerAsSeeds(setting, pages)
    })
    say('info', `${name}: ${captures} captures taken in.`)
    if (complaints > 0)
      say('warning', `${name}: ${complaints} places in it are not as they should be; what could be read was taken in.`)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    say('error', `${path} was not imported: ${error.message}.`)
  }
}

async function firstPages({ world }: ImportSetting, linesPath: string): Promise<string[]> {
  const pages: string[] = []
  const file = await world.disk.openRead(linesPath)
  try {
    for await (const line of linesOf(file)) {
      const capture = parseCdxjLine(line)
      if (capture?.status === 200 && /html/.test(capture.mediaType)) pages.push(capture.url)
      if (pages.length === seedsMax) break
    }
  } finally {
    await file.close()
  }
  return pages
}

async function copied({ world }: ImportSetting, from: string, to: string): Promise<number> {
  const part = `${to}.open`
  if (await world.disk.stat(part)) await world.disk.remove(part)
  const source = await world.disk.openRead(from)
  const target = await world.disk.openWrite(part, 'create')
  try {
    const chunk = new Uint8Array(copyChunkBytes)
    for (let filled; (filled = await source.read(chunk, target.position)) > 0;)
      await target.append([chunk.subarray(0, filled)])
    await target.sync()
  } finally {
    await source.close()
    await target.close()
  }
  await world.disk.rename(part, to)
  await world.disk.syncFolder(join(to, '..'))
  return target.position
}

function offerAsSeeds({ store, job, harvest }: ImportSetting, pages: string[]): void {
  const sql = jobStatements(store)
  const row = sql.one.get({ job })
  if (!row) return
  const definition = harvestDefinition.parse(JSON.parse(row.definition))
  const known = definition.seeds.filter((seed) => URL.canParse(seed))
  const seeds = [...new Set([...known, ...pages])].slice(0, seedsMax)
  if (seeds.length > 0) sql.setDefinition.run({ harvest, definition: JSON.stringify({ ...definition, seeds }) })
}
