/**
 * Who may do what: the least role of every call and event. A service lacks no member, or it does not compile. What reads is for viewers,
 * unless it tells about the machine, about secrets or about people; what makes the server read or write folders of its machine, run code or
 * send data elsewhere is for administrators; what judges copies is for preservation officers.
 */
import type { Role } from './calls/caller.ts'
import type { LeastRoles } from './calls/service.ts'
import type { contract } from './contract.ts'

const viewer = needing('viewer')
const curator = needing('curator')
const officer = needing('preservationOfficer')
const administrator = needing('administrator')

/** The least role of each call and event. */
export const leastRoles: LeastRoles<typeof contract> = {
  system: { ...viewer('about'), ...curator('problem') },
  harvests: {
    ...viewer('imported', 'importFindings', 'importChanged'),
    // Imports read archive files of the machine, too; what they read becomes part of the archive.
    ...curator('create', 'edit', 'openSample', 'import'),
  },
  harvestDefinitions: {
    ...viewer('list', 'show', 'configurations', 'runs', 'changed'),
    ...curator('add', 'edit', 'remove', 'activate', 'deactivate', 'run', 'addSeeds'),
  },
  domains: {
    ...viewer('list', 'show', 'found', 'changed'),
    ...curator('addList', 'edit', 'setConfiguration', 'removeConfiguration', 'setSeedList', 'removeSeedList', 'remove'),
  },
  crawlerTraps: { ...viewer('list'), ...curator('set', 'remove') },
  extendedFields: { ...viewer('list'), ...curator('set', 'remove') },
  harvestSchedules: { ...viewer('list', 'show', 'nextRuns', 'changed'), ...curator('add', 'edit', 'remove') },
  generatedJobs: {
    ...viewer('list', 'show', 'errors', 'explain'),
    ...curator('resubmit', 'reject', 'unreject'),
  },
  harvestStatistics: viewer('ofJob', 'ofDomain', 'ofHarvest', 'latest', 'counted'),
  credentials: curator('list', 'set', 'remove'),
  jobs: {
    ...viewer('list', 'show', 'documents', 'log', 'progress', 'deleted', 'changed', 'removed'),
    ...curator('start', 'restart', 'delete', 'pause', 'resume', 'abort'),
  },
  schedules: { ...viewer('list', 'show', 'nextRuns'), ...curator('set') },
  queue: { ...viewer('show'), ...curator('reject', 'unreject', 'drop', 'lift', 'priority', 'budgets') },
  viewer: {
    ...viewer('open', 'openOwn', 'leave', 'own', 'current', 'changed', 'kept', 'suggest', 'pages', 'titlesRead'),
    ...viewer('title', 'captures', 'timeline', 'locate', 'explain', 'errors', 'answers', 'answered'),
    ...viewer('rewritten'),
    ...curator('keep', 'forget', 'record'),
    // Starts a program on the machine of the server.
    ...administrator('openBrowser'),
  },
  connectors: { ...viewer('list', 'changed'), ...administrator('install', 'deinstall') },
  connections: {
    ...curator('list', 'show', 'check', 'jobs', 'changed'),
    ...administrator('add', 'edit', 'remove'),
  },
  authorities: {
    ...administrator('list', 'show', 'add', 'edit', 'remove', 'check', 'groups', 'addGroup', 'editGroup'),
    ...administrator('removeGroup', 'domains', 'addDomain', 'editDomain', 'removeDomain', 'connectors', 'install'),
    ...administrator('deinstall', 'ask', 'changed'),
  },
  security: administrator('rules', 'set', 'remove', 'decide', 'changed'),
  accounts: { ...viewer('confirm'), ...administrator('list', 'add', 'remove', 'setPassword', 'setRoles') },
  sessions: administrator('list', 'revoke'),
  missing: { ...viewer('list'), ...curator('clear') },
  misses: {
    ...viewer('list', 'groups', 'jobs', 'rules', 'patches'),
    ...curator('add', 'ignore', 'unignore', 'note', 'patch', 'harvest'),
  },
  overlays: { ...viewer('list'), ...curator('change') },
  qualityReports: viewer('make'),
  verdicts: { ...viewer('list', 'progress'), ...curator('set', 'store') },
  pageAudits: { ...viewer('list', 'get', 'pages', 'page', 'picture', 'thumbnail'), ...curator('start') },
  pictures: curator('take'),
  quickOpen: viewer('find'),
  archive: {
    ...viewer('replicas', 'files', 'surplus', 'recovery', 'recoveryChanged', 'checks', 'findings', 'status', 'report'),
    ...viewer('affected', 'repairs', 'repairChanged', 'file', 'history', 'changed'),
    ...officer('check', 'checkEstimate', 'spotCheck', 'auditLog', 'verifyAudit', 'auditVerifying', 'repairable'),
    ...officer('repairPlan', 'repair', 'attic', 'checkAttic', 'restoreFromAttic'),
    ...administrator('recover', 'stopRecovery'),
  },
  backups: officer('status', 'list', 'make', 'verify', 'changed'),
  records: viewer('list', 'show'),
  tasks: { ...viewer('list', 'changed'), ...curator('stop', 'pause', 'resume') },
  deduplication: viewer('report', 'references', 'verify'),
  growth: viewer('overTime'),
  deliveries: {
    ...curator('list', 'show', 'check', 'run', 'stop', 'progress', 'counts', 'documents', 'history', 'decide'),
    ...curator('changed'),
    ...administrator('save'),
  },
  outputs: {
    ...curator('list', 'show', 'check', 'reingest', 'retry', 'document', 'ofJob', 'connectors', 'changed'),
    ...administrator('add', 'edit', 'remove', 'register', 'deregister'),
  },
  indexes: { ...viewer('list'), ...curator('build', 'drop') },
  exports: { ...curator('list'), ...administrator('start') },
  batch: { ...curator('list', 'output', 'builtIns'), ...administrator('start') },
  uploads: { ...curator('list', 'files'), ...administrator('start') },
  history: viewer('report', 'linkGraph'),
  notifications: { ...curator('list', 'markRead', 'shown', 'changed'), ...administrator('test') },
  monitoring: { ...curator('status'), ...administrator('log', 'metrics') },
  search: { ...viewer('find', 'words', 'urls', 'saved', 'status'), ...curator('save', 'forget', 'build', 'drop') },
  settings: administrator('list', 'set'),
  templates: { ...viewer('list', 'show', 'changed'), ...curator('check', 'add', 'edit', 'remove') },
}

/** Makes a function that gives each name the role. */
function needing<Least extends Role>(role: Least): <Name extends string>(...names: Name[]) => Record<Name, Least> {
  return <Name extends string>(...names: Name[]) =>
    Object.fromEntries(names.map((name) => [name, role])) as Record<Name, Least>
}
