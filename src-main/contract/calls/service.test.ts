import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Fault, faults, inField, inPart, type FaultCode, type SentFault } from './faults.ts'
import { operatorCaller, type Caller, type Role } from './caller.ts'
import {
  call,
  event,
  eventNames,
  eventNamesFor,
  memoryLink,
  opened,
  replyTo,
  servicesFor,
  servicesOver,
  subscribe,
  type Implementation,
  type Link,
  type Services,
} from './service.ts'

const contract = {
  shelf: {
    put: call(
      z.strictObject({ name: z.string().min(1), copies: z.int().min(1).default(1) }),
      z.object({ total: z.int() }),
    ),
    take: call(z.strictObject({ name: z.string() }), z.object({ name: z.string(), due: z.iso.datetime() }).nullable()),
    nothing: call(z.object({}), z.undefined()),
    changed: event(z.object({ name: z.string(), copies: z.int().min(0) })),
  },
  bell: { rings: event(z.object({ times: z.int() })) },
} as const
type Shop = Services<typeof contract>
const leastRoles = {
  shelf: { put: 'curator', take: 'viewer', nothing: 'administrator', changed: 'viewer' },
  bell: { rings: 'administrator' },
} as const
const operator = operatorCaller('ada', 'commandLine')

/** An implementation whose result depends on the requested name, so that each row can choose its fault. */
function shop() {
  const inputs: unknown[] = []
  const listeners = new Set<(payload: { name: string; copies: number }) => void>()
  const services: Shop = {
    shelf: {
      put: async (input) => {
        inputs.push(input)
        if (input.name === 'forbidden') throw new Fault('notAllowed', 'this shelf is closed to you')
        if (input.name === 'bug') throw new TypeError('x is not a function')
        // oxlint-disable-next-line typescript/only-throw-error -- JavaScript lets anything be thrown
        if (input.name === 'not even an error') throw 'text'
        return { total: input.name === 'half' ? 0.5 : 7 }
      },
      take: async ({ name }) => (name === 'none' ? null : { name, due: '2026-01-01T00:00:00Z' }),
      nothing: async () => undefined,
      changed: (onPayload) => {
        listeners.add(onPayload)
        return () => void listeners.delete(onPayload)
      },
    },
    bell: { rings: () => () => undefined },
  }
  const bugs: string[] = []
  const onBug = (error: unknown, name: string) => bugs.push(`${name}: ${String(error)}`)
  const offered = { contract, services, leastRoles, onBug }
  const link = memoryLink(offered, operator)
  return { offered, link, bugs, inputs, listeners, client: servicesOver(contract, link) }
}

async function fault(act: Promise<unknown>): Promise<Fault> {
  const error = await act.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof Fault)) throw new Error('no fault', { cause: error })
  return error
}

