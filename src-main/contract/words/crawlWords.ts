/** Details of outcomes of URLs, and other texts of the crawl. Details follow a reason, so they begin without a capital. */
export const crawlWords = {
  'hops.unreachable': 'no link leads to it now',
  'hops.tooFar.hops': '{distance, plural, one {# hop} other {# hops}} from the nearest seed, and the limit is {most}',
  'hops.tooFar.link': '{distance, plural, one {# link} other {# links}} from the nearest seed, and the limit is {most}',
  'hops.tooFar.embed':
    '{distance, plural, one {# embedded resource} other {# embedded resources}} deep, and the limit is {most}',
  'hops.tooFar.redirect':
    '{distance, plural, one {# redirect} other {# redirects}} from the nearest seed, and the limit is {most}',
  'hops.tooFar.sitemap':
    '{distance, plural, one {# sitemap} other {# sitemaps}} from the nearest seed, and the limit is {most}',
} as const
