/**
 * A pasted IBAN in electronic format, "DE89370400440532013000": without spaces, signs and invisible characters, and
 * without "IBAN" and a word for "number" before it, in any language. Does not check whether the IBAN is valid. Same as private.plain_iban().
 */
export const plainIban = (pasted: string): string =>
  pasted
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .replace(/^IBAN[A-Z]*?(?=[A-Z]{2}[0-9]{2})/, '')
