/** What a person changed of the settings by which the archive is looked after, since it was last opened: replicas, where
 *  they are, what is declared of them, the rhythm of checks, backups, who may read and change the files. They decide what counts as
 *  safe, so the audit trail has them.
 *  Deliberately not here: settings that touch no copy (ports, looks). */
import type { AuditTrail } from '../../archive/audit/audit.ts'
import type { Settings } from './settings.ts'

const concerns = /^(archive|replicas|checksumReplicas|places|preservation|backup)(\.|$)/

/** An archive that never said otherwise began with the defaults, and so did a setting that is newer than the last entry. */
export function noteSettings(trail: AuditTrail, settings: Pick<Settings, 'list'>, nowMs: number): void {
  const rows = settings.list().filter(({ path }) => concerns.test(path))
  const became = Object.fromEntries(rows.map(({ path, value }) => [path, value]))
  const [last] = trail.page({ what: 'settings', offset: 0, limit: 1 }).rows
  // A setting that the last entry does not name is of a later Loupe, and had its default then.
  const before = { ...Object.fromEntries(rows.map((row) => [row.path, row.default])), ...fieldsOf(last?.became) }
  if (JSON.stringify(before) === JSON.stringify(became)) return
  trail.append({ who: 'person', what: 'settings', subject: 'loupe.toml', was: last?.became, became }, nowMs)
}

function fieldsOf(told: unknown): object {
  return typeof told === 'object' && told !== null ? told : {}
}
