/**
 * A parser of server-sent events in text as it arrives (HTML Living Standard 9.2.6), as far as Loupe's engine sends them: an event name,
 * one `data:` line, comments. It supports neither the retry field nor ids: a missed event is not requested again.
 */

export function eventReader(onEvent: (name: string, data: string) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n')
      const name = valueOf(lines, 'event')
      const data = valueOf(lines, 'data')
      if (name !== undefined && data !== undefined) onEvent(name, data)
    }
  }
}

function valueOf(lines: string[], field: string): string | undefined {
  return lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2)
}
