/** Configurations and seed lists of domains. */
import { Fault, type FieldPath } from '../../contract/calls/faults.ts'
import type { DomainConfiguration, FieldValues, SeedList } from '../../contract/services/domains.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Templates } from '../templates/templates.ts'
import { configurationStatements, type ConfigurationDbRow, type DomainDbRow } from './domains.sql.ts'
import type { ExtendedFields } from './institution.ts'
import { seedProblems } from './seedLists.ts'

/** The configurations and seed lists of one domain at a time, within the caller's transaction. `domain` is its number. */
export interface Configurations {
  list(domain: number): DomainConfiguration[]
  /** Number of a configuration; undefined if there is none with this name. */
  idOf(domain: number, name: string): number | undefined
  /** Adds or replaces a configuration. Returns its number. Throws `Fault` badInput, naming the field, for what it names and is not there. */
  set(domain: number, configuration: DomainConfiguration): number
  /** Throws `Fault` refused for the default configuration, and for one that a harvest uses. */
  remove(row: DomainDbRow, name: string): void
  seedLists(domain: number): SeedList[]
  /** Throws `Fault` badInput for a line that is no URL. */
  setSeedList(domain: number, list: SeedList): void
  /** Throws `Fault` refused while a configuration uses it. */
  removeSeedList(domain: number, name: string): void
}

/** Opens the configurations. */
export function openConfigurations(
  store: Store,
  templates: Pick<Templates, 'idOf'>,
  fields: Pick<ExtendedFields, 'checked'>,
): Configurations {
  const sql = configurationStatements(store)

  function shown({ id, login, fields: values, ...row }: ConfigurationDbRow): DomainConfiguration {
    return {
      ...{ ...row, seedLists: sql.seedListsOf.all({ configuration: id }).map(({ name }) => name) },
      loginAreas: login === null ? null : (JSON.parse(login) as DomainConfiguration['loginAreas']),
      fields: JSON.parse(values) as FieldValues,
    }
  }

  const idOf = (domain: number, name: string) =>
    sql.configurations.all({ id: domain }).find((each) => each.name === name)?.id

  return {
    list: (domain) => sql.configurations.all({ id: domain }).map(shown),
    idOf,
    set(domain, { name, template, objectsMax, bytesMax, seedLists, loginAreas, comments, fields: values }) {
      const set = sql.setConfiguration.get({
        ...{ domain, name, template: templates.idOf(template), objectsMax, bytesMax, comments },
        login: loginAreas === null ? null : JSON.stringify(loginAreas),
        fields: JSON.stringify(fields.checked('configuration', values)),
      })
      if (!set) throw new Error('a configuration was not stored')
      sql.dropSeedLists.run({ configuration: set.id })
      seedLists.forEach((list, at) => {
        if (sql.addSeedList.run({ configuration: set.id, domain, name: list }) === 1) return
        refuse(['seedLists', at], message('domain.noSeedList', { name: list }))
      })
      return set.id
    },
    remove({ id, domain, defaultConfiguration }, name) {
      const configuration = idOf(id, name)
      if (configuration === undefined) throw new Fault('notFound', message('domain.noConfiguration', { domain, name }))
      if (defaultConfiguration === name) throw new Fault('refused', message('domain.isDefault', { name }))
      refuseUsers('domain.configurationUsed', name, sql.harvestsOf.all({ configuration }))
      sql.dropSeedLists.run({ configuration })
      sql.removeConfiguration.run({ configuration })
    },
    seedLists: (domain) =>
      sql.seedLists.all({ id: domain }).map(({ name, seeds, comments }) => ({ name, seeds, comments })),
    setSeedList(domain, list) {
      const [problem] = seedProblems(list.seeds)
      if (problem) refuse(['seedList', 'seeds'], problem.problem)
      sql.setSeedList.run({ domain, ...list })
    },
    removeSeedList(domain, name) {
      const found = sql.seedLists.all({ id: domain }).find((each) => each.name === name)
      if (!found) throw new Fault('notFound', message('domain.noSeedList', { name }))
      refuseUsers('domain.seedListUsed', name, sql.usersOf.all({ seedList: found.id }))
      sql.removeSeedList.run({ seedList: found.id })
    },
  }
}

type UsedCode = 'domain.configurationUsed' | 'domain.seedListUsed' | 'domain.used' | 'domain.hasAliases'

/** Throws `Fault` refused if something has users. */
export function refuseUsers(code: UsedCode, name: string, users: readonly { name: string }[]): void {
  if (users.length === 0) return
  throw new Fault('refused', message(code, { name, users: users.map((user) => user.name).join(', ') }))
}

/** Throws `Fault` badInput about a field. */
export function refuse(field: FieldPath, reason: Message): never {
  throw new Fault('badInput', reason, { fields: [field] })
}
