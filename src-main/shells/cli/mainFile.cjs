/** Which file the `loupe` executable runs. Plain CommonJS, as `loupe.cjs`. */
'use strict'
const { existsSync, readFileSync, statSync } = require('node:fs')
const { join } = require('node:path')

/** Returns the path of the program below the folder `top`. An installed package has no sources, but what "npm pack" bundled of them. A
 *  checkout runs its sources, unless it has a bundle that was made of them as they are now.
 *  @param {string} top
 *  @returns {string} */
function mainFile(top) {
  const source = join(top, 'src-main/shells/cli/cli.ts')
  return existsSync(source) && !isBundleFresh(top) ? source : join(top, 'dist/shells/cli/cli.js')
}

/** Whether the bundle was made of the present sources (`launch/bundle.ts`). Compares sizes and times: reading the sources would take
 *  longer than the bundle saves.
 *  @param {string} top
 *  @returns {boolean} */
function isBundleFresh(top) {
  const file = join(top, 'dist/sources.json')
  if (!existsSync(file)) return false
  /** @type {Record<string, [bytes: number, changedMs: number]>} */
  const states = JSON.parse(readFileSync(file, 'utf8'))
  return Object.entries(states).every(([path, [bytes, changedMs]]) => {
    const found = statSync(join(top, path), { throwIfNoEntry: false })
    return found !== undefined && found.size === bytes && found.mtimeMs === changedMs
  })
}

module.exports = { isBundleFresh, mainFile }
