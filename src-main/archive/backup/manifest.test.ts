import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { message } from '../../contract/words/message.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  backupName,
  manifestName,
  manifestOf,
  manifestText,
  nameOfManifest,
  nameOfUnfinished,
  type Manifest,
} from './manifest.ts'

const archive = '0a1b2c3d-1111-4222-8333-444455556666'
const madeMs = Date.UTC(2026, 0, 2, 3, 4, 5)
const name = backupName(archive, madeMs, 1)
const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const manifest: Manifest = {
  ...{ name, archive, sha256: hash('content'), folder: '/archive', software: 'Loupe/1', problem: null },
  ...{ made: '2026-01-02T03:04:05.000Z', confirmed: '2026-01-03T03:04:05.000Z', verified: '2026-01-03T03:04:06.000Z' },
  ...{ bytes: 7, schemaVersion: 30, jobs: 2, files: 5, audit: { number: 9, hash: hash('entry') }, settings: null },
}

test('names contain archive and time, and two of one second differ', () => {
  expect(name).toBe('loupe-0a1b2c3d-20260102T030405Z.db')
  expect(backupName(archive, madeMs, 2)).toBe('loupe-0a1b2c3d-20260102T030405Z-2.db')
  expect(nameOfManifest(manifestName(name))).toBe(name)
})

test('round trip of any manifest', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(
      fc.record({
        folder: text,
        software: text,
        settings: fc.option(text),
        problem: fc.option(text.map((problem) => message('text', { text: problem }))),
        jobs: fc.nat(),
      }),
      (given) => {
        const written = { ...manifest, ...given }
        expect(manifestOf(name, manifestText(written))).toEqual(written)
      },
    ),
  )
})

const wrong: [what: string, text: string][] = [
  ['nothing', ''],
  ['another file', manifestText(manifest).replaceAll(name, 'loupe-0a1b2c3d-20260102T030406Z.db')],
  ['no checksum', manifestText(manifest).replace(manifest.sha256, '')],
  ['half of it', manifestText(manifest).slice(0, 300)],
  ['no data', manifestText(manifest).replace('# loupe-backup', '# another')],
  ['data of another shape', manifestText(manifest).replace('"jobs":2', '"jobs":"two"')],
]
test.each(wrong)('rejects a manifest with %s', (_, text) => {
  expect(manifestOf(name, text)).toBeUndefined()
})

test('any text is parsed without an exception', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => manifestOf(name, text) === undefined))
})

test('sha256sum reads a manifest, and reports a changed file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-manifest-'))
  writeFileSync(join(folder, manifestName(name)), manifestText({ ...manifest, settings: '[replicas]\nONE = "a"\n' }))
  const check = () => execFileSync('sha256sum', ['-c', '--strict', manifestName(name)], { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, name), 'content')
  expect(check().toString()).toBe(`${name}: OK\n`)
  writeFileSync(join(folder, name), 'another')
  expect(check).toThrow('did NOT match')
  rmSync(folder, { recursive: true })
})

const unfinished: [file: string, of: string | undefined][] = [
  [`.${name}.part`, name],
  [`.${name}.part-journal`, name],
  [`.${name}.sha256.part`, name],
  ['.loupe-ffffffff-20260102T030405Z.db.part', undefined],
  [`${name}.part`, undefined],
  [`.${name}`, undefined],
  [name, undefined],
  ['.holiday.jpg.part', undefined],
]
test.each(unfinished)('%s: an unfinished part of %s', (file, of) => {
  expect(nameOfUnfinished(file, archive)).toBe(of)
})
