/** Errors that a page and its frames print on the console, and exceptions that no script caught. */
import type { DevToolsPage } from './devToolsPipe.ts'

/** Errors of one page that are kept, and the length of each. */
const errorsMax = 500
const errorCharactersMax = 1_000

/** The errors seen so far. */
export interface SeenErrors {
  /** Observes one more session: the page or a frame. */
  observe(session: DevToolsPage): void
  list(): string[]
}

/** Events of the DevTools protocol, as far as they are read here. */
interface Printed {
  type: string
  args: { value?: unknown; description?: string }[]
}
interface Thrown {
  exceptionDetails: { text: string; exception?: { description?: string }; url?: string; lineNumber: number }
}
interface Logged {
  entry: { source: string; level: string; text: string }
}

/** Collects the errors. */
export function seenErrors(): SeenErrors {
  const errors: string[] = []
  const add = (text: string) => {
    if (errors.length < errorsMax) errors.push(text.slice(0, errorCharactersMax))
  }
  return {
    observe(session) {
      session.on<Printed>('Runtime.consoleAPICalled', ({ type, args }) => {
        if (type === 'error' || type === 'assert') add(args.map(textOfValue).join(' '))
      })
      session.on<Thrown>('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception, url, lineNumber } }) => {
        const [what = text] = (exception?.description ?? text).split('\n', 1)
        add(url ? `${what} (${url}:${lineNumber + 1})` : what)
      })
      // Failed requests are resources, and exceptions have an event of their own.
      session.on<Logged>('Log.entryAdded', ({ entry: { source, level, text } }) => {
        if (level === 'error' && source !== 'network' && source !== 'javascript') add(text)
      })
    },
    list: () => errors,
  }
}

function textOfValue({ value, description }: Printed['args'][number]): string {
  if (description !== undefined) return description.split('\n', 1)[0] ?? ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
}
