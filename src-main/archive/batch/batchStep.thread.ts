/** Runs a batch module in a thread: loads the module once, then runs one step at a time. An exception of the module is returned as the
 *  result of the step; `batchThread.ts` handles the end of the thread. */
import { textOf } from '../../contract/words/render.ts'
import { message } from '../../contract/words/message.ts'
import type { Task, TaskContext } from '../../world/world.ts'
import { openBatchFile, type FileGiven } from './batchFile.ts'
import type { BatchContext, BatchModule } from './batchModule.ts'
import { failureText } from './failureText.ts'
import { failureCountMax, remarkCountMax, remarksMax } from './limits.ts'
import { loadModule, type ModulePlace } from './modulePlace.ts'
import { stepOutput, type Written } from './stepOutput.ts'

export type BatchStep = { step: 'load'; module: ModulePlace } | WorkStep

/** `target`: path for output that is too large to be held in memory. */
export type WorkStep =
  | { step: 'start'; target: string }
  | { step: 'finish'; target: string }
  | { step: 'file'; target: string; file: FileGiven }

export interface StepEnd {
  written: Written
  remarks: string[]
  /** Reason of the failure, from the module's error; null when the step succeeded. A failed step has no output. */
  failure: string | null
  /** Result of `load`: whether the module has a `finish` function. */
  gathers: boolean
  maxExceptions: number | null
}

let loaded: BatchModule | undefined
/** URL of the user's module; undefined for a built-in one. */
let moduleUrl: string | undefined

export const task: Task<BatchStep, StepEnd, number> = async (context, step) => {
  if (step.step === 'load') return loading(context, step.module)
  const { world, signal } = context
  const output = stepOutput(world.disk, step.target)
  const { remarks, remark } = remarking()
  let isOpen = true
  const given: BatchContext = {
    write(text) {
      const of = step.step === 'file' ? step.file.name : step.step
      if (!isOpen) throw new Error(`context.write was called for ${of} when that was over: await what is begun`)
      return output.write(text)
    },
    remark,
    signal,
  }
  const failure = await failureOf(() => action(context, step, given))
  isOpen = false
  const written = await output.end(failure === null)
  printedRemarks(context).forEach(remark)
  return { ...nothing, written, remarks, failure }
}

const nothing: StepEnd = {
  written: { text: '', spilled: false },
  remarks: [],
  failure: null,
  gathers: false,
  maxExceptions: null,
}

async function loading(context: TaskContext<number>, place: ModulePlace): Promise<StepEnd> {
  moduleUrl = place.kind === 'file' ? place.url : undefined
  const failure = await failureOf(async () => (loaded = await loadModule(place)))
  const { remarks, remark } = remarking()
  printedRemarks(context).forEach(remark)
  return { ...nothing, remarks, failure, gathers: !!loaded?.finish, maxExceptions: loaded?.maxExceptions ?? null }
}

async function action(
  { world, signal, report }: TaskContext<number>,
  step: WorkStep,
  given: BatchContext,
): Promise<void> {
  if (!loaded) throw new Error('no module was loaded')
  if (step.step === 'start') return void (await loaded.start?.(given))
  if (step.step === 'finish') return void (await loaded.finish?.(given))
  const { file, close } = openBatchFile(step.file, { world, signal, onBytes: report, remark: given.remark })
  try {
    await loaded.processFile(file, given)
  } finally {
    await close()
  }
}

function printedRemarks({ takePrinted }: TaskContext<number>): string[] {
  return takePrinted()
    .split('\n')
    .filter((line) => line.trim() !== '')
}

/** Collects remarks up to `remarksMax`; one more says that further remarks were omitted. */
function remarking() {
  const remarks: string[] = []
  return {
    remarks,
    /** The value may be of any type, since it comes from the module. */
    remark(text: unknown) {
      if (remarks.length < remarksMax) remarks.push(String(text).slice(0, remarkCountMax))
      else if (remarks.length === remarksMax) remarks.push(textOf(message('batch.file.moreRemarks')))
    },
  }
}

async function failureOf(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act()
    return null
  } catch (error) {
    return failureText(error, moduleUrl).slice(0, failureCountMax)
  }
}
