/** The list of one folder: what leads to its files, and the page by which they can be browsed. */
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { escapedHtml } from '../../../contract/text/escapedHtml.ts'
import { stopwatch } from '../../../world/stopwatch.ts'
import { DiskFault, type Entry, type World } from '../../../world/world.ts'
import type { Failed, Fetching, LocalResource } from '../fetch/fetch.ts'
import type { Outlink } from '../../model/outlink.ts'
import { failure, fileVersion, isLink } from './folderFile.ts'

/** Of one folder: beyond it a list is no list for people any more, and each entry costs memory until it is written down. */
const entriesMax = 100_000
/** Looked at side by side. */
const lookCount = 64
/** Of what was left out, named. */
const namedMax = 20

interface Listed {
  entry: Entry
  url: string
}

interface Looked {
  listed: Listed[]
  /** In words, each: what was not taken and why. */
  leftOut: string[]
}

export async function listFolder(
  path: string,
  withHidden: boolean,
  { world, newSpool, signal }: Fetching,
): Promise<LocalResource | Failed> {
  const startedMs = world.clock.now()
  const durationMs = stopwatch(world.clock)
  const spent = () => ({ startedMs, durationMs: durationMs() })
  let looked: Looked
  try {
    if ((await world.disk.stat(path))?.kind !== 'folder') return { ...failure('noFolder', path), ...spent() }
    looked = await look(world, path, withHidden, signal)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    return { ...failure(error.code === 'absent' ? 'noFolder' : 'fileUnreadable', error.message), ...spent() }
  }
  if (signal.aborted) return { ...failure('jobStopped', path), ...spent() }
  const { listed, leftOut } = looked
  const response = newSpool()
  await response.append(Buffer.from(pageOf(path, listed), 'utf8'))
  return {
    kind: 'local',
    mediaType: 'text/html; charset=utf-8',
    ...{ response, modifiedMs: null, version: null, detail: detailOf(leftOut), outlinks: listed.map(leadOf) },
    ...spent(),
  }
}

async function look(world: World, path: string, withHidden: boolean, signal: AbortSignal): Promise<Looked> {
  const all = await world.disk.list(path)
  const seen = all.filter(({ name }) => withHidden || !name.startsWith('.'))
  const entries = seen.slice(0, entriesMax)
  const listed: Listed[] = []
  const leftOut = seen.length > entriesMax ? [`${seen.length - entriesMax} more than ${entriesMax} entries`] : []
  for (let at = 0; at < entries.length && !signal.aborted; at += lookCount) {
    const some = entries.slice(at, at + lookCount)
    const whys = await Promise.all(some.map((entry) => whyNot(world, join(path, entry.name), entry)))
    some.forEach((entry, index) => {
      const why = whys[index]
      if (why === undefined) listed.push({ entry, url: urlOf(join(path, entry.name), entry) })
      else leftOut.push(`${entry.name}: ${why}`)
    })
  }
  return { listed, leftOut }
}

/** Why an entry is not taken; undefined when it is. */
async function whyNot(world: World, path: string, { name, bytes }: Entry): Promise<string | undefined> {
  try {
    // Names are bytes; one that is no UTF-8 comes with U+FFFD in it, and nothing is found under it.
    if (bytes === 0 && name.includes('\ufffd') && !(await world.disk.stat(path))) return 'its name is no UTF-8'
    return (await isLink(world, path)) ? 'symbolic link (not followed)' : undefined
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    return error.code === 'absent' ? 'it has gone meanwhile' : error.message
  }
}

function urlOf(path: string, { kind }: Entry): string {
  const { href } = pathToFileURL(path)
  return kind === 'folder' ? `${href}/` : href
}

function leadOf({ entry, url }: Listed): Outlink {
  return entry.kind === 'folder' ? { url, kind: 'sitemap' } : { url, kind: 'navigation', version: fileVersion(entry) }
}

function detailOf(leftOut: readonly string[]): string | null {
  if (leftOut.length === 0) return null
  const more = leftOut.length > namedMax ? `, and ${leftOut.length - namedMax} more` : ''
  return `left out: ${leftOut.slice(0, namedMax).join(', ')}${more}`
}

/** Made here, as a browser makes one of a folder. */
/** As seen from the folder, so that the list leads on wherever it is shown; a name with a colon is no scheme then. */
function hrefOf(url: string): string {
  return `./${url.slice(url.lastIndexOf('/', url.length - 2) + 1)}`
}

function pageOf(path: string, listed: readonly Listed[]): string {
  const title = escapedHtml(basename(path) || path)
  const rows = listed.map(({ entry: { name, kind, bytes, modifiedAtMs }, url }) => {
    const what = kind === 'folder' ? 'folder' : `${bytes} bytes, ${new Date(modifiedAtMs).toISOString()}`
    return `<li><a href="${escapedHtml(hrefOf(url))}">${escapedHtml(name)}${kind === 'folder' ? '/' : ''}</a> ${what}</li>\n`
  })
  return `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>${title}</title>\n<h1>${title}</h1>\n<ul>\n${rows.join('')}</ul>\n</html>\n`
}
