/** The text of every action, with the details that its actor records (`archive/check/checkActions.ts`, `spotChecks.ts`, `storing.ts`,
 *  `repair.ts`, `attic.ts`, `auditHead.ts`). */
import fc from 'fast-check'
import { createIntl } from 'react-intl'
import { describe, expect, test } from 'vitest'
import { auditActions } from '../../../src-main/contract/shapes/choices.ts'
import type { AuditEntry } from '../../../src-main/contract/services/audit.ts'
import { makeFormats } from '../../parts/formats.ts'
import { en } from '../../words/en.ts'
import { translatorOf } from '../../words/language.ts'
import {
  actorWords,
  entryWords,
  originWords,
  subjectOf,
  detailFacts,
  type Language,
  type Subject,
} from './entryWords.ts'

const intl = createIntl({
  locale: 'en',
  messages: en,
  onError: (error) => {
    throw error
  },
})
const language: Language = { t: translatorOf(intl), formats: makeFormats('en') }

const right = 'a1b2c3d4e5f6'.padEnd(64, '0')
const wrong = 'f6e5d4c3b2a1'.padEnd(64, '0')

function entry(what: string, told: { subject?: string; was?: unknown; became?: unknown; who?: string }): AuditEntry {
  const { subject = 'a.warc.gz', was = null, became = null, who = 'user' } = told
  const hashes = { previous: '0'.repeat(64), hash: '1'.repeat(64) }
  return { number: 1, at: '2026-11-20T12:00:00.000Z', who, origin: null, what, subject, was, became, ...hashes }
}

type Row = [what: string, told: Parameters<typeof entry>[1], said: string, before: string, after: string]

const check = { filesTotal: 8, filesDone: 0, files: null, sample: null, replicas: ['ONE', 'TWO'] }
const missing = { finding: 'missing', expected: { code: 'copy.bytes', values: { count: 2336 } }, found: null }
const checksum = {
  finding: 'wrongChecksum',
  expected: { code: 'copy.checksum', values: { sha256: right } },
  found: { code: 'copy.checksum', values: { sha256: wrong } },
}
const repaired = {
  replica: 'ONE',
  kind: 'replace',
  source: 'TWO',
  attic: 3,
  message: { code: 'text', values: { text: 'It was replaced.' } },
  sha256: right,
}
const lay = { replica: 'ONE', sha256: wrong, seen: 'checksum' }

