/**
 * Formats an IBAN in groups of four, as printed on a card. Separate from `iban.ts`, which loads the rules of all
 * countries.
 */
export const formatIban = (iban: string): string => iban.replace(/.{4}(?!$)/g, '$& ')

/** The maximum length of an IBAN field, into which people may paste spaces and surrounding words too. */
export const MOST_PASTED = 200
