/** A page with several captures. Its parts come from several times and two jobs; one is found only by a similar address (another
 *  query), one is an archived error, and one was never captured. */
import { fileOf, tide, type Capture } from './archiveFiles.ts'

const site = 'http://lighthouse.test'
/** The addresses of the page and its parts, and the times of the captures. */
export const lighthouse = {
  page: `${site}/`,
  second: `${site}/keepers.html`,
  style: `${site}/style.css`,
  picture: `${site}/lamp.png`,
  error: `${site}/gone.png`,
  missing: `${site}/never.png`,
  /** The address that the page asks for, and the one that was captured. */
  script: { asked: `${site}/lamp.js?_=1304424000000`, captured: `${site}/lamp.js?_=1304337600000` },
  /** The times of the page's captures, in ascending order. */
  times: ['2009-08-01T10:00:00Z', '2011-05-03T12:00:00Z', '2011-05-03T18:00:00Z', '2014-01-20T09:30:00Z'],
} as const

const html = (title: string, body: string) => `<!doctype html><title>${title}</title><h1>${title}</h1>${body}`
const front = (year: string) =>
  html(
    `Lighthouse ${year}`,
    `<link rel="stylesheet" href="/style.css"><p><a href="/keepers.html">The keepers</a></p>
     <img src="/lamp.png" alt="The lamp"><img src="/gone.png" alt=""><img src="/never.png" alt="">
     <script src="/lamp.js?_=1304424000000"></script>`,
  )

const harvestedAt = lighthouse.times[1]
const harvested: Capture[] = [
  ...lighthouse.times.map((at) => ({
    ...{ url: lighthouse.page, at, mediaType: 'text/html', content: front(at.slice(0, 4)) },
    head: 'X-Frame-Options: DENY\r\n',
  })),
  {
    ...{ url: lighthouse.second, at: harvestedAt, mediaType: 'text/html' },
    content: html('The keepers', '<p>Two brothers.</p>'),
  },
  // Three days before the first capture of the page in 2011.
  { url: lighthouse.style, at: '2011-04-30T12:00:00Z', mediaType: 'text/css', content: 'h1 { color: teal }' },
  {
    url: lighthouse.script.captured,
    at: harvestedAt,
    mediaType: 'text/javascript',
    content: 'document.body.dataset.lit = 1',
  },
  {
    ...{ url: lighthouse.error, at: harvestedAt, mediaType: 'text/html', status: '404 Not Found' },
    content: html('Gone', '<p>Washed away.</p>'),
  },
]

/** The archive file of the job that has the page. */
export const harvestedFile = (): Buffer => fileOf(harvested)
/** The archive file of another job, which has only the page's picture. */
export const pictureFile = (): Buffer =>
  fileOf([{ url: lighthouse.picture, at: '2011-05-03T12:00:20Z', mediaType: 'image/png', content: tide }])
