import { createHash, createPublicKey, verify } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import * as yauzl from 'yauzl'
import { capturesOf } from '../cdx/captures.ts'
import { cdxjHeader } from '../cdx/canonicaliser.ts'
import { cdxjLine } from '../cdx/cdxj.ts'
import type { Finding } from '../rules/finding.ts'
import { newRecord, warcMember } from '../records/warcWriter.ts'
import { checkWacz } from './checkWacz.ts'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import type { Page } from './pages.ts'
import { newSigningKey, publicKeyOf } from './signature.ts'
import { openWacz, pagesIn, pagesPath } from './wacz.ts'
import { WaczWriter, type WaczDescription } from './waczWriter.ts'

async function warcOf(urls: string[]): Promise<Buffer> {
  const members: Uint8Array[] = []
  for (const [index, url] of urls.entries()) {
    const head = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n')
    const record = newRecord({
      type: 'response',
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      dateMs: Date.UTC(2024, 0, 1) + index * 1000,
      fields: [['WARC-Target-URI', url]],
      contentType: 'application/http; msgtype=response',
      payload: { offset: head.length },
      block: [head, Buffer.from(`<p>This is ${url}`)],
    })
    members.push(warcMember(record, 6).bytes)
  }
  return Buffer.concat(members)
}

async function linesOf(warc: Buffer, name: string): Promise<string[]> {
  const lines: string[] = []
  for await (const found of capturesOf(sourceOf(warc), name, { digests: 'trust', post: false }))
    if ('capture' in found) lines.push(cdxjLine(found.capture))
  return lines.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

const description: WaczDescription = {
  version: '1.1.1',
  createdAtMs: Date.UTC(2024, 1, 29, 13, 7, 9, 120),
  software: 'Loupe/test',
  title: 'A small collection',
  description: 'Of *few* pages',
  home: { url: 'http://example.com/0', ts: '2024-01-01T00:00:00Z' },
}
const pages: Page[] = [
  {
    id: 'p1',
    url: 'http://example.com/0',
    ts: '2024-01-01T00:00:00Z',
    title: 'Nought\nand “one”',
    text: 'text\n'.repeat(20),
    size: 7,
  },
  { url: 'http://example.com/1', ts: '2024-01-01T00:00:01.5+01:00' },
]

interface Wanted {
  archives: [name: string, warc: Buffer][]
  description?: Partial<WaczDescription>
  /** Bytes of an archive per write. */
  step?: number
}

async function written({ archives, description: other, step = 1000 }: Wanted): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const writer = new WaczWriter((bytes) => Promise.resolve(void parts.push(Buffer.from(bytes))), {
    ...description,
    ...other,
  })
  const lines: string[] = []
  for (const [name, warc] of archives) {
    const archive = await writer.archive(name)
    for (let at = 0; at < warc.length; at += step) await archive.append(warc.subarray(at, at + step))
    await archive.end()
    lines.push(...(await linesOf(warc, name)))
  }
  await writer.index([cdxjHeader('surt-test'), ...lines.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))])
  await writer.pages(pages)
  await writer.extraPages([])
  await writer.end()
  const bytes = Buffer.concat(parts)
  expect(writer.bytes).toBe(bytes.length)
  return bytes
}

/** Reads a file with yauzl, which verifies checksums: names and bytes of each entry. */
async function witnessed(bytes: Buffer): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'wacz-'))
  try {
    const path = join(folder, 'witness.wacz')
    await writeFile(path, bytes)
    const zip = await new Promise<yauzl.ZipFile>((resolve, reject) =>
      yauzl.open(path, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true }, (error, opened) =>
        error ? reject(error) : resolve(opened),
      ),
    )
    const contents = new Map<string, Buffer>()
    await new Promise<void>((resolve, reject) => {
      zip.on('error', reject).on('end', resolve)
      zip.on('entry', (entry: yauzl.Entry) => {
        zip.openReadStream(entry, (error, stream) => {
          if (error) return reject(error)
          const chunks: Uint8Array[] = []
          stream.on('error', reject)
          stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
          stream.on('end', () => {
            contents.set(entry.fileName, Buffer.concat(chunks))
            zip.readEntry()
          })
        })
      })
      zip.readEntry()
    })
    return contents
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function findings(bytes: Buffer): Promise<Finding[]> {
  const found: Finding[] = []
  for await (const finding of checkWacz(sourceOf(bytes), bytes.length)) found.push(finding)
  return found
}

function json(bytes: Buffer | undefined): Record<string, unknown> {
  return JSON.parse(String(bytes)) as Record<string, unknown>
}

