/**
 * The second step of a repair: the checksum that the file should have, from a source outside of Loupe, or the registered one when the user
 * vouches for it. The engine compares it and records who gave a wrong one; a wrong one is shown with the difference, and ends the repair.
 */
import { Checkbox, Group, Loader, Radio, Stack, TextInput } from '@mantine/core'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useStore } from 'zustand'
import type { RepairPlan } from '../../../src-main/contract/services/repairs.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { useMayLose, useUnsaved, useUnsavedScope } from '../../parts/unsaved.tsx'
import { checksumIn, differenceBetween, type ChecksumText } from '../../state/checksumText.ts'
import { valueOf } from '../../state/loaded.ts'
import type { RepairFlowStore } from '../../state/repairFlow.ts'
import { useWords, type Translate } from '../../words/words.tsx'
import { ChecksumsCompared } from './ChecksumsCompared.tsx'
import { ToneNote } from '../../parts/ToneNote.tsx'

type Way = 'outside' | 'registered'

/** What the user entered. */
interface Draft {
  way: Way
  /** The pasted checksum of the way `outside`. */
  text: string
  /** The user vouches for the registered checksum. */
  isVouched: boolean
  /** A copy that cannot be read may be set aside without its content. */
  maySetAside: boolean
}

const emptyDraft: Draft = { way: 'outside', text: '', isVouched: false, maySetAside: false }

/** The errors of the input, each shown at its control. */
interface Problems {
  checksum: string | null
  setAside: string | null
}

const noProblems: Problems = { checksum: null, setAside: null }

interface PartProps {
  plan: RepairPlan
  draft: Draft
  problems: Problems
  onChange: (changes: Partial<Draft>) => void
}

export function ExpectedChecksum({ flow }: { flow: RepairFlowStore }) {
  const plan = valueOf(useStore(flow).plan)
  return plan ? <Form flow={flow} plan={plan} /> : null
}

function Form({ flow, plan }: { flow: RepairFlowStore; plan: RepairPlan }) {
  const t = useWords()
  const { refused, repair } = useStore(flow)
  const [draft, setDraft] = useState(emptyDraft)
  const [problems, setProblems] = useState(noProblems)
  const field = useRef<HTMLInputElement>(null)
  const setAsideField = useRef<HTMLInputElement>(null)
  const { way, text, isVouched, maySetAside } = draft
  const release = useUnsaved(text !== '' || isVouched || maySetAside)

  function change(changes: Partial<Draft>): void {
    setDraft({ ...draft, ...changes })
    // The errors were about the former input.
    setProblems('maySetAside' in changes ? { ...problems, setAside: null } : { ...problems, checksum: null })
  }

  function submit(): void {
    const given = way === 'registered' ? takenFrom(plan, isVouched) : checksumIn(text)
    const isUnconfirmed = plan.unreadable !== null && !maySetAside
    setProblems({
      checksum: given ? problemOf(given, t) : t('repair.expected.unvouched'),
      setAside: isUnconfirmed ? t('repair.expected.setAside.not') : null,
    })
    if (given?.kind !== 'checksum') field.current?.focus()
    else if (isUnconfirmed) setAsideField.current?.focus()
    else void repair(given.sha256, maySetAside)
  }

  const part = { plan, draft, problems, onChange: change }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="md" maw={900}>
        <p>{t('repair.expected.text')}</p>
        {refused !== null && <Refused given={refused} plan={plan} />}
        <WayChoice way={way} onChange={change} />
        {way === 'outside' ? <OutsideField {...part} ref={field} /> : <RegisteredField {...part} ref={field} />}
        {plan.unreadable !== null && <SetAsideField {...part} ref={setAsideField} />}
        <p className="dimmed">{t('repair.expected.go.text')}</p>
        <Buttons flow={flow} plan={plan} release={release} />
      </Stack>
    </form>
  )
}

function WayChoice({ way, onChange }: Pick<Draft, 'way'> & Pick<PartProps, 'onChange'>) {
  const t = useWords()
  return (
    <Radio.Group
      label={t('repair.expected.how')}
      value={way}
      onChange={(chosen) => onChange({ way: chosen === 'registered' ? 'registered' : 'outside' })}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="outside" label={t('repair.expected.outside')} />
        <Radio
          value="registered"
          label={t('repair.expected.registered')}
          description={t('repair.expected.registered.text')}
        />
      </Stack>
    </Radio.Group>
  )
}

