/** Reads one document with a module of the user into the job. What the module throws, and what it returns in another form than
 *  `userDocument`, are failures of the document. */
import { joined } from '../../../contract/words/joined.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { messageOf } from '../../../contract/text/messageOf.ts'
import { canonicalUrl } from '../../../formats/cdx/surt.ts'
import { stopwatch } from '../../../world/stopwatch.ts'
import { unlessAborted } from '../../../world/unlessAborted.ts'
import type { Failed, LocalResource } from '../fetch/outcome.ts'
import type { Fetching } from '../fetch/fetching.ts'
import type { Spool } from '../fetch/spool.ts'
import type { DocumentToFetch } from '../../model/document.ts'
import type { Outlink } from '../../model/outlink.ts'
import { failure } from './folderFile.ts'
import { mediaTypeBytes, mediaTypeOf } from './mediaType.ts'
import { userDocument, type UserBody, type UserDocument, type UserSource } from './userSource.ts'

/** What the module does wrong or cannot do: a failure of the document, and no bug of Loupe. */
class ModuleFault extends Error {
  readonly why: Message
  constructor(why: Message) {
    super(why.code)
    this.why = why
  }
}

/** Reads a document. Faults of the module are returned as `Failed`; rejects with `DiskFault` if the job's own disk fails. */
export async function readFromModule(
  { url, role }: Pick<DocumentToFetch, 'url' | 'role'>,
  opened: { part: UserSource } | { problem: Message },
  { world, newSpool, settings, signal }: Fetching,
): Promise<LocalResource | Failed> {
  const startedMs = world.clock.now()
  const durationMs = stopwatch(world.clock)
  const spent = () => ({ startedMs, durationMs: durationMs() })
  if ('problem' in opened) return { ...failure('moduleFailed', opened.problem), ...spent() }
  const response = newSpool()
  const timeOver = new AbortController()
  const until = AbortSignal.any([signal, timeOver.signal])
  const limit = world.clock.sleep(settings.responseMsMax, until).then(() => timeOver.abort(), ignored)
  const isList = role === 'sitemap'
  try {
    const given = await ofModule(() => opened.part.read(url, { isList, signal: until }), until)
    if (given === undefined || given === null) return { ...failure('notInSource', url), ...spent() }
    const document = checked(given)
    const beginning = await readBody(document.body, { response, bytesMax: settings.responseBytesMax, until })
    const { outlinks, leftOut } = isList ? outlinksOf(document) : { outlinks: [], leftOut: 0 }
    return {
      kind: 'local',
      mediaType: document.mediaType ?? mediaTypeOf(new URL(url).pathname, beginning),
      ...{ response, modifiedMs: document.modified?.getTime() ?? null, version: document.version ?? null, outlinks },
      detail: leftOut === 0 ? null : message('module.links', { count: leftOut }),
      ...spent(),
    }
  } catch (error) {
    await response.discard()
    if (signal.aborted) return { ...failure('jobStopped', url), ...spent() }
    if (timeOver.signal.aborted) return { ...failure('timeout', url), ...spent() }
    if (error instanceof ModuleFault) return { ...failure('moduleFailed', error.why), ...spent() }
    throw error
  } finally {
    timeOver.abort()
    await limit
  }
}

/** Runs a function of the module until the signal aborts. Whatever it throws becomes a `ModuleFault`. */
async function ofModule<T>(act: () => T | PromiseLike<T>, until: AbortSignal): Promise<T> {
  try {
    return await unlessAborted((async () => act())(), until)
  } catch (error) {
    throw new ModuleFault(message('text', { text: messageOf(error) }))
  }
}

function checked(given: unknown): UserDocument {
  const document = userDocument.safeParse(given)
  if (document.success) return document.data
  const problems = document.error.issues.map(({ path, message: text }) =>
    path[0] === 'body' ? message('module.body') : message('module.field', { field: path.join('.'), problem: text }),
  )
  throw new ModuleFault(message('module.answer', { problems: joined(problems.slice(0, problemsNamedMax)) }))
}

/** Most problems of one answer that are named. */
const problemsNamedMax = 3

interface Reading {
  response: Spool
  bytesMax: number
  until: AbortSignal
}

/** Reads the content into the spool. Returns its beginning, for its media type. */
async function readBody(body: UserBody, { response, bytesMax, until }: Reading): Promise<Uint8Array> {
  let beginning = new Uint8Array(0)
  for await (const piece of piecesOf(body, until)) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece
    if (!(bytes instanceof Uint8Array)) throw new ModuleFault(message('module.piece'))
    if (response.bytes + bytes.length > bytesMax) throw new ModuleFault(message('module.tooLarge', { bytes: bytesMax }))
    if (beginning.length < mediaTypeBytes)
      beginning = Buffer.concat([beginning, bytes.subarray(0, mediaTypeBytes - beginning.length)])
    await response.append(bytes)
  }
  return beginning
}

/** The pieces of a body. The module is told when no more of them are read. */
async function* piecesOf(body: UserBody, until: AbortSignal): AsyncIterable<unknown> {
  if (typeof body === 'string' || body instanceof Uint8Array) return void (yield body)
  const pieces = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await ofModule(() => pieces.next(), until)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    pieces.return?.().catch(ignored)
  }
}

/** The documents of a list. Links that are no URLs are left out, and counted. */
function outlinksOf({ links }: UserDocument): { outlinks: Outlink[]; leftOut: number } {
  const outlinks = links.flatMap(({ url: text, version, isList }): Outlink[] => {
    const url = canonicalUrl(text)
    if (url === undefined) return []
    return isList ? [{ url, kind: 'sitemap' }] : [{ url, kind: 'navigation', version: version ?? null }]
  })
  return { outlinks, leftOut: links.length - outlinks.length }
}

function ignored(): void {}
