import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { corporaFolder, corporaHint, hasCorpora } from '../src-main/formats/testing/corpora.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-corpora-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function run(from: string): Promise<{ code: number | null; out: string; err: string }> {
  const words = [join(import.meta.dirname, 'fetchCorpora.ts'), '--from', from, '--to', folder]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', (bytes: Buffer) => (said.out += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (said.err += bytes.toString()))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...said })))
}

/** Returns a port of 127.0.0.1 without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('without a network it prints a message and exits with 1', async () => {
  const { code, out, err } = await run(`http://127.0.0.1:${await closedPort()}`)
  expect(err).toMatch(/Gave up: http:\/\/127\.0\.0\.1:\d+ cannot be reached\./)
  expect(out).toMatch(/^0 of \d+ sample files are in /)
  expect(code).toBe(1)
})

describe.skipIf(!hasCorpora('inventory.json'))(`from a server that has the files (${corporaHint})`, () => {
  test('every file is fetched once, a changed one again, and a wrong one is refused', async () => {
    const asked: string[] = []
    let spoiled: string | undefined
    const server = createServer((request, response) => {
      const [, owner = '', name = '', , ...path] = decodeURIComponent(request.url ?? '').split('/')
      const file = join(`${owner}+${name}`, ...path)
      asked.push(file)
      const bytes = readFileSync(join(corporaFolder, file))
      response.end(file === spoiled ? Buffer.concat([bytes, Buffer.from('x')]) : bytes)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      expect(await run(from)).toMatchObject({ code: 0, err: '' })
      const count = asked.splice(0).length
      expect(count).toBeGreaterThan(100)

      const changed = 'webrecorder+warcio/test/data/example.warc.gz'
      writeFileSync(join(folder, changed), 'changed')
      spoiled = changed
      const refused = await run(from)
      expect(refused.err).toContain('its checksum differs from the recorded one')
      expect(refused.out).toContain(`${count - 1} of ${count} sample files`)
      expect(refused.code).toBe(1)

      spoiled = undefined
      asked.splice(0)
      expect(await run(from)).toMatchObject({ code: 0 })
      expect(asked).toEqual([changed])
    } finally {
      server.close()
    }
  })
})