describe('calls', () => {
  test('returns a value; the engine fills in defaults', async () => {
    const { client, inputs } = shop()
    expect(await client.shelf.put({ name: 'atlas' })).toEqual({ total: 7 })
    expect(inputs).toEqual([{ name: 'atlas', copies: 1 }])
    expect(await client.shelf.take({ name: 'none' })).toBeNull()
    expect(await client.shelf.nothing({})).toBeUndefined()
  })
  const wrong: [string, unknown, RegExp][] = [
    ['a missing field', {}, /^shelf\.put: name is missing: it must be a text\.$/],
    ['a wrong type', { name: 3 }, /^shelf\.put: name must be a text\.$/],
    ['a number out of bounds', { name: 'a', copies: 0 }, /^shelf\.put: copies must be at least 1\.$/],
    ['a field too many', { name: 'a', surplus: 1 }, /surplus/],
    ['not a record', 'name', /^shelf\.put: /],
    ['nothing', undefined, /^shelf\.put: /],
    ['a list', [], /^shelf\.put: /],
  ]
  test.each(wrong)('input with %s is refused before the service sees it', async (_, input, text) => {
    const { link, inputs, bugs } = shop()
    const refused = await fault(link.call('shelf.put', input))
    expect(refused.code).toBe('badInput')
    expect(refused.message).toMatch(text)
    expect([inputs, bugs]).toEqual([[], []])
  })
  test('a fault keeps its code and text and is not reported as a bug', async () => {
    const { client, bugs } = shop()
    expect(await fault(client.shelf.put({ name: 'forbidden' }))).toMatchObject({
      name: 'Fault',
      code: 'notAllowed',
      message: 'this shelf is closed to you',
    })
    expect(bugs).toEqual([])
  })
  const mistakes: [string, string, string][] = [
    ['bug', 'x is not a function', 'shelf.put: TypeError: x is not a function'],
    ['not even an error', 'text', 'shelf.put: text'],
  ]
  test.each(mistakes)('%s becomes internal and is reported once', async (name, text, report) => {
    const { client, bugs } = shop()
    const internal = await fault(client.shelf.put({ name }))
    expect(internal.code).toBe('internal')
    expect(internal.message).toContain(text)
    expect(bugs).toEqual([report])
  })
  test('an answer of the wrong shape is a bug of the engine', async () => {
    const { client, bugs } = shop()
    expect((await fault(client.shelf.put({ name: 'half' }))).code).toBe('internal')
    expect(bugs).toHaveLength(1)
  })
  test('an answer damaged on the way is detected by the interface', async () => {
    const spoiled: Link = { call: async () => ({ total: '7' }), listen: () => () => undefined }
    await expect(servicesOver(contract, spoiled).shelf.put({ name: 'a' })).rejects.toThrow('the answer of shelf.put')
  })
})

describe('refuses names that are no calls', () => {
  const names = [
    '',
    '.',
    'shelf',
    'shelf.',
    'shelf.absent',
    'absent.put',
    'shelf.put.put',
    'shelf.changed',
    'shelf.constructor',
    'shelf.toString',
    'shelf.__proto__',
    'shelf.hasOwnProperty',
    '__proto__.toString',
    '__proto__.x',
    'constructor.assign',
    'constructor.prototype',
    'prototype.constructor',
  ]
  test.each(names)('%j is refused as a call and as an event', async (name) => {
    const { link, bugs, listeners } = shop()
    expect((await fault(link.call(name, {}))).code).toBe('unknownCall')
    if (name !== 'shelf.changed') expect(() => link.listen(name, () => undefined)).toThrow(Fault)
    expect([bugs, listeners.size]).toEqual([[], 0])
  })
  test('a call is not an event', () => {
    expect(() => shop().link.listen('shelf.put', () => undefined)).toThrow('There is no call shelf.put')
  })
})

describe('events', () => {
  test('reach every listener until it unsubscribes', () => {
    const { client, listeners } = shop()
    const [first, second]: unknown[][] = [[], []]
    const stopFirst = client.shelf.changed((payload) => first?.push(payload))
    const stopSecond = client.shelf.changed((payload) => second?.push(payload))
    const emit = (copies: number) => listeners.forEach((listener) => listener({ name: 'atlas', copies }))
    emit(1)
    stopFirst()
    emit(2)
    stopSecond()
    expect(first).toEqual([{ name: 'atlas', copies: 1 }])
    expect(second).toEqual([
      { name: 'atlas', copies: 1 },
      { name: 'atlas', copies: 2 },
    ])
    expect(listeners.size).toBe(0)
  })
  test('a payload of the wrong shape is detected by the interface', () => {
    const { client, listeners } = shop()
    client.shelf.changed(() => undefined)
    expect(() => listeners.forEach((listener) => listener({ name: 'atlas', copies: -1 }))).toThrow(
      'the event shelf.changed',
    )
  })
  test('payloads are copies', () => {
    const { client, listeners } = shop()
    const payload = { name: 'atlas', copies: 1 }
    client.shelf.changed((received) => expect(received).not.toBe(payload))
    listeners.forEach((listener) => listener(payload))
  })
  test('all calls and events are known by name', () => {
    expect(eventNames(contract)).toEqual(['shelf.changed', 'bell.rings'])
  })
})

