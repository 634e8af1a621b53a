/** Authority groups and authorization domains: names with descriptions, which authority connections and security rules name. */
import { Fault } from '../../contract/calls/faults.ts'
import type { DescribedRow } from '../../contract/services/authorities.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import { describedStatements, type DescribedDbRow, type DescribedTable } from './access.sql.ts'
import { firstOf, namedMax } from './firstOf.ts'

/** Groups, or domains. Functions that name one throw `Fault` notFound where there is none. Names are the same in any case of letters. */
export interface Described {
  list(): DescribedRow[]
  show(name: string): DescribedRow
  /** Adds one. Throws `Fault` badInput if its name is taken. */
  add(given: { name: string; description: string }): DescribedRow
  /** Changes the description; the name never changes. */
  edit(given: { name: string; description: string }): DescribedRow
  /** Removes one. Throws `Fault` refused while an authority connection or a security rule names it. */
  remove(name: string): void
}

interface Words {
  absent(name: string): Message
  exists(name: string): Message
  used(values: { name: string; count: number; names: string }): Message
}

const words: Record<DescribedTable, Words> = {
  authgroup: {
    absent: (name) => message('authority.group.absent', { name }),
    exists: (name) => message('authority.group.exists', { name }),
    used: (values) => message('authority.group.used', values),
  },
  authdomain: {
    absent: (name) => message('authority.domain.absent', { name }),
    exists: (name) => message('authority.domain.exists', { name }),
    used: (values) => message('authority.domain.used', values),
  },
}

/** Opens the groups or the domains of an archive. */
export function openDescribed(store: Store, table: DescribedTable): Described {
  const sql = describedStatements(store, table)
  const { absent, exists, used } = words[table]

  function stored(name: string): DescribedDbRow {
    const row = sql.one.get({ name })
    if (row) return row
    throw new Fault('notFound', absent(name), { fields: [['name']] })
  }
  const show = (name: string) => shown(stored(name))

  return {
    list: () => sql.all.all({}).map(shown),
    show,
    add: (given) =>
      store.transaction(() => {
        const { name } = given
        if (sql.one.get({ name })) throw new Fault('badInput', exists(name), { fields: [['name']] })
        sql.add.run(given)
        return show(name)
      }),
    edit: ({ name, description }) =>
      store.transaction(() => {
        sql.describe.run({ id: stored(name).id, description })
        return show(name)
      }),
    remove: (given) =>
      store.transaction(() => {
        const { id, name, authorities: count, rules } = stored(given)
        if (count > 0) {
          const names = firstOf(sql.users.all({ id, limit: namedMax + 1 }).map((user) => user.name))
          throw new Fault('refused', used({ name, count, names }))
        }
        if (rules > 0) throw new Fault('refused', message('security.groupUsed', { name, count: rules }))
        sql.remove.run({ id })
      }),
  }
}

function shown({ id: _, ...row }: DescribedDbRow): DescribedRow {
  return row
}
