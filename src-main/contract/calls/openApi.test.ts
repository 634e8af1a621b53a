import { expect, test } from 'vitest'
import { contract } from '../contract.ts'
import { openApiOf } from './openApi.ts'

const facts = { version: '1.2.3', origin: 'http://127.0.0.1:1', callPath: '/api/call/' }
let turns = 0
const others = async () => void (turns += 1)
const whole = (await openApiOf(contract, facts, others)) as {
  paths: Record<string, { post: { operationId: string; responses: Record<string, unknown> } }>
  components: { schemas: Record<string, unknown> }
}

test('every call of the contract is described once, under its name', () => {
  const calls = Object.entries(contract).flatMap(([service, members]) =>
    Object.entries(members).flatMap(([name, { kind }]) => (kind === 'call' ? [`/api/call/${service}.${name}`] : [])),
  )
  expect(Object.keys(whole.paths)).toEqual(calls)
  const ids = Object.values(whole.paths).map(({ post }) => post.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('others get a turn after each call', () => expect(turns).toBe(Object.keys(whole.paths).length))

test('every reference leads to a schema of the document', () => {
  const references = [...JSON.stringify(whole).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to = '']) => to)
  const known = Object.keys(whole.components.schemas).map((name) => `#/components/schemas/${name}`)
  expect(references.filter((to) => !known.includes(to))).toEqual([])
  expect(references).toContain('#/components/schemas/Fault')
})

test('a fault has the status of its code', () => {
  const { responses } = whole.paths['/api/call/jobs.show']?.post ?? { responses: {} }
  expect(responses).toMatchObject({ 404: { description: 'unknownCall, notFound' }, 423: { description: 'inUse' } })
})
