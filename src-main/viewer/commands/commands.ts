/** Commands of the command host. Parameters are strict: each once and not blank, no other, and a mistake is answered with one
 *  sentence. The commands themselves are links of the chain. */
import type { ViewerLink } from '../../contract/services/viewer.ts'
import { commandOf } from '../model/commandHost.ts'
import { isProven, tokenField, unproven } from './commandProof.ts'
import type { Link, Question } from '../viewings/question.ts'
import { plainReply, withoutBody, type Reply } from '../model/reply.ts'

export type Parameters = Record<string, string>
export type Repeated = Record<string, string[]>

export interface Command {
  /** It changes a viewing: whoever asks must prove that it is no archived page (`commandProof.ts`). */
  changes?: true
  parameters: readonly string[]
  /** Those that may also be left out. */
  optional?: readonly string[]
  /** Those that may be there several times. */
  repeated?: readonly string[]
  answer: (question: Question, parameters: Parameters, repeated: Repeated) => Promise<Reply>
}

export type Commands = Readonly<Record<string, Command>>

/** A link that answers these paths of the command host. */
export interface CommandLink extends Link {
  /** As a person types them. */
  paths: readonly string[]
}

export function commandLink(name: ViewerLink, commands: Commands): CommandLink {
  return {
    name,
    paths: Object.keys(commands),
    whyPassed: () => 'It is none of these commands.',
    async answer(question) {
      const url = commandOf(question.url)
      const command = url && Object.hasOwn(commands, url.pathname) ? commands[url.pathname] : undefined
      if (!url || command === undefined) return undefined
      const reply = command.changes
        ? await changed(question, { pathname: url.pathname, searchParams: url.searchParams }, command)
        : await asked(question, { pathname: url.pathname, searchParams: url.searchParams }, command)
      return question.method === 'HEAD' ? withoutBody(reply) : reply
    },
  }
}

interface Address {
  pathname: string
  searchParams: URLSearchParams
}

async function asked(question: Question, address: Address, command: Command): Promise<Reply> {
  if (question.method !== 'GET' && question.method !== 'HEAD')
    return plainReply(405, `${address.pathname} is asked with GET.`, [['Allow', 'GET, HEAD']])
  return answered(question, address, command)
}

/** Parameters and token come in the content of a POST. A GET has no content, and the token never stands in an address, which is kept and
 *  told in many places. */
async function changed(question: Question, { pathname, searchParams }: Address, command: Command): Promise<Reply> {
  if (question.method === 'GET') {
    if (!isProven(question, undefined)) return unproven(question, searchParams)
    return answered(question, { pathname, searchParams }, command)
  }
  if (question.method !== 'POST')
    return plainReply(405, `${pathname} is asked with POST or GET.`, [['Allow', 'GET, POST']])
  const form = await formOf(question)
  if (typeof form === 'string') return plainReply(415, form)
  const token = form.get(tokenField) ?? undefined
  if (!isProven(question, token)) return unproven(question, new URLSearchParams([...searchParams, ...form]))
  form.delete(tokenField)
  return answered(question, { pathname, searchParams: new URLSearchParams([...searchParams, ...form]) }, command)
}

/** A sentence says what is wrong with it. */
async function formOf({ fields, content }: Question): Promise<URLSearchParams | string> {
  const bytes = await content()
  if (bytes?.length === 0) return new URLSearchParams()
  if (bytes === undefined || !/^application\/x-www-form-urlencoded\b/i.test(fields['content-type'] ?? ''))
    return 'The content of the request is no form data (application/x-www-form-urlencoded).'
  return new URLSearchParams(Buffer.from(bytes).toString())
}

async function answered(question: Question, address: Address, command: Command): Promise<Reply> {
  const parameters = parametersOf(address, command)
  return typeof parameters === 'string'
    ? plainReply(400, parameters)
    : command.answer(question, parameters.single, parameters.repeated)
}

function parametersOf(
  { pathname, searchParams }: Address,
  { parameters: needed, optional = [], repeated = [] }: Command,
): { single: Parameters; repeated: Repeated } | string {
  const wanted = [...needed, ...optional]
  const strange = [...searchParams.keys()].find((name) => !wanted.includes(name))
  if (strange !== undefined)
    return `${pathname} knows no parameter ${strange}${wanted.length === 0 ? '' : `, only ${wanted.join(' and ')}`}.`
  const found: { single: Parameters; repeated: Repeated } = { single: {}, repeated: {} }
  for (const name of wanted) {
    const values = searchParams.getAll(name).map((value) => value.trim())
    if (values.length === 0 && optional.includes(name)) continue
    if (values.length === 0) return `The parameter ${name} is missing.`
    if (values.length > 1 && !repeated.includes(name))
      return `The parameter ${name} is there ${values.length} times; it may be there once.`
    if (values.includes('')) return `The parameter ${name} is blank.`
    if (repeated.includes(name)) found.repeated[name] = values
    else found.single[name] = values[0] ?? ''
  }
  return found
}

/** A whole number as people write it, or undefined: `1e3`, `0x10` and `-1` are none. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
