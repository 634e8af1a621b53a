/** The current view as screens see it: which jobs and files are viewed, the open tabs, and what is missing or wrong. */
import type { StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Miss, ViewAsked, ViewError, ViewSummary } from '../../src-main/contract/services/viewer.ts'
import type { Selection } from '../../src-main/contract/shapes/selection.ts'
import type { Loaded } from './loaded.ts'
import type { Step } from './tabHistory.ts'
import type { Tabs } from './viewTabs.ts'

/** `name`: the name under which the selection is saved. */
export interface Choice extends ViewAsked {
  /** The URL to show; when absent, `beginAt` decides. */
  url?: string
  name?: string
  /** URL to show when none is given: the URL that the tab already shows (the default; the first page if it shows none), or the first page
   *  of what is opened. */
  beginAt?: 'shownPage' | 'firstPage'
}

export interface ViewState extends Tabs {
  /** Null when no view was opened since the engine started. */
  view: Loaded<ViewSummary | null>
  /** A view is being opened; its index may have to be built first. */
  opening: boolean
  /** The fault of the last action. */
  refusal: Fault | null
  misses: Loaded<Miss[]>
  errors: Loaded<ViewError[]>
  load(): Promise<void>
  open(choice: Choice): Promise<void>
  /** The current view as a selection that can be changed. Undefined: no view is open. */
  choice(): ViewAsked | undefined
  /** Whether the view consists of exactly these jobs and files. */
  isShowing(selection: Selection): boolean
  /** Whether the file of a capture belongs to the view. */
  isViewed(capture: { job: number | null; file: string }): boolean
  /** Shows a URL in the active tab. */
  go(url: string): void
  /** Back, forward or reload in the active tab. */
  step(step: Exclude<Step, 'open'>): void
  openTab(url?: string): void
  closeTab(id: number): void
  showTab(id: number): void
  /** Activates the tab to the right (1) or left (-1), around the ends. */
  turnTab(by: 1 | -1): void
  /** Reloads the active tab now and the others when they are shown, after the component that drew the pages was lost. */
  reloadTabs(): void
  /** The frame of a tab has finished loading something. */
  frameLoaded(id: number): Promise<void>
  /** Called with the current URL by a tab that is drawn in a process of its own (Electron), which can tell it. */
  navigated(id: number, url: string): Promise<void>
  /** The component that drew this tab is gone; the tab continues where it was when it is shown again. */
  unloadTab(id: number): void
  clearFindings(): Promise<void>
  /** Starts or stops recording what is missing. */
  record(isRecording: boolean): Promise<void>
}

export type ViewStore = StoreApi<ViewState>

export type ViewServices = {
  viewer: Pick<
    Loupe['viewer'],
    'open' | 'keep' | 'current' | 'record' | 'title' | 'errors' | 'answers' | 'answered' | 'changed'
  >
  missing: Loupe['missing']
}
