import { expect, test } from 'vitest'
import type { ConnectionRow } from '../../../src-main/contract/services/connections.ts'
import { message } from '../../../src-main/contract/words/message.ts'
import { emptyRule } from '../harvest/throttleDraft.ts'
import {
  addedConnection,
  changedConnection,
  connectionControlOf,
  connectionDraftOf,
  newConnection,
  withConnector,
  type ConnectionDraft,
} from './connectionDraft.ts'

const draft: ConnectionDraft = { ...newConnection, name: ' Press ' }

test('a new connection is for the Web, with the usual maximum', () => {
  expect(addedConnection(draft)).toEqual({
    value: {
      ...{ kind: 'repository', name: 'Press', description: '', settings: { connector: 'web' } },
      ...{ connectionsMax: 10, throttles: [] },
    },
  })
})

test('a connection of an output has neither settings of a source nor throttles', () => {
  const output = withConnector({ ...draft, rules: [{ ...emptyRule(0), match: 'a', connections: 1 }] }, 'null')
  expect(addedConnection(output)).toEqual({
    ...{
      value: { kind: 'output', name: 'Press', description: '', settings: { connector: 'null' }, connectionsMax: 10 },
    },
  })
  expect(changedConnection(output)).toEqual({
    ...{ value: { description: '', settings: { connector: 'null' }, connectionsMax: 10 } },
  })
})

test('a connection survives a round trip through the form', () => {
  const change = {
    ...{ description: 'papers', settings: { connector: 'sitemap', changedSince: '2026-01-31' }, connectionsMax: 2 },
    throttles: [{ match: '^a\\.', description: 'a slow server', fetchesPerMinute: 6, bytesPerSecond: 1_500 }],
  } as const
  const row = { kind: 'repository', name: 'Press', ...change, title: message('connector.sitemap.title'), jobs: 3 }
  expect(changedConnection(connectionDraftOf(row as unknown as ConnectionRow))).toEqual({ value: change })
})

const wrong: [string, Partial<ConnectionDraft>, controls: string[]][] = [
  ['no name', { name: '' }, ['connection.name']],
  ['no maximum', { connectionsMax: '' }, ['connection.connectionsMax']],
  ['a throttle without a limit', { rules: [{ ...emptyRule(0), match: 'a' }] }, ['throttle.0.fetchesPerMinute']],
  [
    'a day that is none',
    { settings: { ...draft.settings, repository: 'sitemap', changedSince: 'monday' } },
    ['connector.changedSince'],
  ],
]
test.each(wrong)('a problem leads to its control: %s', (_, changes, controls) => {
  const added = addedConnection({ ...draft, ...changes })
  expect('problems' in added && added.problems.map(({ path }) => connectionControlOf(path))).toEqual(controls)
})
