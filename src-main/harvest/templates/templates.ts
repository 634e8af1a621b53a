/** Templates of crawl settings: listed, added, changed and removed. Every change of the settings is a version. */
import type { z } from 'zod'
import { Fault } from '../../contract/calls/faults.ts'
import {
  defaultTemplateName,
  type TemplateChange,
  type TemplateDetails,
  type TemplateProblem,
  type TemplateRow,
  type templateService,
  type TemplateSettings,
} from '../../contract/services/templates.ts'
import { timeOf } from '../../contract/text/timeOf.ts'
import { joined } from '../../contract/words/joined.ts'
import { message } from '../../contract/words/message.ts'
import { refuseAbsentOutputs, refuseUnusable } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { templateStatements, templateVersionStatements, type StoredTemplate } from './templates.sql.ts'
import { readToml, tomlOf } from './templateToml.ts'

type Output<Name extends keyof typeof templateService> = z.output<
  Extract<(typeof templateService)[Name], { kind: 'call' }>['output']
>

/** A template at its newest version, for jobs that are made from it. */
export interface NewestTemplate {
  id: number
  name: string
  version: number
  settings: TemplateSettings
}

/** The templates of an archive. Functions that name a template throw `Fault` notFound where there is none. */
export interface Templates {
  list(page: { text?: string | undefined; offset: number; limit: number }): Output<'list'>
  /** Returns a template at a version, by default the newest. */
  show(name: string, version?: number): TemplateDetails
  /** Adds a template. Throws `Fault`: refused (its name is taken), badInput (its settings have problems). */
  add(template: TemplateChange): TemplateDetails
  /** Changes a template. Throws `Fault` as `add` does. */
  edit(change: TemplateChange): TemplateDetails
  /** Removes a template. Throws `Fault` refused while a configuration uses it. */
  remove(name: string): void
  /** Returns the names of the templates whose newest version names a connection. */
  naming(connection: string): string[]
  /** Returns the names of those that name an output connection. */
  namingOutput(output: string): string[]
  /** Returns the number of a template. */
  idOf(name: string): number
  /** Returns a template with the settings of its newest version. */
  newest(name: string): NewestTemplate
}

/** Configurations named in a refusal. */
const usersNamedMax = 3

/** Problems in the sentence of a refusal; the call `check` returns all of them. */
const problemsNamedMax = 50

