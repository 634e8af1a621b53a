import { expect, test } from 'vitest'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { DiskFault } from '../../world/world.ts'
import { ArchiveFault, isArchiveOrDiskFault, reasonIn } from './archiveFault.ts'

test.each<[what: string, fault: ArchiveFault | DiskFault, text: string]>([
  [
    'a message',
    new ArchiveFault('notFound', message('replica.absent', { replica: 'TWO' })),
    'There is no replica TWO.',
  ],
  ['a disk that failed', new DiskFault('failed', '/one/a.warc'), 'The disk failed at /one/a.warc.'],
  ['a full disk', new DiskFault('full', '/one'), 'The disk of /one is full.'],
])('the reason in a fault with %s', (_, fault, text) => {
  expect(isArchiveOrDiskFault(fault)).toBe(true)
  expect(textOf(reasonIn(fault))).toBe(text)
})

test('another error is a bug', () => {
  expect(isArchiveOrDiskFault(new TypeError('x is not a function'))).toBe(false)
})
