/** The build: out/main (main process, engine, and every thread flat beside it), out/preload, out/renderer. The server shell
 *  runs the engine's sources, the command line runs them or its own bundle (launch/bundle/bundle.ts); both take only out/renderer from here. */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const top = import.meta.dirname
const electron = join(top, 'src-main/shells/electron')

/** `new URL('./x.thread.ts', import.meta.url)` is answered beside the file that asks, so chunks lie there too. */
const threads = globSync('src-main/**/*.thread.ts', { cwd: top })
const threadEntries = Object.fromEntries(threads.map((path) => [basename(path, '.ts'), join(top, path)] as const))

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      rolldownOptions: {
        input: { main: join(electron, 'main.ts'), engine: join(electron, 'engine.ts'), ...threadEntries },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
      externalizeDeps: true,
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      rolldownOptions: {
        input: { preload: join(electron, 'preload.ts') },
        // Electron refuses a module as the preload of a sandboxed page.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [react()],
    css: { modules: { localsConvention: 'camelCaseOnly' } },
    build: {
      outDir: 'out/renderer',
      rolldownOptions: { input: join(top, 'src-renderer/index.html') },
    },
  },
})
