import { expect, test } from 'vitest'
import { atticCountMax, fileActionsCountMax, findingsCountMax } from '../../../src-main/archive/files/limits.ts'
import { listedMax } from './listedMax.ts'

test('the limits of lists equal those of the engine', () => {
  expect(listedMax).toEqual({ findings: findingsCountMax, attic: atticCountMax, actionsOnFile: fileActionsCountMax })
})
