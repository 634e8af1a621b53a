/** Names of jobs, harvests, domains and archive files, in memory, for a search at every keystroke. Names with words that begin with the
 *  text come first (FlexSearch), then names that contain it, then names with its characters in this order. */
import { Index } from 'flexsearch'
import { isInOrder } from '../../contract/text/inOrder.ts'

/** Something with a name. */
export interface Named {
  /** Its number among those of its kind, which increases with each that is added. */
  id: number
  name: string
}

/** Where the names of one kind come from. */
export interface NameSource {
  /** Those with a number above `after`, in the order of the numbers. */
  after(query: { after: number; limit: number }): Named[]
  /** The present name; undefined: it is gone. */
  nameOf(id: number): string | undefined
  /** Whether names change: they are read again with each refresh. */
  mayChange: boolean
  /** What is searched; absent: the name. */
  textOf?(named: Named): string
}

/** A name that was found. */
export interface FoundName<Kind extends string> extends Named {
  kind: Kind
}

/** A search. */
export interface FoundNames<Kind extends string> {
  rows: FoundName<Kind>[]
  /** False: not all names have been read yet. */
  isComplete: boolean
}

/** The names. */
export interface Names<Kind extends string> {
  /** Begins to read new and changed names, unless that is under way. */
  refresh(): void
  /** Finds names, best first; without a text the newest ones of each kind. Those of gone things are left out. */
  find(query: { text: string; limit: number }): FoundNames<Kind>
  /** Resolves when no names are being read. */
  whole(): Promise<void>
}

/** Names that are kept, of all kinds: about 50 MB. */
export const namesMax = 200_000
/** Names added at a time: 20,000 take about a second, so other requests get a turn in between. */
const addedAtOnce = 500

interface Entry<Kind extends string> extends FoundName<Kind> {
  lower: string
}

/** Opens the names. `refresh` reads them. */
export function openNames<Kind extends string>(sources: Readonly<Record<Kind, NameSource>>): Names<Kind> {
  const index = new Index({ tokenize: 'forward', encode: wordsOf })
  const entries: Entry<Kind>[] = []
  const placeOf = new Map<string, number>()
  const lastIds = new Map<Kind, number>()
  const kinds = Object.keys(sources) as Kind[]
  let reading: Promise<void> | undefined
  let isComplete = false

  function put(kind: Kind, { id, name }: Named): void {
    const place = placeOf.get(`${kind} ${id}`)
    const text = sources[kind].textOf?.({ id, name }) ?? name
    if (place === undefined && entries.length >= namesMax) return
    if (place !== undefined && entries[place]?.name === name) return
    const at = place ?? entries.length
    placeOf.set(`${kind} ${id}`, at)
    entries[at] = { kind, id, name, lower: text.toLowerCase() }
    index.update(at, text)
  }

  async function read(): Promise<void> {
    for (const kind of kinds) {
      const { after, mayChange } = sources[kind]
      let last = mayChange ? 0 : (lastIds.get(kind) ?? 0)
      for (let page = after({ after: last, limit: addedAtOnce }); page.length > 0;) {
        for (const named of page) put(kind, named)
        last = page.at(-1)?.id ?? last
        lastIds.set(kind, last)
        await new Promise((others) => setImmediate(others))
        page = after({ after: last, limit: addedAtOnce })
      }
    }
    isComplete = true
  }

  /** Places of names, best first, each at least once. */
  function* matching(typed: string, limit: number): Generator<number> {
    if (typed === '') {
      for (const kind of kinds) yield* newest(kind, limit)
      return
    }
    const begun = index.search(typed, { limit: 10 * limit }).map(Number)
    yield* begun.toSorted((one, other) => lengthAt(one) - lengthAt(other))
    for (const [at, { lower }] of entries.entries()) if (lower.includes(typed)) yield at
    for (const [at, { lower }] of entries.entries()) if (isInOrder(typed, lower)) yield at
  }

  function* newest(kind: Kind, limit: number): Generator<number> {
    for (let at = entries.length - 1, left = limit; at >= 0 && left > 0; at--)
      if (entries[at]?.kind === kind) {
        left -= 1
        yield at
      }
  }

  const lengthAt = (at: number) => entries[at]?.lower.length ?? 0

  /** The entry as it is now; undefined: it is gone. */
  function current(at: number): FoundName<Kind> | undefined {
    const entry = entries[at]
    const name = entry && sources[entry.kind].nameOf(entry.id)
    return entry && name !== undefined ? { kind: entry.kind, id: entry.id, name } : undefined
  }

  return {
    refresh() {
      reading ??= read().finally(() => (reading = undefined))
    },
    find({ text, limit }) {
      const found = new Map<number, FoundName<Kind>>()
      for (const at of matching(text.trim().toLowerCase(), limit)) {
        if (found.size >= limit) break
        const row = found.has(at) ? undefined : current(at)
        if (row) found.set(at, row)
      }
      return { rows: [...found.values()], isComplete }
    },
    whole: async () => reading,
  }
}

/** Words of a name: runs of letters and digits. */
function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
