/** CORS fields, so that a page can read archived responses of other origins (Fetch 3.3): fonts, module scripts, and what
 *  scripts fetch. Harvesters send no Origin, so the archived response seldom has the fields for this page, and the browser
 *  would refuse what worked on the live site. Pure. */
import type { Field } from '../model/reply.ts'

/** The fields that are replaced. */
const names = new Set(['access-control-allow-origin', 'access-control-allow-credentials'])

/** Adds CORS fields for a page of this origin. Credentials are always allowed, because a request does not tell whether the page
 *  demands them, and `*` would refuse them (Fetch 3.3.5). `allowedOrigins` are the interface's own, which get no access. */
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

/** Allows pages of this origin to read a response, with credentials. */
export function corsFields(origin: string): Field[] {
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
  ]
}
