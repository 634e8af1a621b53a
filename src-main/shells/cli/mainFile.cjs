/** Which file the `loupe` executable runs. Plain CommonJS, as `loupe.cjs`. */
'use strict'
const { existsSync, readFileSync, statSync } = require('node:fs')
const { join } = require('node:path')

/** Returns the program below the folder `top`, and the folder for its compiled code. An installed package has no sources, but what
 *  "npm pack" bundled of them. A checkout runs its sources, unless it has a bundle that was made of them as they are now. A bundle has its
 *  compiled code with it, so that both are removed together.
 *  @param {string} top
 *  @returns {{ file: string, compiled: string }} */
function mainFile(top) {
  const source = join(top, 'src-main/shells/cli/cli.ts')
  const folder = existsSync(source) ? freshBundle(top) : join(top, 'dist/shells')
  return folder === undefined
    ? { file: source, compiled: join(top, 'node_modules/.cache/loupe') }
    : { file: join(folder, 'cli/cli.js'), compiled: join(folder, 'compiled') }
}

/** Returns the folder of the bundle if it was made of the present sources (`launch/bundle/bundle.ts`). Compares sizes and times: reading the
 *  sources would take longer than the bundle saves.
 *  @param {string} top
 *  @returns {string | undefined} */
function freshBundle(top) {
  const file = join(top, 'dist/bundle.json')
  if (!existsSync(file)) return undefined
  /** @type {{ folder: string, sources: Record<string, [bytes: number, changedMs: number]> }} */
  const { folder, sources } = JSON.parse(readFileSync(file, 'utf8'))
  const isFresh = Object.entries(sources).every(([path, [bytes, changedMs]]) => {
    const found = statSync(join(top, path), { throwIfNoEntry: false })
    return found !== undefined && found.size === bytes && found.mtimeMs === changedMs
  })
  return isFresh ? join(top, 'dist', folder) : undefined
}

module.exports = { freshBundle, mainFile }
