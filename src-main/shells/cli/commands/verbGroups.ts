/**
 * The verbs of the command line, in the order of the help. Declaring all of them takes longer than many a command: most load shapes of the
 * contract for the choices of their options. So a command loads only the module that declares its own verb, and the help loads all.
 */
import type { Command as Program } from 'commander'
import type { Run } from '../session/command.ts'

/** Verbs that are declared together. */
export interface VerbGroup {
  verbs: readonly string[]
  add(program: Program, run: Run): Promise<void>
  /** Whether these verbs work on the declarations of all other verbs. */
  needsAll?: true
}

export const verbGroups: readonly VerbGroup[] = [
  {
    verbs: ['init', 'serve'],
    add: async (...given) => (await import('./archiveCommand.ts')).addArchiveVerbs(...given),
  },
  { verbs: ['harvest'], add: async (...given) => (await import('./jobCommand.ts')).addHarvestVerb(...given) },
  {
    verbs: ['domains', 'templates'],
    add: async (...given) => (await import('./domainCommand.ts')).addDomainVerbs(...given),
  },
  {
    verbs: ['harvests'],
    add: async (...given) => (await import('./harvestDefinitionCommand.ts')).addHarvestsVerbs(...given),
  },
  {
    verbs: ['schedules'],
    add: async (...given) => (await import('./harvestDefinitionCommand.ts')).addSchedulesVerbs(...given),
  },
  { verbs: ['jobs', 'job'], add: async (...given) => (await import('./jobCommand.ts')).addJobVerbs(...given) },
  {
    verbs: ['view', 'get-file', 'get-record', 'get-metadata'],
    add: async (...given) => (await import('./readingCommand.ts')).addReadingVerbs(...given),
  },
  { verbs: ['import'], add: async (...given) => (await import('./importCommand.ts')).addImportVerbs(...given) },
  { verbs: ['export'], add: async (...given) => (await import('./exportCommand.ts')).addExportVerbs(...given) },
  {
    verbs: ['batch', 'upload', 'recover'],
    add: async (...given) => (await import('./batchCommand.ts')).addBatchVerbs(...given),
  },
  {
    verbs: ['credential'],
    add: async (...given) => (await import('./credentialCommand.ts')).addCredentialVerbs(...given),
  },
  {
    verbs: ['connector'],
    add: async (...given) => (await import('./connectorCommand.ts')).addConnectorVerbs(...given),
  },
  {
    verbs: ['connections'],
    add: async (...given) => (await import('./connectionCommand.ts')).addConnectionsVerbs(...given),
  },
  {
    verbs: ['accounts', 'sessions'],
    add: async (...given) => (await import('./accountCommand.ts')).addAccountVerbs(...given),
  },
  {
    verbs: ['authorities'],
    add: async (...given) => (await import('./authorityCommand.ts')).addAuthoritiesVerbs(...given),
  },
  {
    verbs: ['security'],
    add: async (...given) => (await import('./securityCommand.ts')).addSecurityVerbs(...given),
  },
  { verbs: ['outputs'], add: async (...given) => (await import('./outputCommand.ts')).addOutputsVerbs(...given) },
  { verbs: ['plan'], add: async (...given) => (await import('./planCommand.ts')).addPlanVerbs(...given) },
  { verbs: ['dedup'], add: async (...given) => (await import('./indexCommand.ts')).addDedupVerbs(...given) },
  { verbs: ['growth'], add: async (...given) => (await import('./indexCommand.ts')).addGrowthVerb(...given) },
  { verbs: ['indexes'], add: async (...given) => (await import('./indexCommand.ts')).addIndexesVerbs(...given) },
  { verbs: ['search'], add: async (...given) => (await import('./searchCommand.ts')).addSearchVerbs(...given) },
  { verbs: ['tasks'], add: async (...given) => (await import('./taskCommand.ts')).addTaskVerbs(...given) },
  {
    verbs: ['notifications'],
    add: async (...given) => (await import('./notificationCommand.ts')).addNotificationVerbs(...given),
  },
  { verbs: ['metrics'], add: async (...given) => (await import('./taskCommand.ts')).addMetricsVerb(...given) },
  { verbs: ['history'], add: async (...given) => (await import('./historyCommand.ts')).addHistoryVerb(...given) },
  { verbs: ['queue'], add: async (...given) => (await import('./queueCommand.ts')).addQueueVerbs(...given) },
  { verbs: ['missing'], add: async (...given) => (await import('./missingCommand.ts')).addMissingVerbs(...given) },
  { verbs: ['verdict'], add: async (...given) => (await import('./verdictCommand.ts')).addVerdictVerbs(...given) },
  { verbs: ['quality'], add: async (...given) => (await import('./qualityCommand.ts')).addQualityVerbs(...given) },
  { verbs: ['overlays'], add: async (...given) => (await import('./overlaysCommand.ts')).addOverlayVerbs(...given) },
  {
    verbs: ['audit-pages'],
    add: async (...given) => (await import('./pageAuditCommand.ts')).addPageAuditVerb(...given),
  },
  { verbs: ['schedule'], add: async (...given) => (await import('./scheduleCommand.ts')).addScheduleVerbs(...given) },
  { verbs: ['preserve'], add: async (...given) => (await import('./preserveCommand.ts')).addPreserveVerbs(...given) },
  { verbs: ['backup'], add: async (...given) => (await import('./backupCommand.ts')).addBackupVerbs(...given) },
  {
    verbs: ['check', 'index', 'records'],
    add: async (...given) => (await import('./fileCommand.ts')).addFileVerbs(...given),
  },
  {
    verbs: ['recompress', 'convert', 'salvage'],
    add: async (...given) => (await import('./rewriteCommand.ts')).addRewriteVerbs(...given),
  },
  {
    verbs: ['completion'],
    add: async (...given) => (await import('./completionCommand.ts')).addCompletionVerb(...given),
    needsAll: true,
  },
  { verbs: ['settings'], add: async (...given) => (await import('./archiveCommand.ts')).addSettingsVerbs(...given) },
]

/** The groups to declare for a command line: that of its verb, or all where it names none, as for the help of the program. */
export function groupsFor(words: readonly string[]): readonly VerbGroup[] {
  const verb = firstOperand(words)
  const own = verbGroups.find(({ verbs }) => verb !== undefined && verbs.includes(verb))
  return own && !own.needsAll ? [own] : verbGroups
}

/** The first word that is neither a global option nor its value. */
function firstOperand(words: readonly string[]): string | undefined {
  return words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '--archive')
}
