/**
 * An IBAN in groups of four, as printed on a card. Kept apart from `iban.ts`, which loads the rules of all countries.
 */
export const formatIban = (iban: string): string => iban.replace(/.{4}(?!$)/g, '$& ')