test('opening a reply gives its value or throws its fault', async () => {
  const reply = replyTo(shop().offered)
  expect(opened(await reply('shelf.put', { name: 'a' }, operator))).toEqual({ total: 7 })
  expect(await reply('shelf.put', {}, operator)).toMatchObject({ fault: { code: 'badInput' } })
  expect(() => opened({ fault: { code: 'inUse', text: 'somebody has it' } })).toThrow('somebody has it')
})

test('a fault names the fields of the input at fault, also after serialisation', async () => {
  const reply = replyTo(shop().offered)
  expect(await reply('shelf.put', { name: 7 }, operator)).toMatchObject({ fault: { fields: [['name']] } })
  const refused = () => {
    throw new Fault('badInput', 'no', { fields: [['seeds', 1]] })
  }
  const thrown = (ask: () => unknown) => {
    try {
      return ask()
    } catch (error) {
      return error instanceof Fault ? error.fields : error
    }
  }
  expect(thrown(() => inPart(['definition'], refused))).toEqual([['definition', 'seeds', 1]])
  expect(thrown(() => inField(['definition'], refused))).toEqual([['definition', 'seeds', 1]])
  const general = () => {
    throw new Fault('notFound', 'none')
  }
  expect(thrown(() => inPart(['definition'], general))).toEqual([])
  expect(thrown(() => inField(['name'], general))).toEqual([['name']])
  const odd = JSON.parse('{"code":"badInput","text":"no","fields":[["a",1],"b",[null]]}') as SentFault
  expect(thrown(() => opened({ fault: odd }))).toEqual([['a', 1]])
})

test.each(Object.entries(faults))('the fault %s has a status and an exit code', (code, { status, exitCode }) => {
  expect(new Fault(code as FaultCode, 'text')).toMatchObject({ code, message: 'text' })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(600)
  expect(exitCode).toBeGreaterThan(0)
})

describe('callers', () => {
  const withRole = (...roles: Role[]): Caller => ({ account: 'bea', roles, shell: 'window', address: '192.0.2.7' })
  const rows: [string, Role[], boolean][] = [
    ['shelf.take', ['viewer'], true],
    ['shelf.put', ['viewer'], false],
    ['shelf.put', ['curator'], true],
    ['shelf.put', ['viewer', 'curator'], true],
    ['shelf.put', ['preservationOfficer'], true],
    ['shelf.nothing', ['preservationOfficer'], false],
    ['shelf.nothing', ['administrator'], true],
    ['shelf.take', [], false],
  ]
  test.each(rows)('%s for %j: %s', async (name, roles, isAllowed) => {
    const { offered, bugs } = shop()
    const reply = await replyTo(offered)(name, { name: 'a' }, withRole(...roles))
    expect('fault' in reply && reply.fault.code === 'notAllowed').toBe(!isAllowed)
    expect(bugs).toEqual([])
  })
  test('a refused call does not look at its input', async () => {
    const { offered, inputs } = shop()
    const input = new Proxy({}, { get: () => expect.fail('the input was read') })
    expect(await replyTo(offered)('shelf.put', input, withRole('viewer'))).toMatchObject({
      fault: {
        code: 'notAllowed',
        text: 'Your account needs the role "curator" for this (shelf.put). Ask an administrator for it.',
      },
    })
    expect(inputs).toEqual([])
  })
  test('events need their role, too', () => {
    const { offered } = shop()
    expect(() => subscribe(offered, 'bell.rings', withRole('curator'), () => undefined)).toThrow('needs the role')
    expect(eventNamesFor(offered, withRole('curator'))).toEqual(['shelf.changed'])
    expect(eventNamesFor(offered, operator)).toEqual(['shelf.changed', 'bell.rings'])
  })
  test('the implementation gets the caller with each call and subscription', async () => {
    const callers: Caller[] = []
    const told = { bell: { ask: call(z.object({}), z.undefined()), rings: event(z.object({})) } }
    const implementation: Implementation<typeof told> = {
      bell: {
        ask: async (_, caller) => void callers.push(caller),
        rings: (_, caller) => {
          callers.push(caller)
          return () => undefined
        },
      },
    }
    const services = servicesFor<typeof told>(implementation, operator)
    await services.bell.ask({})
    services.bell.rings(() => undefined)
    expect(callers).toEqual([operator, operator])
  })
})
