/** Arguments and options of `loupe audit-pages`. */
import type { Command as Program } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { PageAuditRequest, PageSampling } from '../../../contract/services/pageAudits.ts'
import { textFor } from '../../../contract/words/render.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { AuditPagesOptions } from '../verbs/auditPages.ts'

export function addPageAuditVerb(program: Program, run: Run): void {
  program
    .command('audit-pages')
    .argument('<job>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.pageAudit'))
    .option('--sample <sample>', textFor('help.pageAudit.sample'), sampling)
    .option('--pattern <re>', textFor('help.pageAudit.pattern'), word.pattern)
    .option('--at-once <n>', textFor('help.pageAudit.atOnce'), word.positive)
    .option('--page-time <time>', textFor('help.pageAudit.pageTime'), word.seconds)
    .option('--compare-with <job>', textFor('help.pageAudit.compareWith'), comparedWith)
    .action((job: number, options: AuditPagesOptions) =>
      run(async (command) => (await import('../verbs/auditPages.ts')).auditPages(command, job, options)),
    )
}

/** Reads `all`, `first:N` or `random:N:SEED`. */
function sampling(text: string): PageSampling {
  const [, first, pages, seed] = /^(?:all|first:([1-9]\d{0,5})|random:([1-9]\d{0,5})(?::(\d{1,9}))?)$/.exec(text) ?? []
  if (text === 'all') return { by: 'all' }
  if (first !== undefined) return { by: 'first', pagesPerHost: Number(first) }
  if (pages !== undefined) return { by: 'random', pages: Number(pages), seed: Number(seed ?? 0) }
  throw new InvalidArgumentError(textFor('cli.pageAudit.sample'))
}

function comparedWith(text: string): NonNullable<PageAuditRequest['compareWith']> {
  if (text === 'live') return 'live'
  return text === 'crawl-time' ? 'crawlTime' : word.jobNumber(text)
}
