/** What a document says of those that it leads to: a feed knows the title and the date of its entries, which the pages themselves
 *  may not say. What becomes of a child whose data changed is the caller's.
 *
 *  A parent's data is replaced as a whole, in the transaction that writes the parent down. So what is stored is always what its
 *  last completed pass said: a pass that a kill cut short has left no trace, and there is nothing to mend at a start. */
import type { Store } from '../../../storage/storage.ts'
import { carriedStatements } from './carried.sql.ts'

/** The `url_key` of a document. */
type Key = Uint8Array

export interface CarriedItem {
  child: Key
  name: string
  value: string
}

export interface Carried {
  /** All that the parent says now. Returns the children of whom something is said that was not, or no more. */
  replace(parent: Key, items: readonly CarriedItem[]): Key[]
  /** What all its parents say of a child, each thing once. */
  of(child: Key): { name: string; value: string }[]
}

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
