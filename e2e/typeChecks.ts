/** The projects of the type checker, by description, as arguments for `execute`. The checker caches its results for unchanged files,
 *  so that checking a change takes seconds. */
const projects: Record<string, string> = {
  'engine and shells': 'src-main',
  contract: 'src-main/contract',
  'interface, with its tests': 'src-renderer',
  'interface, as it ships': 'src-renderer/tsconfig.product.json',
  'specs, benches, configuration': 'e2e',
}

/** One check per project, with the arguments that run it. */
export const typeChecks = Object.entries(projects).map(([name, project]) => ({
  name: `Types: ${name}`,
  words: ['tsc', '-p', project, '--incremental', '--tsBuildInfoFile', memoryOf(project)],
}))

function memoryOf(project: string): string {
  return `node_modules/.cache/types/${project.replaceAll('/', '-')}.tsbuildinfo`
}
