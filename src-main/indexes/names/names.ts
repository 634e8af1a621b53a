/** Names of jobs, harvests, domains and archive files, in memory, for a search at every keystroke. All names are compared, without an index
 *  of their words: `bench/reports/quickOpen.md` says why. */
import { nameRanker, nameRanks, wordsOf, type NameRank } from '../../contract/text/nameMatch.ts'

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
  /** Whether names change or go: all are read again with each refresh, otherwise only new ones. */
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

/** Names that are kept, of all kinds. */
export const namesMax = 200_000
/** Names read at a time, in about a millisecond: other requests get a turn in between. */
const readAtOnce = 500

interface Entry<Kind extends string> {
  kind: Kind
  id: number
  /** What is searched, in lower case. */
  text: string
  letters: number
}

/** Opens the names. `refresh` reads them. */
export function openNames<Kind extends string>(sources: Readonly<Record<Kind, NameSource>>): Names<Kind> {
  const kinds = Object.keys(sources) as Kind[]
  const lists = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Record<Kind, Entry<Kind>[]>
  let reading: Promise<void> | undefined
  let isComplete = false

  async function read(): Promise<void> {
    for (const kind of kinds) await readKind(kind)
    isComplete = true
  }

  /** Names that were read before are found until all of the kind have been read again. */
  async function readKind(kind: Kind): Promise<void> {
    const { after, mayChange, textOf = ({ name }: Named) => name } = sources[kind]
    const list = mayChange ? [] : lists[kind]
    if (lists[kind].length === 0) lists[kind] = list
    const others = kinds.filter((other) => other !== kind).reduce((sum, other) => sum + lists[other].length, 0)
    for (;;) {
      const limit = Math.min(readAtOnce, namesMax - others - list.length)
      const page = after({ after: list.at(-1)?.id ?? 0, limit })
      if (page.length === 0) break
      for (const named of page) {
        const text = textOf(named).toLowerCase()
        list.push({ kind, id: named.id, text, letters: lettersOf(text) })
      }
      await new Promise((turn) => setImmediate(turn))
    }
    lists[kind] = list
  }

  /** Entries that match, best first. Of each kind there are some more than `limit`: things may be gone. */
  function matching(text: string, limit: number): Entry<Kind>[] {
    const found = kinds.map((kind) => rankedIn(lists[kind], text, 10 * limit))
    return nameRanks.flatMap((rank) => {
      const ranked = found.flatMap((each) => each[rank])
      return rank === 'begins' ? ranked.toSorted((one, other) => one.text.length - other.text.length) : ranked
    })
  }

  /** As many of each kind. */
  const newest = (limit: number) =>
    kinds.flatMap((kind) => lists[kind].slice(-Math.ceil(limit / kinds.length)).toReversed())

  return {
    refresh() {
      reading ??= read().finally(() => (reading = undefined))
    },
    find({ text, limit }) {
      const typed = text.trim().toLowerCase()
      const rows: FoundName<Kind>[] = []
      for (const { kind, id } of typed === '' ? newest(limit) : matching(typed, limit)) {
        if (rows.length >= limit) break
        const name = sources[kind].nameOf(id)
        if (name !== undefined) rows.push({ kind, id, name })
      }
      return { rows, isComplete }
    },
    whole: async () => reading,
  }
}

/** The entries of one kind that match, at most `most` of each rank, in the order of the list. */
function rankedIn<Kind extends string>(
  list: readonly Entry<Kind>[],
  text: string,
  most: number,
): Record<NameRank, Entry<Kind>[]> {
  const rankOf = nameRanker(text)
  const letters = wordsOf(text).reduce((all, word) => all | lettersOf(word), 0)
  const found: Record<NameRank, Entry<Kind>[]> = { begins: [], contains: [], inOrder: [] }
  for (const entry of list) {
    if ((entry.letters & letters) !== letters) continue
    const rank = rankOf(entry.text)
    if (rank !== undefined && found[rank].length < most) found[rank].push(entry)
    if (found.begins.length >= most) break
  }
  return found
}

/** Returns the characters of a text as 32 bits: a text lacks no bit of its parts, so that most names that do not match are passed over. */
function lettersOf(text: string): number {
  let letters = 0
  for (let at = 0; at < text.length; at += 1) letters |= 1 << (text.charCodeAt(at) & 31)
  return letters
}
