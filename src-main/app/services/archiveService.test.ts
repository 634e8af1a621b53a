import { expect, test } from 'vitest'
import { openSignals } from '../signals/signals.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { archiveService } from './archiveService.ts'

test('the archive changes when the list of unknown files is made, after a window may have asked', () => {
  const world = seededWorld({ seed: 1 })
  const signals = openSignals({ jobs: {} as never, imports: {} as never, world })
  const silent = { onChange: () => () => undefined }
  const parts = { archive: silent, tasks: silent, recovery: silent, around: { repairs: silent, backups: silent } }
  const service = archiveService({ ...parts, signals, signal: new AbortController().signal } as never)
  let changes = 0
  const end = service.changed(() => (changes += 1))
  signals.report({ kind: 'settled' })
  expect(changes).toBe(1)
  end()
  signals.report({ kind: 'settled' })
  expect(changes).toBe(1)
  signals.close()
})
