/**
 * An IBAN in groups of four, as printed on a card. Kept apart from `iban.ts`, which loads the rules of all countries.
 */
export const formatIban = (iban: string): string => iban.replace(/.{4}(?!$)/g, '$& ')

/** The most characters in a field for an IBAN, which may be pasted with spaces and the words around it. */
export const MOST_PASTED = 200
