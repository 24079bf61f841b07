/** Bank accounts. Checking the database's rules here first spares people a refusal. */
import { electronicFormatIBAN, friendlyFormatIBAN, isValidIBAN } from 'ibantools'

/** The electronic format of a typed IBAN, "DE89370400440532013000"; null if it is not one or its checksum is wrong. */
export function toIban(typed: string): string | null {
  const iban = electronicFormatIBAN(typed)
  return iban && isValidIBAN(iban) ? iban : null
}

/** In groups of four, as printed on a card. */
export const formatIban = (iban: string): string => friendlyFormatIBAN(iban) ?? iban
