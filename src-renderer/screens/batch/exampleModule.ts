/** A module that does something worth doing and shows all that a module can have. A test runs it. */

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

/** Failed files after which a run ends where its module says nothing else; the engine's own number. */
export const failuresDefault = 100
