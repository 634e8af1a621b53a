import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { archiveFolderFrom, documentsFolder } from './defaultArchive.ts'

test.each([
  ['', '/home/ada/Documents'],
  ['XDG_DOCUMENTS_DIR="$HOME/Dokumente"', '/home/ada/Dokumente'],
  ['# note\nXDG_DESKTOP_DIR="$HOME/d"\nXDG_DOCUMENTS_DIR="/data/papers"\n', '/data/papers'],
  ['#XDG_DOCUMENTS_DIR="/data/papers"', '/home/ada/Documents'],
  // In the specification, the home folder means that the folder is disabled.
  ['XDG_DOCUMENTS_DIR="$HOME"', '/home/ada/Documents'],
  ['XDG_DOCUMENTS_DIR="papers"', '/home/ada/Documents'],
])('%j is %s', (userFolders, expected) => {
  expect(documentsFolder('/home/ada', userFolders)).toBe(expected)
})

test.each([
  [{ LOUPE_ARCHIVE: '/data/museum' }, '/data/museum'],
  [{ LOUPE_ARCHIVE: 'museum' }, resolve('museum')],
  [{ LOUPE_ARCHIVE: '' }, undefined],
  [{}, undefined],
])('%j names %s', (environment, expected) => {
  expect(archiveFolderFrom(environment)).toBe(expected)
})
