import { expect, test } from 'vitest'
import type { Setting } from '../../../src-main/contract/services/settings.ts'
import { textOf, valueIn } from './settingText.ts'

test.each<{ kind: Setting['kind']; value: unknown; text: string }>([
  { kind: 'text', value: 'a b', text: 'a b' },
  { kind: 'number', value: 1.5, text: '1.5' },
  { kind: 'choice', value: 'obey', text: 'obey' },
  { kind: 'list', value: ['a', 'b'], text: 'a\nb' },
  { kind: 'map', value: { ONE: '/a=b', TWO: '/c' }, text: 'ONE = /a=b\nTWO = /c' },
])('$kind both ways', ({ kind, value, text }) => {
  expect(textOf(kind, value)).toBe(text)
  expect(valueIn(kind, text)).toEqual({ value })
})

test.each<{ kind: Setting['kind']; text: string; problem: string }>([
  { kind: 'number', text: '', problem: 'number' },
  { kind: 'number', text: '1 x', problem: 'number' },
  { kind: 'map', text: 'ONE = /a\nTWO', problem: 'pair' },
])('$kind refuses "$text"', ({ kind, text, problem }) => expect(valueIn(kind, text)).toEqual({ problem }))
