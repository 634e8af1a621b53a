import { expect, test } from 'vitest'
import { atticCountMax, fileActionsCountMax, findingsCountMax } from '../../../src-main/archive/files/limits.ts'
import { listedMax } from './listedMax.ts'

test('a list is said to be cut where the engine cuts it', () => {
  expect(listedMax).toEqual({ findings: findingsCountMax, attic: atticCountMax, deedsOnFile: fileActionsCountMax })
})
