/**
 * The pattern for `ilike` that finds a text anywhere, with nothing in it taken for a wildcard. Only an asterisk stands for
 * any one character, since the Data API leaves no way to mean the asterisk itself.
 */
export const containing = (text: string) =>
  `%${text.replace(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '_')}%`
