import { expect, test } from 'vitest'
import { emitter } from './emitter.ts'

test('every listener gets each payload until it unsubscribes', () => {
  const heard: string[] = []
  const changes = emitter<number>()
  const end = changes.on((payload) => heard.push(`a${payload}`))
  changes.on((payload) => heard.push(`b${payload}`))
  changes.emit(1)
  end()
  changes.emit(2)
  expect(heard).toEqual(['a1', 'b1', 'b2'])
})
