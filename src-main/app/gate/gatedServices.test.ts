import { expect, test } from 'vitest'
import { sightOfEverything, type Sight } from '../../access/access.ts'
import { operatorCaller, type Caller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { contract, type LoupeImplementation } from '../../contract/contract.ts'
import { doors } from '../../contract/doors.ts'
import { shownCaptures } from '../../formats/cdx/captureRules.ts'
import { onlyJob } from '../../indexes/testing/onlyJob.ts'
import { gatedServices } from './gatedServices.ts'

const operator = operatorCaller('root', 'commandLine')
const anna: Caller = { account: 'anna', roles: ['viewer'], shell: 'window', address: '192.0.2.7' }

/** Services that say what they were asked, behind a gate through which anna sees job 2 only. */
function gated() {
  const listeners: ((payload: unknown) => void)[] = []
  const plain = Object.fromEntries(
    Object.entries(contract).map(([service, members]) => [
      service,
      Object.fromEntries(
        Object.entries(members).map(([name, { kind }]) => [
          name,
          kind === 'call'
            ? async (input: unknown) => input
            : (onPayload: (payload: unknown) => void) => (listeners.push(onPayload), () => undefined),
        ]),
      ),
    ]),
  ) as unknown as LoupeImplementation
  const rules = onlyJob(2)
  const part: Sight = { everything: false, rules, ...shownCaptures(rules) }
  const problems: unknown[] = []
  const services = gatedServices(
    {
      sightFor: async ({ account }) => {
        if (account === 'otto') throw new Error('no authority answers')
        return account === 'anna' ? part : sightOfEverything
      },
      archive: { file: (name) => ({ job: Number(name[0]) }) as never },
      onProblem: (error) => problems.push(error),
    },
    plain,
  ) as unknown as Record<string, Record<string, (given: unknown, caller: Caller) => Promise<unknown>>>
  const emit = (payload: unknown) => listeners.forEach((listener) => listener(payload))
  const call = (name: string, input: object, caller = anna) => {
    const [service = '', member = ''] = name.split('.')
    const found = services[service]?.[member] ?? expect.fail(`there is no ${name}`)
    return found(input, caller).then(
      () => 'answered',
      (error: unknown) => (error instanceof Fault ? error.code : 'failed'),
    )
  }
  return { services, call, emit, problems }
}

const rows: [call: string, input: object, result: string][] = [
  ['jobs.documents', { job: 2 }, 'answered'],
  ['jobs.documents', { job: 1 }, 'notAllowed'],
  ['misses.list', { jobs: [2] }, 'answered'],
  ['misses.list', { jobs: [2, 1] }, 'notAllowed'],
  ['misses.list', {}, 'notAllowed'],
  ['growth.overTime', { jobs: [2] }, 'answered'],
  ['growth.overTime', { jobs: [2], files: ['1.warc'] }, 'notAllowed'],
  ['growth.overTime', { jobs: [2], all: true }, 'notAllowed'],
  ['records.show', { file: '2-1.warc.gz', offset: 0 }, 'answered'],
  ['records.show', { file: '1-1.warc.gz', offset: 0 }, 'notAllowed'],
  ['viewer.suggest', { text: 'a' }, 'notAllowed'],
  ['search.find', { query: 'a' }, 'answered'],
  ['jobs.list', {}, 'answered'],
]
test.each(rows)('who sees job 2 only: %s %j is %s', async (name, input, result) => {
  const { call } = gated()
  expect(await call(name, input)).toBe(result)
  expect(await call(name, input, operator)).toBe('answered')
})

test('without an answer of the authorities nothing is shown', async () => {
  const { call } = gated()
  expect(await call('jobs.documents', { job: 2 }, { ...anna, account: 'otto' })).toBe('failed')
})

test('events about captures reach whoever sees everything', async () => {
  const { services, emit, problems } = gated()
  const received: string[] = []
  for (const caller of [anna, operator, { ...anna, account: 'otto' }]) {
    const onPayload = () => received.push(caller.account)
    void services['viewer']?.['answered']?.(onPayload, caller)
  }
  emit({})
  await expect.poll(() => problems).toHaveLength(1)
  expect(received).toEqual(['root'])
})

test('every call and event has a door, and every door belongs to one', () => {
  const namesOf = (services: Record<string, object>) =>
    Object.entries(services).flatMap(([service, members]) => Object.keys(members).map((name) => `${service}.${name}`))
  expect(namesOf(doors).toSorted()).toEqual(namesOf(contract).toSorted())
})
