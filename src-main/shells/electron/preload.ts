/**
 * The only part of Electron that the interface can use: two functions of the contract's link, the archived page, the paths of dropped
 * files, where to save, where an export was written, and the chosen menu item. It is built as CommonJS, because a sandboxed preload cannot
 * be a module.
 */
import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron'
import type { LoupeWindow } from '../../../src-renderer/links/window.ts'
import type { Reply } from '../../contract/calls/service.ts'
import { channels, type PageCommand } from './ipc.ts'

/** Listeners for events of the contract, by the name of the event. One IPC listener serves them all. */
const listeners = new Map<string, Set<(payload: unknown) => void>>()
ipcRenderer.on(channels.event, (_event: IpcRendererEvent, name: string, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload)
})

const command = (message: PageCommand) => ipcRenderer.send(channels.page, message)

/** Subscribes to a channel. Returns the function that ends the subscription. */
function onChannel<Words extends unknown[]>(channel: string, listener: (...words: Words) => void): () => void {
  const onMessage = (_event: IpcRendererEvent, ...words: Words) => listener(...words)
  ipcRenderer.on(channel, onMessage)
  return () => void ipcRenderer.off(channel, onMessage)
}

const loupe: LoupeWindow = {
  call: (name, input) => ipcRenderer.invoke(channels.call, name, input) as Promise<Reply>,
  listen(name, onPayload) {
    const ofEvent = listeners.get(name) ?? new Set()
    listeners.set(name, ofEvent.add(onPayload))
    return () => void ofEvent.delete(onPayload)
  },
  page: {
    show: (tab, { x, y, width, height }) => command({ kind: 'show', tab, bounds: { x, y, width, height } }),
    hide: () => command({ kind: 'hide' }),
    open: (tab, url) => command({ kind: 'open', tab, url }),
    reload: (tab) => command({ kind: 'reload', tab }),
    keep: (tabs) => command({ kind: 'keep', tabs: [...tabs] }),
    find: (text, isForward) => command({ kind: 'find', text, isForward }),
    takePicture: (wanted) => ipcRenderer.invoke(channels.picture, wanted) as Promise<Reply>,
    onNavigated: (listener) => onChannel(channels.navigated, listener),
    onPageLost: (listener) => onChannel(channels.pageLost, listener),
    onFound: (listener) => onChannel(channels.found, listener),
  },
  pathOf: (file) => webUtils.getPathForFile(file),
  askWhere: (suggested) => ipcRenderer.invoke(channels.askWhere, suggested) as Promise<string | null>,
  showExported: (number) => ipcRenderer.invoke(channels.showExported, number) as Promise<Reply>,
  onCommand: (listener) => onChannel(channels.command, listener),
}

contextBridge.exposeInMainWorld('loupe', loupe)
