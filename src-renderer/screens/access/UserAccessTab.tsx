/** What a user may see: asks the authorities about the user and, for a capture, the security rules. */
import { Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { Eye, Plus, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import type { DescribedRow, UserAccess } from '../../../src-main/contract/services/authorities.ts'
import type { SecurityDecision } from '../../../src-main/contract/services/security.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { IconAction } from '../../parts/IconAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { jobTyped } from './jobTyped.ts'
import { UserAnswers } from './UserAnswers.tsx'
import { UserDecision } from './UserDecision.tsx'
import { domainField, emptyQuestion, questionProblems, userField, type UserQuestion } from './userQuestion.ts'

/** `decision`: null where no capture was asked about. */
interface Shown {
  access: UserAccess
  decision: SecurityDecision | null
  url: string
}

export function UserAccessTab() {
  const t = useWords()
  const { services } = useSession()
  const [domains, reload] = useLoaded(useCallback(() => services.authorities.domains({}), [services]))
  const [shown, setShown] = useState<Shown | null>(null)
  return (
    <Section title={t('access.tab.user')}>
      <Text maw="75ch" mb="md">
        {t('userAccess.text')}
      </Text>
      <Await of={domains} onRetry={reload}>
        {(rows) => <Question domains={rows} onShow={setShown} />}
      </Await>
      {shown?.decision && <UserDecision url={shown.url} decision={shown.decision} />}
      {shown && <UserAnswers access={shown.access} />}
    </Section>
  )
}

function Question({ domains, onShow }: { domains: readonly DescribedRow[]; onShow: (shown: Shown | null) => void }) {
  const t = useWords()
  const { services } = useSession()
  const [draft, setDraft] = useState(emptyQuestion)
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const errors = useFormErrors<string>(questionProblems(t, draft), refusal)

  function change(changes: Partial<UserQuestion>): void {
    setDraft((before) => ({ ...before, ...changes }))
    setRefusal(null)
  }

  async function ask(): Promise<void> {
    if (isAsking || !errors.isComplete()) return
    setAsking(true)
    setRefusal(null)
    onShow(null)
    try {
      onShow(await answered())
    } catch (error) {
      const fault = faultFrom(error)
      setRefusal(fault)
      errors.leadTo(fault)
    } finally {
      setAsking(false)
    }
  }

  async function answered(): Promise<Shown> {
    const users = draft.users.map(({ user, domain }) => ({ user: user.trim(), domain }))
    const url = draft.url.trim()
    if (url === '') return { access: await services.authorities.ask({ users }), decision: null, url }
    const decision = await services.security.decide({ users, url, job: jobTyped(draft.job) ?? null })
    return { access: decision.access, decision, url }
  }

  return (
    <form
      ref={errors.form}
      noValidate
      aria-label={t('userAccess.form')}
      onSubmit={(event) => {
        event.preventDefault()
        void ask()
      }}
    >
      <Stack maw={760}>
        <Users domains={domains} draft={draft} change={change} control={errors.control} />
        <Group align="start" gap="md">
          <TextInput
            {...errors.control('url')}
            flex="1 1 300px"
            label={t('userAccess.url')}
            description={t('userAccess.url.hint')}
            value={draft.url}
            onChange={(event) => change({ url: event.currentTarget.value })}
          />
          <NumberInput
            {...errors.control('job')}
            w={260}
            label={t('rules.job')}
            description={t('rules.job.hint')}
            hideControls
            value={draft.job}
            onChange={(job) => change({ job })}
          />
        </Group>
        {errors.note && <FaultNote fault={errors.note} />}
        <Group>
          <ActionButton
            type="submit"
            needs="security.decide"
            leftSection={<Eye size={16} aria-hidden />}
            why={isAsking ? t('userAccess.asking') : null}
            onClick={() => undefined}
          >
            {t('userAccess.ask')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

interface UsersProps {
  domains: readonly DescribedRow[]
  draft: UserQuestion
  change: (changes: Partial<UserQuestion>) => void
  control: (field: string) => object
}

/** The user's name in each domain. */
function Users({ domains, draft: { users }, change, control }: UsersProps) {
  const t = useWords()
  const free = domains.find(({ name }) => !users.some(({ domain }) => domain === name))
  const set = (index: number, changes: Partial<UserQuestion['users'][number]>) =>
    change({ users: users.map((each, at) => (at === index ? { ...each, ...changes } : each)) })
  return (
    <>
      {users.map(({ user, domain }, index) => (
        <Group key={index} align="start" gap="md" role="group" aria-label={`${t('userAccess.user')} ${index + 1}`}>
          <TextInput
            {...control(userField(index))}
            flex="1 1 220px"
            label={t('userAccess.user')}
            required
            value={user}
            onChange={(event) => set(index, { user: event.currentTarget.value })}
          />
          <Select
            {...control(domainField(index))}
            flex="1 1 180px"
            label={t('userAccess.domain')}
            allowDeselect={false}
            data={domains.map(({ name }) => ({ value: name, label: name || t('access.default') }))}
            value={domain}
            onChange={(value) => value !== null && set(index, { domain: value })}
          />
          {users.length > 1 && (
            <Group mt={26}>
              <IconAction
                icon={Trash2}
                name={t('userAccess.remove', { number: index + 1 })}
                onClick={() => change({ users: users.filter((_, at) => at !== index) })}
              />
            </Group>
          )}
        </Group>
      ))}
      <Group>
        <ActionButton
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          why={free ? null : t('userAccess.noMoreDomains')}
          onClick={() => free && change({ users: [...users, { user: users[0]?.user ?? '', domain: free.name }] })}
        >
          {t('userAccess.add')}
        </ActionButton>
      </Group>
    </>
  )
}
