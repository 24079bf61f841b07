/**
 * Converts a pasted IBAN to electronic format, such as "DE89370400440532013000": removes spaces, signs and invisible
 * characters, and "IBAN" with a word for "number" (in any language) before the IBAN. Does not check whether the IBAN is
 * valid. Same as private.plain_iban().
 */
export const plainIban = (pasted: string): string =>
  pasted
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .replace(/^IBAN[A-Z]*?(?=[A-Z]{2}[0-9]{2})/, '')
