/** What quick open offers: commands, screens and settings, which the interface knows, and jobs, harvests, domains, files and pages, which
 *  the engine finds. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { FoundName } from '../../src-main/contract/services/quickOpen.ts'
import type { Setting } from '../../src-main/contract/services/settings.ts'
import { isInOrder } from '../../src-main/contract/text/inOrder.ts'
import { archiveTabs, harvestTabs, type Route } from '../routes/routes.ts'
import type { Translate, WordId } from '../words/words.tsx'
import type { Dialog } from './dialogs.ts'
import { newestAnswer } from './newestAnswer.ts'

/** Groups of choices, in the order in which they are shown. */
export const quickGroups = ['command', 'job', 'harvest', 'domain', 'page', 'file', 'screen', 'setting'] as const
export type QuickGroup = (typeof quickGroups)[number]

/** What happens when a choice is made. `page`: the URL opens in a tab of the viewer. */
type QuickAction = { is: 'dialog'; dialog: Dialog } | { is: 'route'; route: Route } | { is: 'page'; url: string }

/** Something that can be opened. */
export interface QuickChoice {
  key: string
  group: QuickGroup
  label: string
  detail?: string
  does: QuickAction
}

/** Choices of one group that are shown. */
const shownPerGroup = 8

const commands: readonly { dialog: Dialog; word: WordId }[] = [
  { dialog: 'harvest', word: 'menu.harvest' },
  { dialog: 'import', word: 'menu.import' },
  { dialog: 'export', word: 'menu.export' },
  { dialog: 'checkMissing', word: 'menu.checkMissing' },
  { dialog: 'checkChecksums', word: 'menu.checkChecksums' },
  { dialog: 'spotCheck', word: 'menu.spotCheck' },
]

const screens: readonly { route: Route; word: WordId }[] = [
  { route: { place: 'jobs' }, word: 'rail.jobs' },
  { route: { place: 'schedule' }, word: 'rail.schedule' },
  { route: { place: 'plans' }, word: 'rail.plans' },
  { route: { place: 'viewer', jobs: [] }, word: 'rail.viewer' },
  { route: { place: 'search' }, word: 'rail.search' },
  { route: { place: 'history' }, word: 'rail.history' },
  { route: { place: 'system' }, word: 'rail.system' },
  { route: { place: 'settings' }, word: 'rail.settings' },
]

/** Commands, screens and settings. */
export function ownChoices(t: Translate, settings: readonly Setting[]): QuickChoice[] {
  const screen = (route: Route, label: string, key: string): QuickChoice => {
    return { key: `screen ${key}`, group: 'screen', label, does: { is: 'route', route } }
  }
  return [
    ...commands.map(({ dialog, word }): QuickChoice => {
      return { key: `command ${dialog}`, group: 'command', label: t(word), does: { is: 'dialog', dialog } }
    }),
    ...screens.map(({ route, word }) => screen(route, t(word), word)),
    ...harvestTabs.map((tab) =>
      screen({ place: 'harvests', tab }, `${t('rail.harvests')}: ${t(`harvests.tab.${tab}`)}`, `harvests ${tab}`),
    ),
    ...archiveTabs.map((tab) =>
      screen({ place: 'archive', tab }, `${t('rail.archive')}: ${t(`archive.tab.${tab}`)}`, `archive ${tab}`),
    ),
    ...settings.map(({ path, meaning }): QuickChoice => {
      const route: Route = { place: 'settings', setting: path }
      return { key: `setting ${path}`, group: 'setting', label: path, detail: meaning, does: { is: 'route', route } }
    }),
  ]
}

/** Choices that match a text, best first: words that begin with it, then parts, then its characters in order. */
export function matching(choices: readonly QuickChoice[], text: string): QuickChoice[] {
  const typed = text.trim().toLowerCase()
  if (typed === '') return choices.filter(({ group }) => group === 'command')
  const ranked = choices.flatMap((choice) => {
    const label = choice.label.toLowerCase()
    const at = label.indexOf(typed)
    if (at === 0 || (at > 0 && /[^\p{L}\p{N}]/u.test(label[at - 1] ?? ''))) return { choice, rank: 0 }
    if (at > 0) return { choice, rank: 1 }
    if (choice.detail?.toLowerCase().includes(typed)) return { choice, rank: 2 }
    return isInOrder(typed, label) ? { choice, rank: 3 } : []
  })
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ choice }) => choice)
}

function choiceOfName({ kind, id, name }: FoundName, t: Translate): QuickChoice {
  const key = `${kind} ${id}`
  switch (kind) {
    case 'job':
      return choice(t('quickOpen.job', { job: id, name }), { place: 'job', job: id })
    case 'harvest':
      return choice(name, { place: 'harvest', harvest: id })
    case 'domain':
      return choice(name, { place: 'domain', domain: name })
    case 'file':
      return choice(name, { place: 'file', file: name })
  }
  function choice(label: string, route: Route): QuickChoice {
    return { key, group: kind, label, does: { is: 'route', route } }
  }
}

/** The choices by group, in the order of the groups; each group at most `shownPerGroup`. */
export function groupsOf(choices: readonly QuickChoice[]): { group: QuickGroup; choices: QuickChoice[] }[] {
  return quickGroups.flatMap((group) => {
    const own = choices.filter((choice) => choice.group === group).slice(0, shownPerGroup)
    return own.length === 0 ? [] : { group, choices: own }
  })
}

export interface QuickOpenState {
  text: string
  /** What the engine found for this text or an earlier one. */
  found: readonly FoundName[]
  /** URLs of pages of the open view. */
  pages: readonly string[]
  /** Not all names have been read yet. */
  isReading: boolean
  ask(text: string): Promise<void>
}

type Services = { quickOpen: Loupe['quickOpen']; viewer: Pick<Loupe['viewer'], 'suggest'> }

/** Makes the store of a window. */
export function makeQuickOpen({ quickOpen, viewer }: Services): StoreApi<QuickOpenState> {
  const answer = newestAnswer()
  return createStore<QuickOpenState>()((set) => ({
    ...{ text: '', found: [], pages: [], isReading: false },
    async ask(text) {
      set({ text })
      const isNewest = answer()
      const [{ rows, isComplete }, pages] = await Promise.all([
        quickOpen.find({ text: text.slice(0, 200), limit: 24 }),
        text.trim() === '' ? [] : viewer.suggest({ text, limit: shownPerGroup }),
      ])
      if (isNewest()) set({ found: rows, pages: pages.map(({ url }) => url), isReading: !isComplete })
    },
  }))
}

/** Everything that is offered for the text of the store. What was found for an earlier text stays while it fits. */
export function offered(
  { text, found, pages }: Pick<QuickOpenState, 'text' | 'found' | 'pages'>,
  own: readonly QuickChoice[],
  t: Translate,
): ReturnType<typeof groupsOf> {
  const typed = text.trim().toLowerCase()
  const others = [
    ...found.map((name) => choiceOfName(name, t)),
    ...pages.map((url): QuickChoice => {
      return { key: `page ${url}`, group: 'page', label: url, does: { is: 'page', url } }
    }),
  ]
  return groupsOf([...matching(own, text), ...others.filter(({ label }) => isInOrder(typed, label.toLowerCase()))])
}
