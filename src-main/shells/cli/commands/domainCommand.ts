/** Arguments and options of `loupe domains` and `loupe templates`. */
import type { Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { DomainEdit, DomainFilter } from '../verbs/domains.ts'

const verbs = () => import('../verbs/domains.ts')
const templates = () => import('../verbs/templates.ts')

/** Adds both groups. */
export function addDomainVerbs(program: Program, run: Run): void {
  const domains = program.command('domains').description(textFor('help.domains'))
  addLists(domains, run)
  addChanges(domains, run)
  addTraps(domains, run)
  addTemplates(program.command('templates').description(textFor('help.templates')), run)
}

function addLists(domains: Program, run: Run): void {
  domains
    .command('list')
    .description(textFor('help.domains.list'))
    .option('--text <text>', textFor('help.domains.text'))
    .option('--aliases', textFor('help.domains.aliases'))
    .option('--limit <n>', textFor('help.domains.limit'), word.positive)
    .action((filter: DomainFilter) => run(async (command) => (await verbs()).listDomains(command, filter)))
  domains
    .command('show')
    .argument('<domain>', textFor('help.domains.domain'))
    .description(textFor('help.domains.show'))
    .action((domain: string) => run(async (command) => (await verbs()).showDomain(command, domain)))
  domains
    .command('found')
    .argument('<job>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.domains.found'))
    .action((job: number) => run(async (command) => (await verbs()).listFound(command, job)))
  domains
    .command('export')
    .description(textFor('help.domains.export'))
    .action(() => run(async (command) => (await verbs()).exportDomains(command)))
}

function addChanges(domains: Program, run: Run): void {
  domains
    .command('add')
    .argument('<domain...>', textFor('help.domains.domains'))
    .description(textFor('help.domains.add'))
    .action((names: string[]) => run(async (command) => (await verbs()).addDomains(command, names)))
  domains
    .command('import')
    .argument('<file>', textFor('help.domains.file'))
    .description(textFor('help.domains.import'))
    .action((file: string) => run(async (command) => (await verbs()).importDomains(command, file)))
  domains
    .command('edit')
    .argument('<domain>', textFor('help.domains.domain'))
    .description(textFor('help.domains.edit'))
    .option('--comments <text>', textFor('help.harvests.comments'))
    .option('--alias-of <domain>', textFor('help.domains.aliasOf'))
    .option('--no-alias', textFor('help.domains.noAlias'))
    .option('--traps <file>', textFor('help.domains.trapFile'))
    .option('--seeds <file>', textFor('help.domains.seeds'))
    .option('--template <name>', textFor('help.domains.template'))
    .option('--max-objects <n>', textFor('help.domains.maxObjects'), word.whole)
    .option('--max-bytes <size>', textFor('help.domains.maxBytes'), word.size)
    .action((domain: string, { alias, ...edit }: DomainEdit & { alias?: boolean }) =>
      run(async (command) =>
        (await verbs()).editDomain(command, domain, { ...edit, ...(alias === false ? { noAlias: true } : {}) }),
      ),
    )
  domains
    .command('remove')
    .argument('<domain>', textFor('help.domains.domain'))
    .description(textFor('help.domains.remove'))
    .action((domain: string) => run(async (command) => (await verbs()).removeDomain(command, domain)))
}

function addTraps(domains: Program, run: Run): void {
  domains
    .command('traps')
    .description(textFor('help.domains.traps'))
    .action(() => run(async (command) => (await verbs()).listTraps(command)))
  domains
    .command('set-traps')
    .argument('<name>', textFor('help.domains.trapList'))
    .argument('<file>', textFor('help.domains.trapFile'))
    .option('--inactive', textFor('help.domains.trapsInactive'))
    .description(textFor('help.domains.setTraps'))
    .action((name: string, file: string, { inactive }: { inactive?: true }) =>
      run(async (command) => (await verbs()).setTraps(command, name, file, inactive !== true)),
    )
  domains
    .command('remove-traps')
    .argument('<name>', textFor('help.domains.trapList'))
    .description(textFor('help.domains.removeTraps'))
    .action((name: string) => run(async (command) => (await verbs()).removeTraps(command, name)))
}

function addTemplates(group: Program, run: Run): void {
  const one = (verb: string, description: string) =>
    group.command(verb).argument('<name>', textFor('help.templates.name')).description(description)
  group
    .command('list')
    .description(textFor('help.templates.list'))
    .action(() => run(async (command) => (await templates()).listTemplates(command)))
  one('show', textFor('help.templates.show'))
    .option('--version-number <n>', textFor('help.templates.version'), word.positive)
    .action((name: string, { versionNumber }: { versionNumber?: number }) =>
      run(async (command) => (await templates()).showTemplate(command, name, versionNumber)),
    )
  one('import', textFor('help.templates.import'))
    .argument('<file>', textFor('help.templates.file'))
    .action((name: string, file: string) =>
      run(async (command) => (await templates()).importTemplate(command, name, file)),
    )
  one('export', textFor('help.templates.export'))
    .argument('<file>', textFor('help.templates.target'))
    .action((name: string, file: string) =>
      run(async (command) => (await templates()).exportTemplate(command, name, file)),
    )
  one('remove', textFor('help.templates.remove')).action((name: string) =>
    run(async (command) => (await templates()).removeTemplate(command, name)),
  )
}
