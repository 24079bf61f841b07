/**
 * An `ilike` pattern that finds a text anywhere, with its wildcards escaped. An asterisk, which the Data API cannot
 * escape, becomes `_`, which matches any one character.
 */
export const containing = (text: string) =>
  `%${text.replace(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '_')}%`
