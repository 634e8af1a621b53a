/** Text of quick open. */
export const quickOpenWords = {
  quickOpen: 'Quick open',
  'quickOpen.menu': 'Quick open…',
  'quickOpen.menu.key': 'Ctrl+K',
  'quickOpen.hint': 'Jobs, harvests, domains, files, pages, commands, settings',
  'quickOpen.keys': '↑ ↓ to choose, Enter to open, Esc to close',
  'quickOpen.reading': 'Names are still being read; more may be found in a moment.',
  'quickOpen.nothing': 'Nothing has such a name.',
  'quickOpen.job': 'Job {job}: {name}',
  'quickOpen.group.command': 'Commands',
  'quickOpen.group.job': 'Jobs',
  'quickOpen.group.harvest': 'Harvests',
  'quickOpen.group.domain': 'Domains',
  'quickOpen.group.page': 'Pages of the view',
  'quickOpen.group.file': 'Archive files',
  'quickOpen.group.screen': 'Screens',
  'quickOpen.group.setting': 'Settings',
} as const
