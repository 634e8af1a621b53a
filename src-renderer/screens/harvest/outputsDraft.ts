/** Outputs of a harvest as they are typed. */
import type { OutputChoice } from '../../../src-main/contract/shapes/outputChoice.ts'

/** One output that the harvest names. */
export interface OutputDraft {
  output: string
  /** Separated by commas. */
  mediaTypes: string
  bytesMax: number | string
  /** `name=value` per line. */
  fields: string
}

/** Returns what the contract takes; undefined: the harvest names no output. */
export function outputsInput(drafts: readonly OutputDraft[]): object[] | undefined {
  return drafts.length === 0 ? undefined : drafts.map(inputOf)
}

function inputOf({ output, mediaTypes, bytesMax, fields }: OutputDraft): object {
  const types = mediaTypes.split(/[\s,]+/).filter((part) => part !== '')
  const names = fields.split('\n').filter((line) => line.trim() !== '')
  return {
    output,
    ...(types.length > 0 && { mediaTypes: types }),
    ...(bytesMax !== '' && { bytesMax }),
    ...(names.length > 0 && { fields: Object.fromEntries(names.map(pairIn)) as object }),
  }
}

/** A line without a name of the output is refused by the contract. */
function pairIn(line: string): [name: string, value: string] {
  const [name = '', value = ''] = line.split(/=(.*)/s)
  return [name.trim(), value.trim()]
}

export function outputsDraftOf(choices: readonly OutputChoice[] = []): OutputDraft[] {
  return choices.map(({ output, mediaTypes = [], bytesMax, fields = {} }) => ({
    output,
    mediaTypes: mediaTypes.join(', '),
    bytesMax: bytesMax ?? '',
    fields: Object.entries(fields)
      .map((pair) => pair.join('='))
      .join('\n'),
  }))
}

/** Returns the drafts with the output chosen, or without it. */
export function withOutput(drafts: readonly OutputDraft[], output: string, isChosen: boolean): OutputDraft[] {
  const others = drafts.filter((draft) => draft.output !== output)
  return isChosen ? [...others, { output, mediaTypes: '', bytesMax: '', fields: '' }] : others
}
