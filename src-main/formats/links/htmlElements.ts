/** Tables of the elements and attributes of HTML and SVG that contain references, and the elements whose attributes have
 *  to be read together. The tags are read in htmlLinks.ts. */
import type { LinkKind, LinkList } from './linkList.ts'
import { srcsetUrls } from './srcset.ts'

/** Values of a tag's attributes by name in lower case, with character references decoded. */
export interface Attributes<Name extends string = string> {
  get(name: Name): string | undefined
}
/** Adds a reference to the links of a page. `base` replaces the base URL of the page. */
export type Add = (reference: string, kind: LinkKind, base?: string) => void

/** Meaning of an attribute's value. `candidates` is a srcset; `lazy` and `lazyCandidates` are attributes of lazy
 *  loading scripts; `page` is HTML; `part` is read together with other attributes (`elementsReadWhole`). */
export type Holds = LinkKind | 'candidates' | 'style' | 'lazy' | 'lazyCandidates' | 'page' | 'part'

/** Attributes that count on any element. `background` is used on body, table, tr and td; `style` and the lazy
 *  loading attributes on every element. The data- names are those of the common lazy loading scripts (lazysizes,
 *  lozad, jQuery Lazy, WordPress plug-ins). */
export const commonAttributes = new Map<string, Holds>([
  ['background', 'embed'],
  ['style', 'style'],
  ['data-src', 'lazy'],
  ['data-original', 'lazy'],
  ['data-lazy', 'lazy'],
  ['data-lazy-src', 'lazy'],
  ['data-bg', 'lazy'],
  ['data-background', 'lazy'],
  ['data-background-image', 'lazy'],
  ['data-poster', 'lazy'],
  ['data-srcset', 'lazyCandidates'],
  ['data-lazy-srcset', 'lazyCandidates'],
  ['data-original-set', 'lazyCandidates'],
])

const source: [string, Holds] = ['src', 'embed']
const cite: [string, Holds][] = [['cite', 'navigation']]
const svgReference: [string, Holds][] = [
  ['href', 'embed'],
  ['xlink:href', 'embed'],
]

/** Reads the attributes of one element together. */
type ReadWhole = (attributes: Attributes, add: Add, list: LinkList) => void

/** Elements whose attributes have to be read together, each with the names that it needs. */
const readWhole: [element: string, names: readonly string[], read: ReadWhole][] = [
  whole('base', ['href'], (attributes, _, list) => list.setBase(attributes.get('href'))),
  whole('link', ['rel', 'href', 'imagesrcset'], linkElement),
  whole('meta', ['http-equiv', 'content', 'property', 'name', 'itemprop'], metaElement),
  whole('form', ['action', 'method'], (attributes, add) =>
    formTarget(attributes.get('action'), attributes.get('method'), add),
  ),
  whole('button', ['formaction', 'formmethod'], (attributes, add) =>
    formTarget(attributes.get('formaction'), attributes.get('formmethod'), add),
  ),
  whole('object', ['data', 'codebase', 'archive'], objectElement),
  whole('applet', ['code', 'codebase', 'archive'], appletElement),
  whole('param', ['name', 'value'], paramElement),
]

/** Makes a row of the table whose function can ask only for the names in it. */
function whole<Name extends string>(
  element: string,
  names: Name[],
  read: (attributes: Attributes<Name>, add: Add, list: LinkList) => void,
): [string, readonly string[], ReadWhole] {
  return [element, names, read]
}

/** What reads the attributes of an element together, by element. */
export const elementsReadWhole = new Map(readWhole.map(([element, _, read]) => [element, read]))

/** Attributes by element, with the meaning of each: those of HTML 4.01, HTML (Living Standard), SVG 2, and Netscape. */
export const attributesByElement = new Map<string, Map<string, Holds>>([
  ...Object.entries<[string, Holds][]>({
    a: [
      ['href', 'navigation'],
      ['xlink:href', 'navigation'],
    ],
    area: [['href', 'navigation']],
    img: [source, ['srcset', 'candidates'], ['lowsrc', 'embed'], ['dynsrc', 'embed'], ['longdesc', 'navigation']],
    // The image element of SVG, and an old second name of img; browsers support both.
    image: [source, ['srcset', 'candidates'], ...svgReference],
    source: [source, ['srcset', 'candidates']],
    video: [source, ['poster', 'embed']],
    audio: [source],
    track: [source],
    embed: [source],
    bgsound: [source],
    script: [source, ...svgReference],
    iframe: [source, ['srcdoc', 'page'], ['longdesc', 'navigation']],
    frame: [source, ['longdesc', 'navigation']],
    input: [source],
    blockquote: cite,
    q: cite,
    ins: cite,
    del: cite,
    html: [['manifest', 'embed']],
    use: svgReference,
    feimage: svgReference,
    'font-face-uri': svgReference,
  }).map(([element, attributes]): [string, Map<string, Holds>] => [element, new Map(attributes)]),
  ...readWhole.map(([element, names]): [string, Map<string, Holds>] => [
    element,
    new Map(names.map((name) => [name, 'part'])),
  ]),
])

