/**
 * Definition of a service: a record of calls and events, each with its shape. `Services<typeof contract>` is both what the app implements
 * and what the interface uses; a transport consists of the two functions of `Link`. Shapes are checked at both ends.
 */
import type { z } from 'zod'
import { Fault, faultFrom, isPathPart, sentFault, type FieldPath, type SentFault } from './faults.ts'
import { refusalOf } from './refusedValue.ts'
import { message } from '../words/message.ts'
import { messageOf } from '../text/messageOf.ts'

/** A call of a contract: the shapes of its input and output. */
export interface Call<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  kind: 'call'
  input: Input
  output: Output
}

/** An event of a contract: the shape of its payload. */
export interface Event<Payload extends z.ZodType = z.ZodType> {
  kind: 'event'
  payload: Payload
}

export function call<Input extends z.ZodType, Output extends z.ZodType>(
  input: Input,
  output: Output,
): Call<Input, Output> {
  return { kind: 'call', input, output }
}

export function event<Payload extends z.ZodType>(payload: Payload): Event<Payload> {
  return { kind: 'event', payload }
}

export type Contract = Record<string, Record<string, Call | Event>>

type Member<M> =
  M extends Call<infer Input, infer Output>
    ? (input: z.input<Input>) => Promise<z.output<Output>>
    : M extends Event<infer Payload>
      ? (onPayload: (payload: z.output<Payload>) => void) => () => void
      : never

/** The services of a contract: a call becomes a function, an event becomes a subscription that returns its end. */
export type Services<C extends Contract> = {
  [Service in keyof C]: { [Name in keyof C[Service]]: Member<C[Service][Name]> }
}

/** A transport. `call` rejects with `Fault`; `listen` returns the end of the subscription. Names are `service.member`. */
export interface Link {
  call(name: string, input: unknown): Promise<unknown>
  listen(name: string, onPayload: (payload: unknown) => void): () => void
}

/** The reply that a transport carries: a value, or a fault. */
export type Reply = { value: unknown } | { fault: SentFault }

/** Makes services over any link, for the interface's end; replies and payloads are checked against the contract. */
export function servicesOver<C extends Contract>(contract: C, link: Link): Services<C> {
  const services: Record<string, Record<string, unknown>> = {}
  for (const [service, members] of Object.entries(contract)) {
    const made: Record<string, unknown> = (services[service] = {})
    for (const [name, member] of Object.entries(members)) {
      const path = `${service}.${name}`
      made[name] =
        member.kind === 'call'
          ? async (input: unknown) => shaped(member.output, await link.call(path, input), `the answer of ${path}`)
          : (onPayload: (payload: unknown) => void) =>
              link.listen(path, (payload) => onPayload(shaped(member.payload, payload, `the event ${path}`)))
    }
  }
  return services as Services<C>
}

/** Answers a call at the engine's end: takes a name and an unchecked input, returns a reply. Never rejects: a bug becomes `internal`. */
export function replyTo<C extends Contract>(
  contract: C,
  services: Services<C>,
  onBug: (error: unknown, name: string) => void,
): (name: string, input: unknown) => Promise<Reply> {
  return async (name, input) => {
    try {
      const { member, implementation } = find(contract, services, name)
      if (member.kind !== 'call') throw new Fault('unknownCall', message('call.unknown', { name }))
      const answer = implementation as (input: unknown) => Promise<unknown>
      const checked = member.input.safeParse(input)
      if (!checked.success)
        throw new Fault('badInput', message('call.input', { name, problem: refusalOf(checked.error, input) }), {
          fields: fieldsOf(checked.error),
        })
      return { value: shaped(member.output, await answer(checked.data), `the answer of ${name}`) }
    } catch (error) {
      if (error instanceof Fault) return { fault: sentFault(error) }
      onBug(error, name)
      const problem = messageOf(error)
      return { fault: sentFault(new Fault('internal', message('call.bug', { name, problem }))) }
    }
  }
}

/** Returns the value of a reply at the interface's end, or throws its fault. */
export function opened(reply: Reply): unknown {
  if ('fault' in reply) throw faultFrom(reply.fault)
  return reply.value
}

/** Connects both ends in one process, with the JSON round trip of every other transport. */
export function memoryLink<C extends Contract>(
  contract: C,
  services: Services<C>,
  onBug: (error: unknown, name: string) => void,
): Link {
  const reply = replyTo(contract, services, onBug)
  return {
    call: async (name, input) => opened(throughJson(await reply(name, throughJson(input))) as Reply),
    listen: (name, onPayload) => subscribe(contract, services, name, (payload) => onPayload(throughJson(payload))),
  }
}

/** Subscribes to one event by name at the engine's end. Throws `Fault` unknownCall. */
export function subscribe<C extends Contract>(
  contract: C,
  services: Services<C>,
  name: string,
  onPayload: (payload: unknown) => void,
): () => void {
  const { member, implementation } = find(contract, services, name)
  if (member.kind !== 'event') throw new Fault('unknownCall', message('call.unknown', { name }))
  const subscription = implementation as (onPayload: (payload: unknown) => void) => () => void
  return subscription(onPayload)
}

/** Lists every event's name, for a transport that carries them all. */
export function eventNames(contract: Contract): string[] {
  return Object.entries(contract).flatMap(([service, members]) =>
    Object.entries(members).flatMap(([name, member]) => (member.kind === 'event' ? [`${service}.${name}`] : [])),
  )
}

/** Looks up a member by own properties only: the name is untrusted, and every object has a `constructor`. */
function find<C extends Contract>(
  contract: C,
  services: Services<C>,
  name: string,
): { member: Call | Event; implementation: unknown } {
  const [service = '', member = '', ...rest] = name.split('.')
  const members = Object.hasOwn(contract, service) ? contract[service] : undefined
  const found = members && Object.hasOwn(members, member) ? members[member] : undefined
  if (!found || rest.length > 0) throw new Fault('unknownCall', message('call.unknown', { name }))
  return { member: found, implementation: services[service]?.[member] }
}

function shaped(shape: z.ZodType, value: unknown, what: string): unknown {
  const checked = shape.safeParse(value)
  if (!checked.success) throw new Error(`${what} has a wrong shape: ${problem(checked.error)}`)
  return checked.data
}

/** Formats the first issue for developers, in the words of zod. */
function problem(error: z.ZodError): string {
  const [first] = error.issues
  if (!first) return 'wrong shape'
  return first.path.length > 0 ? `${first.path.join('.')}: ${first.message}` : first.message
}

function fieldsOf({ issues }: z.ZodError): FieldPath[] {
  return issues.map(({ path }) => path.filter(isPathPart)).filter((path) => path.length > 0)
}

function throughJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
