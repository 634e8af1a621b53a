/** The call that each command and each screen is for: an account that may not make it is not offered the command or the screen. */
import type { ArchiveTab, Route } from '../routes/routes.ts'
import type { CallName } from './callerRoles.ts'
import type { Dialog } from './dialogs.ts'

/** Dialogs, which menus, keys and quick open show. */
export const dialogCalls: Record<Dialog, CallName> = {
  harvest: 'harvests.create',
  import: 'harvests.import',
  export: 'exports.start',
  checkMissing: 'archive.check',
  checkChecksums: 'archive.check',
  spotCheck: 'archive.spotCheck',
  quickOpen: 'quickOpen.find',
  shortcuts: 'system.about',
  tasks: 'tasks.list',
}

/** The call without which a screen has nothing to show. */
export const placeCalls: Record<Route['place'], CallName> = {
  start: 'jobs.list',
  harvests: 'harvestDefinitions.list',
  harvest: 'harvestDefinitions.show',
  domain: 'domains.show',
  template: 'templates.show',
  jobs: 'jobs.list',
  job: 'jobs.show',
  viewer: 'viewer.current',
  missing: 'misses.jobs',
  pageAudits: 'pageAudits.list',
  search: 'search.status',
  capture: 'viewer.locate',
  archive: 'archive.status',
  file: 'archive.file',
  repair: 'archive.repairPlan',
  record: 'records.show',
  history: 'history.report',
  plans: 'deliveries.list',
  plan: 'deliveries.show',
  planEditor: 'deliveries.save',
  newPlan: 'deliveries.save',
  schedule: 'schedules.list',
  access: 'accounts.list',
  system: 'monitoring.status',
  settings: 'settings.list',
}

export const archiveTabCalls: Record<ArchiveTab, CallName> = {
  replicas: 'archive.replicas',
  files: 'archive.files',
  repair: 'archive.repairable',
  attic: 'archive.attic',
  backups: 'backups.list',
  audit: 'archive.auditLog',
  report: 'archive.report',
  deduplication: 'deduplication.report',
  growth: 'growth.overTime',
  batch: 'batch.list',
}

/** The call that the screen of a route is for. */
export function routeCall(route: Route): CallName {
  return route.place === 'archive' ? archiveTabCalls[route.tab] : placeCalls[route.place]
}
