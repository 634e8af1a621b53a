/** Domains as users see them. */
import { Fault } from '../../contract/calls/faults.ts'
import type { DomainDetails, DomainRow, FieldValues } from '../../contract/services/domains.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Configurations } from './configurations.ts'
import { domainIn } from './domainNames.ts'
import { domainStatements, type DomainDbRow } from './domains.sql.ts'

interface ReaderSetting {
  store: Store
  configurations: Pick<Configurations, 'list' | 'seedLists'>
  aliasDays: () => number
}

/** Reads domains. */
export interface DomainReader {
  /** Finds a domain by its name, a host or a URL. Throws `Fault` notFound. */
  rowOf(written: string): DomainDbRow
  shown(row: DomainDbRow): DomainRow
  details(row: DomainDbRow): DomainDetails
}

const dayMs = 86_400_000

/** Returns the reader. */
export function domainReader({ store, configurations: parts, aliasDays }: ReaderSetting): DomainReader {
  const sql = domainStatements(store)

  function rowOf(written: string): DomainDbRow {
    const row = sql.one.get({ domain: domainIn(written) ?? written })
    if (!row) throw new Fault('notFound', message('domain.absent', { domain: written }))
    return row
  }

  function shown({
    domain,
    comments,
    defaultConfiguration,
    configurations,
    aliasOf,
    aliasSetMs,
    createdMs,
  }: DomainDbRow): DomainRow {
    const expiresMs = (aliasSetMs ?? 0) + aliasDays() * dayMs
    return {
      ...{ domain, comments, defaultConfiguration: defaultConfiguration ?? '', configurations },
      alias: aliasOf === null ? null : { of: aliasOf, expires: new Date(expiresMs).toISOString() },
      added: new Date(createdMs).toISOString(),
    }
  }

  function details(row: DomainDbRow): DomainDetails {
    const { id, traps, fields: values } = row
    return {
      ...shown(row),
      ...{ configurations: parts.list(id), seedLists: parts.seedLists(id) },
      ...{ traps: JSON.parse(traps) as string[], fields: JSON.parse(values) as FieldValues },
      aliases: sql.aliases.all({ id }).map(({ domain }) => domain),
      harvests: sql.harvests.all({ id }).map(({ name }) => name),
    }
  }

  return { rowOf, shown, details }
}