type FieldProps = PartProps & { ref: RefObject<HTMLInputElement | null> }

/** A checksum from a source outside of Loupe. */
function OutsideField({ draft, problems, onChange, ref }: FieldProps) {
  const t = useWords()
  return (
    <TextInput
      ref={ref}
      classNames={{ input: 'mono' }}
      label={t('repair.expected.field')}
      description={t('repair.expected.field.text')}
      error={problems.checksum}
      value={draft.text}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange({ text: event.currentTarget.value })}
    />
  )
}

/** The registered checksum, which counts only when the user vouches for it. */
function RegisteredField({ plan, draft, problems, onChange, ref }: FieldProps) {
  const t = useWords()
  return (
    <>
      <ChecksumsCompared lines={[{ name: t('repair.registered'), sha256: plan.registered }]} />
      <Checkbox
        ref={ref}
        label={t('repair.expected.vouch')}
        checked={draft.isVouched}
        error={problems.checksum}
        onChange={(event) => onChange({ isVouched: event.currentTarget.checked })}
      />
    </>
  )
}

function SetAsideField({ draft, problems, onChange, ref }: FieldProps) {
  const t = useWords()
  return (
    <Checkbox
      ref={ref}
      label={t('repair.expected.setAside')}
      description={t('repair.expected.setAside.text')}
      checked={draft.maySetAside}
      error={problems.setAside}
      onChange={(event) => onChange({ maySetAside: event.currentTarget.checked })}
    />
  )
}

interface ButtonsProps {
  flow: RepairFlowStore
  plan: RepairPlan
  /** Releases the unsaved input, which the user agreed to lose. */
  release: () => void
}

function Buttons({ flow, plan, release }: ButtonsProps) {
  const t = useWords()
  const { asked, go } = useStore(flow)
  const inputs = useUnsavedScope()
  const mayLose = useMayLose()
  const why = asked ? t('repair.expected.busy') : null

  async function goBack(): Promise<void> {
    if (!(await mayLose(inputs))) return
    release()
    go('look')
  }

  return (
    <>
      <Group gap="xs">
        <ActionButton type="submit" why={why} onClick={() => undefined}>
          {t(plan.kind === 'restore' ? 'repair.expected.go.restore' : 'repair.expected.go.replace')}
        </ActionButton>
        <ActionButton variant="default" why={why} onClick={() => void goBack()}>
          {t('repair.expected.back')}
        </ActionButton>
      </Group>
      <div role="status">
        {asked && (
          <Group gap="sm">
            <Loader size="sm" aria-hidden />
            {t('repair.expected.comparing')}
          </Group>
        )}
      </div>
    </>
  )
}

/** Undefined where the user has not confirmed it. */
function takenFrom({ registered }: RepairPlan, isVouched: boolean): ChecksumText | undefined {
  return isVouched ? { kind: 'checksum', sha256: registered } : undefined
}

function problemOf(given: ChecksumText, t: Translate): string | null {
  switch (given.kind) {
    case 'checksum':
      return null
    case 'empty':
      return t('repair.expected.empty')
    case 'length':
      return t('repair.expected.length', { count: given.count })
    case 'letter':
      return t('repair.expected.letter', { letter: given.letter, at: given.at })
  }
}

function Refused({ given, plan: { registered, found } }: { given: string; plan: RepairPlan }) {
  const t = useWords()
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => alert.current?.focus(), [given])
  const difference = differenceBetween(registered, given)
  return (
    <ToneNote ref={alert} tone="failed" title={t('repair.expected.refused')}>
      {difference && (
        <p>{t('repair.expected.refused.differs', { count: difference.count, first: difference.first })}</p>
      )}
      {given === found && <p>{t('repair.expected.refused.bad')}</p>}
      <ChecksumsCompared
        marked
        lines={[
          { name: t('repair.registered'), sha256: registered },
          { name: t('repair.expected.yours'), sha256: given },
        ]}
      />
      <p>{t('repair.expected.refused.todo')}</p>
    </ToneNote>
  )
}
