/** The built engine of the Electron shell, run in plain Node.js. Shows that the bundle is complete: its packages, its files
 *  and its threads. */
import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { contract } from '../../src-main/contract/contract.ts'
import { opened, servicesOver } from '../../src-main/contract/calls/service.ts'
import type { EngineStart, FromEngine, ToEngine } from '../../src-main/shells/electron/engineWire.ts'

/** A module that replaces the port of Electron's utility process by the IPC channel to this process. */
const portOverPipe = `data:text/javascript,${encodeURIComponent(`
  process.parentPort = {
    postMessage: (message) => process.send(message),
    on: (_name, listener) => process.on('message', (data) => listener({ data })),
  }
`)}`
const bundle = join(import.meta.dirname, '../../out/main/engine.js')

class Engine {
  readonly #child: ChildProcess
  readonly #answers = new Map<number, (message: FromEngine) => void>()
  #lastId = 0
  readonly ready: Promise<FromEngine>

  constructor(start: EngineStart) {
    this.#child = fork(bundle, [JSON.stringify(start)], { execArgv: ['--import', portOverPipe] })
    this.ready = new Promise((resolve, reject) => {
      this.#child.on('message', (message: FromEngine) => {
        if (message.kind === 'ready' || message.kind === 'failed') resolve(message)
        if (message.kind === 'reply') this.#answers.get(message.id)?.(message)
        if (message.kind === 'closed') this.#child.disconnect()
      })
      this.#child.on('exit', (code) => reject(new Error(`the engine ended with code ${code}`)))
    })
  }

  call = (name: string, input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      this.#lastId += 1
      this.#answers.set(this.#lastId, (message) => {
        try {
          if (message.kind === 'reply') resolve(opened(message.reply))
        } catch (fault) {
          reject(fault)
        }
      })
      this.#tell({ kind: 'call', id: this.#lastId, name, input })
    })

  close(): Promise<number | null> {
    this.#tell({ kind: 'close' })
    return new Promise((resolve) => this.#child.on('exit', resolve))
  }

  #tell(message: ToEngine): void {
    this.#child.send(message)
  }
}

test("the desktop application's engine, as built, harvests, indexes and closes", async () => {
  expect(existsSync(bundle), 'out/main/engine.js is missing: npm run build').toBe(true)
  const archiveFolder = await mkdtemp(join(tmpdir(), 'loupe-bundle-'))
  const engine = new Engine({ archiveFolder, version: '0.0.0', allowedOrigins: [] })
  const ready = await engine.ready
  expect(ready, JSON.stringify(ready)).toMatchObject({ kind: 'ready', viewer: { host: '127.0.0.1' } })
  const { harvests, jobs, viewer, archive } = servicesOver(contract, {
    call: engine.call,
    listen: () => () => undefined,
  })
  const { job } = await harvests.openSample({})
  await expect.poll(async () => (await jobs.show({ job })).status).toBe('Done')
  expect((await viewer.open({ jobs: [job], untilWhole: true })).captures).toBeGreaterThan(0)
  expect((await viewer.pages({})).rows.map(({ title }) => title)).not.toContain(null)
  const check = await archive.check({ kind: 'checksums' })
  await expect
    .poll(async () => (await archive.checks({})).find((one) => one.task === check.task)?.filesDone)
    .toBeGreaterThan(0)
  expect(await engine.close()).toBe(0)
  await rm(archiveFolder, { recursive: true })
})
