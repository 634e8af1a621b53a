/** Options that select archived files, the same for every verb that takes a selection. */
import { Option, type Command as Program } from 'commander'
import { Fault } from '../../../contract/calls/faults.ts'
import { isEmpty, type Selection } from '../../../contract/shapes/selection.ts'
import * as word from './optionValues.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor } from '../../../contract/words/render.ts'

export interface SelectionWords {
  jobs?: number[]
  file?: string[]
  all?: true
}

/** Adds the options. `purpose` says what the verb does with the selected files, for the help. */
export function addSelectionOptions(verb: Program, purpose: 'show' | 'export' | 'search' | 'count'): Program {
  return verb
    .option('--jobs <ids>', textFor(`help.select.jobs.${purpose}`), word.jobNumbers)
    .option('--file <name>', textFor(`help.select.file.${purpose}`), word.several)
    .addOption(new Option('--all', textFor(`help.select.all.${purpose}`)).conflicts(['jobs', 'file']))
}

/** Returns the selection, or undefined when nothing was selected. */
export function selectionIn({ jobs = [], file = [], all }: SelectionWords): SelectionAsked | undefined {
  const selection = { jobs, files: file, all: all === true }
  return isEmpty(selection) ? undefined : selection
}

export function selectionNeeded(words: SelectionWords): SelectionAsked {
  const selection = selectionIn(words)
  if (selection) return selection
  throw new Fault('badInput', message('cli.option.selection'))
}

/** A selection in the form that the contract takes. */
export interface SelectionAsked extends Selection {
  jobs: number[]
  files: string[]
  all: boolean
}
