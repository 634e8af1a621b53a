/**
 * Service `pictures` of the contract: writes a page of the present view to a file in the archive's folder. The page is drawn in a separate
 * viewing, so that requests of the browser meanwhile are neither shown to the user nor recorded as missing.
 */
import { join } from 'node:path'
import type { Caller } from '../../contract/calls/caller.ts'
import type { LoupeImplementation } from '../../contract/contract.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { browserAddress } from '../../contract/text/viewerAddresses.ts'
import { pictureName } from '../../contract/services/pictureName.ts'
import type { PictureForm } from '../../contract/services/pictures.ts'
import type { Viewer } from '../../viewer/viewer.ts'
import type { World } from '../../world/world.ts'
import type { DrawnPage } from '../given/drawnPage.ts'
import type { EngineSetting } from '../given/engineSetting.ts'
import { message } from '../../contract/words/message.ts'

interface Parts {
  viewer: Viewer
  world: World
  setting: EngineSetting
  software: string
}

export function picturesService({ viewer, world, setting, software }: Parts): LoupeImplementation['pictures'] {
  const { archiveFolder, drawPage } = setting
  const folder = join(archiveFolder, 'pictures')
  let isDrawing = false

  async function drawn({
    url,
    caller,
    ...how
  }: {
    url: string
    caller: Caller
    form: PictureForm
    widthPx: number
    made: string
  }): Promise<DrawnPage> {
    const view = viewer.current()
    if (!view) throw new Fault('refused', message('view.nothing'))
    if (!drawPage) throw new Fault('refused', message('picture.noDrawing'))
    const { user, password, enter } = await viewer.openOwn(view, browserAddress(url), { caller })
    viewer.record(false, user)
    const { proxy, certificate } = viewer
    const as = { user, password, enter, proxyPort: proxy.port, spkiSha256: certificate.spkiSha256 }
    try {
      return await drawPage({ ...as, ...how, software })
    } finally {
      viewer.leave(user)
    }
  }

  /** Never overwrites: a second picture of the same capture gets a number. */
  async function write(name: string, bytes: Uint8Array): Promise<string> {
    await world.disk.makeFolder(folder)
    const [, stem = '', ending = ''] = /^(.*)(\.\w+)$/.exec(name) ?? []
    let path = join(folder, name)
    for (let number = 2; await world.disk.stat(path); number += 1) path = join(folder, `${stem}-${number}${ending}`)
    const file = await world.disk.openWrite(path, 'create')
    try {
      await file.append([bytes])
      await file.sync()
    } finally {
      await file.close()
    }
    return path
  }

  return {
    async take({ url: asked, form, widthPx = 1280 }, caller) {
      if (isDrawing) throw new Fault('inUse', message('picture.busy'))
      isDrawing = true
      try {
        const made = new Date(world.clock.now()).toISOString()
        const { bytes, url, captured, ...how } = await drawn({ url: asked, caller, form, widthPx, made })
        if (captured === null) throw new Fault('notFound', message('picture.noCapture', { url: asked }))
        const path = await write(pictureName({ url, captured, form }), bytes)
        return { path, bytes: bytes.length, url, captured, made, ...how }
      } finally {
        isDrawing = false
      }
    },
  }
}
