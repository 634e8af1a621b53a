/** Parses the manifest of a WACZ, datapackage.json, with findings: WACZ 1.0 (hash and length under `stats`), 1.1.1
 *  (`data-package` with its version), 1.2.0 (profile `wacz`, a `home`), and packages of packages. Its statements are
 *  compared with the package in checkWacz.ts. */
import { finding, type Finding } from '../rules/finding.ts'
import { isObject } from '../bytes/json.ts'

/** A file listed in the manifest. */
export interface Resource {
  name: string | undefined
  path: string
  /** With its algorithm as prefix: `sha256:…`. */
  hash: string | undefined
  bytes: number | undefined
}

/** The content of a manifest, independent of the version of WACZ. */
export interface DataPackage {
  /** Version from the manifest or its profile; `1.1.1` by default. */
  version: string
  profile: string | undefined
  /** True for a package whose resources are packages. */
  multi: boolean
  title: string | undefined
  description: string | undefined
  created: string | undefined
  modified: string | undefined
  software: string | undefined
  /** Page to start with: `home` of 1.2.0, `mainPageUrl` and `mainPageDate` of 1.1.1. */
  home: { url: string; ts: string | undefined } | undefined
  resources: Resource[]
  /** File names of the packages with the originals of revisits in this one (Browsertrix). */
  requires: string[]
}

/** Maximum number of findings. A manifest of 64 MiB may list ten million invalid resources; the first ones are
 *  enough. */
const findingsMax = 100

type Fields = Readonly<Record<string, unknown>>

/** Known profiles: `multi-wacz` is that of the specification, `multi-wacz-package` of Browsertrix, `wacz-package` of
 *  the first wabac.js. */
const profiles = new Map([
  ['data-package', { version: undefined, multi: false }],
  ['wacz', { version: '1.2.0', multi: false }],
  ['wacz-package', { version: undefined, multi: false }],
  ['multi-wacz', { version: '1.2.0', multi: true }],
  ['multi-wacz-package', { version: '1.1.1', multi: true }],
])
/** Versions of the specification that were published or are in use. */
const versions = new Set(['1.0', '1.0.0', '1.1', '1.1.0', '1.1.1', '1.2', '1.2.0'])
/** Version of a manifest that states none. */
const usualVersion = '1.1.1'

/** Parses the JSON object of a manifest. */
export function parseDataPackage(json: Fields): { dataPackage: DataPackage; findings: Finding[] } {
  const findings: Finding[] = []
  const text = (name: string, fields = json): string | undefined => {
    const value = fields[name]
    if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
    findings.push(finding('waczFieldInvalid', { field: name }))
    return undefined
  }
  const metadata = isObject(json.metadata) ? json.metadata : {}
  const profile = text('profile')
  const known = profile === undefined ? undefined : profiles.get(profile)
  findings.push(...profileFindings(profile))
  const version = versionOf(text('wacz_version'), known?.version, known?.multi === true, findings)
  return {
    dataPackage: {
      version,
      profile,
      multi: known?.multi === true,
      // WACZ 1.0 has them under `metadata`.
      title: text('title') ?? text('title', metadata),
      description: text('description') ?? text('desc', metadata),
      created: text('created'),
      modified: text('modified'),
      software: text('software'),
      home: homeOf(json, text),
      resources: resourcesOf(json.resources, known?.multi === true, findings),
      requires: requiresOf(json.relation),
    },
    findings,
  }
}

function profileFindings(profile: string | undefined): Finding[] {
  if (profile === undefined) return [finding('waczProfileMissing')]
  if (profiles.has(profile)) return []
  return [finding('waczProfileUnknown', { profile: JSON.stringify(profile.slice(0, 80)) })]
}

function versionOf(
  stated: string | undefined,
  ofProfile: string | undefined,
  multi: boolean,
  findings: Finding[],
): string {
  if (stated !== undefined && !versions.has(stated))
    findings.push(finding('waczVersionUnknown', { version: JSON.stringify(stated.slice(0, 40)) }))
  else if (stated === undefined && ofProfile === undefined && !multi) findings.push(finding('waczVersionMissing'))
  return stated ?? ofProfile ?? usualVersion
}

function homeOf(json: Fields, text: (name: string, fields?: Fields) => string | undefined): DataPackage['home'] {
  const home = isObject(json.home) ? json.home : undefined
  const url = home ? text('url', home) : text('mainPageUrl')
  // Before 1.1.1 some writers used `mainPageTs`.
  return url === undefined
    ? undefined
    : { url, ts: home ? text('ts', home) : (text('mainPageDate') ?? text('mainPageTs')) }
}

function resourcesOf(list: unknown, multi: boolean, findings: Finding[]): Resource[] {
  if (!Array.isArray(list)) {
    findings.push(finding('waczResourceInvalid.list'))
    return []
  }
  const resources: Resource[] = []
  list.forEach((row: unknown, index) => {
    const resource = isObject(row) ? resourceOf(row) : undefined
    if (resource) resources.push(resource)
    // A package on the web is listed only by name (MultiWACZ 0.1.0).
    const found = resource ? missingParts(resource, multi) : finding('waczResourceInvalid', { number: index + 1 })
    if (found && findings.length < findingsMax) findings.push(found)
  })
  return resources
}

/** Returns a finding for a resource without hash or length. Packages of packages need neither. */
function missingParts({ path, hash, bytes }: Resource, multi: boolean): Finding | undefined {
  if (multi || (hash !== undefined && bytes !== undefined)) return undefined
  const place = { path: JSON.stringify(path.slice(0, 120)) }
  if (hash !== undefined) return finding('waczResourceInvalid.length', place)
  return finding(bytes === undefined ? 'waczResourceInvalid.hashAndLength' : 'waczResourceInvalid.hash', place)
}

function resourceOf(row: Fields): Resource | undefined {
  const { name, path } = row
  if (typeof path !== 'string' || path === '') return undefined
  const stats = isObject(row.stats) ? row.stats : {}
  const hash = row.hash ?? stats.hash
  const bytes = row.bytes ?? stats.bytes
  return {
    name: typeof name === 'string' ? name : undefined,
    path,
    hash: typeof hash === 'string' && hash !== '' ? labelled(hash, row.hashing) : undefined,
    bytes: typeof bytes === 'number' && Number.isInteger(bytes) && bytes >= 0 ? bytes : undefined,
  }
}

/** Adds the algorithm to a hash: in Data Package 1.0 a hash without one is MD5; WACZ 1.0 names it separately. */
function labelled(hash: string, hashing: unknown): string {
  if (hash.includes(':')) return hash
  return `${typeof hashing === 'string' ? hashing : 'md5'}:${hash}`
}

function requiresOf(relation: unknown): string[] {
  const list = isObject(relation) ? relation.requires : undefined
  if (!Array.isArray(list)) return []
  return list.flatMap((row: unknown) => (isObject(row) && typeof row.filename === 'string' ? [row.filename] : []))
}
