/**
 * Definition of a service: a record of calls and events, each with its shape. `Services<typeof contract>` is what a client uses,
 * `Implementation<typeof contract>` what the app implements: there, each call and subscription also gets its caller. A transport consists of
 * the two functions of `Link`. Shapes are checked at both ends.
 */
import type { z } from 'zod'
import { hasRole, lackingRole, type Caller, type Role } from './caller.ts'
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

type Implemented<M> =
  M extends Call<infer Input, infer Output>
    ? (input: z.input<Input>, caller: Caller) => Promise<z.output<Output>>
    : M extends Event<infer Payload>
      ? (onPayload: (payload: z.output<Payload>) => void, caller: Caller) => () => void
      : never

/** The services of a contract as the engine implements them. A function that treats all callers alike leaves the last parameter out. */
export type Implementation<C extends Contract> = {
  [Service in keyof C]: { [Name in keyof C[Service]]: Implemented<C[Service][Name]> }
}

/** The least role that each call and event of a contract needs. */
export type LeastRoles<C extends Contract> = {
  [Service in keyof C]: { [Name in keyof C[Service]]: Role }
}

/** The end of the engine: a contract, what implements it, and who may call what. */
export interface Offered<C extends Contract> {
  contract: C
  services: Implementation<C>
  leastRoles: LeastRoles<C>
  /** Called with an error that is not a fault, and the name of the call in which it occurred. */
  onBug: (error: unknown, name: string) => void
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

/** Makes services of an implementation for one caller, in the same process and without checks. */
export function servicesFor<C extends Contract>(implementation: Implementation<C>, caller: Caller): Services<C> {
  const services: Record<string, Record<string, unknown>> = implementation
  const bound = Object.entries(services).map(([service, members]) => [
    service,
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, boundTo(caller, member)])),
  ])
  return Object.fromEntries(bound) as Services<C>
}

function boundTo(caller: Caller, member: unknown): (given: unknown) => unknown {
  return (given) => (member as (given: unknown, caller: Caller) => unknown)(given, caller)
}

/** Answers a call at the engine's end: takes a name, an unchecked input and the caller, returns a reply. A caller without the role for the
 *  call is refused before its input is read. Never rejects: a bug becomes `internal`. */
export function replyTo<C extends Contract>(
  offered: Offered<C>,
): (name: string, input: unknown, caller: Caller) => Promise<Reply> {
  return async (name, input, caller) => {
    try {
      const { member, implementation } = find(offered, name, caller)
      if (member.kind !== 'call') throw new Fault('unknownCall', message('call.unknown', { name }))
      const answer = implementation as (input: unknown, caller: Caller) => Promise<unknown>
      const checked = member.input.safeParse(input)
      if (!checked.success)
        throw new Fault('badInput', message('call.input', { name, problem: refusalOf(checked.error, input) }), {
          fields: fieldsOf(checked.error),
        })
      return { value: shaped(member.output, await answer(checked.data, caller), `the answer of ${name}`) }
    } catch (error) {
      if (error instanceof Fault) return { fault: sentFault(error) }
      offered.onBug(error, name)
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

/** Connects both ends in one process, for one caller, with the JSON round trip of every other transport. */
export function memoryLink<C extends Contract>(offered: Offered<C>, caller: Caller): Link {
  const reply = replyTo(offered)
  return {
    call: async (name, input) => opened(throughJson(await reply(name, throughJson(input), caller)) as Reply),
    listen: (name, onPayload) => subscribe(offered, name, caller, (payload) => onPayload(throughJson(payload))),
  }
}

/** Subscribes to one event by name at the engine's end. Throws `Fault`: unknownCall, or notAllowed without the role for the event. */
export function subscribe<C extends Contract>(
  offered: Omit<Offered<C>, 'onBug'>,
  name: string,
  caller: Caller,
  onPayload: (payload: unknown) => void,
): () => void {
  const { member, implementation } = find(offered, name, caller)
  if (member.kind !== 'event') throw new Fault('unknownCall', message('call.unknown', { name }))
  const subscription = implementation as (onPayload: (payload: unknown) => void, caller: Caller) => () => void
  return subscription(onPayload, caller)
}

/** Lists the names of the events that a caller may subscribe to, for a transport that carries them all. */
export function eventNamesFor<C extends Contract>(
  { contract, leastRoles }: Pick<Offered<C>, 'contract' | 'leastRoles'>,
  caller: Pick<Caller, 'roles'>,
): string[] {
  return eventNames(contract).filter((path) => {
    const [service = '', name = ''] = path.split('.')
    const role = leastRoles[service]?.[name]
    return role !== undefined && hasRole(caller, role)
  })
}

/** Lists every event's name, for a transport that carries them all. */
export function eventNames(contract: Contract): string[] {
  return Object.entries(contract).flatMap(([service, members]) =>
    Object.entries(members).flatMap(([name, member]) => (member.kind === 'event' ? [`${service}.${name}`] : [])),
  )
}

/** Looks up a member by own properties only: the name is untrusted, and every object has a `constructor`. Throws `Fault`: unknownCall,
 *  or notAllowed where the caller lacks the role. */
function find<C extends Contract>(
  { contract, services, leastRoles }: Omit<Offered<C>, 'onBug'>,
  path: string,
  caller: Caller,
): { member: Call | Event; implementation: unknown } {
  const [service = '', name = '', ...rest] = path.split('.')
  const members = Object.hasOwn(contract, service) ? contract[service] : undefined
  const member = members && Object.hasOwn(members, name) ? members[name] : undefined
  if (!member || rest.length > 0) throw new Fault('unknownCall', message('call.unknown', { name: path }))
  const role: Role | undefined = leastRoles[service]?.[name]
  if (role === undefined) throw new Error(`no role is named for ${path}`)
  if (!hasRole(caller, role)) throw lackingRole(path, role)
  return { member, implementation: services[service]?.[name] }
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
