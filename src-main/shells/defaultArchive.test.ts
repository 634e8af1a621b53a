import { expect, test } from 'vitest'
import { documentsFolder } from './defaultArchive.ts'

test.each([
  ['', '/home/ada/Documents'],
  ['XDG_DOCUMENTS_DIR="$HOME/Dokumente"', '/home/ada/Dokumente'],
  ['# note\nXDG_DESKTOP_DIR="$HOME/d"\nXDG_DOCUMENTS_DIR="/data/papers"\n', '/data/papers'],
  ['#XDG_DOCUMENTS_DIR="/data/papers"', '/home/ada/Documents'],
  // The specification's way to say that there is none.
  ['XDG_DOCUMENTS_DIR="$HOME"', '/home/ada/Documents'],
  ['XDG_DOCUMENTS_DIR="papers"', '/home/ada/Documents'],
])('%j is %s', (userFolders, expected) => {
  expect(documentsFolder('/home/ada', userFolders)).toBe(expected)
})
