import { textOf } from '../../contract/words/render.ts'
import { message } from '../../contract/words/message.ts'
import { describe, expect, test } from 'vitest'
import type { BackupState } from '../../contract/services/backups.ts'
import { backupStatusOf, type Seen } from './backupStatus.ts'
import type { Listed } from './backupFolder.ts'
import { backupName } from './manifest.ts'

const dayMs = 86_400_000
const archive = '0a1b2c3d-1111-4222-8333-444455556666'
const nowMs = Date.UTC(2026, 5, 1)
const ago = (days: number) => new Date(nowMs - days * dayMs).toISOString()

function listed(days: number, state: Listed['state'] = 'good', of = archive): Listed {
  const name = backupName(of, nowMs - days * dayMs, 1)
  const manifest = {
    ...{
      name,
      archive: of,
      sha256: 'a'.repeat(64),
      folder: '/archive',
      software: 'Loupe/1',
      settings: null,
      audit: null,
    },
    ...{ made: ago(days), confirmed: ago(days), verified: ago(days), problem: null },
    ...{ bytes: 100, schemaVersion: 30, jobs: 1, files: 1 },
  }
  const problem = state === 'good' || state === 'otherArchive' ? null : message('text', { text: 'Something is wrong.' })
  return { name, path: `/drive/${name}`, state, problem, manifest: state === 'unreadable' ? undefined : manifest }
}

const state: BackupState = { archive, folder: '/drive', last: null, failure: null, damage: null }
const lastAgo = (days: number) => ({ name: 'a', made: ago(days), confirmed: ago(days), bytes: 5 })
const usual: Seen = {
  nowMs,
  settings: { folder: '/drive', everyHours: 24, keepCount: 7, keepDays: 30 },
  state: { ...state, last: lastAgo(0.5) },
  listed: [listed(0.5), listed(1.5)],
  isApart: true,
  hasContent: true,
  stored: { firstMs: nowMs - 90 * dayMs, lastMs: nowMs - 0.1 * dayMs },
  isScheduled: false,
  running: undefined,
}
const failure = { at: ago(0.2), folder: '/drive', tries: 1, message: message('text', { text: 'No space.' }) }

test('all is well', () => {
  expect(backupStatusOf(usual)).toEqual({
    ...usual.settings,
    ...{ reachable: true, last: { name: listed(0.5).name, made: ago(0.5), confirmed: ago(0.5), bytes: 100 } },
    ...{ kept: 2, bytes: 200, next: ago(-0.5), apart: true, current: true, findings: [], running: null },
  })
})

describe('conditions that need a user', () => {
  const rows: [what: string, changes: Partial<Seen>, findings: [kind: string, text: RegExp][]][] = [
    ['a failure', { state: { ...state, failure } }, [['failed', /^No space\.$/]]],
    ['not a failure in a folder that is no longer set', { state: { ...state, failure: { ...failure, folder: '/old' } } }, []],
    ['a damaged database, and not that it could not be copied', { state: { ...state, failure, damage: { at: ago(0.1), message: message('text', { text: 'Damaged.' }) } } }, [['database', /^Damaged\.$/]]],
    ['an overdue backup', { listed: [listed(3)] }, [['overdue', /from 2026-05-29\. .*"loupe backup make"/]]],
    ['no backup at all', { listed: [] }, [['overdue', /^There is no backup of the database\./]]],
    ['not within two turns', { listed: [listed(1.9)] }, []],
    ['not when nothing was stored since', { listed: [listed(60)], stored: { firstMs: 0, lastMs: nowMs - 61 * dayMs } }, []],
    ['not in an archive of yesterday', { listed: [], stored: { firstMs: nowMs - dayMs, lastMs: nowMs } }, []],
    ['not in an empty archive', { listed: [], stored: { firstMs: null, lastMs: null } }, []],
    ['not where the schedule is about to make one', { listed: [listed(3)], isScheduled: true }, []],
    ['not when backups are off', { listed: [listed(3)], settings: { ...usual.settings, everyHours: 0 } }, []],
    ['a damaged backup', { listed: [listed(0), listed(1, 'damaged')] }, [['damaged', /removes no damaged file/]]],
    ['a missing one', { listed: [listed(0), listed(1, 'missing')] }, [['missing', /Put it back, or remove loupe-0a1b2c3d-\S+\.db\.sha256/]]],
    ['one without a readable manifest', { listed: [listed(0), listed(1, 'unreadable')] }, [['unreadable', /state of a backup is unknown/]]],
    ['nothing of another archive', { listed: [listed(0), listed(1, 'otherArchive', 'ffffffff'), listed(1, 'unreadable', 'ffffffff')] }, []],
  ] // prettier-ignore
  test.each(rows)('%s', (_, changes, findings) => {
    const found = backupStatusOf({ ...usual, ...changes }).findings
    expect(found.map(({ kind }) => kind)).toEqual(findings.map(([kind]) => kind))
    for (const [index, [, text]] of findings.entries())
      expect(found[index] && textOf(found[index].message)).toMatch(text)
  })
})

test('an unreadable folder is away when it has contained backups, and otherwise does not exist yet', () => {
  const away = { ...usual, listed: undefined, isApart: undefined }
  expect(backupStatusOf(away)).toMatchObject({ reachable: false, last: { name: 'a' }, apart: null, kept: 0 })
  const other = backupStatusOf({ ...away, settings: { ...usual.settings, folder: '/new' } })
  expect(other).toMatchObject({ reachable: null, last: null, next: new Date(nowMs).toISOString() })
})
