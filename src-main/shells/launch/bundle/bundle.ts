/**
 * Bundles the command line, with the engine and its threads. Loading one file for many modules takes less than half of the time and a third
 * less memory, and Node runs no TypeScript in a node_modules folder. The files are at the same depth as in src-main/, which keeps paths from
 * a file to package.json, resources/ and out/ valid.
 *
 * Commands that run load verbs and threads from their bundle when they need them, so no bundle is changed, moved or replaced. Each one has a
 * new folder, `dist/bundle-*`, and `dist/bundle.json`, which names the one that new commands run, is replaced when it is complete. Renaming a
 * file onto another replaces it on every system, which renaming a folder does not: Linux and macOS refuse it, and Windows also refuses to
 * move a folder in use. (Windows may refuse to replace the file while a command reads it. The build fails then, and the previous bundle stays
 * in use.)
 */
import { createRequire } from 'node:module'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { build, minifySync, type MinifyOptions, type Plugin, type Rolldown } from 'vite'
import { importBuiltinsDirectly } from './builtinImports.ts'
import { asciiText } from './asciiText.ts'

const { freshBundle } = createRequire(import.meta.url)('../../cli/mainFile.cjs') as {
  freshBundle(top: string): string | undefined
}

/** Time for which a replaced bundle is kept. Which commands still run from it is not known. */
const replacedMsMax = 7 * 24 * 60 * 60_000

/** Returns the folder of a bundle of the present sources, which is made unless there is one. The program is `cli/cli.js` in it. */
export async function bundleCommandLine(top: string): Promise<string> {
  const fresh = freshBundle(top)
  if (fresh !== undefined) return fresh
  mkdirSync(join(top, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(top, 'dist/bundle-'))
  const threads = globSync('src-main/**/*.thread.ts', { cwd: top, exclude: ['src-main/simulation/**'] })
  // Two bundles: the chunks that many threads share are small, and the main thread would load a hundred of them.
  const modules = [
    ...(await bundled(top, join(folder, 'cli'), ['src-main/shells/cli/cli.ts'])),
    ...(await bundled(top, join(folder, 'cli'), threads)), // together: a thread's code and the pool's must have the same classes
  ]
  replaceCurrent(top, { folder: basename(folder), sources: statesOf(top, modules) })
  return folder
}

/** Content of `dist/bundle.json`. */
interface Bundle {
  /** Name of its folder in `dist`. */
  folder: string
  /** Size and time of the last change of each file that it was made of. `mainFile.cjs` compares them. */
  sources: Record<string, [bytes: number, changedMs: number]>
}

/** Makes a complete bundle the one that commands run. Removes bundles that were replaced, or left incomplete, `replacedMsMax` ago. */
function replaceCurrent(top: string, bundle: Bundle): void {
  const dist = join(top, 'dist')
  const current = join(dist, 'bundle.json')
  if (existsSync(current)) {
    const replaced = join(dist, (JSON.parse(readFileSync(current, 'utf8')) as Bundle).folder)
    if (existsSync(replaced)) utimesSync(replaced, new Date(), new Date())
  }
  const written = join(dist, bundle.folder, 'bundle.json')
  writeFileSync(written, JSON.stringify(bundle))
  renameSync(written, current)
  for (const path of globSync('bundle-*', { cwd: dist }).map((name) => join(dist, name)))
    if (statSync(path).mtimeMs < Date.now() - replacedMsMax) rmSync(path, { recursive: true, force: true })
}

/** Leaves out comments but those of licences: V8 keeps the text of a module while it is loaded. Names and lines stay, for the traces of errors. */
const withoutComments: MinifyOptions = {
  ...{ module: true, compress: false, mangle: false },
  codegen: { removeWhitespace: false, legalComments: 'inline' },
}

function uncommented(fileName: string, text: string): string {
  const { code, errors } = minifySync(fileName, text, withoutComments)
  if (errors.length > 0) throw new Error(`${fileName}: ${errors.map((error) => error.message).join('; ')}`)
  return code
}

/** Rewrites the code of each chunk for loading it. Done last, since the bundler prints the code again after `renderChunk`. */
const loadedText: Plugin = {
  name: 'loaded-text',
  generateBundle(_options, outputs) {
    for (const part of Object.values(outputs))
      if (part.type === 'chunk') part.code = asciiText(uncommented(part.fileName, importBuiltinsDirectly(part.code)))
  },
}

/** Bundles the entries and what they share. Returns the paths of all modules. */
async function bundled(top: string, outDir: string, entries: readonly string[]): Promise<string[]> {
  const result = await build({
    configFile: false,
    root: top,
    logLevel: 'warn',
    publicDir: false,
    plugins: [loadedText],
    // Native code cannot be bundled.
    ssr: { noExternal: true, external: ['better-sqlite3', 'pdfjs-dist'] },
    build: {
      ssr: true,
      target: 'node24',
      minify: false,
      outDir,
      emptyOutDir: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((path) => [basename(path, '.ts'), join(top, path)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', keepNames: true },
      },
    },
  })
  const outputs = [result].flat() as Rolldown.RolldownOutput[]
  return outputs.flatMap(({ output }) => output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])))
}

/** Returns the states of the bundled modules, of what bundles them (the files of this folder) and of the list of packages. */
function statesOf(top: string, modules: readonly string[]): Bundle['sources'] {
  const paths = [
    ...modules.map((path) => relative(top, path)),
    ...globSync('src-main/shells/launch/bundle/*.ts', { cwd: top }),
  ]
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /^src-main\/(?!.*\.test\.ts$)/.test(path))
  return Object.fromEntries(
    ['package-lock.json', ...new Set(paths)].toSorted().map((path) => {
      const { size, mtimeMs } = statSync(join(top, path))
      return [path, [size, mtimeMs]]
    }),
  )
}

if (import.meta.main) await bundleCommandLine(join(import.meta.dirname, '../../../..'))
