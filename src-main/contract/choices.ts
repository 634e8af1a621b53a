/** Words that a person chooses from. They stand apart from the contract's shapes because the command line offers them in its
 *  help, and loading the shapes takes longer than a short verb does. */

export const scopes = ['page', 'prefix', 'host', 'domain', 'any'] as const
export const exportFormats = ['warc', 'wacz', 'csv'] as const
export const waczVersions = ['1.1.1', '1.2.0'] as const
