import { expect, test } from 'vitest'
import { auditActions, auditActors } from '../shapes/choices.ts'
import { shells } from '../calls/caller.ts'
import type { Message } from '../words/message.ts'
import { textOf } from '../words/render.ts'
import { actionMessage, actorMessage, jobOfActor, shellMessage } from './auditLabels.ts'

const families: [family: string, names: readonly string[], label: (name: string) => Message][] = [
  ['action', auditActions, actionMessage],
  ['actor', auditActors, actorMessage],
  ['shell', shells, shellMessage],
]

test.each(families)('every %s has a label', (_family, names, label) => {
  for (const name of names) expect(textOf(label(name))).not.toMatch(/^audit\.|^Unknown action/)
})

test('a name of another version is shown unchanged', () => {
  expect(textOf(actionMessage('ofALaterVersion'))).toBe('Unknown action: ofALaterVersion')
  expect(textOf(actorMessage('of a later version'))).toBe('of a later version')
  expect(textOf(shellMessage('of a later version'))).toBe('of a later version')
})

test.each([
  ['job 12', 12, 'Job 12'],
  ['job without a number', null, 'job without a number'],
  ['opening', null, 'Loupe (startup)'],
])('the job of the actor "%s"', (who, job, label) => {
  expect([jobOfActor(who), textOf(actorMessage(who))]).toEqual([job, label])
})
