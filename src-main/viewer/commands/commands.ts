/** Commands of the command host. Parameters are checked strictly: each once and not empty, and no others. A mistake is
 *  answered with a message about it. The commands themselves are links of the chain. */
import { message, type Message } from '../../contract/words/message.ts'
import type { ViewerLink } from '../../contract/services/viewer.ts'
import { commandOf } from '../model/commandHost.ts'
import { isProven, tokenField, unproven } from './commandProof.ts'
import type { Link, Question } from '../viewings/question.ts'
import { plainReply, withoutBody, type Reply } from '../model/reply.ts'

/** Values of parameters that occur once, by name. */
export type Parameters = Record<string, string>
/** Values of parameters that may occur several times. */
export type Repeated = Record<string, string[]>

/** A path of the command host. */
export interface Command {
  /** The command changes a viewing, so the request must prove that it does not come from an archived page (`commandProof.ts`). */
  changes?: true
  parameters: readonly string[]
  /** Parameters that may be left out. */
  optional?: readonly string[]
  /** Parameters that may be given several times. */
  repeated?: readonly string[]
  answer: (question: Question, parameters: Parameters, repeated: Repeated) => Promise<Reply>
}

/** Commands by path, with the leading slash. */
export type Commands = Readonly<Record<string, Command>>

/** A link that answers these paths of the command host. */
export interface CommandLink extends Link {
  /** The paths, for the list of commands. */
  paths: readonly string[]
}

/** Makes the link that answers the commands. Other URLs are passed on. */
export function commandLink(name: ViewerLink, commands: Commands): CommandLink {
  return {
    name,
    paths: Object.keys(commands),
    whyPassed: () => message('viewer.step.command'),
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
    return plainReply(405, message('viewer.command.onlyGet', { path: address.pathname }), [['Allow', 'GET, HEAD']])
  return answered(question, address, command)
}

/** Handles a command that changes a viewing. Its parameters and token are in the content of a POST. A GET has no content, and
 *  the token is never part of a URL, because URLs are stored and shown in many places. */
async function changed(question: Question, { pathname, searchParams }: Address, command: Command): Promise<Reply> {
  if (question.method === 'GET') {
    if (!isProven(question, undefined)) return unproven(question, searchParams)
    return answered(question, { pathname, searchParams }, command)
  }
  if (question.method !== 'POST')
    return plainReply(405, message('viewer.command.onlyPost', { path: pathname }), [['Allow', 'GET, POST']])
  const form = await formOf(question)
  if (isMistake(form)) return plainReply(415, form)
  const token = form.get(tokenField) ?? undefined
  if (!isProven(question, token)) return unproven(question, new URLSearchParams([...searchParams, ...form]))
  form.delete(tokenField)
  return answered(question, { pathname, searchParams: new URLSearchParams([...searchParams, ...form]) }, command)
}

/** The form data of a request, or what is wrong with it. */
async function formOf({ fields, content }: Question): Promise<URLSearchParams | Message> {
  const bytes = await content()
  if (bytes?.length === 0) return new URLSearchParams()
  if (bytes === undefined || !/^application\/x-www-form-urlencoded\b/i.test(fields['content-type'] ?? ''))
    return message('viewer.command.form')
  return new URLSearchParams(Buffer.from(bytes).toString())
}

async function answered(question: Question, address: Address, command: Command): Promise<Reply> {
  const parameters = parametersOf(address, command)
  return isMistake(parameters)
    ? plainReply(400, parameters)
    : command.answer(question, parameters.single, parameters.repeated)
}

/** Checks the parameters against those that the command has. */
function parametersOf(
  { pathname, searchParams }: Address,
  { parameters: needed, optional = [], repeated = [] }: Command,
): { single: Parameters; repeated: Repeated } | Message {
  const wanted = [...needed, ...optional]
  const strange = [...searchParams.keys()].find((name) => !wanted.includes(name))
  if (strange !== undefined)
    return wanted.length === 0
      ? message('viewer.command.strange', { path: pathname, name: strange })
      : message('viewer.command.strange.known', { path: pathname, name: strange, known: wanted.join(', ') })
  const found: { single: Parameters; repeated: Repeated } = { single: {}, repeated: {} }
  for (const name of wanted) {
    const values = searchParams.getAll(name).map((value) => value.trim())
    if (values.length === 0 && optional.includes(name)) continue
    if (values.length === 0) return message('viewer.parameter.missing', { name })
    if (values.length > 1 && !repeated.includes(name))
      return message('viewer.parameter.repeated', { name, count: values.length })
    if (values.includes('')) return message('viewer.parameter.empty', { name })
    if (repeated.includes(name)) found.repeated[name] = values
    else found.single[name] = values[0] ?? ''
  }
  return found
}

/** Whether parsing a parameter gave a mistake, which is answered with status 400. No parsed value has a code. */
export function isMistake(parsed: object): parsed is Message {
  return 'code' in parsed
}

/** Parses a whole number of up to 15 digits. `1e3`, `0x10` and `-1` are not accepted. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
