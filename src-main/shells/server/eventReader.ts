/** Server-sent events out of text as it arrives (HTML Living Standard 9.2.6), as far as our own engine sends them: an event
 *  name, one `data:` line, comments. No retry field, no ids: an event that was missed is not asked for again. */

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
