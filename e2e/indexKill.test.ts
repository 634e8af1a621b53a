/** An engine in which fifty callers ask for overlapping indexes is killed five times with kill -9, each time after another number of answers:
 *  what is on the disk is then complete or is not there, and the last engine gives every caller the right answer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine } from '../src-main/app/engine.ts'
import { textOf } from '../src-main/contract/words/render.ts'
import { newRecord, warcMember } from '../src-main/formats/records/warcWriter.ts'
import { openDedupFile } from '../src-main/indexes/indexes.ts'
import { realWorld } from '../src-main/world/real.ts'
import { sampleSeed } from '../src-main/world/testing/sample.ts'
import { initArchive, loupeHere } from './loupeProcess.ts'

const jobsCount = 6
const capturesOf = (job: number) => 2_000 + job
const seed = sampleSeed % 1_000_000
/** Answers after which the engine is killed; 0: as soon as all have asked. */
const killsAfter = [0, 1, 4, 12, 25]

let folder: string
let archive: string

/** An answer that a caller printed. */
interface Answer {
  kind: 'captures' | 'dedup'
  jobs: number[]
  files: number
  filesMissing: unknown[]
  jobsMissing: unknown[]
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-index-kill-'))
  archive = await initArchive(join(folder, 'archive'))
  for (let job = 1; job <= jobsCount; job++) {
    const path = join(folder, `${job}.warc.gz`)
    await writeFile(path, fileOf(job))
    expect((await loupeHere('--archive', archive, 'import', path)).code).toBe(0)
  }
  // The lines that the imports made are made again by the callers.
  await rm(join(archive, 'indexes'), { recursive: true, force: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function fileOf(job: number): Buffer {
  const head = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n')
  return Buffer.concat(
    Array.from({ length: capturesOf(job) }, (_, number) => {
      const record = newRecord({
        ...{ type: 'response', id: `00000000-0000-4000-8000-${String(job * 1e6 + number).padStart(12, '0')}` },
        ...{ dateMs: Date.UTC(2024, 0, job), contentType: 'application/http;msgtype=response' },
        fields: [['WARC-Target-URI', `http://a.example/${number}.png`]],
        payload: { offset: head.length },
        block: [Buffer.concat([head, Buffer.from(`${job} ${number}`)])],
      })
      return warcMember(record, 1).bytes
    }),
  )
}

/** One life of the engine. `killAfter`: number of answers; undefined: it ends by itself. */
async function life(number: number, killAfter: number | undefined) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'indexCallers.ts'), archive, `${seed + number}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const exit = once(child, 'exit')
  const answers: Answer[] = []
  let tasksBefore = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const printed = JSON.parse(line) as Partial<Answer> & { asked?: number; tasks?: number }
    if (printed.asked !== undefined) tasksBefore = printed.tasks ?? 0
    else if (printed.kind !== undefined) answers.push(printed as Answer)
    if (answers.length === killAfter) child.kill('SIGKILL')
  }
  const [code] = (await exit) as [number | null]
  if (killAfter === undefined) expect([code, errors]).toEqual([0, ''])
  else expect(code).toBe(null)
  return { answers, tasksBefore }
}

test('every caller gets the right answer, and each index is built once in the life of an engine', async () => {
  const lives = []
  for (const [number, after] of killsAfter.entries()) lives.push(await life(number, after))
  const last = await life(killsAfter.length, undefined)
  expect(last.answers).toHaveLength(50)
  for (const { jobs, files, filesMissing, jobsMissing } of [
    ...lives.flatMap(({ answers }) => answers),
    ...last.answers,
  ])
    expect({ jobs, files, filesMissing, jobsMissing }).toEqual({
      jobs,
      files: jobs.length,
      filesMissing: [],
      jobsMissing: [],
    })

  const engine = await openEngine({ archiveFolder: archive, shell: 'cli', version: '0.0.0', run: true })
  try {
    // Each life began after the tasks of the one before.
    const starts = [...lives, last].map(({ tasksBefore }) => tasksBefore)
    const tasks = await engine.services.tasks.list({ kind: 'index', limit: 1_000 })
    const keys = tasks.map(
      ({ task, subject }) => `${starts.findLastIndex((before) => before < task)} ${textOf(subject)}`,
    )
    expect(keys).toHaveLength(new Set(keys).size)

    expect(await temporaryIn(join(archive, 'indexes'))).toEqual([])
    const rows = await engine.services.indexes.list({})
    expect(rows.filter(({ covers }) => covers === null)).toEqual([])
    for (const { kind, name, jobs } of rows) {
      const captures = jobs.reduce((sum, job) => sum + capturesOf(job), 0)
      if (kind === 'captures') {
        const view = await engine.services.viewer.open({ jobs, untilWhole: true })
        expect([jobs, view.captures]).toEqual([jobs, captures])
      } else if (kind === 'dedup') {
        const file = await openDedupFile(join(archive, 'indexes/dedup', name), realWorld().disk)
        expect([jobs, file?.manifest.entryCounts]).toEqual([jobs, { url: captures, payload: captures }])
        await file?.close()
      }
    }
    expect(rows.filter(({ kind }) => kind === 'captures').length).toBeGreaterThan(5)
    expect(rows.filter(({ kind }) => kind === 'dedup').length).toBeGreaterThan(5)
  } finally {
    await engine.close()
  }
})

async function temporaryIn(path: string): Promise<string[]> {
  return (await readdir(path, { recursive: true })).filter((name) => /\.part(-wal|-shm|-journal)?$/.test(name))
}
