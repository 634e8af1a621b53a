/**
 * The calls and events of the engine, as the interface and the command line use them. Neither pages nor WARC bytes cross the contract: they
 * go through the viewer's port. Times are ISO 8601 in UTC; sizes are bytes; digests are lower-case hexadecimal SHA-256 unless the name says
 * otherwise.
 */
import type { Implementation, Services } from './calls/service.ts'
import { accountCalls, sessionCalls } from './services/accounts.ts'
import { archiveCalls } from './services/archive.ts'
import { authorityCalls } from './services/authorities.ts'
import { backupCalls } from './services/backups.ts'
import { batchCalls } from './services/batch.ts'
import { connectionCalls } from './services/connections.ts'
import { connectorsContract } from './services/connectors.ts'
import { deliveryCalls } from './services/deliveries.ts'
import { outputCalls } from './services/outputs.ts'
import { deduplicationCalls } from './services/deduplication.ts'
import { growthCalls } from './services/growth.ts'
import { indexCalls } from './services/indexes.ts'
import { crawlerTrapCalls, domainCalls, extendedFieldCalls } from './services/domains.ts'
import { exportCalls } from './services/exports.ts'
import { generatedJobCalls } from './services/generatedJobs.ts'
import { harvestDefinitionCalls } from './services/harvestDefinitions.ts'
import { harvestScheduleCalls } from './services/harvestSchedules.ts'
import { harvestStatisticsCalls } from './services/harvestStatistics.ts'
import { harvestCalls } from './services/harvests.ts'
import { historyCalls } from './services/history.ts'
import { jobCalls } from './services/jobs.ts'
import { liveCalls } from './services/live.ts'
import { credentialCalls } from './services/login.ts'
import { missCalls } from './services/misses.ts'
import { overlayCalls } from './services/overlays.ts'
import { monitoringCalls } from './services/monitoring.ts'
import { notificationCalls } from './services/notifications.ts'
import { pageAuditCalls } from './services/pageAudits.ts'
import { pictureCalls } from './services/pictures.ts'
import { quickOpenCalls } from './services/quickOpen.ts'
import { recordCalls } from './services/records.ts'
import { scheduleService } from './services/schedule.ts'
import { searchCalls } from './services/search.ts'
import { securityCalls } from './services/security.ts'
import { settingsCalls } from './services/settings.ts'
import { systemService } from './services/system.ts'
import { taskCalls } from './services/tasks.ts'
import { templateService } from './services/templates.ts'
import { uploadCalls } from './services/uploads.ts'
import { qualityReportCalls } from './services/qualityReports.ts'
import { verdictCalls } from './services/verdicts.ts'
import { viewerCalls, missingCalls } from './services/viewer.ts'

/** All services of the engine, by name. */
export const contract = {
  system: systemService,
  harvests: harvestCalls,
  harvestDefinitions: harvestDefinitionCalls,
  domains: domainCalls,
  crawlerTraps: crawlerTrapCalls,
  extendedFields: extendedFieldCalls,
  harvestSchedules: harvestScheduleCalls,
  generatedJobs: generatedJobCalls,
  harvestStatistics: harvestStatisticsCalls,
  credentials: credentialCalls,
  jobs: jobCalls,
  schedules: scheduleService,
  queue: liveCalls,
  viewer: viewerCalls,
  connectors: connectorsContract,
  connections: connectionCalls,
  authorities: authorityCalls,
  security: securityCalls,
  accounts: accountCalls,
  sessions: sessionCalls,
  missing: missingCalls,
  misses: missCalls,
  overlays: overlayCalls,
  verdicts: verdictCalls,
  pageAudits: pageAuditCalls,
  qualityReports: qualityReportCalls,
  pictures: pictureCalls,
  quickOpen: quickOpenCalls,
  archive: archiveCalls,
  backups: backupCalls,
  records: recordCalls,
  tasks: taskCalls,
  deduplication: deduplicationCalls,
  growth: growthCalls,
  deliveries: deliveryCalls,
  outputs: outputCalls,
  indexes: indexCalls,
  exports: exportCalls,
  batch: batchCalls,
  uploads: uploadCalls,
  history: historyCalls,
  notifications: notificationCalls,
  monitoring: monitoringCalls,
  search: searchCalls,
  settings: settingsCalls,
  templates: templateService,
} as const

/** The services as clients use them. */
export type Loupe = Services<typeof contract>
/** The services as the engine implements them: each call has a caller. */
export type LoupeImplementation = Implementation<typeof contract>
