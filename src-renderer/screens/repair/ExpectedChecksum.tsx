/** The second step: the checksum that the file should have, from outside or vouched for by an act of its own. The engine
 *  compares it, and writes down who gave a wrong one; a wrong one is shown with the difference, and goes no further. */
import { Checkbox, Group, Loader, Radio, Stack, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
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

export function ExpectedChecksum({ flow }: { flow: RepairFlowStore }) {
  const plan = valueOf(useStore(flow).plan)
  return plan ? <Form flow={flow} plan={plan} /> : null
}

function Form({ flow, plan }: { flow: RepairFlowStore; plan: RepairPlan }) {
  const t = useWords()
  const { asked, refused, go, repair } = useStore(flow)
  const [way, setWay] = useState<Way>('outside')
  const [text, setText] = useState('')
  const [isVouched, setVouched] = useState(false)
  const [maySetAside, setMaySetAside] = useState(false)
  const [hindrance, setHindrance] = useState<string | null>(null)
  const [complaint, setComplaint] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const setAsideField = useRef<HTMLInputElement>(null)
  const kind = plan.kind === 'restore' ? 'restore' : 'replace'
  const released = useUnsaved(text !== '' || isVouched || maySetAside)
  const inputs = useUnsavedScope()
  const mayLose = useMayLose()

  async function goBack(): Promise<void> {
    if (!(await mayLose(inputs))) return
    released()
    go('look')
  }

  function submit(): void {
    const given = way === 'registered' ? takenFrom(plan, isVouched) : checksumIn(text)
    const wrong = given ? complaintOf(given, t) : t('repair.expected.unvouched')
    setComplaint(wrong)
    const isUnconfirmed = plan.unreadable !== null && !maySetAside
    setHindrance(isUnconfirmed ? t('repair.expected.setAside.not') : null)
    if (given?.kind !== 'checksum') field.current?.focus()
    else if (isUnconfirmed) setAsideField.current?.focus()
    else void repair(given.sha256, maySetAside)
  }

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
        <Radio.Group
          label={t('repair.expected.how')}
          value={way}
          onChange={(chosen) => {
            setWay(chosen === 'registered' ? 'registered' : 'outside')
            setComplaint(null)
          }}
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
        {way === 'outside' ? (
          <TextInput
            ref={field}
            classNames={{ input: 'mono' }}
            label={t('repair.expected.field')}
            description={t('repair.expected.field.text')}
            error={complaint}
            value={text}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => {
              setText(event.currentTarget.value)
              setComplaint(null)
            }}
          />
        ) : (
          <>
            <ChecksumsCompared lines={[{ name: t('repair.registered'), sha256: plan.registered }]} />
            <Checkbox
              ref={field}
              label={t('repair.expected.vouch')}
              checked={isVouched}
              error={complaint}
              onChange={(event) => {
                setVouched(event.currentTarget.checked)
                setComplaint(null)
              }}
            />
          </>
        )}
        {plan.unreadable !== null && (
          <Checkbox
            ref={setAsideField}
            label={t('repair.expected.setAside')}
            description={t('repair.expected.setAside.text')}
            checked={maySetAside}
            error={hindrance}
            onChange={(event) => {
              setMaySetAside(event.currentTarget.checked)
              setHindrance(null)
            }}
          />
        )}
        <p className="dimmed">{t('repair.expected.go.text')}</p>
        <Group gap="xs">
          <ActionButton type="submit" why={asked ? t('repair.expected.busy') : null} onClick={() => undefined}>
            {t(`repair.expected.go.${kind}`)}
          </ActionButton>
          <ActionButton variant="default" why={asked ? t('repair.expected.busy') : null} onClick={() => void goBack()}>
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
      </Stack>
    </form>
  )
}

/** Undefined where the user has not confirmed it. */
function takenFrom({ registered }: RepairPlan, isVouched: boolean): ChecksumText | undefined {
  return isVouched ? { kind: 'checksum', sha256: registered } : undefined
}

function complaintOf(given: ChecksumText, t: Translate): string | null {
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
