/** Server-sent events out of text that arrives in pieces (HTML Living Standard, 9.2.6 "Interpreting an event stream").
 *  Only what our own server uses: `event`, `data` and comments; ids and retry times are ignored. */

export interface ServerSentEvent {
  event: string
  data: string
}

/** Returns a function that takes the next piece and gives the events that it completes. */
export function eventReader(): (piece: string) => ServerSentEvent[] {
  let rest = ''
  let event = ''
  let data: string[] = []

  function take(line: string): ServerSentEvent[] {
    if (line === '') {
      const done = data.length > 0 ? [{ event: event || 'message', data: data.join('\n') }] : []
      event = ''
      data = []
      return done
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
    return []
  }

  return (piece) => {
    rest += piece
    const events: ServerSentEvent[] = []
    // A CR at the very end may be the first half of CR LF: it waits for the next piece.
    for (let end = lineEnd(rest); end !== undefined; end = lineEnd(rest)) {
      events.push(...take(rest.slice(0, end.at)))
      rest = rest.slice(end.next)
    }
    return events
  }
}

function lineEnd(text: string): { at: number; next: number } | undefined {
  const at = text.search(/[\r\n]/)
  if (at === -1) return undefined
  if (text[at] === '\n') return { at, next: at + 1 }
  if (at + 1 === text.length) return undefined
  return { at, next: text[at + 1] === '\n' ? at + 2 : at + 1 }
}