const rows: Row[] = [
  ['store', { became: { bytes: 2336, sha256: right, replicas: ['ONE', 'TWO'] } }, 'File stored', 'not in the archive', '2.34\u00a0kB in ONE, TWO'],
  ['recover', { who: 'recovery', became: { bytes: 2336, sha256: right, job: 1, replicas: ['ONE', 'TWO'] } }, 'Files recovered', 'not in the archive', '2.34\u00a0kB in ONE, TWO'],
  ['recover', { who: 'recovery', subject: 'archive', became: { registered: 12, jobs: [1], cleared: 0, importJob: null, problems: 0 } }, 'Files recovered', '–', '12 files registered, 1 job restored'],
  ['assignJob', { who: 'job 9', was: { job: 5, kind: 'metadata' }, became: { job: 9, kind: 'content' } }, 'File assigned to a job', 'job 5', 'job 9'],
  ['assignJob', { who: 'job 9', was: { job: null, kind: 'content' }, became: { job: 9, kind: 'content' } }, 'File assigned to a job', 'no job', 'job 9'],
  ['checkBegun', { subject: 'check 2', became: { kind: 'checksums', ...check } }, 'Checksum check started', '–', '8 copies in ONE, TWO'],
  ['checkBegun', { subject: 'check 2', became: { kind: 'missing', ...check } }, 'Check for missing files started', '–', '8 copies in ONE, TWO'],
  ['checkBegun', { subject: 'check 2', became: { kind: 'missing', ...check, filesDone: 3 } }, 'Check resumed', '–', '8 copies in ONE, TWO'],
  ['checkEnded', { subject: 'check 2', became: { state: 'DONE', filesTotal: 8, filesDone: 8, findings: 0, problem: null } }, 'Check completed', '–', '8 of 8 copies; no problems'],
  ['checkEnded', { subject: 'check 2', became: { state: 'STOPPED', filesTotal: 8, filesDone: 3, findings: 1, problem: null } }, 'Check stopped', '–', '3 of 8 copies; 1 finding'],
  ['checkEnded', { subject: 'check 2', became: { state: 'FAILED', filesTotal: 8, filesDone: 3, findings: 2, problem: { code: 'text', values: { text: 'the drive is away' } } } }, 'Check failed', '–', '3 of 8 copies; 2 findings'],
  ['finding', { was: { replica: 'ONE', state: 'OK' }, became: { replica: 'ONE', state: 'MISSING', check: 2, ...missing } }, 'Copy missing', 'ONE: Verified', 'ONE: Missing'],
  ['finding', { was: { replica: 'ONE', state: 'PRESENT' }, became: { replica: 'ONE', state: 'CORRUPT', ...checksum } }, 'Copy has the wrong checksum', 'ONE: Present', 'ONE: Damaged'],
  ['finding', { became: { replica: 'ONE', check: 2, finding: 'surplus' } }, 'File not in the catalogue', '–', 'ONE: not in the catalogue'],
  ['finding', { became: { spotCheck: 4, verdict: 'differ', salt: 'aa', answers: [{ replica: 'ONE', kind: 'answered', hmac: 'bb' }] } }, 'Replicas hold different content', '–', 'spot check 4'],
  ['finding', { became: { spotCheck: 4, verdict: 'failed', salt: 'aa', answers: [{ replica: 'ONE', kind: 'failed', why: { code: 'text', values: { text: 'gone' } } }] } }, 'Replica gave no answer', '–', 'spot check 4'],
  ['inOrderAgain', { was: { replica: 'ONE', state: 'CORRUPT' }, became: { replica: 'ONE', state: 'OK', check: 3 } }, 'Copy verified', 'ONE: Damaged', 'ONE: Verified'],
  ['spotCheckBegun', { subject: 'spot check 4', became: { files: ['a.warc.gz', 'b.warc.gz'] } }, 'Spot check started', '–', '2 files'],
  ['spotCheckEnded', { subject: 'spot check 4', became: { files: [{ name: 'a.warc.gz', verdict: 'agree' }, { name: 'b.warc.gz', verdict: 'differ' }] } }, 'Spot check ended', '–', '1 of 2 files: replicas agree'],
  ['settings', { subject: 'loupe.toml', was: { places: {}, 'preservation.spotFiles': 10 }, became: { places: { ONE: 'Aarhus' }, 'preservation.spotFiles': 10 } }, 'Preservation settings changed', 'Locations of replicas: {}', 'Locations of replicas: {"ONE":"Aarhus"}'],
  ['permissions', { subject: '/archive', was: { mode: '0755' }, became: { mode: '0700', 'archive.sharedWith': 'nobody' } }, 'Folder permissions changed', 'mode 0755', 'mode 0700'],
  ['securityRule', { subject: 'job 2 Library share', became: { allow: ['staff', 'maps'], deny: [] } }, 'Security rule changed', '–', 'allow staff, maps; deny –'],
  ['repair', { was: lay, became: repaired }, 'Bad copy replaced', 'ONE: f6e5d4c3b2…', 'ONE: a1b2c3d4e5…, from TWO'],
  ['repair', { was: { ...lay, sha256: null, seen: 'absent' }, became: { ...repaired, kind: 'restore', attic: null } }, 'Missing copy restored', 'ONE: nothing found', 'ONE: a1b2c3d4e5…, from TWO'],
  ['repairRefused', { was: { ...lay, sha256: null, seen: 'away' }, became: { ...repaired, message: { code: 'text', values: { text: 'No majority.' } } } }, 'Repair refused', 'ONE: could not be read', 'No majority.'],
  ['repairFailed', { was: lay, became: { ...repaired, sha256: null, message: { code: 'text', values: { text: 'The disk is full.' } } } }, 'Repair failed', 'ONE: f6e5d4c3b2…', 'The disk is full.'],
  ['setAside', { was: { replica: 'ONE', sha256: wrong }, became: { replica: 'ONE', sha256: null, attic: 3, where: '/ONE/attic/3', registered: right, reason: 'it is bad' } }, 'Copy moved to the attic', 'ONE: f6e5d4c3b2…', 'attic entry 3'],
  ['restoreFromAttic', { was: { attic: 3, replica: 'ONE', sha256: wrong }, became: { name: 'b.warc.gz', sha256: wrong, state: 'stored', problems: [] } }, 'Attic entry restored', 'attic entry 3', 'stored as b.warc.gz'],
  ['restoreFromAttic', { was: { attic: 3, replica: 'ONE', sha256: wrong }, became: { name: 'b.warc.gz', sha256: wrong, state: 'failed', problems: [{ replica: 'TWO', problem: { code: 'text', values: { text: 'full' } } }] } }, 'Attic entry restored', 'attic entry 3', 'not stored in every replica'],
  ['auditHeadMade', { subject: '/archive/loupe.audit', who: 'recovery' }, 'Audit head file recreated', '–', '–'],
  ['auditHeadMade', { subject: '/archive/loupe.audit', who: 'recovery', was: { movedTo: 'loupe.audit.before-recovery-20261123T170000Z', lastEntry: 9 } }, 'Audit head file recreated', 'kept as loupe.audit.before-recovery-20261123T170000Z', '–'],
  ['databaseRestored', { subject: 'b.db', was: { movedTo: 'loupe.db.before-restore-1', lastEntry: 'entry 9' }, became: { path: '/b.db', sha256: right, made: '2026-01-02T03:04:05.000Z', lastEntry: 7 } }, 'Database backup restored', 'kept as loupe.db.before-restore-1', 'backup of 2026-01-02 03:04'],
  ['databaseRestored', { subject: 'c.db', became: { path: '/c.db', sha256: null, made: null, lastEntry: 7 } }, 'Database backup restored', '–', 'copy without a manifest'],
  ['accountAdded', { subject: 'Bea', became: { roles: ['curator', 'viewer'] } }, 'Account added', '–', 'viewer, curator'],
  ['accountRemoved', { subject: 'Bea' }, 'Account removed', '–', '–'],
  ['passwordSet', { subject: 'Bea' }, 'Password set', '–', '–'],
  ['rolesSet', { subject: 'Bea', became: { roles: ['administrator'] } }, 'Roles set', '–', 'administrator'],
  ['sessionRevoked', { subject: '7' }, 'Session revoked', '–', '–'],
  ['whatNobodyKnows', {}, 'Unknown action: whatNobodyKnows', '–', '–'],
] // prettier-ignore

