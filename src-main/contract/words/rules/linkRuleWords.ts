/** What the rules about links found in documents mean for the owner of a file, and what to do. */
export const linkRuleWords = {
  'rule.tooManyLinks': 'The resource has more links than Loupe follows from one page. The rest was ignored.',
  'rule.urlTooLong': 'A URL is longer than servers accept. It was ignored.',
} as const