test.each(['1.1.1', '1.2.0'] as const)(
  'a package of version %s is confirmed by another reader, node:crypto and warcio',
  async (version) => {
    const warcs: [string, Buffer][] = [
      [
        'data-1.warc.gz',
        await warcOf(['http://example.com/0', 'http://example.com/1', 'http://sub.example.com/ä?b=1&a=2']),
      ],
      ['data-2.warc.gz', await warcOf(['http://example.com/2'])],
    ]
    const bytes = await written({ archives: warcs, description: { version } })
    const contents = await witnessed(bytes)
    expect([...contents.keys()]).toEqual([
      'archive/data-1.warc.gz',
      'archive/data-2.warc.gz',
      'indexes/index.cdx.gz',
      'indexes/index.idx',
      'pages/pages.jsonl',
      'pages/extraPages.jsonl',
      'datapackage.json',
      'datapackage-digest.json',
    ])
    for (const [name, warc] of warcs) expect(contents.get(`archive/${name}`)?.equals(warc)).toBe(true)
    // Stored, so that records are found by their place in the package.
    for (const [, warc] of warcs) expect(bytes.includes(warc)).toBe(true)

    const manifest = json(contents.get('datapackage.json'))
    const { resources } = manifest as { resources: { name: string; path: string; hash: string; bytes: number }[] }
    expect(resources.map(({ path }) => path)).toEqual([...contents.keys()].slice(0, -2))
    for (const { name, path, hash, bytes: length } of resources) {
      const content = contents.get(path)!
      expect({ path, hash, length }).toEqual({
        path,
        hash: `sha256:${createHash('sha256').update(content).digest('hex')}`,
        length: content.length,
      })
      expect(path.endsWith(`/${name}`)).toBe(true)
    }
    const said = {
      title: 'A small collection',
      description: 'Of *few* pages',
      created: '2024-02-29T13:07:09.120Z',
      software: 'Loupe/test',
    }
    const main = { mainPageUrl: 'http://example.com/0', mainPageDate: '2024-01-01T00:00:00Z' }
    expect(manifest).toEqual(
      version === '1.1.1'
        ? { profile: 'data-package', wacz_version: '1.1.1', ...said, ...main, resources }
        : { profile: 'wacz', wacz_version: '1.2.0', ...said, home: description.home, resources },
    )
    expect(json(contents.get('datapackage-digest.json'))).toEqual({
      path: 'datapackage.json',
      hash: `sha256:${createHash('sha256').update(contents.get('datapackage.json')!).digest('hex')}`,
    })

    const [meta, ...pointers] = String(contents.get('indexes/index.idx')).trimEnd().split('\n')
    expect(meta).toBe('!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz","canonicaliser":"surt-test"}')
    expect(pointers).toHaveLength(1)
    const lines = gunzipSync(contents.get('indexes/index.cdx.gz')!).toString().trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    for (const line of lines) {
      const { url, filename, offset, length } = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, string>
      const member = contents.get(`archive/${filename}`)!.subarray(Number(offset), Number(offset) + Number(length))
      const record = await new WARCParser(single(member)).parse()
      expect(record?.warcTargetURI).toBe(url)
      expect(await record?.contentText()).toBe(`<p>This is ${url}`)
    }
    expect(await findings(bytes)).toEqual([])
  },
)

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

test('an extra field before the bytes is also in the directory, because wabac.js uses one length for both', async () => {
  const bytes = await written({ archives: [['a.warc.gz', await warcOf(['http://a/'])]] })
  let at = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  for (let entry = 0; entry < 7; entry++) {
    const extraBytes = bytes.readUInt16LE(at + 30)
    const local = bytes.readUInt32LE(at + 42)
    expect(bytes.readUInt16LE(local + 28) > 0).toBe(extraBytes > 0)
    at += 46 + bytes.readUInt16LE(at + 28) + extraBytes
  }
  expect(bytes.readUInt32LE(at)).toBe(0x06054b50)
})

test('round trip of pages, description and main page', async () => {
  for (const version of ['1.1.1', '1.2.0'] as const) {
    const bytes = await written({ archives: [['a.warc.gz', await warcOf(['http://a/'])]], description: { version } })
    const found: Finding[] = []
    const wacz = await openWacz(sourceOf(bytes), bytes.length, (finding) => found.push(finding))
    const { title, software, created, home } = wacz.dataPackage ?? {}
    expect({ version: wacz.dataPackage?.version, title, software, created, home }).toEqual({
      version,
      title: 'A small collection',
      software: 'Loupe/test',
      created: '2024-02-29T13:07:09.120Z',
      home: description.home,
    })
    const read: Page[] = []
    for await (const page of pagesIn(wacz, pagesPath, (finding) => found.push(finding))) read.push(page)
    expect(read).toEqual(pages)
    expect(found).toEqual([])
  }
})

