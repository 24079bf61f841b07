/**
 * A pasted IBAN in electronic format, "DE89370400440532013000": without spaces, signs and invisible characters, and
 * without the word "IBAN" before it. Does not check whether the IBAN is valid. Same as private.plain_iban().
 */
export const plainIban = (pasted: string): string =>
  pasted
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .replace(/^IBAN(?:N|NO|NR|NUM|NUMBER|NUMMER|NUMERO)?(?=[A-Z]{2}[0-9]{2})/, '')
