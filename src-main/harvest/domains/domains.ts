/** Domains with their configurations, seed lists, crawler traps and aliases. */
import type {
  DomainChange,
  DomainConfiguration,
  DomainDetails,
  DomainRow,
  SeedList,
} from '../../contract/services/domains.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { Templates } from '../templates/templates.ts'
import { openConfigurations, refuse, refuseUsers } from './configurations.ts'
import { domainReader } from './domainReader.ts'
import { domainAdder, type DomainAdder } from './newDomains.ts'
import { domainStatements, type DomainDbRow } from './domains.sql.ts'
import { openExtendedFields, refusePatterns } from './institution.ts'

/** The domains of an archive. A call that names an unknown one throws `Fault` notFound. */
export interface Domains extends DomainAdder {
  list(query: { text?: string | undefined; aliases?: boolean | undefined; offset: number; limit: number }): {
    rows: DomainRow[]
    total: number
  }
  show(domain: string): DomainDetails
  /** Throws `Fault` badInput, naming the field, for a wrong pattern, an impossible alias or a wrong field. */
  edit(change: DomainChange): DomainDetails
  setConfiguration(domain: string, configuration: DomainConfiguration): DomainDetails
  removeConfiguration(domain: string, name: string): DomainDetails
  /** Throws `Fault` badInput for a line that is no URL. */
  setSeedList(domain: string, list: SeedList): DomainDetails
  removeSeedList(domain: string, name: string): DomainDetails
  /** Throws `Fault` refused while a harvest uses the domain, or another one is its alias. */
  remove(domain: string): void
  found(query: { job: number; offset: number; limit: number }): {
    rows: { domain: string; fetched: number; isKnown: boolean }[]
    total: number
  }
}

interface DomainsSetting {
  store: Store
  clock: Pick<Clock, 'now' | 'sleep'>
  templates: Pick<Templates, 'idOf'>
  /** Time after which an alias counts no more, in days. */
  aliasDays: () => number
}

/** Opens the domains. */
export function openDomains({ store, clock, templates, aliasDays }: DomainsSetting): Domains {
  const sql = domainStatements(store)
  const fields = openExtendedFields(store)
  const configurations = openConfigurations(store, templates, fields)

  const { rowOf, shown, details } = domainReader({ store, configurations, aliasDays })

  /** Runs a change in a transaction, and returns the domain after it. */
  function changed(domain: string, act: (row: DomainDbRow) => void): DomainDetails {
    return store.transaction(() => {
      act(rowOf(domain))
      return details(rowOf(domain))
    })
  }

  function setAlias({ id, domain }: DomainDbRow, aliasOf: string | null): void {
    if (aliasOf === null) return void sql.setAlias.run({ id, aliasOf: null, nowMs: null })
    const target = rowOf(aliasOf)
    const problem = aliasProblem(domain, target, sql.aliases.all({ id }).length)
    if (problem) refuse(['aliasOf'], problem)
    sql.setAlias.run({ id, aliasOf: target.id, nowMs: clock.now() })
  }

  function setDefault({ id, domain }: DomainDbRow, name: string): void {
    const configuration = configurations.idOf(id, name)
    if (configuration === undefined)
      return refuse(['defaultConfiguration'], message('domain.noConfiguration', { domain, name }))
    sql.setDefault.run({ id, configuration })
  }

  return {
    list({ text, aliases = false, ...page }) {
      const filter = { text: text?.toLowerCase() || null, aliases: Number(aliases) }
      return { rows: sql.list.all({ ...filter, ...page }).map(shown), total: sql.total.get(filter)?.total ?? 0 }
    },
    show: (domain) => details(rowOf(domain)),
    ...domainAdder(store, clock, configurations),
    edit: ({ domain, defaultConfiguration, aliasOf, ...change }) =>
      changed(domain, (row) => {
        if (change.traps) refusePatterns(change.traps, ['traps'])
        sql.edit.run({
          ...{ id: row.id, comments: change.comments ?? row.comments },
          traps: change.traps ? JSON.stringify(change.traps) : row.traps,
          fields: change.fields ? JSON.stringify(fields.checked('domain', change.fields)) : row.fields,
        })
        if (defaultConfiguration !== undefined) setDefault(row, defaultConfiguration)
        if (aliasOf !== undefined) setAlias(row, aliasOf)
      }),
    setConfiguration: (domain, configuration) =>
      changed(domain, ({ id }) => void configurations.set(id, configuration)),
    removeConfiguration: (domain, name) => changed(domain, (row) => configurations.remove(row, name)),
    setSeedList: (domain, list) => changed(domain, ({ id }) => configurations.setSeedList(id, list)),
    removeSeedList: (domain, name) => changed(domain, ({ id }) => configurations.removeSeedList(id, name)),
    remove: (written) =>
      store.transaction(() => {
        const { id, domain } = rowOf(written)
        refuseUsers('domain.used', domain, sql.harvests.all({ id }))
        refuseUsers(
          'domain.hasAliases',
          domain,
          sql.aliases.all({ id }).map((alias) => ({ name: alias.domain })),
        )
        sql.dropUses.run({ id })
        sql.remove.run({ id })
      }),
    found: ({ job, ...page }) => ({
      rows: sql.found.all({ job, ...page }).map((row) => ({ ...row, isKnown: row.isKnown === 1 })),
      total: sql.foundTotal.get({ job })?.total ?? 0,
    }),
  }
}

/** Why a domain cannot be an alias of the target; undefined if it can. */
function aliasProblem(domain: string, target: DomainDbRow, aliasesOfDomain: number): Message | undefined {
  if (target.domain === domain) return message('domain.alias.self', { domain })
  if (target.aliasOf !== null) return message('domain.alias.ofAlias', { domain: target.domain, of: target.aliasOf })
  return aliasesOfDomain > 0 ? message('domain.alias.hasAliases', { domain, count: aliasesOfDomain }) : undefined
}