describe('text of an entry', () => {
  test.each(rows)('%s', (what, told, said, before, after) => {
    expect(entryWords(language, entry(what, told))).toEqual({ what: said, before, after })
  })

  test('every action that Loupe records has a text', () => {
    const inRows = new Set(rows.map(([what]) => what))
    expect(auditActions.filter((action) => !inRows.has(action))).toEqual([])
  })

  test('every detail of an action has a label', () => {
    const told = rows.flatMap(([, { was, became }]) => [was, became])
    const names = told.flatMap((facts) => detailFacts(language, facts).map(({ name }) => name))
    const spoken = new Set<string>(
      Object.entries(en).flatMap(([id, text]) => (id.startsWith('audit.field.') ? [text] : [])),
    )
    expect(names.filter((name) => !spoken.has(name))).toEqual([])
  })

  test('an entry with arbitrary content can still be shown', () => {
    fc.assert(
      fc.property(fc.constantFrom(...auditActions), fc.jsonValue(), fc.jsonValue(), (what, was, became) => {
        const forged = entry(what, { was, became })
        const said = entryWords(language, forged)
        expect(Object.values(said).every((text) => typeof text === 'string' && text !== '')).toBe(true)
        expect([...detailFacts(language, was), ...detailFacts(language, became)].every(({ name }) => typeof name === 'string')).toBe(true) // prettier-ignore
        subjectOf(language, forged)
      }),
    )
  })
})

