/**
 * Fixed choices for users. They are separate from the contract's shapes because the help of the command line lists them, and loading the
 * shapes takes longer than a short verb.
 */

/** Scopes of a harvest, from the narrowest to the widest. */
export const scopes = ['page', 'prefix', 'host', 'domain', 'any'] as const
/** The order of documents in the WARC files of a run: as they were found, or as their answers arrived. */
export const orders = ['asFetched', 'scheduled'] as const
/** Types of links: a user follows a `link`; a page loads an `embed`; a server answers with a `redirect`; a `sitemap` lists URLs. */
export const linkTypes = ['link', 'embed', 'redirect', 'sitemap'] as const
/** Treatment of a distance when a link of an earlier run has vanished. */
export const hopModes = ['accurate', 'noDelete', 'neverDelete'] as const
/** Connectors of output connections. */
export const outputKinds = ['solr', 'openSearch', 'webhook', 'folder', 'module'] as const
/** Processors that documents can go through before they leave for an output. */
export const outputSteps = ['title', 'text', 'links', 'language', 'checksum'] as const
/** How often a job fetches its documents: once in a run, or repeatedly. */
export const recheckTypes = ['once', 'continuous'] as const
/**
 * Treatment of a document that its site no longer has: kept in the queue, removed from it as soon as the server reports it, or removed when
 * the run ends. Archived captures stay in all three cases.
 */
export const goneModes = ['keep', 'atOnce', 'atEnd'] as const
/** Retries when a server cannot be reached: `brief` tries a few times within seconds, `long` for hours. */
export const patienceModes = ['brief', 'long'] as const
/** How documents are recognised as captured by an earlier job: by URL and payload, by payload alone, or not at all. */
export const deduplicationMatches = ['url', 'payload', 'off'] as const
/** What a report on deduplication adds up by. */
export const deduplicationGroups = ['job', 'host', 'type'] as const
/** Periods by which captures are counted. */
export const growthPeriods = ['year', 'month', 'day'] as const
/** What captures over time are grouped by. */
export const growthGroups = ['host', 'mediaType', 'status'] as const
/** Formats of a link graph for programs that draw graphs. */
export const linkGraphFormats = ['graphml', 'gexf'] as const
/** Indexes on the disk: index lines of a job, captures of a selection, the crawl log of a job, what later harvests may refer to. */
export const indexKinds = ['lines', 'captures', 'crawlLog', 'dedup'] as const
/** Indexes that a user can build; the others are made on the way. */
export const buildableIndexes = ['captures', 'dedup'] as const
/** Action after the last retry: only this document is given up, or the whole job is stopped. */
export const hardFailureModes = ['skip', 'abort'] as const
/**
 * What WARC files store of a login: requests without secrets; in addition, answers without the values of session cookies; or every byte as
 * it was sent.
 */
export const loginRecordings = ['withoutSecrets', 'withoutSessions', 'exact'] as const
/** Formats of a preservation report. */
export const reportFormats = ['json', 'csv', 'html'] as const
/** Formats of an export. */
export const exportFormats = ['warc', 'wacz', 'csv', 'cdx', 'cdxj'] as const
/** Those that list captures and have no content. */
export const exportLists: readonly (typeof exportFormats)[number][] = ['csv', 'cdx', 'cdxj']
/** Versions of the WACZ specification that an export can follow. */
export const waczVersions = ['1.1.1', '1.2.0'] as const
/** Other accounts of the machine that may read and write an archive. */
export const sharedWithChoices = ['nobody', 'group'] as const
export type SharedWith = (typeof sharedWithChoices)[number]
/** Audited actions on ground truth. Older entries keep their action, so none may be removed. */
export const auditActions = [
  'store',
  'recover',
  'assignJob',
  'checkBegun',
  'checkEnded',
  'spotCheckBegun',
  'spotCheckEnded',
  'finding',
  'inOrderAgain',
  'repair',
  'repairRefused',
  'repairFailed',
  'setAside',
  'restoreFromAttic',
  'auditHeadMade',
  'settings',
  'databaseRestored',
  'permissions',
  'securityRule',
  'accountAdded',
  'accountRemoved',
  'passwordSet',
  'rolesSet',
  'sessionRevoked',
] as const
export type AuditActionName = (typeof auditActions)[number]
/**
 * Actors of the audit log: the user, the schedule, Loupe itself when it opens an archive or recovers from an interruption, an upload, the
 * job of a harvest or import.
 */
export const auditActors = ['user', 'schedule', 'opening', 'recovery', 'upload', 'job'] as const
export type AuditActor = (typeof auditActors)[number]
/** Where a harvest takes documents from, and where it puts them. */
export const repositoryNames = ['web', 'sitemap', 'feed', 'folder', 'module'] as const
export const outputNames = ['archive', 'null'] as const
/** What a connection connects to: a source of documents, or a destination of captures. */
export const connectionKinds = ['repository', 'output'] as const
/** Connections of the authority service: an authority knows the access tokens of users, a mapping gives a user the name that an authority knows. */
export const authorityKinds = ['authority', 'mapping'] as const
/** Levels of the tokens of a document: its own, those of the folder or page that it belongs to, and those of the share that holds all of them. */
export const tokenLevels = ['document', 'parent', 'share'] as const
/** What an authority answered about a user, by ManifoldCF's names. */
export const authorityStatuses = ['OK', 'UNREACHABLE', 'USERNOTFOUND', 'USERUNAUTHORIZED'] as const