/** Opens the templates of an archive. */
export function openTemplates(store: Store, { clock }: Pick<World, 'clock'>): Templates {
  const sql = { ...templateStatements(store), ...templateVersionStatements(store) }

  function one(name: string): StoredTemplate {
    const found = sql.one.get({ name })
    if (!found) throw new Fault('notFound', message('template.absent', { name }), { fields: [['name']] })
    return found
  }

  function tomlAt(id: number, version: number): string | undefined {
    return sql.version.get({ id, version })?.toml
  }

  function show(name: string, version?: number): TemplateDetails {
    const stored = one(name)
    const shown = version ?? stored.version
    const toml = tomlAt(stored.id, shown)
    if (toml === undefined) {
      const absent = message('template.absent.version', { ...{ name, version: shown }, newest: stored.version })
      throw new Fault('notFound', absent, { fields: [['version']] })
    }
    const versions = sql.versions
      .all({ id: stored.id })
      .map(({ version: number, madeMs }) => ({ version: number, made: timeOf(madeMs) }))
    return { ...rowOf(stored), shown, toml, settings: storedSettings(toml), versions }
  }

  /** Stores a text as the version of this number. */
  function addVersion(id: number, version: number, toml: string): void {
    sql.addVersion.run({ id, version, toml, nowMs: clock.now() })
    sql.setVersion.run({ id, version })
  }

  /** Returns the text of given settings; undefined: none are given. Throws `Fault` badInput for problems, and for connections that do not
   *  exist. */
  function checkedToml(given: Parameters<typeof tomlIn>[0]): string | undefined {
    const toml = tomlIn(given)
    if (toml === undefined) return undefined
    const settings = storedSettings(toml)
    refuseUnusable(store, settings.connectors)
    refuseAbsentOutputs(store, settings)
    return toml
  }

  function refuseTaken(name: string): void {
    if (sql.idOf.get({ name })) throw new Fault('refused', message('template.exists', { name }))
  }

  function change({ name, newName = name, comments, ...given }: TemplateChange): void {
    const stored = one(name)
    const renamed = newName !== stored.name
    if (renamed) refuseBuiltIn(stored.name)
    if (newName.toLowerCase() !== stored.name.toLowerCase()) refuseTaken(newName)
    sql.describe.run({ id: stored.id, name: newName, comments: comments ?? stored.comments })
    const toml = checkedToml(given)
    if (toml !== undefined && toml !== tomlAt(stored.id, stored.version))
      addVersion(stored.id, stored.version + 1, toml)
  }

  return {
    list: ({ text, offset, limit }) => ({
      total: sql.total.get({ text: text || null })?.total ?? 0,
      rows: sql.list.all({ text: text || null, offset, limit }).map(rowOf),
    }),
    show,
    add: ({ name, comments = '', ...given }) =>
      store.transaction(() => {
        refuseTaken(name)
        const added = sql.add.get({ name, comments })
        if (!added) throw new Error('The insertion returned no row.')
        addVersion(added.id, 1, checkedToml(given) ?? '')
        return show(name)
      }),
    edit: (given) =>
      store.transaction(() => {
        change(given)
        return show(given.newName ?? given.name)
      }),
    remove: (name) =>
      store.transaction(() => {
        const stored = one(name)
        refuseBuiltIn(stored.name)
        if (stored.configurations > 0) {
          const some = sql.users.all({ id: stored.id, limit: usersNamedMax }).map(({ user }) => user)
          const used = message('template.used', { ...{ name, some: some.join(', ') }, count: stored.configurations })
          throw new Fault('refused', used)
        }
        sql.remove.run({ id: stored.id })
      }),
    naming: (connection) => templatesWhere(sql, (settings) => names(settings, connection)),
    namingOutput: (output) => templatesWhere(sql, (settings) => namesOutput(settings, output)),
    // Called for each of many new domains, so it does not count what uses the template.
    idOf: (name) => sql.idOf.get({ name })?.id ?? one(name).id,
    newest(name) {
      const { id, version, ...stored } = one(name)
      return { id, name: stored.name, version, settings: storedSettings(tomlAt(id, version) ?? '') }
    },
  }
}

function rowOf({ name, comments, version, changedMs, configurations }: StoredTemplate): TemplateRow {
  return { name, comments, version, changed: timeOf(changedMs), configurations }
}

/** Returns the TOML text of what was given; undefined where no settings were. Throws `Fault` badInput with every problem. */
function tomlIn({ toml, settings }: Pick<TemplateChange, 'toml' | 'settings'>): string | undefined {
  const text = toml ?? (settings && tomlOf(settings))
  if (text === undefined) return undefined
  const read = readToml(text)
  if ('problems' in read) throw refusalOf(read.problems)
  return text
}

function refusalOf(problems: readonly TemplateProblem[]): Fault {
  const [count, shown] = [problems.length, Math.min(problems.length, problemsNamedMax)]
  const sentences = joined(problems.slice(0, shown).map((problem) => problem.message))
  const refused =
    shown === count
      ? message('template.refused', { count, problems: sentences })
      : message('template.refused.more', { count, shown, problems: sentences })
  return new Fault('badInput', refused, { fields: problems.map(({ path }) => path) })
}

/** Reads a text that was checked when it was stored. */
function storedSettings(toml: string): TemplateSettings {
  const read = readToml(toml)
  if ('settings' in read) return read.settings
  throw refusalOf(read.problems)
}

function names({ connectors }: TemplateSettings, connection: string): boolean {
  const named = [connectors?.repositoryConnection, connectors?.outputConnection]
  return named.some((name) => name?.toLowerCase() === connection.toLowerCase())
}

/** Returns the names of the templates whose newest version is as asked. */
function templatesWhere(
  sql: Pick<ReturnType<typeof templateVersionStatements>, 'all'>,
  isIt: (settings: TemplateSettings) => boolean,
): string[] {
  return sql.all.all({}).flatMap(({ name, toml }) => {
    const read = readToml(toml)
    return 'settings' in read && isIt(read.settings) ? [name] : []
  })
}

function namesOutput({ outputs = [] }: TemplateSettings, name: string): boolean {
  return outputs.some(({ output }) => output.toLowerCase() === name.toLowerCase())
}

function refuseBuiltIn(name: string): void {
  if (name === defaultTemplateName) throw new Fault('refused', message('template.builtIn', { name }))
}
