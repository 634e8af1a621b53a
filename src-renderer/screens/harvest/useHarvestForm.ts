/** State of the harvest form: its input, the errors, and how it is submitted. The fields are rendered elsewhere. */
import { useState, type SubmitEvent } from 'react'
import type { HarvestDefinition } from '../../../src-main/contract/services/definition.ts'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useShownRefusal, type ShownRefusal } from '../../parts/useShownRefusal.ts'
import { goTo } from '../../routes/routes.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession, type Session } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { localZone } from '../schedule/localTimes.ts'
import { errorsOf, type ErrorOf } from './problemWords.ts'
import { whyFixed } from './fixedInRun.ts'
import { controlOf } from './harvestControls.ts'
import {
  problemsOf,
  defined,
  draftOf,
  emptyDraft,
  inOrder,
  redefined,
  type Problems,
  type Defined,
  type HarvestDraft,
} from './harvestDraft.ts'

/** What every part of the form needs: the values, how to change them, and why one was refused or cannot be changed. */
export interface HarvestFields {
  draft: HarvestDraft
  change<Field extends keyof HarvestDraft>(field: Field, value: HarvestDraft[Field]): void
  errorOf: ErrorOf
  /**
   * Why the running job does not take a change of the part at this path of the definition. Null where it does, and where the part was
   * changed before the run began: then the user must be able to take that back.
   */
  fixedOf(partOf: (draft: HarvestDraft) => unknown, ...path: string[]): string | null
}

export interface HarvestFormOptions {
  /** The job whose definition is changed; absent: a new harvest is defined. */
  edited?: JobWhole | undefined
  /** Called when the definition was saved. */
  onDone?: (() => void) | undefined
}

interface HarvestFormState {
  form: ShownRefusal['form']
  fields: HarvestFields
  /** A refusal that belongs to none of the fields. */
  refusal: Fault | null
  isSending: boolean
  submit(event: SubmitEvent): Promise<void>
}

export function useHarvestForm({ edited, onDone }: HarvestFormOptions): HarvestFormState {
  const session = useSession()
  const { opened, draft, setDraft, before, saved } = useDraft(edited)
  const [problems, setProblems] = useState<Problems>({})
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const [isSending, setIsSending] = useState(false)
  const { form, lead } = useShownRefusal()

  function showProblems(found: Problems): void {
    setProblems(found)
    lead(inOrder(found).map(({ path }) => controlOf(path)))
  }

  async function send(definition: HarvestDefinition): Promise<void> {
    setIsSending(true)
    try {
      const job = await sendDefinition(session, definition, edited)
      saved()
      onDone?.()
      goTo({ place: 'job', job })
    } catch (error) {
      const fault = faultFrom(error)
      const refused = problemsOf(fault, draft)
      // An error next to its field is not repeated below the form.
      if (inOrder(refused).length === 0) setRefusal(fault)
      showProblems(refused)
    } finally {
      setIsSending(false)
    }
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    setRefusal(null)
    const result = definitionOf(draft, edited, opened)
    if ('problems' in result) return showProblems(result.problems)
    setProblems({})
    await send(result.definition)
  }

  const change: HarvestFields['change'] = (field, value) => {
    setDraft((earlier) => ({ ...earlier, [field]: value }))
    setProblems(({ [field]: _mended, ...rest }) => rest)
  }
  const errorOf = errorsOf(useWords(), problems)
  const fixedOf = useFixed({ draft, before, edited })
  return { form, fields: { draft, change, errorOf, fixedOf }, refusal, isSending, submit }
}

/** The draft starts as the definition at the time of opening. The job may get a newer one while the form is open. */
function useDraft(edited: JobWhole | undefined) {
  const [opened] = useState(edited?.definition)
  const [before] = useState(() => (opened ? draftOf(opened, localZone()) : emptyDraft))
  const [draft, setDraft] = useState(before)
  const saved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(before))
  return { opened, before, draft, setDraft, saved }
}

function useFixed({
  draft,
  before,
  edited,
}: Record<'draft' | 'before', HarvestDraft> & Pick<HarvestFormOptions, 'edited'>) {
  const t = useWords()
  const fixedOf: HarvestFields['fixedOf'] = (partOf, ...path) => {
    const isTouched = JSON.stringify(partOf(draft)) !== JSON.stringify(partOf(before))
    const why = isTouched || !edited ? undefined : whyFixed(edited.fixed, path)
    return why === undefined ? null : t('form.edit.fixed', { why: t(why) })
  }
  return fixedOf
}

function definitionOf(
  draft: HarvestDraft,
  edited: JobWhole | undefined,
  opened: HarvestDefinition | undefined,
): Defined {
  return edited && opened ? redefined({ opened, now: edited.definition }, draft, localZone()) : defined(draft)
}

/** Creates the harvest, or changes the job's. Returns the number of the job. */
async function sendDefinition(
  { services: { harvests }, jobs }: Pick<Session, 'services' | 'jobs'>,
  definition: HarvestDefinition,
  edited: JobWhole | undefined,
): Promise<number> {
  const { job } = edited ? await harvests.edit({ job: edited.job, definition }) : await harvests.create(definition)
  void jobs.getState().load()
  return job
}
