/** One setting: its name and explanation, and its value, which can be edited in place. */
import { Checkbox, Code, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import { useStore } from 'zustand'
import type { Setting, SettingLevel } from '../../../src-main/contract/services/settings.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { useFormats } from '../../parts/formats.ts'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { humanAmount } from './humanAmount.ts'
import { linesOf, textOf, valueIn } from './settingText.ts'
import styles from './settings.module.css'

/** Id of the element that shows a setting. */
export function idOfSetting(path: string): string {
  return `setting-${path}`
}

export function SettingField({ setting }: { setting: Setting }) {
  const t = useWords()
  const held = textOf(setting.kind, setting.value)
  const standard = textOf(setting.kind, setting.default)
  const human = humanAmount(useFormats(), setting.unit, setting.default)
  return (
    <div className={styles.setting} id={idOfSetting(setting.path)}>
      <div>
        <Group gap="xs">
          <Text fw={600} className="mono">
            {setting.path}
          </Text>
          {setting.needsRestart && <ToneBadge tone="attention" text={t('setting.needsRestart')} />}
          {setting.source !== 'default' && <ToneBadge tone="idle" text={t(`setting.own.${setting.source}`)} />}
        </Group>
        <Text size="sm">{setting.meaning}</Text>
        <Text size="sm" c="dimmed" component="div">
          {t('setting.default')}{' '}
          {standard === '' ? t('setting.nothing') : <Code>{standard.replaceAll('\n', ', ')}</Code>}
          {human !== undefined && ` (${human})`}
          {` · ${t('setting.example')} `}
          <Code>{textOf(setting.kind, setting.example).replaceAll('\n', ', ')}</Code>
          {setting.atStart && !setting.needsRestart && ` · ${t('setting.atStart')}`}
        </Text>
      </div>
      {/* Mounted again when the engine has another value, so that the field never shows an older one. */}
      <Editor key={held} setting={setting} held={held} standard={standard} />
    </div>
  )
}

function Editor({ setting, held, standard }: { setting: Setting; held: string; standard: string }) {
  const t = useWords()
  const { settings: store } = useSession()
  const { set } = useStore(store)
  const [typed, setTyped] = useState(held)
  const [problem, setProblem] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)

  async function save(text: string, level: SettingLevel = 'archive'): Promise<void> {
    const read = valueIn(setting.kind, text)
    if ('problem' in read) return setProblem(t(`setting.problem.${read.problem}`))
    setSaving(true)
    setProblem(null)
    try {
      await set(setting.path, read.value, level)
    } catch (error) {
      setProblem(faultFrom(error).message)
    } finally {
      setSaving(false)
    }
  }

  const field = {
    'aria-label': setting.path,
    value: typed,
    error: problem,
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
  }
  const unchanged = typed === held
  useUnsaved(!unchanged)
  return (
    <form
      aria-label={t('setting.form', { path: setting.path })}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        if (!unchanged) void save(typed)
      }}
    >
      <ValueField setting={setting} field={field} onChoose={setTyped} />
      {(!unchanged || held !== standard) && (
        <Group gap="xs" mt={6}>
          {!unchanged && (
            <>
              <ActionButton size="xs" type="submit" onClick={() => undefined} why={saving ? t('setting.saving') : null}>
                {t('setting.save')}
              </ActionButton>
              {!setting.isOfArchive && (
                <ActionButton size="xs" variant="default" onClick={() => void save(typed, 'user')}>
                  {t('setting.saveForUser')}
                </ActionButton>
              )}
              <ActionButton size="xs" variant="default" onClick={() => setTyped(held)}>
                {t('setting.cancel')}
              </ActionButton>
            </>
          )}
          {unchanged && held !== standard && (
            <ActionButton
              size="xs"
              variant="subtle"
              onClick={() => void save(standard)}
              aria-label={t('setting.reset.of', { path: setting.path })}
            >
              {t('setting.reset')}
            </ActionButton>
          )}
        </Group>
      )}
    </form>
  )
}

interface ValueFieldProps {
  setting: Setting
  field: {
    'aria-label': string
    value: string
    error: string | null
    onChange: (event: { currentTarget: { value: string } }) => void
  }
  onChoose: (value: string) => void
}

function ValueField({ setting, field, onChoose }: ValueFieldProps) {
  const t = useWords()
  const formats = useFormats()
  if (setting.kind === 'list' && setting.choices)
    return <TickBoxes setting={setting} field={field} onChoose={onChoose} />
  switch (setting.kind) {
    case 'choice': {
      const { onChange: _byEvent, ...rest } = field
      return (
        <Select
          {...rest}
          data={setting.choices ?? []}
          allowDeselect={false}
          onChange={(value) => onChoose(value ?? field.value)}
        />
      )
    }
    case 'list':
    case 'map':
      return (
        <Textarea
          {...field}
          autosize
          minRows={1}
          spellCheck={false}
          classNames={{ input: 'mono' }}
          placeholder={t(setting.kind === 'list' ? 'setting.list' : 'setting.map')}
        />
      )
    case 'number':
      return (
        <TextInput
          {...field}
          inputMode="decimal"
          description={humanAmount(formats, setting.unit, Number(field.value))}
          inputWrapperOrder={['input', 'description', 'error']}
          rightSection={setting.unit ? <span className={styles.unit}>{setting.unit}</span> : null}
          rightSectionWidth={88}
        />
      )
    case 'text':
      return <TextInput {...field} spellCheck={false} />
  }
}

/** A list whose entries are chosen from known ones. */
function TickBoxes({ setting: { choices = [], choiceMeanings }, field, onChoose }: ValueFieldProps) {
  return (
    <Checkbox.Group
      aria-label={field['aria-label']}
      value={linesOf(field.value)}
      error={field.error}
      onChange={(chosen) => onChoose(choices.filter((choice) => chosen.includes(choice)).join('\n'))}
    >
      <Stack gap={6}>
        {choices.map((choice) => (
          <Checkbox key={choice} value={choice} label={choiceMeanings?.[choice] ?? choice} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
