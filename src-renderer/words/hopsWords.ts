/** What is said of how far a harvest goes: in the harvest form, and of a job. */

export const hopsWords = {
  'hops.legend': 'How far it goes, by type of link',
  'hops.text': 'Bounds for links, embeds, redirects and sitemaps, each for itself.',
  'hops.meaning':
    'On the shortest way from an address where it begins. An address that is too far is kept in mind, and fetched when a shorter way to it is found.',
  'hops.link': 'Most links',
  'hops.link.hint': 'That a person follows.',
  'hops.embed': 'Most embeds',
  'hops.embed.hint': 'A page loads a style sheet, that one a font: two.',
  'hops.redirect': 'Most redirects',
  'hops.redirect.hint': 'Where a server sends on.',
  'hops.sitemap': 'Most sitemaps',
  'hops.sitemap.hint': 'Lists of addresses, and lists of lists.',
  'hops.kept': 'Write distances down in any case',
  'hops.kept.hint': 'Without a limit this changes nothing now; a later run may then have one.',
  'hops.mode': 'When a link has vanished since the last run',
  'hops.mode.accurate': 'Count anew',
  'hops.mode.accurate.meaning': 'What it led to is as far away as the site says now.',
  'hops.mode.noDelete': 'Leave it',
  'hops.mode.noDelete.meaning': 'What was near once stays near. Later runs may be told to count anew.',
  'hops.mode.neverDelete': 'Leave it, and keep less',
  'hops.mode.neverDelete.meaning': 'As before, with smaller tables; to count anew later takes longer.',
  'job.hops.limit': '{type}: {most}',
}
