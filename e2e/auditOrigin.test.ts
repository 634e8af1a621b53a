/** Which origin the audit log records: each shell requests something from one running engine, over its real
 *  connection. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { serve, type Serving } from '../src-main/shells/server/serve.ts'
import { initArchive, loupe } from './loupeProcess.ts'
import { soundFile } from './sites/archiveFiles.ts'

let folder: string
let archive: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-audit-origin-'))
  archive = await initArchive(join(folder, 'archive'))
  await writeFile(join(folder, 'sound.warc.gz'), soundFile('sound.test'))
})
afterAll(() => rm(folder, { recursive: true }))

const auditLogShape = z.object({
  rows: z.array(
    z.object({
      who: z.string(),
      what: z.string(),
      origin: z.strictObject({ account: z.string(), host: z.string(), shell: z.string() }),
    }),
  ),
})

async function served<T>(act: (serving: Serving) => Promise<T>): Promise<T> {
  const bugs: unknown[] = []
  const onBug = (error: unknown) => bugs.push(error)
  const serving = await serve({ archiveFolder: archive, version: '0.0.0', port: 0, onBug, log: () => undefined })
  try {
    return await act(serving)
  } finally {
    await serving.close()
    expect(bugs).toEqual([])
  }
}

/** Calls the engine as the interface in a browser does. */
async function askAsWindow({ url }: Serving, name: string, input: unknown): Promise<unknown> {
  const { origin, hash } = new URL(url)
  const response = await fetch(`${origin}/api/call/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${hash.replace('#token=', '')}`, 'content-type': 'application/json', origin },
    body: JSON.stringify({ input }),
  })
  const { value } = z.object({ value: z.unknown() }).parse(await response.json())
  return value
}

test('a window, a command with and without a running engine, and the engine itself are distinguished', async () => {
  const imported = await loupe('--archive', archive, 'import', join(folder, 'sound.warc.gz'))
  expect(imported.code, imported.stderr).toBe(0)
  const own = await loupe('--archive', archive, 'preserve', 'missing')
  expect(own.code, own.stderr).toBe(0)
  await served(async (serving) => {
    const through = await loupe('--archive', archive, 'preserve', 'spot')
    expect(through.code, through.stderr).toBe(0)
    const setting = { path: 'preservation.spotFiles', value: 9 }
    await askAsWindow(serving, 'settings.set', setting)
    await askAsWindow(serving, 'archive.spotCheck', { files: 1 })
  })
  const { stdout } = await loupe('--archive', archive, '--json', 'preserve', 'audit')
  const { rows } = auditLogShape.parse(JSON.parse(stdout))
  const { username } = userInfo()
  for (const { origin } of rows) expect(origin).toMatchObject({ account: username, host: hostname() })
  const shells = rows.toReversed().map(({ who, what, origin }) => `${who} ${what}: ${origin.shell}`)
  expect([...new Set(shells)]).toEqual([
    'job 1 store: commandLine',
    'user checkBegun: commandLine',
    'user checkEnded: commandLine',
    'user spotCheckBegun: commandLine',
    'user spotCheckEnded: commandLine',
    'user settings: window',
    'user spotCheckBegun: window',
    'user spotCheckEnded: window',
  ])
  const listed = await loupe('--archive', archive, 'preserve', 'audit')
  expect(listed.stdout).toContain(`${username}@${hostname()}, command line`)
  expect(listed.stdout).toContain(`${username}@${hostname()}, window`)
  const file = await loupe('--archive', archive, 'preserve', 'file', 'sound.warc.gz')
  expect(file.stdout).toContain(`${username}@${hostname()}, command line`)
  const verified = await loupe('--archive', archive, 'preserve', 'audit', '--verify')
  expect(verified.code, verified.stdout).toBe(0)
})
