/** Text about captures over time. */

export const growthWords = {
  'archive.tab.growth': 'Growth',
  'growth.text':
    'How many captures there are of each period, and the size of their records as compressed in the archive. A capture whose content was stored before counts with its small revisit record.',
  'growth.domain': 'Domain',
  'growth.domain.hint': 'All, or example.org',
  'growth.by': 'Group by',
  'growth.by.whole': 'Nothing',
  'growth.by.host': 'Host',
  'growth.by.mediaType': 'Media type',
  'growth.by.status': 'Status',
  'growth.period': 'Period',
  'growth.period.year': 'Year',
  'growth.period.month': 'Month',
  'growth.period.day': 'Day',
  'growth.measure': 'Show',
  'growth.captures': 'Captures',
  'growth.bytes': 'Size',
  'growth.cumulative': 'Cumulative',
  'growth.group': 'Group',
  'growth.all': 'All captures',
  'growth.others': 'Others',
  'growth.unknown': 'Unknown',
  'growth.picture':
    '{measure} by period{isCumulative, select, true {, cumulative} other {}}. The table has the numbers.',
  'growth.total': '{count, plural, one {# capture} other {# captures}}, {bytes}.',
  'growth.table': 'Captures by period',
  'growth.none': 'No captures',
  'growth.none.text': 'Nothing in the archive matches. Clear the filters, or harvest a site.',
  'growth.ofDomain': 'Growth in the archive',
} as const
