/** A site in which each fault of a page is known: what a page audit must find, and what it must not report. Resources below /private/ are excluded
 *  by robots.txt, so that a harvest that obeys it does not have them; those below /gone/ are answered with 404. */
import { createServer } from 'node:http'
import { gradient } from './picture.ts'
import { listen, siteRequest, type NamedSite, type SiteRequest } from './server.ts'

const origin = 'http://planted.test'

/** A fault of a page, in one line: kind, and what is affected. */
export interface PlantedFault {
  page: string
  fault: string
}

interface PlantedPage {
  html: string
  /** Kind and URL, or kind and text, without the page. */
  faults: string[]
}

const head = (title: string, more = '') =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">${more}`
const image = (path: string) => `<img src="${path}" width="120" height="80" alt="">`
const wordy = '<p>The harbour was quiet in the winter morning, and the boats lay still at their moorings.</p>'

const picture = gradient(120, 80, [20, 90, 160], [240, 220, 180])

/** Space that is higher than any window, before what loads only when it is near. */
const below = '<div style="height:3000px"></div>'
/** Loads images with `data-src` when they come near, as many sites do. */
const observer = `<script>
  const seen = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all) if (isIntersecting) target.src = target.dataset.src })
  for (const one of document.querySelectorAll('[data-src]')) seen.observe(one)
</script>`

/** Pages of each kind, made with a number. */
const kinds: Record<string, (number: number) => PlantedPage> = {
  whole: (n) => ({ html: `${head(`Whole ${n}`)}${wordy}${image(`/img/${n}.png`)}`, faults: [] }),
  missingImage: (n) => ({
    html: `${head(`Missing image ${n}`)}${wordy}${image(`/private/image-${n}.png`)}`,
    faults: [`missing ${origin}/private/image-${n}.png`],
  }),
  missingStyle: (n) => ({
    html: `${head(`Missing style ${n}`, `<link rel="stylesheet" href="/private/style-${n}.css">`)}${wordy}`,
    faults: [`missing ${origin}/private/style-${n}.css`],
  }),
  goneImage: (n) => ({
    html: `${head(`Gone image ${n}`)}${wordy}${image(`/gone/${n}.png`)}`,
    faults: [`bad ${origin}/gone/${n}.png`],
  }),
  lazy: (n) => ({
    html: `${head(`Lazy ${n}`)}${wordy}${below}<img loading="lazy" src="/img/${n}.png" alt=""><img loading="lazy" src="/private/lazy-${n}.png" alt="">`,
    faults: [`missing ${origin}/private/lazy-${n}.png`],
  }),
  observed: (n) => ({
    html: `${head(`Observed ${n}`)}${wordy}${below}<img data-src="/private/observed-${n}.png" width="9" height="9" alt="">${observer}`,
    faults: [`missing ${origin}/private/observed-${n}.png`],
  }),
  scripted: (n) => ({
    html: `${head(`Scripted ${n}`)}<div id="app"></div><script>
      document.getElementById('app').textContent = 'Built by a script, which asks for data that no link names.'
      fetch(['', 'private', 'data-${n}.json'].join('/')).catch(() => undefined)
    </script>`,
    faults: [`missing ${origin}/private/data-${n}.json`],
  }),
  broken: (n) => ({
    html: `${head(`Broken ${n}`)}${wordy}<script>console.error('planted error ${n}'); absent${n}.call()</script>`,
    faults: [`error planted error ${n}`, `error ReferenceError: absent${n} is not defined (${origin}/broken/${n}:1)`],
  }),
  alerting: (n) => ({ html: `${head(`Alerting ${n}`)}${wordy}<script>alert('Welcome')</script>`, faults: [] }),
  otherSite: (n) => ({
    html: `${head(`Other site ${n}`)}${wordy}<iframe src="http://other.test/frame/${n}"></iframe>`,
    faults: [`missing http://other.test/private/frame-${n}.png`],
  }),
}

/** A page whose script never ends: the browser answers nothing any more. */
const hanging = `${head('Hanging')}${wordy}<script>setTimeout(() => { for (;;); }, 100)</script>`

const frameImage = (frame: string) => frame.replace('/frame/', '/private/frame-').concat('.png')

/** The site, its pages, and their faults. */
export interface PlantedSite extends NamedSite {
  pages: string[]
  faults: PlantedFault[]
  /** The page that never answers. */
  hanging: string
}

/** Starts the site with `pagesPerKind` pages of each kind, and one that hangs. */
export async function startPlantedSite(pagesPerKind: number): Promise<PlantedSite> {
  const pages = new Map<string, PlantedPage>()
  for (const [kind, make] of Object.entries(kinds))
    for (let number = 1; number <= pagesPerKind; number += 1) pages.set(`/${kind}/${number}`, make(number))
  const links = [...pages.keys(), '/hanging'].map((path) => `<a href="${path}">${path}</a>`).join(' ')
  const frames = Array.from({ length: pagesPerKind }, (_, at) => `http://other.test/frame/${at + 1}`)
  const requests: SiteRequest[] = []
  const server = createServer((request, response) => {
    requests.push(siteRequest('http', request))
    const path = request.url ?? ''
    const send = (status: number, mediaType: string, body: string | Buffer) =>
      response.writeHead(status, { 'content-type': mediaType }).end(body)
    const frame = /^\/frame\/(\d+)$/.exec(path)?.[1]
    if (path === '/robots.txt') send(200, 'text/plain', 'User-agent: *\nDisallow: /private/\n')
    else if (path === '/') send(200, 'text/html', `${head('Start')}${wordy}${links}`)
    else if (path === '/hanging') send(200, 'text/html', hanging)
    else if (frame !== undefined) send(200, 'text/html', `${head('Frame')}${image(`/private/frame-${frame}.png`)}`)
    else if (path.startsWith('/img/')) send(200, 'image/png', picture)
    else {
      const page = pages.get(path)
      if (page) send(200, 'text/html', page.html)
      else send(404, 'text/html', 'gone')
    }
  })
  const { address, close } = await listen(server)
  return {
    origin,
    requests,
    close,
    resolve: { 'planted.test': address, 'other.test': address },
    pages: [...['/', ...pages.keys(), '/hanging'].map((path) => `${origin}${path}`), ...frames],
    faults: [
      ...[...pages].flatMap(([path, { faults }]) => faults.map((fault) => ({ page: `${origin}${path}`, fault }))),
      // What is in a frame was captured as a page, too.
      ...frames.map((page) => ({ page, fault: `missing ${frameImage(page)}` })),
    ],
    hanging: `${origin}/hanging`,
  }
}
