import { expect, test } from 'vitest'
import { placeLook, restoreCommand } from './backupLooks.ts'

test.each([
  [null, null, 'new'],
  [false, null, 'away'],
  [true, null, 'away'],
  [true, false, 'same'],
  [true, true, 'apart'],
])('reachable %s and apart %s: %s', (reachable, apart, is) => {
  expect(placeLook({ reachable, apart }).is).toBe(is)
})

test.each([
  ['/data/archive', '/data/archive'],
  ['/home/anna/My archive', "'/home/anna/My archive'"],
  ["/home/o'neill", String.raw`'/home/o'\''neill'`],
  ['/data/$HOME', "'/data/$HOME'"],
])('%s is one word of the command', (folder, word) => {
  expect(restoreCommand(folder, 'b.db')).toBe(`loupe --archive ${word} backup restore b.db`)
})
