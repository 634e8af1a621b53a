/**
 * What each call and event reveals about captures, and so what its caller must be able to see. A missing row does not compile. The viewer's proxy,
 * its commands and the CDX server check each capture themselves.
 */
import type { Call, Contract, Event } from './calls/service.ts'
import type { contract } from './contract.ts'

/**
 * `nothing`: names, numbers and settings only. `shown`: captures, without those that the caller may not see. `jobs`: captures of the jobs in
 * the input (`job`, `jobs`): the caller must be able to see each of them; without jobs in the input, as `everything`. `file`: the same for the job of
 * the file in the input. `everything`: captures of any job.
 */
export type Door = 'nothing' | 'shown' | 'jobs' | 'file' | 'everything'

/** The door of each call and event of a contract. */
export type Doors<C extends Contract> = {
  [Service in keyof C]: { [Name in keyof C[Service]]: DoorOf<C[Service][Name]> }
}
type DoorOf<M> = M extends Call ? Door : M extends Event ? 'nothing' | 'everything' : never

const nothing = through('nothing')
const shown = through('shown')
const jobs = through('jobs')
const everything = through('everything')

/** The doors. */
export const doors: Doors<typeof contract> = {
  system: nothing('about', 'problem'),
  harvests: {
    ...nothing('create', 'edit', 'openSample', 'import', 'imported', 'importChanged'),
    ...jobs('importFindings'),
  },
  harvestDefinitions: nothing(
    ...(['list', 'show', 'configurations', 'runs', 'changed', 'add', 'edit', 'remove', 'activate'] as const),
    ...(['deactivate', 'run', 'addSeeds'] as const),
  ),
  domains: nothing(
    ...(['list', 'show', 'found', 'changed', 'addList', 'edit', 'setConfiguration', 'removeConfiguration'] as const),
    ...(['setSeedList', 'removeSeedList', 'remove'] as const),
  ),
  crawlerTraps: nothing('list', 'set', 'remove'),
  extendedFields: nothing('list', 'set', 'remove'),
  harvestSchedules: nothing('list', 'show', 'nextRuns', 'changed', 'add', 'edit', 'remove'),
  generatedJobs: nothing('list', 'show', 'errors', 'explain', 'resubmit', 'reject', 'unreject'),
  harvestStatistics: nothing('ofJob', 'ofDomain', 'ofHarvest', 'latest', 'counted'),
  credentials: nothing('list', 'set', 'remove'),
  jobs: {
    ...nothing('list', 'show', 'progress', 'deleted', 'changed', 'removed', 'start', 'restart', 'delete', 'pause'),
    ...nothing('resume', 'abort'),
    ...jobs('documents', 'log'),
  },
  schedules: nothing('list', 'show', 'nextRuns', 'set'),
  queue: jobs('show', 'reject', 'unreject', 'drop', 'lift', 'priority', 'budgets'),
  viewer: {
    // A viewing of its own asks for each capture as its browser does.
    ...shown('openOwn', 'leave', 'openBrowser', 'own', 'explain'),
    ...nothing('kept', 'forget'),
    // The viewing of the interface belongs to the account that runs the engine.
    ...everything(
      'open',
      'current',
      'changed',
      'keep',
      'record',
      'suggest',
      'pages',
      'titlesRead',
      'title',
      'captures',
    ),
    ...everything('timeline', 'locate', 'errors', 'answers', 'answered', 'rewritten'),
  },
  connectors: nothing('list', 'changed', 'install', 'deinstall'),
  connections: nothing('list', 'show', 'check', 'jobs', 'changed', 'add', 'edit', 'remove'),
  authorities: nothing(
    ...(['list', 'show', 'add', 'edit', 'remove', 'check', 'groups', 'addGroup', 'editGroup', 'removeGroup'] as const),
    ...(['domains', 'addDomain', 'editDomain', 'removeDomain', 'connectors', 'install', 'deinstall', 'ask'] as const),
    'changed',
  ),
  accounts: nothing('list', 'add', 'remove', 'setPassword', 'setRoles', 'confirm'),
  sessions: nothing('list', 'revoke'),
  security: nothing('rules', 'set', 'remove', 'decide', 'changed'),
  // With the pages that wanted them, of any viewing.
  missing: everything('list', 'clear'),
  misses: {
    ...jobs('list', 'groups', 'rules', 'patches', 'add', 'ignore', 'harvest'),
    ...nothing('jobs', 'unignore', 'note', 'patch'),
  },
  overlays: jobs('list', 'change'),
  qualityReports: jobs('make'),
  verdicts: { ...jobs('list', 'set', 'store'), ...nothing('progress') },
  pageAudits: {
    ...jobs('start', 'thumbnail'),
    ...nothing('list', 'get'),
    ...everything('pages', 'page', 'picture'),
  },
  pictures: everything('take'),
  quickOpen: nothing('find'),
  archive: {
    ...nothing('replicas', 'files', 'surplus', 'recovery', 'recoveryChanged', 'checks', 'findings', 'status', 'report'),
    ...nothing('repairs', 'repairChanged', 'file', 'history', 'changed', 'check', 'checkEstimate', 'spotCheck'),
    ...nothing(
      'auditLog',
      'verifyAudit',
      'auditVerifying',
      'repairable',
      'repairPlan',
      'repair',
      'attic',
      'checkAttic',
    ),
    ...nothing('restoreFromAttic', 'recover', 'stopRecovery'),
    ...everything('affected'),
  },
  backups: nothing('status', 'list', 'make', 'verify', 'changed'),
  records: through('file')('list', 'show'),
  tasks: nothing('list', 'changed', 'stop', 'pause', 'resume'),
  deduplication: jobs('report', 'references', 'verify'),
  growth: jobs('overTime'),
  deliveries: {
    ...nothing('list', 'show', 'check', 'run', 'stop', 'progress', 'counts', 'changed', 'save'),
    ...everything('documents', 'history', 'decide'),
  },
  outputs: {
    ...nothing('list', 'show', 'check', 'reingest', 'retry', 'connectors', 'changed', 'add', 'edit', 'remove'),
    ...nothing('register', 'deregister'),
    ...jobs('ofJob'),
    ...everything('document'),
  },
  indexes: nothing('list', 'build', 'drop'),
  exports: { ...nothing('list'), ...everything('start') },
  batch: { ...nothing('list', 'builtIns'), ...everything('start', 'output') },
  uploads: nothing('list', 'files', 'start'),
  history: jobs('report', 'linkGraph'),
  notifications: nothing('list', 'markRead', 'shown', 'changed', 'test'),
  monitoring: nothing('status', 'log', 'metrics'),
  search: { ...shown('find', 'words', 'urls'), ...nothing('saved', 'status', 'save', 'forget', 'build', 'drop') },
  settings: nothing('list', 'set'),
  templates: nothing('list', 'show', 'changed', 'check', 'add', 'edit', 'remove'),
}

/** Makes a function that gives each name the door. */
function through<Only extends Door>(door: Only): <Name extends string>(...names: Name[]) => Record<Name, Only> {
  return <Name extends string>(...names: Name[]) =>
    Object.fromEntries(names.map((name) => [name, door])) as Record<Name, Only>
}
