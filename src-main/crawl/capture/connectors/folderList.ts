/** The list of one folder: outlinks to its files, and a page for browsing them. */
import { listed } from '../../../contract/words/joined.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { diskMessage } from '../../../files/disk/diskFaults.ts'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { escapedHtml } from '../../../contract/text/escapedHtml.ts'
import { stopwatch } from '../../../world/stopwatch.ts'
import { DiskFault, type Entry, type World } from '../../../world/world.ts'
import type { Failed, LocalResource } from '../fetch/outcome.ts'
import type { Fetching } from '../fetch/fetching.ts'
import type { Outlink } from '../../model/outlink.ts'
import { failure, fileVersion, isLink } from './folderFile.ts'

/** Entries taken of one folder. A longer list is not usable, and each entry takes memory until it is written. */
const entriesMax = 100_000
/** Entries checked concurrently. */
const lookCount = 64
/** Left-out entries that are named in the detail. */
const namedMax = 20

interface Listed {
  entry: Entry
  url: string
}

interface Listing {
  listed: Listed[]
  /** Entries that are not listed, each with the reason. */
  leftOut: Message[]
}

/** Lists a folder. `withHidden` includes entries whose name begins with a dot. Faults of the folder are returned as `Failed`. */
export async function listFolder(
  path: string,
  withHidden: boolean,
  { world, newSpool, signal }: Fetching,
): Promise<LocalResource | Failed> {
  const startedMs = world.clock.now()
  const durationMs = stopwatch(world.clock)
  const spent = () => ({ startedMs, durationMs: durationMs() })
  let listing: Listing
  try {
    if ((await world.disk.stat(path))?.kind !== 'folder') return { ...failure('noFolder', path), ...spent() }
    listing = await entriesIn(world, path, withHidden, signal)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    return { ...failure(error.code === 'absent' ? 'noFolder' : 'fileUnreadable', diskMessage(error)), ...spent() }
  }
  if (signal.aborted) return { ...failure('jobStopped', path), ...spent() }
  const { leftOut } = listing
  const response = newSpool()
  await response.append(Buffer.from(pageOf(path, listing.listed), 'utf8'))
  return {
    kind: 'local',
    mediaType: 'text/html; charset=utf-8',
    ...{
      response,
      modifiedMs: null,
      version: null,
      detail: detailOf(leftOut),
      outlinks: listing.listed.map(outlinkOf),
    },
    ...spent(),
  }
}

async function entriesIn(world: World, path: string, withHidden: boolean, signal: AbortSignal): Promise<Listing> {
  const all = await world.disk.list(path)
  const seen = all.filter(({ name }) => withHidden || !name.startsWith('.'))
  const entries = seen.slice(0, entriesMax)
  const found: Listed[] = []
  const leftOut: Message[] =
    seen.length > entriesMax
      ? [message('capture.entriesOver', { count: seen.length - entriesMax, most: entriesMax })]
      : []
  for (let at = 0; at < entries.length && !signal.aborted; at += lookCount) {
    const some = entries.slice(at, at + lookCount)
    const whys = await Promise.all(some.map((entry) => whyNot(world, join(path, entry.name), entry)))
    some.forEach((entry, index) => {
      const why = whys[index]
      if (why === undefined) found.push({ entry, url: urlOf(join(path, entry.name), entry) })
      else leftOut.push(message('capture.entry', { name: entry.name, why }))
    })
  }
  return { listed: found, leftOut }
}

/** Why an entry is not listed; undefined if it is. */
async function whyNot(world: World, path: string, { name, bytes }: Entry): Promise<Message | undefined> {
  try {
    // Names are bytes. One that is not UTF-8 is decoded with U+FFFD, and no file is found under the decoded name.
    if (bytes === 0 && name.includes('\ufffd') && !(await world.disk.stat(path)))
      return message('capture.entry.notUtf8')
    return (await isLink(world, path)) ? message('reason.linkedElsewhere') : undefined
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    return error.code === 'absent' ? message('capture.entry.gone') : diskMessage(error)
  }
}

function urlOf(path: string, { kind }: Entry): string {
  const { href } = pathToFileURL(path)
  return kind === 'folder' ? `${href}/` : href
}

function outlinkOf({ entry, url }: Listed): Outlink {
  return entry.kind === 'folder' ? { url, kind: 'sitemap' } : { url, kind: 'navigation', version: fileVersion(entry) }
}

function detailOf(leftOut: readonly Message[]): Message | null {
  if (leftOut.length === 0) return null
  const entries = listed(leftOut.slice(0, namedMax))
  return leftOut.length > namedMax
    ? message('capture.leftOut.more', { entries, count: leftOut.length - namedMax })
    : message('capture.leftOut', { entries })
}

/** Relative link to an entry, so that it works wherever the list is shown. The `./` keeps a colon in a name from being read as
 *  a scheme. */
function hrefOf(url: string): string {
  return `./${url.slice(url.lastIndexOf('/', url.length - 2) + 1)}`
}

/** HTML page of the list, similar to the one that browsers show for a folder. */
function pageOf(path: string, listed: readonly Listed[]): string {
  const title = escapedHtml(basename(path) || path)
  const rows = listed.map(({ entry: { name, kind, bytes, modifiedAtMs }, url }) => {
    const what = kind === 'folder' ? 'folder' : `${bytes} bytes, ${new Date(modifiedAtMs).toISOString()}`
    return `<li><a href="${escapedHtml(hrefOf(url))}">${escapedHtml(name)}${kind === 'folder' ? '/' : ''}</a> ${what}</li>\n`
  })
  return `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>${title}</title>\n<h1>${title}</h1>\n<ul>\n${rows.join('')}</ul>\n</html>\n`
}
