/** What the rules about crawl logs mean for the owner of a file, and what to do. */
export const logRuleWords = {
  'rule.crawlLogLineInvalid':
    'A line of the crawl log does not have the fields that Heritrix writes. The other lines are read.',
  'rule.crawlLogDateInvalid': 'A line of the crawl log has no valid date. Its other fields are read.',
} as const
