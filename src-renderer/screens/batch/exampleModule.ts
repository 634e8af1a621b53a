/** A useful example module that shows everything a module can contain. A test runs it. */

export const exampleModule = `// Counts the captures of each media type over all chosen files.
const counts = new Map()

export async function start(context) {
  await context.write('media type\\tcaptures\\n')
}

export async function processFile(file, context) {
  let captures = 0
  for await (const { mediaType } of file.captures()) {
    counts.set(mediaType, (counts.get(mediaType) ?? 0) + 1)
    captures += 1
  }
  if (captures === 0 && file.kind === 'content') context.remark('holds no capture')
}

export async function finish(context) {
  for (const [mediaType, captures] of [...counts].sort())
    await context.write(\`\${mediaType || 'unknown'}\\t\${captures}\\n\`)
}
`

/** Number of failed files after which a run ends unless its module says otherwise; the default of the engine. */
export const failuresDefault = 100
