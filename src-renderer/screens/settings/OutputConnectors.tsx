/** Modules of the user that deliver documents: the registered ones, and a form to register another. */
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import type { OutputConnectorRow } from '../../../src-main/contract/services/outputs.ts'
import { outputConnectorStates } from '../../../src-main/contract/states/outputStates.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { IconAction } from '../../parts/IconAction.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import { useSending } from '../../parts/useSending.ts'
import { useFollowedList, type FollowedList } from '../../state/followedList.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import styles from './settings.module.css'

/** The registered modules. */
export function useOutputConnectors(): FollowedList<OutputConnectorRow> {
  const { services } = useSession()
  const [service] = useState(() => ({ list: services.outputs.connectors, changed: services.outputs.changed }))
  return useFollowedList(service)
}

export function OutputConnectors({ rows }: { rows: FollowedList<OutputConnectorRow> }) {
  const t = useWords()
  const list = valueOf(rows.rows) ?? []
  return (
    <Stack gap="xs" mt="md" role="group" aria-label={t('outputConnectors.title')}>
      <Text fw={600}>{t('outputConnectors.title')}</Text>
      <Text size="sm">{t('outputConnectors.text')}</Text>
      {list.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('outputConnectors.none')}
        </Text>
      ) : (
        <div className="card">
          {list.map((row) => (
            <Connector key={row.name} row={row} />
          ))}
        </div>
      )}
      <RegisterForm />
    </Stack>
  )
}

function Connector({ row }: { row: OutputConnectorRow }) {
  const t = useWords()
  const confirm = useConfirm()
  const { services } = useSession()
  const { refusal, send } = useSending()
  const { name, module, version, state, problem, outputs } = row
  const question = {
    title: t('outputConnectors.deregister.title', { name }),
    text: t('outputConnectors.deregister.text'),
    verb: t('outputConnectors.deregister'),
  }
  async function deregister(): Promise<void> {
    if (await confirm(question)) await send(() => services.outputs.deregister({ name }))
  }
  return (
    <div className={styles.setting} role="group" aria-label={name}>
      <Stack gap={4}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          <StateBadge table={outputConnectorStates} state={state} />
        </Group>
        <Text size="sm" className="mono wrap">
          {module}
        </Text>
        <Text size="sm" c="dimmed">
          {t('outputConnectors.facts', { version: version ?? 'none', outputs })}
        </Text>
        {problem && <Text size="sm">{t(problem)}</Text>}
        {refusal && <FaultNote fault={refusal} />}
      </Stack>
      <Group gap="xs" className={styles.settingAction}>
        <IconAction
          icon={Trash2}
          name={t('outputConnectors.deregister.what', { name })}
          onClick={() => void deregister()}
        />
      </Group>
    </div>
  )
}

function RegisterForm() {
  const t = useWords()
  const { services } = useSession()
  const { isSending, refusal, send } = useSending()
  const [name, setName] = useState('')
  const [module, setModule] = useState('')
  const errorAt = (field: string) =>
    refusal?.fields.some(([first]) => first === field) ? { error: faultText(refusal) } : {}

  async function register(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (isSending || (await send(() => services.outputs.register({ name, module })))) return
    setName('')
    setModule('')
  }

  return (
    <form onSubmit={(event) => void register(event)} noValidate aria-label={t('outputConnectors.register')}>
      <Stack gap="xs">
        <TextInput
          label={t('outputConnectors.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          {...errorAt('name')}
        />
        <TextInput
          label={t('outputConnectors.module')}
          description={t('outputConnectors.module.hint')}
          value={module}
          onChange={(event) => setModule(event.currentTarget.value)}
          spellCheck={false}
          {...errorAt('module')}
        />
        {refusal?.fields.length === 0 && <FaultNote fault={refusal} />}
        <Group>
          <ActionButton
            type="submit"
            variant="default"
            size="xs"
            leftSection={<Plus size={14} aria-hidden />}
            why={isSending ? t('outputConnectors.registering') : null}
            onClick={() => undefined}
          >
            {t('outputConnectors.register')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
