/** Which settings are shown: those that have all typed words in their path, their explanation or the title of their group. */
import type { Setting } from '../../../src-main/contract/services/settings.ts'

export interface SettingFilter {
  text: string
  /** Only those whose value is not the default. */
  isChangedOnly: boolean
}

export const everySetting: SettingFilter = { text: '', isChangedOnly: false }

export function isEverySetting({ text, isChangedOnly }: SettingFilter): boolean {
  return text.trim() === '' && !isChangedOnly
}

export function isShown(
  { path, meaning, source }: Pick<Setting, 'path' | 'meaning' | 'source'>,
  groupTitle: string,
  { text, isChangedOnly }: SettingFilter,
): boolean {
  if (isChangedOnly && source === 'default') return false
  const searched = `${path} ${meaning} ${groupTitle}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}
