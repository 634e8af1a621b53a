/** Options that select archived files, the same for every verb that takes a selection. */
import { Option, type Command as Program } from 'commander'
import { Fault } from '../../../contract/calls/faults.ts'
import { isEmpty, type Selection } from '../../../contract/shapes/selection.ts'
import * as word from './optionValues.ts'
import { message } from '../../../contract/words/message.ts'

export interface SelectionWords {
  jobs?: number[]
  file?: string[]
  all?: true
}

/** Adds the options. `purpose` is what is done with the selected files, as in "to show". */
export function addSelectionOptions(verb: Program, purpose: string): Program {
  return verb
    .option('--jobs <ids>', `the jobs ${purpose}, separated by commas; also deleted ones`, word.jobNumbers)
    .option('--file <name>', `a file of the archive ${purpose}; may be given several times`, word.several)
    .addOption(new Option('--all', `everything in the archive is ${purpose}`).conflicts(['jobs', 'file']))
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
