import { expect, test } from 'vitest'
import { chosenInFolder, filesOf, isArchiveName } from './droppedFiles.ts'

test.each<[string, boolean]>([
  ['a.warc', true],
  ['A.WARC.GZ', true],
  ['a.warc.zst', true],
  ['a.warc.gz.open', true],
  ['a.arc', true],
  ['a.arc.gz', true],
  ['a.wacz', true],
  ['a.har', true],
  ['a.har.gz', true],
  ['a.zip', true],
  ['a.cdx.gz', false],
  ['warc', false],
  ['a.warc.txt', false],
  ['a.warc.gz.part', false],
])('%s is called as archives are: %s', (name, expected) => expect(isArchiveName(name)).toBe(expected))

/** A dropped folder as Chromium provides it: a few entries at a time. */
function folder(name: string, children: FileSystemEntry[]): FileSystemEntry {
  const left = [...children]
  const readEntries = (resolve: (entries: FileSystemEntry[]) => void) => resolve(left.splice(0, 2))
  return { name, isFile: false, isDirectory: true, createReader: () => ({ readEntries }) } as unknown as FileSystemEntry
}

function file(name: string): FileSystemEntry {
  const give = (resolve: (given: File) => void) => resolve(new File(['x'], name))
  return { name, isFile: true, isDirectory: false, file: give } as unknown as FileSystemEntry
}

test('a dropped folder is walked completely, and other files in it are counted', async () => {
  const dropped = [
    folder('crawls', [
      file('1.warc.gz'),
      file('notes.txt'),
      folder('2019', [file('2.arc'), folder('empty', []), file('3.wacz'), file('crawl.log')]),
      file('4.har'),
    ]),
  ]
  const { files, skipped } = await filesOf(dropped)
  expect(files.map(({ name }) => name)).toEqual(['1.warc.gz', '2.arc', '3.wacz', '4.har'])
  expect(skipped).toBe(2)
})

test('a single dropped file is accepted with any name', async () => {
  const { files, skipped } = await filesOf([file('download(3)')])
  expect([files.map(({ name }) => name), skipped]).toEqual([['download(3)'], 0])
})

test('a chosen folder gives its archive files', () => {
  const { files, skipped } = chosenInFolder([new File([], 'a.warc'), new File([], 'b.txt')])
  expect([files.length, skipped]).toEqual([1, 1])
})
