/** Words that a person chooses from. They stand apart from the contract's shapes because the command line offers them in its
 *  help, and loading the shapes takes longer than a short verb does. */

export const scopes = ['page', 'prefix', 'host', 'domain', 'any'] as const
/** A person follows a `link`; a page loads an `embed`; a server answers with a `redirect`; a `sitemap` lists addresses. */
export const linkTypes = ['link', 'embed', 'redirect', 'sitemap'] as const
/** What becomes of a distance when a link of an earlier run has vanished. */
export const hopModes = ['accurate', 'noDelete', 'neverDelete'] as const
/** How often a job looks at its documents: each once in a run, or again and again. */
export const recheckTypes = ['once', 'continuous'] as const
/** What becomes of a document that its site no longer has: kept in the queue, removed from it as soon as the server says so,
 *  or removed when the run ends. What the archive holds of it stays in all three. */
export const goneModes = ['keep', 'atOnce', 'atEnd'] as const
/** Where a server cannot be reached: `brief` tries a few times within seconds, `long` for hours. */
export const patienceModes = ['brief', 'long'] as const
/** What follows when the patience has ended: only this document is given up, or the whole job is stopped. */
export const hardFailureModes = ['skip', 'abort'] as const
/** What WARC files hold of a login: requests without secrets; besides, answers without the values of session cookies; or
 *  every byte as it was sent. */
export const loginRecordings = ['withoutSecrets', 'withoutSessions', 'exact'] as const
export const reportFormats = ['json', 'csv', 'html'] as const
export const exportFormats = ['warc', 'wacz', 'csv'] as const
export const waczVersions = ['1.1.1', '1.2.0'] as const
/** Which other accounts of the machine may read and write an archive. */
export const sharedWithChoices = ['nobody', 'group'] as const
export type SharedWith = (typeof sharedWithChoices)[number]
/** What is done to ground truth, as the audit trail has it. Older entries keep their word, so none is taken away. */
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
] as const
export type AuditActionName = (typeof auditActions)[number]
/** Who does it: a person, the schedule, Loupe itself when it opens an archive or after it was interrupted, an upload, the job of a
 *  harvest or import. */
export const auditActors = ['person', 'schedule', 'opening', 'recovery', 'upload', 'job'] as const
export type AuditActor = (typeof auditActors)[number]
/** Through what an entry of the audit trail came about: a window of the interface (Electron or a browser), a command, or a schedule of
 *  Loupe. `server`: what a server that no window belongs to did by itself. */
export const auditShells = ['window', 'commandLine', 'schedule', 'server'] as const
export type AuditShell = (typeof auditShells)[number]
/** Where a harvest takes documents from, and where it puts them. */
export const repositoryNames = ['web', 'sitemap', 'feed', 'folder'] as const
export const outputNames = ['archive', 'null'] as const