/** Relations whose target the browser loads for this page (HTML 4.6.7 and the icons of the vendors). */
const loadedRelations = new Set([
  ...[
    'stylesheet',
    'icon',
    'apple-touch-icon',
    'apple-touch-icon-precomposed',
    'apple-touch-startup-image',
    'mask-icon',
  ],
  ...['fluid-icon', 'preload', 'modulepreload', 'manifest', 'image_src', 'import'],
])
/** Relations that name a host or an endpoint rather than a document. */
const relationsToNothing = new Set(['dns-prefetch', 'preconnect', 'pingback', 'webmention'])

/** Adds the target of a `link`: as embedded when the browser loads it for this page. */
function linkElement(attributes: Attributes<'rel' | 'href' | 'imagesrcset'>, add: Add): void {
  const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/)
  const loaded = relations.some((relation) => loadedRelations.has(relation))
  for (const url of srcsetUrls(attributes.get('imagesrcset') ?? '')) add(url, 'embed')
  if (!loaded && relations.some((relation) => relationsToNothing.has(relation))) return
  add(attributes.get('href') ?? '', loaded ? 'embed' : 'navigation')
}

/** Names of `meta` elements with pictures that other sites show for this page; for quality assurance they belong to
 *  it. */
const pictureNames =
  /^(?:og:(?:image|video|audio)(?::url|:secure_url)?|twitter:image(?::src)?|msapplication-(?:tileimage|config|\w+logo)|image|thumbnailurl)$/

/** Adds the target of a refresh, or the picture of a page that other sites show. */
function metaElement(
  attributes: Attributes<'http-equiv' | 'content' | 'property' | 'name' | 'itemprop'>,
  add: Add,
): void {
  const content = attributes.get('content') ?? ''
  if (attributes.get('http-equiv')?.trim().toLowerCase() === 'refresh') return add(refreshTarget(content), 'navigation')
  const name = attributes.get('property') ?? attributes.get('name') ?? attributes.get('itemprop') ?? ''
  const lower = name.trim().toLowerCase()
  if (lower === 'og:url') add(content, 'navigation')
  else if (pictureNames.test(lower) && isPlausible(content)) add(content, 'embed')
}

/** Maximum length of a refresh that is parsed; longer ones are cut. */
const refreshCharactersMax = 16_384

/** Returns the address of a refresh (HTML 4.2.5.3): a time, then optionally `url=`, then optionally quotes. Empty
 *  when there is only a time. */
function refreshTarget(content: string): string {
  const rest = /^\s*[\d.]*\s*[;,\s]\s*([^]*)$/.exec(content.slice(0, refreshCharactersMax))?.[1] ?? ''
  const target = rest.replace(/^url\s*=\s*/i, '')
  const quote = target[0]
  if (quote !== '"' && quote !== "'") return target.trim()
  const end = target.indexOf(quote, 1)
  return target.slice(1, end < 0 ? undefined : end)
}

/** Adds the action of a GET form as written: values for the fields are not invented. */
function formTarget(action: string | undefined, method: string | undefined, add: Add): void {
  if (action !== undefined && (method ?? 'get').trim().toLowerCase() === 'get') add(action, 'navigation')
}

/** Adds the data of an object and its archives, which are resolved against `codebase` (HTML 4.01, 13.3). */
function objectElement(attributes: Attributes<'data' | 'codebase' | 'archive'>, add: Add): void {
  const codebase = attributes.get('codebase')
  add(attributes.get('data') ?? '', 'embed', codebase)
  for (const archive of (attributes.get('archive') ?? '').split(/\s+/)) add(archive, 'embed', codebase)
}

/** Adds the files of an applet (HTML 4.01, 13.4): `code` is a class file, with or without its extension; `archive`
 *  is a list separated by commas. */
function appletElement(attributes: Attributes<'code' | 'codebase' | 'archive'>, add: Add): void {
  const codebase = attributes.get('codebase')
  const code = attributes.get('code') ?? ''
  if (code !== '') add(code.endsWith('.class') ? code : `${code}.class`, 'embed', codebase)
  for (const archive of (attributes.get('archive') ?? '').split(',')) add(archive.trim(), 'embed', codebase)
}

/** Parameter names for the media file of the plug-ins Flash, QuickTime, RealPlayer and Windows Media. */
const fileParameters = new Set(['movie', 'src', 'filename', 'url', 'data', 'file', 'source'])

/** Adds the media file of a plug-in. */
function paramElement(attributes: Attributes<'name' | 'value'>, add: Add): void {
  const value = attributes.get('value') ?? ''
  if (fileParameters.has((attributes.get('name') ?? '').toLowerCase()) && isPlausible(value)) add(value, 'embed')
}

/** Returns true when the value of a non-standard attribute may be an address: scripts also store colours, selectors
 *  and templates there. */
export function isPlausible(value: string): boolean {
  return /[./]/.test(value) && !/[\s{}<>()]/.test(value.trim())
}
