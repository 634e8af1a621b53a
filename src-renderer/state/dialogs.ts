/** Open dialog of the window. Each dialog can be opened from several places (a button, the menu, a key, a file dropped on the window), so
 *  its state and its initial values are here. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ExportRequest } from '../../src-main/contract/services/exports.ts'
import type { Selection } from '../../src-main/contract/shapes/selection.ts'

/** Those of checks are one dialog that begins with another kind of check chosen. */
const dialogs = [
  'harvest',
  'import',
  'export',
  'checkMissing',
  'checkChecksums',
  'spotCheck',
  'quickOpen',
  'shortcuts',
  'tasks',
] as const
export type Dialog = (typeof dialogs)[number]

/** The command that opens the viewer with the selected jobs, or the job that is shown. */
export const openInViewerCommand = 'openInViewer'

export interface DialogsState {
  open: Dialog | null
  /** Initial values of an export. */
  selection: Selection
  /** The search whose matches are exported; null: the selection is. */
  matching: NonNullable<ExportRequest['matching']> | null
  /** Default content of an export: the selected jobs, or the job that is shown. */
  atHand: Selection
  /** Initially selected replica of a check; null: all. */
  replica: string | null
  show(dialog: Dialog, selection?: Selection): void
  showMatchesExport(matching: NonNullable<ExportRequest['matching']>, selection: Selection): void
  showCheck(dialog: Extract<Dialog, 'checkMissing' | 'checkChecksums' | 'spotCheck'>, replica: string | null): void
  setAtHand(selection: Selection): void
  close(): void
}

export function makeDialogs(): StoreApi<DialogsState> {
  return createStore<DialogsState>()((set, get) => ({
    open: null,
    selection: {},
    matching: null,
    atHand: {},
    replica: null,
    show: (open, selection = get().atHand) => set({ open, selection, matching: null, replica: null }),
    showMatchesExport: (matching, selection) => set({ open: 'export', selection, matching, replica: null }),
    setAtHand: (atHand) => set({ atHand }),
    showCheck: (open, replica) => set({ open, selection: {}, replica }),
    close: () => set({ open: null }),
  }))
}

export function isDialog(name: string): name is Dialog {
  return dialogs.some((dialog) => dialog === name)
}
