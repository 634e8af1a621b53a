/** Help of `loupe audit-pages`, and what it prints. */
export const pageAuditHelpWords = {
  'help.pageAudit':
    'open pages of a job in a hidden browser and count what they lack; ends with 1 if any page has a fault',
  'help.pageAudit.sample':
    'which pages: "all", "first:N" of each host, or "random:N:SEED", the same for the same seed (default: "all")',
  'help.pageAudit.pattern': 'only pages whose URL matches',
  'help.pageAudit.atOnce': 'pages open at the same time, 1 to 8 (default: 2)',
  'help.pageAudit.pageTime': 'time after which a page is given up, for example 30s (default: 90s)',
  'help.pageAudit.compareWith':
    'compare pixels and text with this job, with "crawl-time", the screenshots that were made when pages were captured, or with "live", the pages as the web has them now',
  'cli.pageAudit.begun': 'Page audit {audit} of job {job} has begun.',
  'cli.pageAudit.sample': 'It is "all", "first:10" or "random:100:7".',
  'cli.pageAudit.none': 'No page has a fault.',
  'cli.pageAudit.done':
    '{pages, plural, one {# page} other {# pages}} audited, {faulty} with faults. Resources: {good} good, {bad} bad, {missing} missing.',
  'cli.pageAudit.leftOut':
    '{count, plural, one {# further page of the job was} other {# further pages of the job were}} not considered: only so many pages of a job are listed.',
  'cli.pageAudit.notCompared': '{count, plural, one {# page was} other {# pages were}} not compared: {reason}.',
  'cli.pageAudit.kept': 'Screenshots, texts and figures are in {file}.',
  'pageAudit.failure.hung': 'did not come to rest in time',
  'pageAudit.failure.crashed': 'crashed the browser',
  'pageAudit.failure.notLoaded': 'could not be loaded',
  'figure.pagesOf': '{done} of {total, plural, one {# page} other {# pages}}',
  'figure.faultyPages': '{count} with faults',
} as const
