import { createIntl } from 'react-intl'
import { expect, test } from 'vitest'
import { faults } from '../../src-main/contract/calls/faults.ts'
import { en } from './en.ts'

test('every sentence is a well-formed message', () => {
  const broken: string[] = []
  const intl = createIntl({ locale: 'en', messages: en, onError: ({ message }) => broken.push(message) })
  for (const [id, text] of Object.entries(en)) {
    const names = [...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => [name, 2] as const)
    intl.formatMessage({ id }, Object.fromEntries(names))
  }
  expect(broken).toEqual([])
})

test('every fault has a title', () => {
  expect(Object.keys(faults).filter((code) => !(`fault.${code}` in en))).toEqual([])
})
