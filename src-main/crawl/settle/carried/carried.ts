/** Data that a document states about the documents it links to: a feed knows the title and date of its entries, which the
 *  pages themselves may not state. The caller handles children whose data changed.
 *
 *  A parent's data is replaced as a whole, in the transaction that writes the parent, so the stored data is always that of
 *  its last completed pass: a pass that a kill interrupted leaves no trace, and nothing has to be repaired at a start. */
import type { Store } from '../../../storage/storage.ts'
import { carriedStatements } from './carried.sql.ts'

/** The `url_key` of a document. */
type Key = Uint8Array

/** One item of data for a child. */
export interface CarriedItem {
  child: Key
  name: string
  value: string
}

/** The passed data of one job. */
export interface Carried {
  /** Replaces all data of the parent. Returns the children for which an item was added or dropped. */
  replace(parent: Key, items: readonly CarriedItem[]): Key[]
  /** Returns what all parents state about a child, without duplicates. */
  of(child: Key): { name: string; value: string }[]
}

/** Opens the passed data of a job. Must be called inside a transaction when it writes. */
export function openCarried(store: Store, job: number): Carried {
  const sql = carriedStatements(store)

  function replace(parent: Key, items: readonly CarriedItem[]): Key[] {
    const before = new Map(sql.ofParent.all({ job, parent }).map((row) => [nameOf(row), row]))
    const changed = new Map<string, Key>()
    const now = new Map(items.map((item) => [nameOf(item), item]))
    for (const [name, item] of now) {
      if (before.delete(name)) continue
      sql.add.run({ job, parent, ...item })
      changed.set(hex(item.child), item.child)
    }
    for (const row of before.values()) {
      sql.drop.run({ job, parent, ...row })
      changed.set(hex(row.child), row.child)
    }
    return [...changed.values()]
  }

  return {
    replace,
    of: (child) => sql.ofChild.all({ job, child }),
  }
}

function nameOf({ child, name, value }: CarriedItem): string {
  return JSON.stringify([hex(child), name, value])
}

function hex(key: Key): string {
  return Buffer.from(key).toString('hex')
}
