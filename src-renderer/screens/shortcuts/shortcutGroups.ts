/** The keys of the application, as they are listed. They are handled in `shell/Dialogs.tsx`, `shell/useFormKeys.ts`, `screens/viewer/usePageCommands.ts`,
 *  `parts/rowSelection.tsx`, `screens/pageAudits`, and in Electron's menu. */
import type { WordId } from '../../words/words.tsx'

/** Keys or combinations, and what each of them does. */
export interface Shortcut {
  keys: readonly string[]
  word: WordId
  /** Absent: the same in a browser and in the desktop application. */
  only?: 'browser' | 'desktop'
}

type Group = 'everywhere' | 'viewer' | 'pageAudits' | 'lists' | 'forms'

export const shortcutGroups: readonly { group: Group; shortcuts: readonly Shortcut[] }[] = [
  {
    group: 'everywhere',
    shortcuts: [
      { keys: ['Ctrl+K'], word: 'quickOpen' },
      { keys: ['Alt+N'], word: 'menu.harvest', only: 'browser' },
      { keys: ['Ctrl+N'], word: 'menu.harvest', only: 'desktop' },
      { keys: ['Ctrl+I'], word: 'menu.import' },
      { keys: ['Ctrl+E'], word: 'menu.export' },
      { keys: ['Alt+T'], word: 'tasks.title' },
      { keys: ['Ctrl+O'], word: 'shortcuts.openInViewer' },
      { keys: ['Ctrl+1', 'Ctrl+2', 'Ctrl+3'], word: 'shortcuts.screens', only: 'desktop' },
      { keys: ['?'], word: 'shortcuts' },
      { keys: ['Esc'], word: 'shortcuts.close' },
    ],
  },
  {
    group: 'viewer',
    shortcuts: [
      { keys: ['Ctrl+T'], word: 'tabs.new' },
      { keys: ['Ctrl+W'], word: 'tabs.close' },
      { keys: ['Ctrl+Tab'], word: 'tabs.next' },
      { keys: ['Ctrl+Shift+Tab'], word: 'shortcuts.previousTab' },
      { keys: ['Ctrl+R'], word: 'shortcuts.reload' },
      { keys: ['Alt+←', 'Alt+→'], word: 'shortcuts.backForward' },
      { keys: ['Ctrl+F'], word: 'find.title' },
    ],
  },
  {
    group: 'pageAudits',
    shortcuts: [
      { keys: ['1', '2', '3', '4', '0'], word: 'shortcuts.verdict' },
      { keys: ['N', 'P'], word: 'shortcuts.verdict.pages' },
    ],
  },
  {
    group: 'lists',
    shortcuts: [
      { keys: ['Ctrl+A'], word: 'shortcuts.selectAll' },
      { keys: ['Shift+click'], word: 'shortcuts.selectRange' },
    ],
  },
  { group: 'forms', shortcuts: [{ keys: ['Ctrl+Enter'], word: 'shortcuts.submit' }] },
]
