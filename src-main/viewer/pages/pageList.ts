/** The pages of a view, searchable by URL and title. Titles are read in a worker thread in batches, starting when the list is
 *  first opened, visible rows first. They are kept as long as the index. */
import { message } from '../../contract/words/message.ts'
import type { OnProblem } from '../model/onProblem.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { CaptureIndex, IndexedCapture } from '../../indexes/indexes.ts'
import type { Page } from '../../indexes/model/pageSearch.ts'
import type { World } from '../../world/world.ts'
import { titlesAtOnce } from '../model/limits.ts'
import type { TitlesInput } from './titles.thread.ts'

/** Number of pages whose title has been read. */
export interface TitlesRead {
  read: number
  total: number
}

/** A part of the list. */
export interface ListedPages {
  total: number
  /** Pages left out because the view has too many. */
  leftOut: number
  /** `title` is null if the page has none, or if it cannot be read. */
  rows: (Page & { title: string | null })[]
  /** Progress over all pages. While titles are unread, more pages may match later. */
  titles: TitlesRead
}

/** The part that is wanted: pages whose URL or title contains `text`, ignoring case; all for ''. */
export interface PagesWanted {
  text: string
  offset: number
  limit: number
  isShown: (url: string) => boolean
}

/** The list of pages of the view that is shown. */
export interface PageList {
  /** Lists pages. Reads the titles of the rows before it resolves; others are read afterwards. */
  list(index: CaptureIndex, wanted: PagesWanted): Promise<ListedPages>
  close(): Promise<void>
}

interface Parts {
  world: World
  archive: Archive
  /** The current view, held open until it is released. */
  borrow: () => { index: CaptureIndex; release: () => void } | undefined
  onRead: (titles: TitlesRead) => void
  onProblem: OnProblem
}

/** Makes the list. No title is read before the first call of `list`. */
export function openPageList({ world, archive, borrow, onRead, onProblem }: Parts): PageList {
  const known = new WeakMap<Page, string | null>()
  const closing = new AbortController()
  let latest: { index: CaptureIndex; pages: readonly Page[] } | undefined
  let reading: Promise<void> | undefined

  const unread = (pages: readonly Page[]) => pages.filter((page) => !known.has(page))

  async function read(index: CaptureIndex, pages: readonly Page[]): Promise<void> {
    const captures = pages.map((page) => captureOf(index, page))
    if (captures.length === 0) return
    const paths = await pathsOf(archive, captures)
    const module = new URL('./titles.thread.ts', import.meta.url)
    const input = { captures, paths }
    const titles = await world.threads.run<TitlesInput, (string | null)[]>(module, input, { signal: closing.signal })
    for (const [place, page] of pages.entries()) known.set(page, titles[place] ?? null)
  }

  async function readAll(): Promise<void> {
    for (;;) {
      const held = borrow()
      try {
        // Another view is shown by now.
        if (latest === undefined || held?.index !== latest.index) return
        const batch = unread(latest.pages).slice(0, titlesAtOnce)
        if (batch.length === 0) return
        await read(held.index, batch)
        onRead(readOf(latest.pages))
      } finally {
        held?.release()
      }
    }
  }

  function report(error: unknown): void {
    if (!closing.signal.aborted) onProblem(error, (problem) => message('viewer.problem.titles', { problem }))
  }

  function begin(): void {
    reading ??= readAll()
      .catch(report)
      .finally(() => (reading = undefined))
  }

  /** Continues when pages are added whose content is in other indexes. */
  async function followAdded(index: CaptureIndex, isShown: PagesWanted['isShown']): Promise<void> {
    const isReplaced = await index.pagesReplaced()
    if (!isReplaced || latest?.index !== index) return
    const held = borrow()
    try {
      if (held?.index !== index) return
      latest = { index, pages: await index.pages({ text: '', limit: Number.MAX_SAFE_INTEGER, isShown }) }
      onRead(readOf(latest.pages))
    } finally {
      held?.release()
    }
    begin()
  }

  const readOf = (pages: readonly Page[]) => ({ read: pages.length - unread(pages).length, total: pages.length })

  return {
    async list(index, { text, offset, limit, isShown }) {
      const asked = { limit: Number.MAX_SAFE_INTEGER, isShown }
      const pages = await index.pages({ text: '', ...asked })
      if (latest?.index !== index) void followAdded(index, isShown).catch(report)
      latest = { index, pages }
      const wanted = text.trim().toLowerCase()
      const titled = wanted === '' ? [] : pages.filter((page) => known.get(page)?.toLowerCase().includes(wanted))
      const found = wanted === '' ? pages : [...new Set([...(await index.pages({ text, ...asked })), ...titled])]
      const rows = found.slice(offset, offset + limit)
      await read(index, unread(rows))
      begin()
      return {
        total: found.length,
        leftOut: await index.pagesLeftOut(),
        rows: rows.map((page) => ({ ...page, title: known.get(page) ?? null })),
        titles: readOf(pages),
      }
    },
    async close() {
      closing.abort()
      await reading
    },
  }
}

/** The capture with the content of a page. Undefined: the index is being built and was restarted meanwhile. */
function captureOf(index: CaptureIndex, { url, timestampMs, original }: Page): IndexedCapture | undefined {
  return original ?? index.nearest({ url, moment: { kind: 'nearest', atMs: timestampMs } })
}

/** Finds a good copy of each file, so that the thread needs no archive. */
async function pathsOf(archive: Archive, captures: TitlesInput['captures']): Promise<Map<string, string>> {
  const paths = new Map<string, string>()
  for (const name of new Set(captures.flatMap((capture) => capture?.filename ?? []))) {
    const copy = await archive.pathOfFile(name)
    if (copy) paths.set(name, copy.path)
  }
  return paths
}