test('equal input and time give equal bytes, for any division of the input', async () => {
  const archives: [string, Buffer][] = [['a.warc.gz', await warcOf(['http://a/', 'http://b/'])]]
  const once = await written({ archives })
  expect((await written({ archives })).equals(once)).toBe(true)
  expect((await written({ archives, step: 1 })).equals(once)).toBe(true)
  expect((await written({ archives, description: { createdAtMs: 0 } })).equals(once)).toBe(false)
})

test('any archives are read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 2000 }), { maxLength: 4 }), async (contents) => {
      const archives = contents.map((content, index): [string, Buffer] => [`${index}.warc.gz`, Buffer.from(content)])
      const bytes = await written({ archives, step: 333 })
      const seen = await witnessed(bytes)
      for (const [name, content] of archives) expect(seen.get(`archive/${name}`)?.equals(content)).toBe(true)
      const wrong = (await findings(bytes)).filter(
        ({ rule }) => !['waczArchiveNameWrong', 'waczArchiveMissing'].includes(rule),
      )
      expect(wrong).toEqual([])
    }),
    { numRuns: 20 },
  )
})

test('signed with a local key: valid as browsers verify it, and invalid after any change', async () => {
  const key = newSigningKey()
  const archives: [string, Buffer][] = [['a.warc.gz', await warcOf(['http://a/'])]]
  const bytes = await written({ archives, description: { key } })
  const { hash, signedData } = json((await witnessed(bytes)).get('datapackage-digest.json')) as {
    hash: string
    signedData: Record<string, string>
  }
  expect(signedData).toMatchObject({
    hash,
    created: '2024-02-29T13:07:09.120Z',
    software: 'Loupe/test',
    version: '0.1.0',
  })
  expect(signedData.publicKey).toBe(publicKeyOf(key))
  const publicKey = createPublicKey({ key: Buffer.from(signedData.publicKey!, 'base64'), format: 'der', type: 'spki' })
  expect(publicKey.asymmetricKeyDetails?.namedCurve).toBe('secp384r1')
  const signature = Buffer.from(signedData.signature!, 'base64')
  // r and s of P-384 side by side, which is what Web Crypto takes.
  expect(signature).toHaveLength(96)
  expect(verify('sha256', Buffer.from(hash), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
  expect((await findings(bytes)).map(({ rule }) => rule)).toEqual(['waczSignedByKey'])

  const changed = Buffer.from(bytes)
  changed[changed.indexOf('A small collection')] = 'B'.charCodeAt(0)
  expect((await findings(changed)).map(({ rule }) => rule)).toEqual([
    'zipEntryChecksum',
    'waczDigestWrong',
    'waczSignatureWrong',
  ])
})

test('a large index has blocks of 3000 lines with matching pointers, and unsorted lines are refused', async () => {
  const key = (index: number) => `com,example)/${String(index).padStart(6, '0')} 20240101000000`
  const lines = Array.from(
    { length: 7001 },
    (_, index) => `${key(index)} {"url":"http://example.com/${index}","offset":0,"length":1,"filename":"a.warc.gz"}`,
  )
  const parts: Uint8Array[] = []
  const writer = new WaczWriter((bytes) => Promise.resolve(void parts.push(bytes)), description)
  const archive = await writer.archive('a.warc.gz')
  await archive.append(await warcOf(['http://example.com/0']))
  await archive.end()
  await writer.index(lines)
  await writer.pages(pages)
  await writer.end()
  const bytes = Buffer.concat(parts)
  const contents = await witnessed(bytes)
  expect(gunzipSync(contents.get('indexes/index.cdx.gz')!).toString()).toBe(lines.map((line) => `${line}\n`).join(''))
  const pointers = String(contents.get('indexes/index.idx')).trimEnd().split('\n').slice(1)
  expect(pointers.map((line) => line.slice(0, line.indexOf(' {')))).toEqual([key(0), key(3000), key(6000)])
  const blocks = pointers.map((line) => JSON.parse(line.slice(line.indexOf('{'))) as { offset: number; length: number })
  const third = contents.get('indexes/index.cdx.gz')!.subarray(blocks[2]!.offset)
  expect(third).toHaveLength(blocks[2]!.length)
  expect(gunzipSync(third).toString().split('\n')[0]).toBe(lines[6000])
  expect(await findings(bytes)).toEqual([])

  const other = new WaczWriter(() => Promise.resolve(), description)
  await expect(other.index([lines[1]!, lines[0]!])).rejects.toThrow('not sorted at: com,example)/000000')
})
