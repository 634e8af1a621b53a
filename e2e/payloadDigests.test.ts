/** Chunked answers under both settings of harvest.payloadDigest: which digest a record contains, what Python's
 *  `warcio check` compares it with, and that a second run with other chunks of the same content still writes a
 *  revisit. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import { harvestDefinition } from '../src-main/contract/services/definition.ts'
import { payloadDigestKinds } from '../src-main/formats/records/warcWriter.ts'
import { loupe } from './loupeProcess.ts'
import { listen } from './sites/server.ts'

let folder = ''
afterEach(() => rm(folder, { recursive: true, force: true }))

const page = 'one page, cut into chunks as the server likes'

test.each(payloadDigestKinds)('%s', async (kind) => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-digests-'))
  await writeFile(join(folder, 'loupe.toml'), `[harvest]\npayloadDigest = "${kind}"\n`)
  let cutAt = 3
  const site = await listen(
    createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' })
      response.write(page.slice(0, cutAt))
      response.end(page.slice(cutAt))
    }),
  )
  const engine = await openEngine({ archiveFolder: folder, shell: 'cli', version: '0.0.0', run: true })
  const { job } = await engine.services.harvests.create(
    harvestDefinition.parse({
      ...{ seeds: ['http://chunks.test/'], robots: 'ignore', delayMs: 0 },
      resolve: { 'chunks.test': site.address },
    }),
  )
  await ended(engine, job)
  cutAt = 20
  await engine.services.jobs.start({ job })
  await ended(engine, job)
  await engine.close()
  await site.close()

  const [response, revisit, ...others] = await captures()
  expect([response?.type, revisit?.type, others]).toEqual(['response', 'revisit', []])
  expect(revisit?.named).toBe(response?.named)
  const isConfirmedByWarcioCheck = response?.named === response?.ofStoredBody
  expect(isConfirmedByWarcioCheck).toBe(kind === 'asStored')
  expect(response?.named === sha1(Buffer.from(page))).toBe(kind === 'standard')

  const check = await loupe('--json', 'check', '--severity', 'warning', join(folder, 'replicas/ONE'))
  expect(check.code, check.stdout).toBe(0)
})

interface CaptureSeen {
  type: string
  named: string | undefined
  /** Digest of all bytes after the archived head including chunk framing, as Python's warcio computes it. */
  ofStoredBody: string
}

async function captures(): Promise<CaptureSeen[]> {
  const replica = join(folder, 'replicas/ONE')
  const seen: CaptureSeen[] = []
  for (const name of (await readdir(replica)).filter((file) => file.endsWith('.warc.gz')).sort()) {
    for await (const record of new WARCParser(createReadStream(join(replica, name)), { parseHttp: false })) {
      const block = Buffer.from(await record.readFully(false))
      const type = record.warcType ?? ''
      if (type !== 'response' && type !== 'revisit') continue
      const body = block.subarray(block.indexOf('\r\n\r\n') + 4)
      seen.push({ type, named: record.warcHeader('WARC-Payload-Digest') ?? undefined, ofStoredBody: sha1(body) })
    }
  }
  return seen
}

/** Base32 (RFC 4648, 6) without any code of Loupe's. */
function sha1(bytes: Uint8Array): string {
  const bits = [...createHash('sha1').update(bytes).digest()].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return `sha1:${bits.replace(/.{5}/g, (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(parseInt(five, 2)))}`
}

async function ended(engine: Engine, job: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = () =>
    engine.services.jobs
      .show({ job })
      .then(({ state, ended: at }) => (state === 'INACTIVE' && at !== null ? resolve() : undefined), reject)
  const unsubscribe = engine.services.jobs.changed((changed) => (changed.job === job ? void look() : undefined))
  void look()
  await promise
  unsubscribe()
}