test.each<[who: string, text: string, job: number | null]>([
  ['user', 'User', null],
  ['schedule', 'Schedule', null],
  ['recovery', 'Loupe (recovery)', null],
  ['upload', 'Upload', null],
  ['job 12', 'Job 12', 12],
  ['job without a number', 'job without a number', null],
])('actor: %s', (who, text, job) => {
  expect(actorWords(language, who)).toEqual({ text, job })
})

test.each<[what: string, told: Parameters<typeof entry>[1], subject: Subject]>([
  ['store', { subject: 'check 2' }, { is: 'file', text: 'check 2' }],
  ['finding', { became: { finding: 'surplus' } }, { is: 'text', text: 'a.warc.gz' }],
  ['finding', { became: { finding: 'missing' } }, { is: 'file', text: 'a.warc.gz' }],
  ['checkBegun', { subject: 'check 2' }, { is: 'check', text: 'Check 2', check: 2 }],
  ['spotCheckBegun', { subject: 'spot check 4' }, { is: 'text', text: 'Spot check 4' }],
  ['spotCheckEnded', { subject: 'spot check 4' }, { is: 'text', text: 'Spot check 4' }],
  ['settings', { subject: 'loupe.toml' }, { is: 'text', text: 'loupe.toml' }],
  ['databaseRestored', { subject: 'b.db' }, { is: 'text', text: 'b.db' }],
  ['auditHeadMade', { subject: '/archive/loupe.audit' }, { is: 'text', text: '/archive/loupe.audit' }],
])('subject: %s', (what, told, subject) => {
  expect(subjectOf(language, entry(what, told))).toEqual(subject)
})

test('details are shown with their label, unit and meaning', () => {
  const told = {
    bytes: 2336,
    state: 'CORRUPT',
    finding: 'wrongChecksum',
    seen: 'absent',
    problem: null,
    strange: { a: 1 },
  }
  expect(detailFacts(language, told)).toEqual([
    { name: 'Size', value: '2.34\u00a0kB' },
    { name: 'State', value: 'Damaged' },
    { name: 'Finding', value: 'Wrong checksum' },
    { name: 'Content found', value: 'nothing' },
    { name: 'strange', value: '{"a":1}' },
  ])
  const answers = [
    { replica: 'ONE', kind: 'answered', hmac: 'bb' },
    { replica: 'TWO', kind: 'away', why: { code: 'text', values: { text: 'its drive is away' } } },
  ]
  expect(detailFacts(language, { answers })[0]?.value).toBe('ONE answered bb\nTWO: its drive is away')
})

describe('the actor', () => {
  const from = (shell: string) => ({ origin: { account: 'anna', host: 'archive-1', shell } })
  const rows: [AuditEntry['origin'] | null, short: string, whole: string][] = [
    [from('window').origin, 'anna, window', 'anna on archive-1, window'],
    [from('commandLine').origin, 'anna, command line', 'anna on archive-1, command line'],
    [from('schedule').origin, 'anna, schedule', 'anna on archive-1, schedule'],
    [from('server').origin, 'anna, server', 'anna on archive-1, server'],
    [from('of a later Loupe').origin, 'anna, of a later Loupe', 'anna on archive-1, of a later Loupe'],
    [null, '', 'Not recorded (written by an earlier version)'],
  ]
  test.each(rows)('%o', (origin, short, whole) => expect(originWords(language, { origin })).toEqual({ short, whole }))
})
