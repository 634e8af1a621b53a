/** The archive output of a job on a disk in memory, with the data that it kept and the result of reading its files. */
import { indexFile } from '../../../../files/index/indexFile.ts'
import { parseResponseHead } from '../../../../formats/http/http.ts'
import type { Answered } from '../../fetch/outcome.ts'
import { openBodyWork } from '../../bodies/bodyWork.ts'
import { spoolIn } from '../../fetch/spool.ts'
import { frontierFixture } from '../../../frontier/testing/frontierFixture.ts'
import type { DocumentToFetch } from '../../../model/document.ts'
import { defaultCrawlSettings, type CrawlSettings } from '../../../model/limits.ts'
import { linesPath } from '../../../model/linesFile.ts'
import { writtenDigest } from '../../records/jobFiles.ts'
import { archiveOutput } from '../archiveOutput.ts'
import type { Output } from '../connector.ts'

type Given = Partial<Pick<CrawlSettings, 'warcVersion' | 'payloadDigest' | 'fileBytesMax'>>

/** An answer as a server sends it, and the request that it answers. */
export interface Exchange {
  url: string
  request: string
  response: string
}

/** The output of a job on a disk in memory. */
export async function outputTrial(given: Given = {}) {
  const { store, job, ...fixture } = frontierFixture()
  let { world } = fixture
  await world.run(world.disk.makeFolder('/job'))
  const settings = { ...defaultCrawlSettings, ...given }
  const file = { folder: '/job', runId: 'run', harvest: 1, software: 'test', practice: [], ...settings }
  const open = () => archiveOutput.open({ ...{ store, world, job }, ...file, settings, bodies: openBodyWork(world) })
  const recordsOf = async (output: Output, { url, request, response }: Exchange) => {
    const parsed = parseResponseHead(Buffer.from(response))
    if (!parsed) throw new Error('the head of a test is readable')
    const spool = spoolIn(world, { folder: '/job', runId: 'run' })
    await spool.append(Buffer.from(response))
    const document: DocumentToFetch = {
      ...{ id: 1, url, role: 'page', hopPath: '', hops: 0, viaId: null, viaUrl: null, attempts: 1 },
    }
    const answered: Answered = {
      ...{ kind: 'answered', head: parsed.head, response: spool, truncated: undefined, security: undefined },
      ...{
        findings: [],
        request: Buffer.from(request),
        remoteAddress: '',
        startedMs: 1_767_225_600_000,
        durationMs: 1,
      },
    }
    return output.prepare(document, answered)
  }
  const keep = async (output: Output, exchanges: readonly Exchange[]) => {
    const records = await Promise.all(exchanges.map((exchange) => recordsOf(output, exchange)))
    await output.keep(records)
    store.transaction(() => output.commit(records.reduce((sum, { count }) => sum + count, 0)))
  }
  const text = async (path: string) => {
    if (!(await world.disk.stat(path))) return undefined
    const file = await world.disk.openRead(path)
    const bytes = new Uint8Array(await file.bytes())
    await file.read(bytes, 0)
    await file.close()
    return Buffer.from(bytes).toString()
  }
  /** For each file of the job: the lines that were kept, the lines of a reader, and the digest that was kept. */
  const files = async () => {
    const names = (await world.disk.list('/job')).map(({ name }) => name).filter((name) => /^[^.].*\.gz$/.test(name))
    return Promise.all(
      names.map(async (name) => {
        const kept = await text(linesPath('/job', name))
        const input = { path: `/job/${name}`, filename: name, target: `/read-${name}`, digests: 'verify' as const }
        await indexFile(world, input)
        return { name, kept, read: await text(input.target), sha256: writtenDigest(store, name) }
      }),
    )
  }
  return {
    world,
    store,
    job,
    open,
    keep,
    files,
    /** The world that the functions use; another one after `crash`. */
    now: () => world,
    /** Cuts the power. */
    crash: () => void (world = world.crash()),
    leftOver: async () => (await world.disk.list('/job')).map(({ name }) => name),
  }
}
