/** Text for lost files, the same wherever they are reported. */
import { message } from '../words/message.ts'
import { textOf } from '../words/render.ts'

/** Without a full stop, because names may follow. */
export function lostText(total: number): string {
  return textOf(message('files.lost', { count: total }))
}
