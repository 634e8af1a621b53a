/** Audit of changed settings that concern the care for the archive, since it was last opened: replicas, their
 *  folders and declared properties, the interval of checks, backups, and the accounts that may read and change the
 *  files. They decide what counts as safe, so their changes are in the audit log. Settings that concern no copy,
 *  such as ports, are left out. */

import type { AuditLog } from '../../archive/audit/audit.ts'
import type { Settings } from './settings.ts'

const concerns = /^(archive|replicas|replicaSettings|checksumReplicas|places|preservation|backup)(\.|$)/

/**
 * Records the changes. Without an earlier entry the defaults count as the former values, also for a setting that is newer than the last
 * entry.
 */
export function noteSettings(auditLog: AuditLog, settings: Pick<Settings, 'list'>, nowMs: number): void {
  const rows = settings.list().filter(({ path }) => concerns.test(path))
  const became = Object.fromEntries(rows.map(({ path, value }) => [path, value]))
  const [last] = auditLog.page({ what: 'settings', offset: 0, limit: 1 }).rows
  // A setting that the last entry does not name was added by a later Loupe, and had its default then.
  const before = { ...Object.fromEntries(rows.map((row) => [row.path, row.default])), ...fieldsOf(last?.became) }
  if (JSON.stringify(before) === JSON.stringify(became)) return
  auditLog.append({ who: 'user', what: 'settings', subject: 'loupe.toml', was: last?.became, became }, nowMs)
}

function fieldsOf(recorded: unknown): object {
  return typeof recorded === 'object' && recorded !== null ? recorded : {}
}
