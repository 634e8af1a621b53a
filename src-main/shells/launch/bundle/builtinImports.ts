/**
 * Replaces the imports of Node's own modules in bundled code. An `import` of any export of such a module reads all of its exports, also those
 * that Node loads when they are first read: that of node:http loads undici. `process.getBuiltinModule` reads none.
 */

/** An import as the bundler writes it, on a line of its own: a default import, a namespace, or names in braces. */
const builtinImport = /^import (?:([\w$]+)(?:, )?)?(?:\* as ([\w$]+))?(?:\{([^}]*)\})? from "(node:[\w/]+)";$/gm

/** Returns the code with each import of a module of Node replaced by a declaration. */
export function importBuiltinsDirectly(code: string): string {
  return code.replace(
    builtinImport,
    (
      _line,
      byDefault: string | undefined,
      namespace: string | undefined,
      names: string | undefined,
      module: string,
    ) => {
      const patterns = [byDefault, namespace, names && `{${names.replaceAll(' as ', ': ')}}`]
      const given = `globalThis.process.getBuiltinModule("${module}")`
      return patterns
        .filter((pattern) => pattern !== undefined)
        .map((pattern) => `const ${pattern} = ${given};`)
        .join(' ')
    },
  )
}
