/** Authority and mapping connections: listed, added, changed and removed. A mapping may have a mapping before it, so mappings form chains;
 *  circles are refused. */
import { Fault } from '../../contract/calls/faults.ts'
import type {
  AuthorityConnectionChange,
  AuthorityConnectionInput,
  AuthorityConnectionRow,
  AuthorityKind,
} from '../../contract/services/authorities.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import {
  authorityConnectionStatements,
  describedStatements,
  mappingUserStatements,
  type ConnectionDbInput,
  type ConnectionDbRow,
} from './access.sql.ts'
import { firstOf, namedMax } from './firstOf.ts'
import { isSameName } from './sameName.ts'

/** The authority connection, or the mapping connection, of a name. */
export interface ConnectionName {
  kind: AuthorityKind
  name: string
}

/** The connections. Functions that name one throw `Fault` notFound where there is none. */
export interface AuthorityConnections {
  /** Lists authorities, then mappings, each by name. */
  list(): AuthorityConnectionRow[]
  show(named: ConnectionName): AuthorityConnectionRow
  /** Adds a connection. Throws `Fault` badInput for a name that is taken, and for a mapping, domain or group that does not exist. */
  add(input: AuthorityConnectionInput): AuthorityConnectionRow
  /** Returns a connection as a change would leave it. Throws `Fault` badInput for a domain or group of a mapping. */
  changed(named: ConnectionName, change: AuthorityConnectionChange): AuthorityConnectionRow
  /** Stores a connection under the name that it has. Throws `Fault` badInput as `add`, and for a circle of mappings. */
  replace(row: AuthorityConnectionRow): AuthorityConnectionRow
  /** Removes a connection. Throws `Fault` refused for a mapping that another connection names. */
  remove(named: ConnectionName): void
  /** Number of connections of a kind that use a connector. */
  countOf(kind: AuthorityKind, connector: string): number
}

/** Opens the connections. */
export function openAuthorityConnections(store: Store): AuthorityConnections {
  const sql = {
    authority: authorityConnectionStatements(store, 'authority'),
    mapping: authorityConnectionStatements(store, 'mapping'),
  }
  const mappings = mappingUserStatements(store)
  const named = {
    domain: describedStatements(store, 'authdomain'),
    group: describedStatements(store, 'authgroup'),
  }

  function show({ kind, name }: ConnectionName): AuthorityConnectionRow {
    const row = sql[kind].one.get({ name })
    if (row) return shown(kind, row)
    throw new Fault('notFound', absent({ kind, name }), { fields: [['name']] })
  }

  /** Throws for a name in the connection that does not exist, and where a mapping would come before itself. */
  function refuseWrong(input: AuthorityConnectionInput): void {
    const { kind, name, mapping } = input
    if (mapping !== undefined) {
      const chain = mappings.chain.all({ name: mapping })
      if (chain.length === 0) throw refusal('mapping', absent({ kind: 'mapping', name: mapping }))
      const isCircle = kind === 'mapping' && chain.some((each) => isSameName(each.name, name))
      if (isCircle) throw refusal('mapping', message('authority.mapping.circle', { name, mapping }))
    }
    if (kind === 'mapping') return
    if (!named.domain.one.get({ name: input.domain }))
      throw refusal('domain', message('authority.domain.absent', { name: input.domain }))
    if (!named.group.one.get({ name: input.group }))
      throw refusal('group', message('authority.group.absent', { name: input.group }))
  }

  const read = () =>
    (['authority', 'mapping'] as const).flatMap((kind) => sql[kind].all.all({}).map((row) => shown(kind, row)))
  /** Each request asks for them. */
  let listed: AuthorityConnectionRow[] | undefined

  function changing<Result>(change: () => Result): Result {
    const result = store.transaction(change)
    listed = undefined
    return result
  }

  return {
    list: () => (listed ??= read()),
    show,
    add: (input) =>
      changing(() => {
        const { kind, name } = input
        if (sql[kind].one.get({ name })) throw refusal('name', message('connection.exists', { name }))
        refuseWrong(input)
        sql[kind].add.run(stored(input))
        return show(input)
      }),
    changed(of, change) {
      const before = show(of)
      const { mapping, domain, group, ...others } = change
      if (before.kind === 'mapping' && (domain !== undefined || group !== undefined))
        throw refusal(
          domain === undefined ? 'group' : 'domain',
          message('authority.mapping.open', { name: before.name }),
        )
      const { mapping: mappingBefore, ...kept } = before
      const mappingAfter = mapping === undefined ? mappingBefore : (mapping ?? undefined)
      return {
        ...kept,
        ...given({ ...others, mapping: mappingAfter }),
        ...(before.kind === 'authority' && given({ domain, group })),
      }
    },
    replace: (row) =>
      changing(() => {
        show(row)
        refuseWrong(row)
        sql[row.kind].change.run(stored(row))
        return show(row)
      }),
    remove: (of) =>
      changing(() => {
        const { kind, name } = show(of)
        if (kind === 'mapping') refuseUsed(name, mappings.users.all({ name, limit: namedMax + 1 }))
        sql[kind].remove.run({ name })
      }),
    countOf: (kind, connector) => sql[kind].count.get({ connector })?.connections ?? 0,
  }
}

function refuseUsed(name: string, users: readonly { name: string }[]): void {
  if (users.length === 0) return
  const names = firstOf(users.map((user) => user.name))
  throw new Fault('refused', message('authority.mapping.used', { name, names }))
}

function absent({ kind, name }: ConnectionName): Message {
  return kind === 'mapping' ? message('authority.mapping.absent', { name }) : message('authority.absent', { name })
}

function refusal(field: string, problem: Message): Fault {
  return new Fault('badInput', problem, { fields: [[field]] })
}

/** Leaves out what is undefined. */
function given<Part extends object>(part: Part): { [Name in keyof Part]: Exclude<Part[Name], undefined> } {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as never
}

function stored(input: AuthorityConnectionInput): ConnectionDbInput {
  const { settings, mapping = null, kind: _, ...common } = input
  const { domain = null, group = null, ...columns } = { domain: undefined, group: undefined, ...common }
  return { ...columns, settings: JSON.stringify(settings), mapping, domain, groupName: group }
}

function shown(
  kind: AuthorityKind,
  { id: _, mapping, domain, groupName, settings, ...row }: ConnectionDbRow,
): AuthorityConnectionRow {
  const common = {
    ...row,
    settings: JSON.parse(settings) as Record<string, string>,
    ...(mapping !== null && { mapping }),
  }
  return kind === 'mapping' ? { kind, ...common } : { kind, ...common, domain: domain ?? '', group: groupName ?? '' }
}
