/** Text about the depth of a harvest, in the harvest form and for a job. */

export const hopsWords = {
  'hops.legend': 'Depth by link type',
  'hops.text': 'Separate limits for links, embeds, redirects and sitemaps.',
  'hops.meaning':
    'Counted on the shortest path from a seed. URLs that are too far away are remembered, and captured if a shorter path is found.',
  'hops.link': 'Max. links',
  'hops.link.hint': 'Links that a reader clicks.',
  'hops.embed': 'Max. embeds',
  'hops.embed.hint': 'A page loads a style sheet, which loads a font: 2.',
  'hops.redirect': 'Max. redirects',
  'hops.redirect.hint': 'Server redirects.',
  'hops.sitemap': 'Max. sitemaps',
  'hops.sitemap.hint': 'Sitemaps and sitemap indexes.',
  'hops.kept': 'Always record depth',
  'hops.kept.hint': 'Has no effect without a limit, but lets a later run use one.',
  'hops.mode': 'When a link has disappeared since the last run',
  'hops.mode.accurate': 'Recalculate depth',
  'hops.mode.accurate.meaning': 'Depth follows the links that the site has now.',
  'hops.mode.noDelete': 'Keep the old depth',
  'hops.mode.noDelete.meaning': 'Depth never increases. A later run can recalculate it.',
  'hops.mode.neverDelete': 'Keep the old depth, store less',
  'hops.mode.neverDelete.meaning': 'Uses smaller tables. Recalculating depth later takes longer.',
  'job.hops.limit': '{type}: {most}',
}
