/** The name of a rule as text: `recordTorn` becomes “Record truncated”. Abbreviations keep their capitals. */
export function ruleWords(rule: string): string {
  const words = rule
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .map((word) => names[word.toLowerCase()] ?? (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Names with a fixed spelling, and words that differ from those in names of rules. */
const names: Readonly<Record<string, string>> = {
  arc: 'ARC',
  cdx: 'CDX',
  cdxj: 'CDXJ',
  gzip: 'gzip',
  har: 'HAR',
  http: 'HTTP',
  ip: 'IP',
  json: 'JSON',
  torn: 'truncated',
  uri: 'URI',
  url: 'URL',
  wacz: 'WACZ',
  warc: 'WARC',
  zip: 'ZIP',
  zstd: 'zstd',
}
