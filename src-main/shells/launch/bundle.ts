/**
 * Bundles the command line, with the engine and its threads, into dist/shells/cli. Loading one file for many modules takes less than half of
 * the time and a third less memory, and Node runs no TypeScript in a node_modules folder. The files are at the same depth as in src-main/,
 * which keeps paths from a file to package.json, resources/ and out/ valid.
 */
import { createRequire } from 'node:module'
import { globSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { importBuiltinsDirectly } from './builtinImports.ts'
import { oneByteText } from './oneByteText.ts'

const { isBundleFresh } = createRequire(import.meta.url)('../cli/mainFile.cjs') as {
  isBundleFresh(top: string): boolean
}

/** Bundles everything, unless the bundle was made of the present sources: commands that run from it must not lose their files. `dist/sources.json`
 *  is written last, so an incomplete bundle never passes for a fresh one. */
export async function bundleCommandLine(top: string): Promise<void> {
  if (isBundleFresh(top)) return
  rmSync(join(top, 'dist'), { recursive: true, force: true })
  const threads = globSync('src-main/**/*.thread.ts', { cwd: top, exclude: ['src-main/simulation/**'] })
  // Two bundles: the chunks that many threads share are small, and the main thread would load a hundred of them.
  const modules = [
    ...(await bundled(top, ['src-main/shells/cli/cli.ts'])),
    ...(await bundled(top, threads)), // together: a thread's code and the pool's must have the same classes
  ]
  writeFileSync(join(top, 'dist/sources.json'), JSON.stringify(statesOf(top, modules)))
}

/** Rewrites the code of each chunk for loading it. Done last, since the bundler prints the code again after `renderChunk`. */
const loadedText: Plugin = {
  name: 'loaded-text',
  generateBundle(_options, outputs) {
    for (const part of Object.values(outputs))
      if (part.type === 'chunk') part.code = oneByteText(importBuiltinsDirectly(part.code))
  },
}

/** Bundles the entries and what they share. Returns the paths of all modules. */
async function bundled(top: string, entries: readonly string[]): Promise<string[]> {
  const result = await build({
    configFile: false,
    root: top,
    logLevel: 'warn',
    publicDir: false,
    plugins: [loadedText],
    // Native code cannot be bundled.
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      target: 'node24',
      minify: false,
      outDir: join(top, 'dist/shells/cli'),
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

/** Size and time of the last change of each source, and of the list of packages. `loupe.cjs` compares them before it runs the bundle. */
function statesOf(top: string, modules: readonly string[]): Record<string, [bytes: number, changedMs: number]> {
  const sources = modules
    .map((path) => relative(top, path).split(sep).join('/'))
    .filter((path) => /^src-main\//.test(path))
  const paths = ['package-lock.json', ...new Set(sources)].toSorted()
  return Object.fromEntries(
    paths.map((path) => {
      const { size, mtimeMs } = statSync(join(top, path))
      return [path, [size, mtimeMs]]
    }),
  )
}

if (import.meta.main) await bundleCommandLine(join(import.meta.dirname, '../../..'))
