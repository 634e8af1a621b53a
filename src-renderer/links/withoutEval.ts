/** Keeps the schema library from trying `new Function`: the content security policy refuses it, and the browser reports even the caught
 *  attempt. Schemas read this setting when they are made, so this file must be the first import of `main.tsx`. */
import { config } from 'zod'

config({ jitless: true })
