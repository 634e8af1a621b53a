/** Groups the errors of a batch run by file. The run writes them as text: `name: FAILED reason`, `name: remark`, with further lines of each
 *  indented by two spaces (`archive/batch/runFiles.ts`). The text may be cut off at its end. */

export interface FileErrors {
  /** Name of a file, or `start` and `finish` of the module. */
  name: string
  lines: { failed: boolean; text: string }[]
}

const failedMark = 'FAILED '

export function errorsByFile(text: string): FileErrors[] {
  const byName = new Map<string, FileErrors>()
  let last: FileErrors['lines'][number] | undefined
  for (const line of text.split('\n')) {
    if (line.startsWith('  ') && last) {
      last.text += `\n${line.slice(2)}`
      continue
    }
    const [, name, rest] = /^([^\s:]+): (.*)$/.exec(line) ?? []
    if (line === '') continue
    const failed = rest?.startsWith(failedMark) ?? false
    last = { failed, text: (failed ? rest?.slice(failedMark.length) : rest) ?? line }
    const errors = byName.get(name ?? '') ?? { name: name ?? '', lines: [] }
    errors.lines.push(last)
    byName.set(errors.name, errors)
  }
  return [...byName.values()]
}
