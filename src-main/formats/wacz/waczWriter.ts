/** Writes a WACZ sequentially: archives, their index as ZipNum, page lists, the manifest, its digest and, when a key
 *  is given, a signature. It holds only a line for each file and for each block of the index. The same input and
 *  time give the same bytes, except for a signature, which differs each time. Callers make the records and index
 *  lines, and store the bytes. */
import { createHash } from 'node:crypto'
import { canonicaliserOf, isCdxjHeader } from '../cdx/canonicaliser.ts'
import { writePages, type Page } from './pages.ts'
import { signHash, type WaczSigningKey } from './signature.ts'
import { zipNumBlocks, zipNumHeader } from './zipNum.ts'
import { ZipWriter, type Append, type OpenEntry } from './zipWriter.ts'

/** 1.1.1 is supported by all programs. wabac.js 2.27.3, on which ReplayWeb.page is based, rejects the profile of
 *  1.2.0. */
export type WaczVersion = '1.1.1' | '1.2.0'

/** Description of the package, written to its manifest. */
export interface WaczDescription {
  version: WaczVersion
  createdAtMs: number
  /** Name and version of the program, for example `Loupe/1.2`. */
  software: string
  title?: string
  /** Text in Markdown. */
  description?: string
  /** Page to start with. */
  home?: { url: string; ts: string }
  /** Key to sign the manifest with. */
  key?: WaczSigningKey
}

/** A file of the package as it is listed in the manifest; `hash` with its algorithm as prefix. */
interface WrittenResource {
  name: string
  path: string
  hash: string
  bytes: number
}

/** Name of the compressed index, as py-wacz writes it. */
const indexName = 'index.cdx.gz'

/** Writes one package. Call `end` after everything was added. */
export class WaczWriter {
  readonly #zip: ZipWriter
  readonly #description: WaczDescription
  readonly #resources: WrittenResource[] = []

  /** `append` receives the bytes of the package, in order. */
  constructor(append: Append, description: WaczDescription) {
    this.#zip = new ZipWriter(append, description.createdAtMs)
    this.#description = description
  }

  /** Number of bytes of the package written so far. */
  get bytes(): number {
    return this.#zip.position
  }

  /** Begins an archive file, for example `data.warc.gz`, under the name that index lines use. It must be ended
   *  before anything else is begun. */
  archive(name: string): Promise<OpenEntry> {
    return this.#begin(`archive/${name}`)
  }

  /** Writes the index. `lines` are the CDXJ lines of all archives without line ends, sorted by bytes. A header among
   *  them may name the rules of the keys; it goes into the header of the index of blocks, because replay programs
   *  would take it for a capture within a block. */
  async index(lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const pointers: string[] = []
    let canonicaliser: string | undefined
    async function* captures(): AsyncGenerator<string> {
      for await (const line of lines) {
        if (isCdxjHeader(line)) canonicaliser = canonicaliserOf(line)
        else yield line
      }
    }
    const blocks = await this.#begin(`indexes/${indexName}`)
    for await (const { bytes, pointer } of zipNumBlocks(captures())) {
      await blocks.append(bytes)
      if (pointer !== undefined) pointers.push(pointer)
    }
    await blocks.end()
    const entry = await this.#begin('indexes/index.idx')
    for (const line of [zipNumHeader(indexName, canonicaliser), ...pointers])
      await entry.append(Buffer.from(`${line}\n`))
    await entry.end()
  }

  /** Writes the list of pages to start with. */
  pages(pages: AsyncIterable<Page> | Iterable<Page>): Promise<void> {
    return this.#pageList('pages', 'All Pages', pages)
  }

  /** Writes the list of the other pages. */
  extraPages(pages: AsyncIterable<Page> | Iterable<Page>): Promise<void> {
    return this.#pageList('extraPages', 'Extra Pages', pages)
  }

  async #pageList(id: string, title: string, pages: AsyncIterable<Page> | Iterable<Page>): Promise<void> {
    const entry = await this.#begin(`pages/${id}.jsonl`)
    for await (const line of writePages({ id, title }, pages)) await entry.append(line)
    await entry.end()
  }

  /** Writes the manifest, its digest and signature. Nothing can be added afterwards. */
  async end(): Promise<void> {
    const manifest = jsonBytes(manifestOf(this.#description, this.#resources))
    await this.#zip.whole('datapackage.json', manifest)
    const hash = `sha256:${createHash('sha256').update(manifest).digest('hex')}`
    const { key, software } = this.#description
    const signedData = key && signHash(hash, { key, software, created: createdOf(this.#description) })
    await this.#zip.whole('datapackage-digest.json', jsonBytes({ path: 'datapackage.json', hash, signedData }))
    await this.#zip.end()
  }

  async #begin(path: string): Promise<OpenEntry> {
    const entry = await this.#zip.begin(path)
    const hash = createHash('sha256')
    let bytes = 0
    return {
      append: async (chunk) => {
        hash.update(chunk)
        bytes += chunk.length
        await entry.append(chunk)
      },
      end: async () => {
        await entry.end()
        const name = path.slice(path.lastIndexOf('/') + 1)
        this.#resources.push({ name, path, hash: `sha256:${hash.digest('hex')}`, bytes })
      },
    }
  }
}

/** Serialises an object; undefined members are omitted. */
function jsonBytes(value: Readonly<Record<string, unknown>>): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)
}

function createdOf({ createdAtMs }: WaczDescription): string {
  return new Date(createdAtMs).toISOString()
}

/** Returns the manifest, with the members of the version that is written. */
function manifestOf(description: WaczDescription, resources: WrittenResource[]): Readonly<Record<string, unknown>> {
  const { title, software, home, version } = description
  const common = { title, description: description.description, created: createdOf(description), software }
  // In 1.2.0 the profile alone states the version; programs made for 1.1.1 look for it here, and the draft allows
  // further fields.
  if (version === '1.2.0') return { profile: 'wacz', wacz_version: version, ...common, home, resources }
  const main = { mainPageUrl: home?.url, mainPageDate: home?.ts }
  return { profile: 'data-package', wacz_version: version, ...common, ...main, resources }
}
