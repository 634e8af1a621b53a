/** The calls of a contract as an OpenAPI document, from their shapes: https://spec.openapis.org/oas/v3.1.0. A program that has the document needs
 *  nothing else to talk to the engine. */
import { z } from 'zod'
import { faultCodes, faults } from './faults.ts'
import { textFor } from '../words/render.ts'
import type { Call, Contract } from './service.ts'

/** A JSON Schema or a part of an OpenAPI document. */
type Json = Readonly<Record<string, unknown>>

/** What the document says in addition to the calls. */
export interface ApiFacts {
  version: string
  /** Address of the server, such as `http://127.0.0.1:8090`. */
  origin: string
  /** Path of a call, to which its name is added. */
  callPath: string
}

/** Makes the document. Each call is a POST with `{input}`, answered by `{value}`, or by `{fault}` with the status of its code. All of it takes a
 *  quarter of a second: `others` is awaited after each call, so that other requests are answered in between. */
export async function openApiOf(
  contract: Contract,
  { version, origin, callPath }: ApiFacts,
  others: () => Promise<void>,
): Promise<Json> {
  const schemas: Record<string, unknown> = { Fault: faultSchema }
  const paths: Record<string, Json> = {}
  for (const [service, members] of Object.entries(contract))
    for (const [name, member] of Object.entries(members)) {
      if (member.kind !== 'call') continue
      paths[`${callPath}${service}.${name}`] = { post: operation([service, name], member, schemas) }
      await others()
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Loupe', version },
    servers: [{ url: origin }],
    security: [{ token: [] }],
    tags: Object.keys(contract).map((name) => ({ name })),
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas },
  }
}

/** `schemas`: gets the shapes that refer to themselves. */
function operation(
  [service, name]: readonly [service: string, name: string],
  { input, output }: Call,
  schemas: Record<string, unknown>,
): Json {
  const id = `${service}_${name}`
  return {
    operationId: id,
    tags: [service],
    requestBody: { required: true, content: json({ input: schemaOf(input, { io: 'input', id, schemas }) }) },
    responses: {
      200: {
        description: textFor('openApi.value'),
        content: json({ value: schemaOf(output, { io: 'output', id, schemas }) }),
      },
      ...faultResponses,
    },
  }
}

const json = (properties: Json): Json => ({
  'application/json': { schema: { type: 'object', properties, required: Object.keys(properties) } },
})

/** One response for each status, with the codes that have it. */
const faultResponses: Json = Object.fromEntries(
  [...Map.groupBy(faultCodes, (code) => faults[code].status)].map(([status, codes]) => [
    status,
    { description: codes.join(', '), content: json({ fault: { $ref: '#/components/schemas/Fault' } }) },
  ]),
)

/** Schema of `SentFault`. */
const faultSchema: Json = {
  type: 'object',
  required: ['code', 'text'],
  properties: {
    code: { enum: faultCodes },
    text: { type: 'string', description: textFor('openApi.text') },
    message: { type: 'object', description: textFor('openApi.message') },
    fields: {
      type: 'array',
      description: textFor('openApi.fields'),
      items: { type: 'array', items: { type: ['string', 'integer'] } },
    },
  },
}

/** The JSON Schema of a shape. What JSON cannot express, such as a check that is a function, is left out. Definitions go to `schemas`: a
 *  reference in an OpenAPI document begins at the document, not at the schema. */
function schemaOf(
  shape: z.ZodType,
  { io, id, schemas }: { io: 'input' | 'output'; id: string; schemas: Record<string, unknown> },
): Json {
  const made = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
  const prefix = `${id}_${io}_`
  const text = JSON.stringify(made).replaceAll('"#/$defs/', `"#/components/schemas/${prefix}`)
  const { $schema: _dialect, $defs = {}, ...schema } = JSON.parse(text) as { $defs?: Json; $schema?: string }
  for (const [name, definition] of Object.entries($defs)) schemas[`${prefix}${name}`] = definition
  return schema
}
