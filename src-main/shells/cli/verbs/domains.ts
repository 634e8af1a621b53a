/** The verbs `loupe domains list|show|import|add|edit|remove|found|export|traps|set-traps|remove-traps`. */
import type { DomainDetails, DomainsAdded } from '../../../contract/services/domains.ts'
import { textFor } from '../../../contract/words/render.ts'
import { linesIn, readText } from '../input/textFile.ts'
import { bytesText, momentText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { allRows, pageRows } from '../session/allRows.ts'

export interface DomainFilter {
  text?: string
  aliases?: true
  limit?: number
}

export interface DomainEdit {
  comments?: string
  aliasOf?: string
  noAlias?: true
  traps?: string
  seeds?: string
  maxObjects?: number
  maxBytes?: number
  template?: string
}

/** Rows that are listed unless the option says otherwise. */
const rowsUsual = 200

export async function listDomains(command: Command, { limit = rowsUsual, ...filter }: DomainFilter): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { rows, total } = await services.domains.list({ ...filter, offset: 0, limit })
    command.output.result(rows, () =>
      rows.length === 0
        ? textFor('cli.domains.none')
        : table(
            ['domain', '>configurations', 'alias', 'added'],
            rows.map(({ domain, configurations, alias, added }) => [
              ...[domain, configurations, alias?.of ?? textFor('cell.none'), momentText(added, '')],
            ]),
          ),
    )
    if (total > rows.length) command.output.note(textFor('cli.domains.more', { shown: rows.length, total }))
    return 0
  })
}

export async function showDomain(command: Command, domain: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => result(command, await services.domains.show({ domain })))
}

export async function addDomains(command: Command, names: readonly string[]): Promise<ExitCode> {
  return addedFrom(command, names.join('\n'))
}

export async function importDomains(command: Command, file: string): Promise<ExitCode> {
  return addedFrom(command, await readText(file))
}

/** Adds a list: exit code 1 when lines were refused. */
function addedFrom(command: Command, text: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const added = await services.domains.addList({ text })
    command.output.result(added, () => addedText(added))
    for (const { line, problem } of added.refused) command.output.note(textFor('cli.domains.line', { line, problem }))
    return added.refused.length > 0 ? 1 : 0
  })
}

export async function exportDomains(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { rows } = await allRows((page) => services.domains.list(page))
    const names = rows.map(({ domain }) => domain)
    command.output.result(names, () => names.join('\n'))
    return 0
  })
}

/** Changes a domain, and its default configuration where the options are about it. */
export async function editDomain(command: Command, domain: string, edit: DomainEdit): Promise<ExitCode> {
  const traps = edit.traps === undefined ? undefined : linesIn(await readText(edit.traps))
  const seeds = edit.seeds === undefined ? undefined : await readText(edit.seeds)
  const aliasOf = edit.noAlias ? null : edit.aliasOf
  return command.withSession('looks', async ({ services }) => {
    const { comments } = edit
    const before = await services.domains.edit({ domain, comments, traps, aliasOf })
    const configuration = before.configurations.find(({ name }) => name === before.defaultConfiguration)
    if (!configuration) throw new Error(`${domain} has no default configuration`)
    if (seeds !== undefined) {
      const [name = 'default'] = configuration.seedLists
      const list = before.seedLists.find((each) => each.name === name)
      await services.domains.setSeedList({ domain, seedList: { name, seeds, comments: list?.comments ?? '' } })
    }
    const { maxObjects, maxBytes, template } = edit
    const changed = {
      ...configuration,
      ...(maxObjects === undefined ? {} : { objectsMax: maxObjects }),
      ...(maxBytes === undefined ? {} : { bytesMax: maxBytes }),
      ...(template === undefined ? {} : { template }),
    }
    return result(command, await services.domains.setConfiguration({ domain, configuration: changed }))
  })
}

export async function removeDomain(command: Command, domain: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    await services.domains.remove({ domain })
    command.output.result({ removed: domain }, () => textFor('cli.domains.removed', { domain }))
    return 0
  })
}

export async function listFound(command: Command, job: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { rows, total } = await services.domains.found({ job, offset: 0, limit: pageRows })
    command.output.result(rows, () =>
      table(
        ['domain', '>fetched', 'known'],
        rows.map(({ domain, fetched, isKnown }) => [
          domain,
          fetched,
          textFor(isKnown ? 'cli.domains.yes' : 'cli.domains.no'),
        ]),
      ),
    )
    if (total > rows.length) command.output.note(textFor('cli.domains.more', { shown: rows.length, total }))
    return 0
  })
}

export async function listTraps(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const lists = await services.crawlerTraps.list({})
    command.output.result(lists, () =>
      table(
        ['name', 'state', '>patterns'],
        lists.map(({ name, isActive, patterns }) => [
          ...[name, textFor(isActive ? 'cli.harvests.active' : 'cli.harvests.inactive'), patterns.length],
        ]),
      ),
    )
    return 0
  })
}

export async function setTraps(command: Command, name: string, file: string, isActive: boolean): Promise<ExitCode> {
  const patterns = linesIn(await readText(file))
  return command.withSession('looks', async ({ services }) => {
    const list = await services.crawlerTraps.set({ name, patterns, isActive, comments: '' })
    command.output.result(list, () => textFor('cli.domains.traps', { name, patterns: patterns.length }))
    return 0
  })
}

export async function removeTraps(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    await services.crawlerTraps.remove({ name })
    command.output.result({ removed: name }, () => textFor('cli.domains.trapsRemoved', { name }))
    return 0
  })
}

function addedText({ added, known, refused }: DomainsAdded): string {
  return textFor('cli.domains.added', { added, known, refused: refused.length })
}

function result(command: Command, details: DomainDetails): ExitCode {
  command.output.result(details, () => domainText(details))
  return 0
}

function domainText({
  domain,
  comments,
  configurations,
  defaultConfiguration,
  alias,
  aliases,
  traps,
  harvests,
}: DomainDetails): string {
  const unlimited = textFor('split.unlimited')
  return [
    domain,
    ...(comments === '' ? [] : [comments]),
    ...(alias === null ? [] : [textFor('cli.domains.alias', { of: alias.of, expires: momentText(alias.expires, '') })]),
    ...(aliases.length === 0 ? [] : [textFor('cli.domains.aliases', { names: aliases.join(', ') })]),
    table(
      ['name', 'template', '>objects', '>bytes', 'seedLists', 'isDefault'],
      configurations.map(({ name, template, objectsMax, bytesMax, seedLists }) => [
        ...[name, template, objectsMax ?? unlimited, bytesMax === null ? unlimited : bytesText(bytesMax)],
        ...[seedLists.join(', '), textFor(name === defaultConfiguration ? 'cli.domains.yes' : 'cli.domains.no')],
      ]),
    ),
    ...(traps.length === 0 ? [] : [textFor('cli.domains.ownTraps', { patterns: traps.length })]),
    ...(harvests.length === 0 ? [] : [textFor('cli.domains.harvests', { names: harvests.join(', ') })]),
  ].join('\n')
}
