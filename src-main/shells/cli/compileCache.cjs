/** V8's compile cache for the command line: compiling takes most of a short verb's run time, and every thread loads much of the
 *  engine again. Plain CommonJS: a TypeScript file that is loaded before the cache is enabled loads the type stripper. */
'use strict'
const { lstatSync, mkdirSync } = require('node:fs')
const { constants, enableCompileCache } = require('node:module')
const { homedir } = require('node:os')
const { join } = require('node:path')

/** Returns the folder for caches of one account on this system.
 *  @param {NodeJS.ProcessEnv} environment
 *  @param {NodeJS.Platform} platform
 *  @param {string} home
 *  @returns {string} */
function cacheFolder(environment, platform, home) {
  if (platform === 'win32') return environment.LOCALAPPDATA || join(home, 'AppData', 'Local')
  if (platform === 'darwin') return join(home, 'Library', 'Caches')
  return environment.XDG_CACHE_HOME || join(home, '.cache')
}

/** Whether only this account can write to a folder, which is created when it is absent. A cache is run as code.
 *  @param {string} folder
 *  @returns {boolean} */
function isPrivate(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { mode, uid } = lstatSync(folder)
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
  } catch (error) {
    // A file system that cannot be written, or a file in the place of the folder.
    if (error.code === undefined) throw error
    return false
  }
}

/** Enables the cache in the folder `ofProgram`, which is next to the program: an account that can write there could change the program too.
 *  Where this account cannot, the cache is in its own folder for caches; where neither is possible, nothing is cached. Threads learn of the
 *  folder from the environment.
 *  @param {string} ofProgram */
function keepCompiled(ofProgram) {
  const ofAccount = join(cacheFolder(process.env, process.platform, homedir()), 'loupe', 'compiled')
  /** @param {string} folder */
  const enabled = (folder) => enableCompileCache(folder).status !== constants.compileCacheStatus.FAILED
  if (enabled(ofProgram)) process.env.NODE_COMPILE_CACHE ??= ofProgram
  else if (isPrivate(ofAccount) && enabled(ofAccount)) process.env.NODE_COMPILE_CACHE ??= ofAccount
}

module.exports = { cacheFolder, isPrivate, keepCompiled }
