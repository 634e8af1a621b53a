/** What a browser wants an answer for, in the words of Fetch Metadata (2.1). Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { isNavigation } from './background.ts'

/** Over https the browser says so; over http its Accept field gives most away. '' when nobody can tell. */
export function resourceTypeOf(fields: IncomingHttpHeaders): string {
  const said = fields['sec-fetch-dest']
  if (typeof said === 'string') return said
  if (isNavigation(fields)) return 'document'
  const accept = fields.accept ?? ''
  if (accept.startsWith('image/')) return 'image'
  if (accept.startsWith('text/css')) return 'style'
  return ''
}
