/** An IBAN in groups of four, as printed on a card. Apart from `iban.ts`, whose checks need the lengths of all countries. */
export const formatIban = (iban: string): string => iban.replace(/.{4}(?!$)/g, '$& ')
