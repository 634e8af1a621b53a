/** Leave for a page to read another site's archived answer (Fetch 3.3): fonts, scripts that are modules, whatever a script fetches.
 *  Harvesters ask without Origin, so what the server would have said to this page is seldom in the record, and what worked live would
 *  be refused by the browser, unheard of. Pure. */
import type { Field } from '../model/reply.ts'

const names = new Set(['access-control-allow-origin', 'access-control-allow-credentials'])

/** What an archived answer says to whoever asks as `origin`. Whether a page sends credentials cannot be seen where it has none to send,
 *  so they are granted too: `*` would refuse them (Fetch 3.3.5). `allowedOrigins`: the interface's own, which are granted nothing. */
export function withCorsFields(
  origin: string | undefined,
  fields: readonly Field[],
  allowedOrigins: readonly string[],
): readonly Field[] {
  if (origin === undefined || allowedOrigins.includes(origin)) return fields
  const kept = fields.map(([name, value]): Field => [
    names.has(name.toLowerCase()) ? `X-Archive-Orig-${name}` : name,
    value,
  ])
  return [...kept, ...corsFields(origin), ['Vary', 'Origin']]
}

export function corsFields(origin: string): Field[] {
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
  ]
}
